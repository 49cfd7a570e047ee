// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Positions of slices that count with a counted loop's iterations.
//
//  1. Of each counted loop the positions in its body that nothing but its counters decide are counted out. Those that
//     step evenly are numbers that the scalar unit has (kernel.counter).
//  2. What was carried for them alone goes with the loop's other unread values (--tpuc-trim-loops).
#include "dialects/kernel/counts.h"
#include "dialects/kernel/kernel.h"
#include "dialects/stablehlo/stablehlo.h"
#include "passes/analysis/counters.h"
#include "passes/fusion/passes.h"

using namespace mlir;

namespace tpuc::fusion {
#define GEN_PASS_DEF_USECOUNTERSPASS
#include "passes/fusion/passes.h.inc"
namespace {

// A value of a loop's body, from its first iteration to the last one that was counted.
struct Count {
  int64_t start = 0, step = 0, last = 0;
  bool isEven = true;
};

OperandRange startsOf(Operation *op) {
  if (auto slice = dyn_cast<stablehlo::DynamicSliceOp>(op)) return slice.getStartIndices();
  if (auto update = dyn_cast<stablehlo::DynamicUpdateSliceOp>(op)) return update.getStartIndices();
  return op->getOperands().take_front(0);
}

// Positions of slices in the body that the body, or the loop, makes.
llvm::MapVector<Value, Count> positionsIn(stablehlo::WhileOp loop) {
  llvm::MapVector<Value, Count> positions;
  Block &body = loop.getBody().front();
  body.walk([&](Operation *op) {
    for (Value v : startsOf(op))
      if (v.getParentBlock() == &body && getElementTypeOrSelf(v.getType()).isSignlessInteger(32) &&
          !v.getDefiningOp<stablehlo::ConstantOp>() && !v.getDefiningOp<kernel::CounterOp>())
        positions.insert({v, Count()});
  });
  return positions;
}

// Counts them out; what is not known, or does not step evenly, goes.
void countOut(stablehlo::WhileOp loop, int64_t trips, llvm::MapVector<Value, Count> &positions) {
  analysis::Counters counters(loop);
  for (int64_t n = 0; n < trips; ++n, counters.step()) {
    for (auto &[v, count] : positions) {
      std::optional<int64_t> value = counters.valueOf(v);
      count.isEven &= value.has_value();
      if (!count.isEven) continue;
      if (n == 0) count.start = *value;
      if (n == 1) count.step = *value - count.start;
      if (n > 1) count.isEven = *value - count.last == count.step;
      count.last = *value;
    }
    positions.remove_if([](const auto &entry) { return !entry.second.isEven; });
    if (positions.empty()) return;
  }
}

struct UseCounters : impl::UseCountersPassBase<UseCounters> {
  void runOnOperation() override {
    // Outer loops first: those within get what words are left.
    getOperation().walk<WalkOrder::PreOrder>([](stablehlo::WhileOp loop) { rewrite(loop); });
  }

  static void rewrite(stablehlo::WhileOp loop) {
    const std::optional<int64_t> trips = kernel::tripCountOf(loop);
    if (!trips || *trips < 1 || *trips > analysis::Counters::kMost) return;
    llvm::MapVector<Value, Count> positions = positionsIn(loop);
    if (positions.empty()) return;
    countOut(loop, *trips, positions);
    OpBuilder b = OpBuilder::atBlockBegin(&loop.getBody().front());
    const int64_t room = kernel::kCounters - kernel::countersAround(loop.getBody().front());
    llvm::MapVector<std::pair<int64_t, int64_t>, Value> made;
    for (auto &[v, count] : positions) {
      const std::pair key{count.start, count.step};
      if (!made.contains(key)) {
        if (static_cast<int64_t>(made.size()) == room) continue;
        made[key] = kernel::CounterOp::create(b, loop.getLoc(), v.getType(), count.start, count.step);
      }
      v.replaceUsesWithIf(made[key], [](OpOperand &use) {
        OperandRange starts = startsOf(use.getOwner());
        return !starts.empty() && use.getOperandNumber() >= starts.getBeginOperandIndex();
      });
    }
  }
};

}  // namespace
}  // namespace tpuc::fusion
