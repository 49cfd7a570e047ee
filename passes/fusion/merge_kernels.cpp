// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Joins kernels that read the same array: a kernel with several results.
//
//  1. In program order, each loop kernel tries the kernels before it that write or read one of its inputs, the largest
//     first.
//  2. One of the two moves to the other's place, past kernels that neither use its results nor make its operands.
//  3. The joined body computes what both have in common once; results that only the other read stay in VMEM.
#include "dialects/kernel/function.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/OperationSupport.h"
#include "passes/analysis/target_option.h"
#include "passes/fusion/group.h"
#include "passes/fusion/passes.h"

using namespace mlir;

namespace tpuc::fusion {
#define GEN_PASS_DEF_MERGEKERNELSPASS
#include "passes/fusion/passes.h.inc"
namespace {

using kernel::FusionOp;

constexpr size_t kMostOps = 256;        // longer bodies spill, and compile slowly
constexpr int64_t kSmall = 256 * 1024;  // bytes: one grid step takes so many, and so many may live longer
constexpr int64_t kStepsSideBySide = 4;

int64_t bytesOf(Value v) {
  auto type = cast<RankedTensorType>(v.getType());
  return type.getNumElements() * llvm::divideCeil(type.getElementTypeBitWidth(), 8);
}

bool isLoop(FusionOp op) { return op.getKind() == "loop"; }
bool isMatrix(FusionOp op) { return op.getKind() == "dot" || op.getKind() == "conv" || op.getKind() == "window"; }

Members membersOf(FusionOp op, SmallVectorImpl<Operation *> &ops) {
  for (Operation &inner : op.getBlock().without_terminator()) ops.push_back(&inner);
  return {ops, SmallVector<Value>(op.getBlock().getArguments()),
          SmallVector<Value>(op.getBlock().getTerminator()->getOperands())};
}

Operation *inBlock(Operation *op, Block *block) { return block->findAncestorOpInBlock(*op); }

// The first user after `op` in its block other than `except`; null where there is none.
Operation *firstUser(Operation *op, Operation *except) {
  Operation *first = nullptr;
  for (Operation *user : op->getUsers()) {
    Operation *here = inBlock(user, op->getBlock());
    if (here != except && (!first || here->isBeforeInBlock(first))) first = here;
  }
  return first;
}

bool isLastUser(Operation *op, Value v) {
  return llvm::all_of(v.getUsers(), [&](Operation *user) {
    Operation *here = inBlock(user, op->getBlock());
    return here && (here == op || here->isBeforeInBlock(op));
  });
}

// Bytes of arrays that nothing reads after `op`; arguments live throughout.
int64_t dyingBytes(FusionOp op, FusionOp other) {
  int64_t bytes = 0;
  for (Value v : llvm::SetVector<Value>(op.getInputs().begin(), op.getInputs().end()))
    if (v.getDefiningOp() && !llvm::is_contained(other.getInputs(), v) && isLastUser(op, v)) bytes += bytesOf(v);
  return bytes;
}

int64_t resultBytes(FusionOp op) {
  int64_t bytes = 0;
  for (Value v : op.getResults()) bytes += bytesOf(v);
  return bytes;
}

// Where the joined kernel may stand: `second`'s place when nothing between uses the first's results, `first`'s when the
// second's operands are there already; null where neither holds or arrays would live longer.
Operation *placeOf(FusionOp first, FusionOp second) {
  Operation *user = firstUser(first, second);
  bool down = !user || second->isBeforeInBlock(user);
  bool reads = llvm::any_of(second.getInputs(), [&](Value v) { return v.getDefiningOp() == first; });
  bool next = first->getNextNode() == second;
  if (down && (next || reads || dyingBytes(first, second) <= resultBytes(first) + kSmall)) return second;
  bool up = llvm::all_of(second.getInputs(), [&](Value v) {
    Operation *def = v.getDefiningOp();
    return !def || def == first || def->getBlock() != first->getBlock() || def->isBeforeInBlock(first);
  });
  if (up && (next || resultBytes(second) <= dyingBytes(second, first) + kSmall)) return first;
  return nullptr;
}

// The one shape of all that a kernel reads, computes element by element and writes; null where it does anything else.
ShapedType uniformShape(FusionOp op) {
  auto shape = cast<ShapedType>(op.getResult(0).getType());
  auto alike = [&](Value v) { return cast<ShapedType>(v.getType()).getShape() == shape.getShape(); };
  if (!isLoop(op) || !llvm::all_of(op.getInputs(), alike) || !llvm::all_of(op.getResults(), alike)) return {};
  for (Operation &inner : op.getBlock().without_terminator())
    if (!isPointwise(&inner) || inner.getNumResults() != 1 || !alike(inner.getResult(0))) return {};
  return shape;
}

// The ops of a body by what they compute.
using Computed = DenseMap<llvm::hash_code, SmallVector<Operation *, 1>>;

llvm::hash_code hashOf(Operation *op) {
  return OperationEquivalence::computeHash(op, OperationEquivalence::directHashValue,
                                           OperationEquivalence::ignoreHashValue,
                                           OperationEquivalence::IgnoreLocations);
}

// The op of a body that computes the same; null where there is none, and it is known from then on.
Operation *sameOf(Operation *op, Computed &known) {
  SmallVector<Operation *, 1> &alike = known[hashOf(op)];
  for (Operation *other : alike)
    if (OperationEquivalence::isEquivalentTo(other, op, OperationEquivalence::IgnoreLocations)) return other;
  alike.push_back(op);
  return nullptr;
}

// Two bodies on their way into one: most trials fail or go on, and moving ops costs less than copying them.
class Joining {
 public:
  void replace(Value from, Value to) {
    for (OpOperand &use : from.getUses()) uses_.push_back({&use, from});
    from.replaceAllUsesWith(to);
  }
  // All but the terminator. What `to` computes already is left out.
  void move(Block &from, Block &to) {
    for (Operation &op : llvm::make_early_inc_range(from.without_terminator())) {
      ops_.push_back({&op, &from});
      op.remove();
      if (Operation *same = sameOf(&op, computed_)) {
        for (auto [result, other] : llvm::zip(op.getResults(), same->getResults())) replace(result, other);
        repeated_.push_back(&op);
      } else {
        to.push_back(&op);
      }
    }
  }
  void keep() {
    for (Operation *op : llvm::reverse(repeated_)) op->destroy();
  }
  // Takes the merge back.
  void undo() {
    for (auto [use, value] : llvm::reverse(uses_)) use->set(value);
    for (auto [op, from] : ops_) {
      if (op->getBlock()) op->remove();
      from->getOperations().insert(from->getTerminator()->getIterator(), op);
    }
  }

 private:
  SmallVector<std::pair<OpOperand *, Value>> uses_;
  SmallVector<std::pair<Operation *, Block *>> ops_;
  SmallVector<Operation *> repeated_;
  Computed computed_;
};

struct MergeKernels : impl::MergeKernelsPassBase<MergeKernels> {
  using MergeKernelsPassBase::MergeKernelsPassBase;

  // A body with the ops of both, made at `place`. What the second repeats of the first is there once. `joining` can put
  // the two back.
  FusionOp join(FusionOp first, FusionOp second, Operation *place, Joining &joining) {
    OpBuilder b(place);
    llvm::SetVector<Value> inputs(first.getInputs().begin(), first.getInputs().end());
    for (Value v : second.getInputs())
      if (v.getDefiningOp() != first) inputs.insert(v);
    SmallVector<Value> leaving;  // of the first
    for (Value v : first.getResults())
      if (llvm::any_of(v.getUsers(), [&](Operation *user) { return user != second; })) leaving.push_back(v);
    SmallVector<Type> types = llvm::map_to_vector(leaving, [](Value v) { return v.getType(); });
    llvm::append_range(types, second.getResultTypes());
    Location loc = isMatrix(first) ? first.getLoc() : second.getLoc();
    auto joined = FusionOp::create(b, loc, types, first.getKindAttr(), inputs.getArrayRef(), ArrayAttr(), ArrayAttr());
    Block *body = b.createBlock(&joined.getBody());
    IRMapping outer;  // arrays to values of the body
    for (Value v : inputs) outer.map(v, body->addArgument(v.getType(), v.getLoc()));
    for (FusionOp op : {first, second}) {
      for (auto [argument, input] : llvm::zip(op.getBlock().getArguments(), op.getInputs()))
        joining.replace(argument, outer.lookup(input));
      joining.move(op.getBlock(), *body);
      for (auto [result, value] : llvm::zip(op.getResults(), op.getBlock().getTerminator()->getOperands()))
        outer.map(result, value);
    }
    llvm::append_range(leaving, second.getResults());
    b.setInsertionPointToEnd(body);
    kernel::YieldOp::create(b, loc, llvm::map_to_vector(leaving, [&](Value v) { return outer.lookup(v); }));
    return joined;
  }

  static Operation *moved(Operation &op, IRMapping &mapping) {
    for (OpOperand &operand : op.getOpOperands()) operand.set(mapping.lookupOrDefault(operand.get()));
    op.remove();
    return &op;
  }

  static void addOnce(Block *body, Operation *op, Computed &known) {
    Operation *same = sameOf(op, known);
    if (!same) return body->push_back(op);
    op->replaceAllUsesWith(same);
    op->destroy();
  }

  std::optional<IndexSpace> spaceOf(FusionOp op) {
    Known &known = knownOf(op);
    SmallVector<Operation *> ops;
    if (!known.space) known.space = indexSpace(membersOf(op, ops));
    return *known.space;
  }

  // Whether a kernel of reductions has a few numbers of a dim that is not along lanes, in one tile: so that dim is not
  // cut, and whatever else the kernel keeps has all of it.
  static bool hasShortVector(FusionOp op) {
    auto isShort = [](Type t) {
      auto type = cast<RankedTensorType>(t);
      return type.getRank() == 1 && type.getNumElements() <= 128;
    };
    bool isReduced = false, isRead = false;
    for (Operation &inner : op.getBlock().without_terminator()) {
      if (auto reduce = dyn_cast<stablehlo::ReduceOp>(inner)) {
        isReduced = true;
        auto from = cast<RankedTensorType>(reduce.getInputs()[0].getType());
        isRead |=
            isShort(reduce.getResult(0).getType()) && llvm::is_contained(reduce.getDimensions(), from.getRank() - 1);
      }
      if (auto broadcast = dyn_cast<stablehlo::BroadcastInDimOp>(inner))
        isRead |= isShort(broadcast.getOperand().getType()) &&
                  broadcast.getBroadcastDimensions()[0] + 1 < broadcast.getType().getRank();
    }
    return isReduced && isRead;
  }

  // Whether a value, or what a few ops make of it element by element, is broadcast.
  static bool isBroadcast(Value v, int most = 8) {
    return llvm::any_of(v.getUsers(), [&](Operation *user) {
      if (mlir::isa<stablehlo::BroadcastInDimOp>(user)) return true;
      const bool isAlike = user->getNumResults() == 1 && cast<ShapedType>(user->getResult(0).getType()).getShape() ==
                                                             cast<ShapedType>(v.getType()).getShape();
      return isAlike && most > 0 && isBroadcast(user->getResult(0), most - 1);
    });
  }

  // Whether what rows are reduced to goes back to each of them: such rows are not cut, and all that the kernel keeps
  // has all of them.
  static bool readsReducedRows(FusionOp op) {
    return llvm::any_of(op.getBlock().getOps<stablehlo::ReduceOp>(), [](stablehlo::ReduceOp reduce) {
      const int64_t lanes = cast<RankedTensorType>(reduce.getInputs()[0].getType()).getRank() - 1;
      return llvm::any_of(reduce.getDimensions(), [&](int64_t d) { return d != lanes; }) &&
             llvm::any_of(reduce->getResults(), [](Value v) { return isBroadcast(v); });
    });
  }

  // Whether the joined kernel is one that can run, does no work twice and keeps steps that can run side by side.
  bool isWorth(FusionOp joined, FusionOp first, FusionOp second) {
    SmallVector<Operation *> ops;
    Members both = membersOf(joined, ops);
    if (!isValid(both, room_)) return false;
    if (isMatrix(first)) {
      if (llvm::any_of(ops, [&](Operation *op) { return leavesNoRegisters(op, ops); })) return false;
      // The epilogue's results leave as the products do.
      auto shape = cast<RankedTensorType>(both.results[0].getType()).getShape();
      return llvm::all_of(both.results,
                          [&](Value v) { return cast<RankedTensorType>(v.getType()).getShape() == shape; }) &&
             ((first.getKind() == "dot" && !meetsRowsAcross(both.inputs, *llvm::find_if(ops, isMatrixOp))) ||
              question_->hasRoom(joined));
    }
    auto space = indexSpace(both), a = spaceOf(first), b = spaceOf(second);
    if (!space || !a || !b) return false;
    bool reads = llvm::any_of(second.getInputs(), [&](Value v) { return v.getDefiningOp() == first; });
    if (space->elements != (reads ? a->elements : std::max(a->elements, b->elements))) return false;
    int64_t bytes = 0;
    for (Value v : llvm::concat<Value>(both.inputs, both.results)) bytes += bytesOf(v);
    if (bytes > kSmall &&
        space->parallelUnits < std::min(std::max(a->parallelUnits, b->parallelUnits), kStepsSideBySide))
      return false;
    // Dims that both cut may be summed by one of them, as rows and columns of an array are: then nobody cuts them.
    const bool sumsAcross = space->parallelUnits < std::max(a->parallelUnits, b->parallelUnits);
    return (!sumsAcross && !hasShortVector(joined) && !readsReducedRows(joined) && !writesAcross(both) &&
            !cutsTiles(joined, both)) ||
           question_->hasRoom(joined);
  }

  // Whether a result's lanes are a dim that other arrays have outside of their tiles: it is cut in tiles of 128 or
  // more, or not at all, and they with it.
  static bool writesAcross(const Members &members) {
    auto rank = [](Value v) { return cast<RankedTensorType>(v.getType()).getRank(); };
    int64_t most = 0;
    for (Value v : llvm::concat<const Value>(members.inputs, members.results)) most = std::max(most, rank(v));
    return llvm::any_of(members.results, [&](Value v) { return rank(v) > 0 && rank(v) + 2 <= most; });
  }

  // Whether its blocks are only small enough where dims under tiles are cut.
  bool cutsTiles(FusionOp joined, const Members &members) const {
    Room whole = room_;
    whole.cutsTiles = false;
    return !joined.getBlock().getOps<stablehlo::ReduceOp>().empty() && !isValid(members, whole);
  }

  // What is asked of a body each time it is tried.
  struct Known {
    size_t length = 0;
    ShapedType uniform;
    Computed computed;                               // once others were appended
    std::optional<std::optional<IndexSpace>> space;  // of a body alone
  };
  Known &knownOf(FusionOp op) {
    auto [known, added] = known_.try_emplace(op);
    if (added) known->second = {kernel::lengthOf(op.getBlock()), uniformShape(op), Computed(), {}};
    return known->second;
  }
  void erase(FusionOp op) {
    known_.erase(op);
    op.erase();
  }

  // The second's ops behind the first's in the first's body, which stays as it is. What the second repeats of the first
  // is there once.
  FusionOp append(FusionOp first, FusionOp second, Operation *place, Computed &computed) {
    OpBuilder b(place);
    SmallVector<Value> inputs(first.getInputs());
    Block *body = &first.getBlock();
    IRMapping mapping;  // the second's arguments to values of the body
    Operation *end = body->getTerminator();
    if (computed.empty()) {
      SmallVector<Operation *> own = llvm::map_to_vector(body->without_terminator(), [](Operation &op) { return &op; });
      for (Operation *op : own) addOnce(body, moved(*op, mapping), computed);
      end->moveBefore(body, body->end());
    }
    for (auto [argument, input] : llvm::zip(second.getBlock().getArguments(), second.getInputs())) {
      if (auto result = mlir::dyn_cast<OpResult>(input); result && result.getOwner() == first) {
        mapping.map(argument, end->getOperand(result.getResultNumber()));
        continue;
      }
      size_t at = llvm::find(inputs, input) - inputs.begin();
      if (at == inputs.size()) {
        inputs.push_back(input);
        body->addArgument(input.getType(), input.getLoc());
      }
      mapping.map(argument, body->getArgument(at));
    }
    SmallVector<Value> results;
    SmallVector<Type> types;
    for (auto [v, inner] : llvm::zip(first.getResults(), end->getOperands()))
      if (llvm::any_of(v.getUsers(), [&](Operation *user) { return user != second; })) {
        results.push_back(inner);
        types.push_back(v.getType());
      }
    end->erase();
    Block &behind = second.getBlock();
    for (Operation &inner : llvm::make_early_inc_range(behind.without_terminator()))
      addOnce(body, moved(inner, mapping), computed);
    for (Value v : behind.getTerminator()->getOperands()) results.push_back(mapping.lookupOrDefault(v));
    llvm::append_range(types, second.getResultTypes());
    auto joined = FusionOp::create(b, second.getLoc(), types, first.getKindAttr(), inputs, ArrayAttr(), ArrayAttr());
    joined.getBody().takeBody(first.getBody());
    b.setInsertionPointToEnd(body);
    kernel::YieldOp::create(b, second.getLoc(), results);
    return joined;
  }

  // Elements of one shape make a kernel of that shape, as both are: nothing has to be tried.
  static bool isWorthUntried(FusionOp first, const Known &a, FusionOp second, const Known &b) {
    size_t arrays = 0;
    for (FusionOp op : {first, second}) arrays += op.getInputs().size() + op.getNumResults();
    return a.uniform && b.uniform && a.uniform.getShape() == b.uniform.getShape() && arrays <= kMostArrays;
  }

  FusionOp tryMerge(FusionOp first, FusionOp second) {
    (void)knownOf(second);  // makes room for both before they are looked at
    Known &a = knownOf(first), &b = known_.find(second)->second;
    if (a.length + b.length > kMostOps) return nullptr;
    Operation *place = placeOf(first, second);
    if (!place) return nullptr;
    bool sure = isWorthUntried(first, a, second, b);
    FusionOp joined;
    if (sure) {
      Known made{0, a.uniform, std::move(a.computed), {}};
      joined = append(first, second, place, made.computed);
      made.length = kernel::lengthOf(joined.getBlock());
      known_[joined] = std::move(made);
    } else {
      // The spaces are those of the two as they are. A matmul has no space of this kind.
      if (!isMatrix(first) && (!spaceOf(first) || !spaceOf(second))) return nullptr;
      Joining joining;
      joined = join(first, second, place, joining);
      if (!isWorth(joined, first, second)) {
        joining.undo();
        joined.erase();
        return nullptr;
      }
      joining.keep();
    }
    unsigned next = 0;
    for (Value v : first.getResults())
      if (llvm::any_of(v.getUsers(), [&](Operation *user) { return user != second; })) {
        v.replaceUsesWithIf(joined.getResult(next), [&](OpOperand &use) { return use.getOwner() != second; });
        ++next;
      }
    for (Value v : second.getResults()) v.replaceAllUsesWith(joined.getResult(next++));
    erase(second);
    erase(first);
    return joined;
  }

  // Kernels before `op` that write or read one of its inputs, those of the largest arrays first.
  static SmallVector<FusionOp> candidates(FusionOp op) {
    SmallVector<Value> inputs(op.getInputs());
    llvm::stable_sort(inputs, [](Value a, Value b) { return bytesOf(a) > bytesOf(b); });
    constexpr int64_t kMostUsers = 16;
    llvm::SetVector<Operation *> found;
    for (Value v : inputs) {
      if (auto writer = v.getDefiningOp<FusionOp>();
          writer && writer->getBlock() == op->getBlock() && (isLoop(writer) || isMatrix(writer)))
        found.insert(writer);
      int64_t users = 0;
      for (Operation *user : v.getUsers())
        if (auto reader = dyn_cast<FusionOp>(user); reader && reader->getBlock() == op->getBlock() && isLoop(reader) &&
                                                    reader->isBeforeInBlock(op) && ++users <= kMostUsers)
          found.insert(reader);
    }
    return llvm::map_to_vector(found, [](Operation *o) { return cast<FusionOp>(o); });
  }

  void mergeInto(Block &block) {
    for (Operation *op = block.empty() ? nullptr : &block.front(); op;) {
      Operation *next = op->getNextNode();
      auto fusion = dyn_cast<FusionOp>(op);
      if (fusion && isLoop(fusion))
        for (FusionOp other : candidates(fusion))
          if (FusionOp joined = tryMerge(other, fusion)) {
            next = joined;  // what was joined may go on
            break;
          }
      op = next;
    }
  }

  void runOnOperation() override {
    func::FuncOp func = getOperation();
    if (func.getBody().empty()) return;
    target::Target machine;
    if (failed(analysis::loadTarget(getOperation(), target, sets, machine))) return signalPassFailure();
    room_ = roomOn(machine);
    question_.emplace(machine);
    SmallVector<Block *> blocks;
    func.walk([&](Operation *op) {
      if (!mlir::isa<stablehlo::WhileOp, stablehlo::IfOp, stablehlo::CaseOp>(op)) return;
      for (Region &region : op->getRegions()) blocks.push_back(&region.front());
    });
    blocks.push_back(&func.getBody().front());
    for (Block *block : blocks) mergeInto(*block);
    known_.clear();
  }

  Room room_{};
  std::optional<plan::Question> question_;
  DenseMap<Operation *, Known> known_;
};

}  // namespace
}  // namespace tpuc::fusion
