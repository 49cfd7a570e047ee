// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Batches of products that a program joined of other dims, or of parts of dims, are those dims: PyTorch's batch and
// heads.
//
//  1. A reshape is tangled where a dim holds a part of a dim of the other side, which holds a part of it: 96 in
//     [512, 8, 768] to [512, 96, 64].
//  2. That dim of everything that has it, from op to op as far as they take it in parts (parted_dims.h), is parted
//     where any such reshape parts it.
//  3. It is done where what reshapes then move at the ends is less than those that are no longer tangled: of batches of
//     products, and of what is moved and computed element by element if nothing moves at its ends.
//  4. Then likewise dims that were joined of whole ones, where fewer reshapes are left and none of them moves.
#include "dialects/kernel/kernel.h"
#include "dialects/stablehlo/traits.h"
#include "mlir/Transforms/RegionUtils.h"
#include "passes/analysis/domain.h"
#include "passes/builders/build.h"
#include "passes/layout/parted_dims.h"
#include "passes/layout/passes.h"
#include "passes/layout/refinement.h"

using namespace mlir;

namespace tpuc::layout {
using namespace builders;
#define GEN_PASS_DEF_UNDOJOINSPASS
#include "passes/layout/passes.h.inc"
namespace {

constexpr size_t kMostDims = 4096;

// Which reshapes part a dim.
enum class Joined { OfParts, OfWholeDims };

// What dim `d` of a shape is made of where a reshape to the other shape parts it; else nothing.
SmallVector<int64_t> partsIn(ArrayRef<int64_t> shape, int64_t d, ArrayRef<int64_t> other, Joined joined) {
  auto refinement = refine(shape, other);
  if (!refinement) return {};
  ArrayRef<int64_t> own = refinement->ofWhole[d];
  auto holds = [](ArrayRef<int64_t> all, ArrayRef<int64_t> some) {
    return llvm::all_of(some, [&](int64_t p) { return llvm::is_contained(all, p); });
  };
  bool isTangled = false, isWhole = own.size() > 1;
  for (ArrayRef<int64_t> theirs : refinement->ofSplit) {
    if (llvm::none_of(own, [&](int64_t p) { return llvm::is_contained(theirs, p); })) continue;
    isTangled |= !holds(own, theirs) && !holds(theirs, own);
    isWhole &= holds(own, theirs);
  }
  if (joined == Joined::OfParts ? !isTangled : !isWhole) return {};
  return llvm::map_to_vector(own, [&](int64_t p) { return refinement->parts[p]; });
}

bool isTangled(ArrayRef<int64_t> from, ArrayRef<int64_t> to) {
  for (int64_t d = 0; d < static_cast<int64_t>(from.size()); ++d)
    if (!partsIn(from, d, to, Joined::OfParts).empty()) return true;
  return false;
}

// The parts of a dim that is parted wherever one of several lists parts it. Nothing where they don't fit one another.
std::optional<SmallVector<int64_t>> commonParts(ArrayRef<SmallVector<int64_t>> lists) {
  SmallVector<int64_t> inner;  // how many elements lie behind each of the borders
  for (const auto &parts : lists) {
    int64_t size = 1;
    for (int64_t part : llvm::reverse(parts)) inner.push_back(size *= part);
  }
  llvm::sort(inner);
  SmallVector<int64_t> out;
  int64_t last = 1;
  for (int64_t size : inner) {
    if (size % last) return std::nullopt;
    if (size > last) out.push_back(size / last);
    last = size;
  }
  std::reverse(out.begin(), out.end());
  return out;
}

// All that has a dim.
class Region {
 public:
  Region(Block *block, Joined joined) : block_(block), joined_(joined) {}
  bool collect(Dim seed);
  bool pays() const;
  void rewrite(DenseSet<Operation *> &erased) const;
  ArrayRef<Dim> dims() const { return dims_.getArrayRef(); }

 private:
  bool takes(Operation *op) const;
  bool isParted(Value v) const;
  bool hasBatch() const;
  bool onlyMoves() const;
  int64_t movedBytes(Value v) const;
  int64_t bytesAtEnds(int64_t &reshapes) const;
  void findParts();

  Block *block_;
  Joined joined_;
  llvm::SetVector<Dim> dims_;
  llvm::SetVector<Operation *> inside_;  // they work on the parts
  SmallVector<Operation *> tangled_;     // of these, the reshapes that are tangled
  std::optional<SmallVector<int64_t>> parts_;
};

bool Region::isParted(Value v) const {
  auto type = dyn_cast<RankedTensorType>(v.getType());
  for (int64_t d = 0; type && d < type.getRank(); ++d)
    if (dims_.contains({v, d})) return true;
  return false;
}

// Whether an op takes all that is parted of its arrays in parts.
bool Region::takes(Operation *op) const {
  llvm::SetVector<Dim> also;
  auto takesDims = [&](Value v) {
    auto type = dyn_cast<RankedTensorType>(v.getType());
    for (int64_t d = 0; type && d < type.getRank(); ++d)
      if (dims_.contains({v, d}) && !partedWith(op, {v, d}, also)) return false;
    return true;
  };
  return op->getBlock() == block_ && llvm::all_of(op->getOperands(), takesDims) &&
         llvm::all_of(op->getResults(), takesDims);
}

bool Region::collect(Dim seed) {
  llvm::SetVector<Operation *> ops;
  dims_.insert(seed);
  for (size_t i = 0; i < dims_.size(); ++i) {
    if (dims_.size() > kMostDims) return false;
    const Dim dim = dims_[i];
    SmallVector<Operation *> around(dim.first.getUsers());
    if (Operation *def = dim.first.getDefiningOp()) around.push_back(def);
    for (Operation *op : around) {
      if (op->getBlock() != block_) continue;
      ops.insert(op);
      partedWith(op, dim, dims_);
    }
  }
  for (Operation *op : ops)
    if (takes(op)) inside_.insert(op);
  findParts();
  return parts_ && parts_->size() > 1;
}

void Region::findParts() {
  SmallVector<SmallVector<int64_t>> lists;
  for (Operation *op : inside_) {
    auto reshape = dyn_cast<stablehlo::ReshapeOp>(op);
    if (!reshape) continue;
    Value sides[] = {reshape.getOperand(), reshape.getResult()};
    for (bool right : {false, true})
      for (int64_t d = 0; d < typeOf(sides[right]).getRank(); ++d) {
        if (!dims_.contains({sides[right], d})) continue;
        auto parts = partsIn(typeOf(sides[right]).getShape(), d, typeOf(sides[!right]).getShape(), joined_);
        if (!parts.empty()) lists.push_back(parts);
      }
  }
  parts_ = commonParts(lists);
}

// What parting an array by itself moves.
int64_t Region::movedBytes(Value v) const {
  auto parted = typeOf(v).clone(PartedDims(dims_, *parts_).shapeOf(v));
  return kernel::haveSameBytes(typeOf(v), parted) ? 0 : analysis::paddedBytes(parted);
}

bool Region::hasBatch() const {
  return llvm::any_of(inside_, [&](Operation *op) {
    auto dot = dyn_cast<stablehlo::DotGeneralOp>(op);
    return dot && llvm::any_of(dot.getDotDimensionNumbers().getLhsBatchingDimensions(),
                               [&](int64_t d) { return dims_.contains({dot.getLhs(), d}); });
  });
}

bool Region::onlyMoves() const {
  return llvm::all_of(inside_, [](Operation *op) {
    return mlir::isa<stablehlo::ReshapeOp, stablehlo::TransposeOp, stablehlo::BroadcastInDimOp>(op) ||
           op->hasTrait<stablehlo::IsElementwise>() || mlir::isa<stablehlo::ConstantOp>(op);
  });
}

// What moves where arrays are parted, or put together, and what they take more of in parts. Counts these reshapes.
int64_t Region::bytesAtEnds(int64_t &reshapes) const {
  int64_t bytes = 0;
  llvm::SetVector<Value> values;
  for (const Dim &dim : dims_) values.insert(dim.first);
  for (Value v : values) {
    Operation *def = v.getDefiningOp();
    const bool isMade = def && inside_.contains(def);
    if (llvm::any_of(v.getUsers(), [&](Operation *user) { return inside_.contains(user) != isMade; })) {
      bytes += movedBytes(v);
      ++reshapes;
    }
    // Moves take what they move from where it lies; anything else reads and writes the padding of short dims.
    if (isMade && !mlir::isa<stablehlo::ReshapeOp, stablehlo::TransposeOp>(def)) {
      auto parted = typeOf(v).clone(PartedDims(dims_, *parts_).shapeOf(v));
      bytes += std::max<int64_t>(0, analysis::paddedBytes(parted) - analysis::paddedBytes(typeOf(v)));
    }
  }
  return bytes;
}

bool Region::pays() const {
  int64_t untangled = 0, gone = 0, made = 0;
  const PartedDims parting(dims_, *parts_);
  for (Operation *op : inside_) {
    auto reshape = dyn_cast<stablehlo::ReshapeOp>(op);
    if (!reshape) continue;
    const auto from = parting.shapeOf(reshape.getOperand()), to = parting.shapeOf(reshape);
    gone += from == to;
    if (isTangled(typeOf(reshape.getOperand()).getShape(), typeOf(reshape).getShape()) && !isTangled(from, to))
      untangled += analysis::paddedBytes(typeOf(reshape));
  }
  const int64_t moved = bytesAtEnds(made);
  if (!hasBatch() && (moved > 0 || !onlyMoves())) return false;
  return joined_ == Joined::OfParts ? moved < untangled : moved == 0 && gone > made;
}

void Region::rewrite(DenseSet<Operation *> &erased) const {
  const PartedDims parting(dims_, *parts_);
  SmallVector<Operation *> ops(inside_.begin(), inside_.end());
  llvm::sort(ops, [](Operation *a, Operation *b) { return a != b && a->isBeforeInBlock(b); });
  DenseMap<Value, Value> parted;
  auto inParts = [&](Value v) {
    if (!isParted(v)) return v;
    Value &made = parted[v];
    if (made) return made;
    OpBuilder b(v.getContext());
    b.setInsertionPointAfterValue(v);
    return made = Build{b, v.getLoc()}.reshape(v, parting.shapeOf(v));
  };
  for (Operation *op : ops) {
    OpBuilder b(op);
    Value old = op->getResult(0), made = parting.made(b, op, llvm::map_to_vector(op->getOperands(), inParts));
    if (!isParted(old)) {
      old.replaceAllUsesWith(made);
      continue;
    }
    parted[old] = made;
    auto isOutside = [&](OpOperand &use) { return !inside_.contains(use.getOwner()); };
    if (llvm::any_of(old.getUses(), isOutside))
      old.replaceUsesWithIf(Build{b, op->getLoc()}.reshape(made, typeOf(old).getShape()), isOutside);
  }
  for (Operation *op : llvm::reverse(ops)) {
    erased.insert(op);
    op->erase();
  }
}

struct UndoJoins : impl::UndoJoinsPassBase<UndoJoins> {
  void runOnOperation() override {
    for (Joined joined : {Joined::OfParts, Joined::OfWholeDims}) {
      SmallVector<stablehlo::ReshapeOp> reshapes;
      getOperation().walk([&](stablehlo::ReshapeOp op) { reshapes.push_back(op); });
      DenseSet<Operation *> erased;
      DenseSet<Dim> refused;
      for (stablehlo::ReshapeOp op : reshapes)
        for (bool right : {false, true})
          if (!erased.contains(op)) undo(op, right, joined, refused, erased);
    }
    getOperation().walk(compose);
    IRRewriter rewriter(&getContext());
    (void)runRegionDCE(rewriter, getOperation()->getRegions());
  }

 private:
  // Transposes between which there was a reshape.
  static void compose(stablehlo::TransposeOp op) {
    auto before = op.getOperand().getDefiningOp<stablehlo::TransposeOp>();
    if (!before || !before->hasOneUse()) return;
    op.setPermutation(llvm::map_to_vector(op.getPermutation(), [&](int64_t d) { return before.getPermutation()[d]; }));
    op.setOperand(before.getOperand());
  }

  // The first dim of one side of the reshape that pays.
  static void undo(stablehlo::ReshapeOp op, bool right, Joined joined, DenseSet<Dim> &refused,
                   DenseSet<Operation *> &erased) {
    Value v = right ? op.getResult() : op.getOperand(), other = right ? op.getOperand() : op.getResult();
    for (int64_t d = 0; d < typeOf(v).getRank(); ++d) {
      if (refused.contains({v, d}) || partsIn(typeOf(v).getShape(), d, typeOf(other).getShape(), joined).empty())
        continue;
      Region region(op->getBlock(), joined);
      if (region.collect({v, d}) && region.pays()) {
        refused.clear();  // of values that may go
        return region.rewrite(erased);
      }
      refused.insert(region.dims().begin(), region.dims().end());
    }
  }
};

}  // namespace
}  // namespace tpuc::layout
