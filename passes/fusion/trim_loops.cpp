// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 1. What a loop hands on unchanged is read from outside: such an array needs no place among the carried ones, and no
//    copy there.
// 2. Where every element of a carried array is replaced before anything reads it, nobody reads its initial value. The
//    loop's counters start and step by constants, so its iterations, and the positions that they write, are counted out
//    here.
// 3. Nothing evaluates the condition of a loop of known trip count: it goes, and with it what is carried for it alone.
#include "dialects/kernel/counts.h"
#include "dialects/kernel/kernel.h"
#include "dialects/stablehlo/stablehlo.h"
#include "llvm/ADT/BitVector.h"
#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "passes/analysis/counters.h"
#include "passes/fusion/passes.h"

using namespace mlir;

namespace tpuc::fusion {
#define GEN_PASS_DEF_TRIMLOOPSPASS
#include "passes/fusion/passes.h.inc"
namespace {

// A carried array that each iteration does nothing with but write a slice of it, whole but along one dim.
struct Filled {
  unsigned carried;
  Value start;
  int64_t extent, size;
  llvm::BitVector written;
};

std::optional<Filled> filledBy(stablehlo::WhileOp loop, unsigned i) {
  BlockArgument inside = loop.getBody().getArgument(i);
  Operation *end = loop.getBody().front().getTerminator();
  if (!inside.hasOneUse() || !loop.getCond().getArgument(i).use_empty()) return std::nullopt;
  auto update = dyn_cast<stablehlo::DynamicUpdateSliceOp>(*inside.user_begin());
  if (!update || update.getOperand() != inside || !update->hasOneUse() || end->getOperand(i) != update.getResult())
    return std::nullopt;
  auto whole = cast<RankedTensorType>(inside.getType()), part = cast<RankedTensorType>(update.getUpdate().getType());
  std::optional<Filled> out;
  for (int64_t d = 0; d < whole.getRank(); ++d) {
    if (whole.getDimSize(d) == part.getDimSize(d)) continue;  // its start is 0
    if (out || part.getDimSize(d) == 0) return std::nullopt;
    out = Filled{i, update.getStartIndices()[d], whole.getDimSize(d), part.getDimSize(d),
                 llvm::BitVector(whole.getDimSize(d))};
  }
  return out;
}

// Notes what the loop's iterations write; false when they cannot be counted.
bool walkIterations(stablehlo::WhileOp loop, MutableArrayRef<Filled> arrays) {
  analysis::Counters counters(loop);
  for (int64_t n = 0; n < analysis::Counters::kMost; ++n, counters.step()) {
    std::optional<int64_t> goesOn = counters.goesOn();
    if (!goesOn) return false;
    if (!*goesOn) return true;
    for (Filled &f : arrays) {
      std::optional<int64_t> start = counters.valueOf(f.start);
      if (!start) continue;
      int64_t at = std::clamp<int64_t>(*start, 0, f.extent - f.size);
      f.written.set(at, at + f.size);
    }
  }
  return false;
}

void dropInitialValues(stablehlo::WhileOp loop) {
  SmallVector<Filled> arrays;
  for (unsigned i = 0; i < loop->getNumOperands(); ++i)
    if (auto filled = filledBy(loop, i)) arrays.push_back(*filled);
  if (arrays.empty() || !walkIterations(loop, arrays)) return;
  OpBuilder b(loop);
  for (const Filled &f : arrays)
    if (f.written.all())
      loop->setOperand(f.carried, kernel::UndefinedOp::create(b, loop.getLoc(), loop->getOperand(f.carried).getType()));
}

bool isHandedOn(stablehlo::WhileOp loop, unsigned i) {
  return loop.getBody().front().getTerminator()->getOperand(i) == loop.getBody().getArgument(i) &&
         loop->getOperand(i).getType() == loop->getResult(i).getType();
}

// The loop without some of the values it carries, which nothing uses any more.
void dropCarried(stablehlo::WhileOp loop, const llvm::BitVector &dropped) {
  SmallVector<Value> inits;
  SmallVector<Type> types;
  for (unsigned i = 0; i < dropped.size(); ++i) {
    if (dropped[i]) continue;
    inits.push_back(loop->getOperand(i));
    types.push_back(loop->getResult(i).getType());
  }
  OpBuilder b(loop);
  auto trimmed =
      stablehlo::WhileOp::create(b, loop.getLoc(), types, inits, loop->getDiscardableAttrDictionary().getValue());
  for (unsigned r = 0; r < 2; ++r) {
    loop->getRegion(r).front().eraseArguments(dropped);
    trimmed->getRegion(r).takeBody(loop->getRegion(r));
  }
  unsigned kept = 0;
  for (unsigned i = 0; i < dropped.size(); ++i)
    if (!dropped[i]) loop->getResult(i).replaceAllUsesWith(trimmed->getResult(kept++));
  loop->erase();
}

// Takes what is handed on out of the loop; one value stays carried.
void readFromOutside(stablehlo::WhileOp loop) {
  llvm::BitVector dropped(loop->getNumOperands());
  for (unsigned i = 0; i < dropped.size(); ++i) dropped[i] = isHandedOn(loop, i);
  if (dropped.none() || dropped.all()) return;
  for (unsigned i : dropped.set_bits()) {
    for (Region *region : {&loop.getCond(), &loop.getBody()})
      region->getArgument(i).replaceAllUsesWith(loop->getOperand(i));
    loop->getResult(i).replaceAllUsesWith(loop->getOperand(i));
  }
  loop.getBody().front().getTerminator()->eraseOperands(dropped);
  dropCarried(loop, dropped);
}

// Ops of a block that others need, from its wanted values backwards.
struct Needed {
  Block &block;
  DenseSet<Operation *> ops;
  llvm::BitVector arguments;
  SmallVector<Operation *> pending;

  explicit Needed(Block &block) : block(block), arguments(block.getNumArguments()) {
    // What does more than make its results: calls of the host, whether or not these are read.
    for (Operation &op : block.without_terminator())
      if (op.getNumResults() == 0 || !isMemoryEffectFree(&op)) addOp(&op);
  }
  void addOp(Operation *op) {
    if (ops.insert(op).second) pending.push_back(op);
  }
  void add(Value v) {
    if (auto argument = dyn_cast<BlockArgument>(v)) {
      if (argument.getOwner() == &block) arguments.set(argument.getArgNumber());
    } else if (Operation *op = block.findAncestorOpInBlock(*v.getDefiningOp())) {
      addOp(op);
    }
  }
  void run() {
    while (!pending.empty())
      pending.pop_back_val()->walk([&](Operation *op) {
        for (Value v : op->getOperands()) add(v);
      });
  }
};

// Which carried values the loop's results, and what its iterations do besides, depend on.
Needed neededIn(stablehlo::WhileOp loop) {
  Block &body = loop.getBody().front();
  Needed needed(body);
  llvm::BitVector wanted(body.getNumArguments()), done(body.getNumArguments());
  for (unsigned i = 0; i < wanted.size(); ++i) wanted[i] = !loop->getResult(i).use_empty();
  needed.run();
  for (wanted |= needed.arguments; wanted != done; wanted |= needed.arguments) {
    for (unsigned i : wanted.set_bits())
      if (!done[i]) needed.add(body.getTerminator()->getOperand(i));
    done = wanted;
    needed.run();
  }
  needed.arguments = wanted;
  return needed;
}

void eraseOps(Block &block, llvm::function_ref<bool(Operation *)> goes) {
  SmallVector<Operation *> ops = llvm::to_vector(llvm::make_pointer_range(block.without_terminator()));
  for (Operation *op : llvm::reverse(ops))
    if (goes(op)) op->erase();
}

void dropCondition(stablehlo::WhileOp loop) {
  Block &condition = loop.getCond().front(), &body = loop.getBody().front();
  OpBuilder b = OpBuilder::atBlockBegin(&condition);
  auto type = RankedTensorType::get({}, b.getI1Type());
  Value yes =
      stablehlo::ConstantOp::create(b, loop.getLoc(), type, cast<ElementsAttr>(DenseElementsAttr::get(type, true)));
  condition.getTerminator()->setOperand(0, yes);
  eraseOps(condition, [&](Operation *op) { return op != yes.getDefiningOp(); });
  Needed needed = neededIn(loop);
  llvm::BitVector dropped = needed.arguments;
  dropped.flip();
  if (dropped.none() || dropped.all()) return;
  body.getTerminator()->eraseOperands(dropped);
  eraseOps(body, [&](Operation *op) { return !needed.ops.contains(op); });
  dropCarried(loop, dropped);
}

struct TrimLoops : impl::TrimLoopsPassBase<TrimLoops> {
  void runOnOperation() override {
    // Outer loops first: what they hand on may be what an inner one does.
    SmallVector<stablehlo::WhileOp> loops;
    getOperation().walk<WalkOrder::PreOrder>([&](stablehlo::WhileOp loop) { loops.push_back(loop); });
    for (stablehlo::WhileOp loop : loops) readFromOutside(loop);
    getOperation().walk([](stablehlo::WhileOp loop) { dropInitialValues(loop); });
    // Inner loops first: an outer one may carry something for an inner one's condition.
    loops.clear();
    getOperation().walk([&](stablehlo::WhileOp loop) {
      if (kernel::tripCountOf(loop)) loops.push_back(loop);
    });
    for (stablehlo::WhileOp loop : loops) dropCondition(loop);
  }
};

}  // namespace
}  // namespace tpuc::fusion
