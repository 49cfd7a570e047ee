// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Positions of slices that count with a counted loop's iterations.
//
//  1. Of each counted loop the positions in its body that nothing but its counters decide are counted out. Those that
//     step evenly, every few iterations too, or again from the start, are numbers that the scalar unit has
//     (kernel.counter).
//  2. What was carried for them alone goes with the loop's other unread values (--tpuc-trim-loops).
#include <map>

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

// A value of a loop's body, by iteration; none where something else decides it.
using Values = SmallVector<int64_t>;

// What a kernel.counter says: start + step * (n / every mod of).
struct Count {
  int64_t start = 0, step = 0, every = 1, of = 0;  // of: 0 is without end
  int64_t at(int64_t n) const { return start + step * (of ? n / every % of : n / every); }
  auto operator<=>(const Count &) const = default;
};

std::optional<Count> countOf(const Values &values) {
  const auto trips = static_cast<int64_t>(values.size());
  Count count;
  count.start = values.front();
  while (count.every < trips && values[count.every] == count.start) ++count.every;
  if (count.every == trips) return Count{count.start, 0, 1, 0};
  count.step = values[count.every] - count.start;
  for (int64_t n = count.every; n < trips && !count.of; n += count.every)
    if (values[n] != count.at(n)) count.of = n / count.every;
  for (int64_t n = 0; n < trips; ++n)
    if (values[n] != count.at(n)) return std::nullopt;
  return count;
}

OperandRange startsOf(Operation *op) {
  if (auto slice = dyn_cast<stablehlo::DynamicSliceOp>(op)) return slice.getStartIndices();
  if (auto update = dyn_cast<stablehlo::DynamicUpdateSliceOp>(op)) return update.getStartIndices();
  return op->getOperands().take_front(0);
}

// Positions of slices in the body that the body, or the loop, makes.
llvm::MapVector<Value, Values> positionsIn(stablehlo::WhileOp loop) {
  llvm::MapVector<Value, Values> positions;
  Block &body = loop.getBody().front();
  body.walk([&](Operation *op) {
    for (Value v : startsOf(op))
      if (v.getParentBlock() == &body && getElementTypeOrSelf(v.getType()).isSignlessInteger(32) &&
          !v.getDefiningOp<stablehlo::ConstantOp>() && !v.getDefiningOp<kernel::CounterOp>())
        positions.insert({v, Values()});
  });
  return positions;
}

// Counts them out; what is not known goes.
void countOut(stablehlo::WhileOp loop, int64_t trips, llvm::MapVector<Value, Values> &positions) {
  analysis::Counters counters(loop);
  for (int64_t n = 0; n < trips; ++n, counters.step()) {
    positions.remove_if([&](auto &entry) {
      std::optional<int64_t> value = counters.valueOf(entry.first);
      if (value) entry.second.push_back(*value);
      return !value;
    });
    if (positions.empty()) return;
  }
}

// The loop's counters, each made once, as many as there are words for.
class Made {
 public:
  explicit Made(stablehlo::WhileOp loop)
      : loop_(loop),
        b_(OpBuilder::atBlockBegin(&loop.getBody().front())),
        room_(kernel::kCounters - kernel::countersAround(loop.getBody().front())) {}

  // Null where there is no word.
  Value counterOf(const Count &count, Type type) {
    if (auto known = made_.find(count); known != made_.end()) return known->second;
    const bool stepsEvenly = count.every == 1 && count.of == 0;
    if (!stepsEvenly && !counterOf({0, 1, 1, 0}, type)) return {};  // it is made of the iteration's number
    if (static_cast<int64_t>(made_.size()) == room_) return {};
    auto attribute = [&](int64_t n, int64_t none) { return n == none ? IntegerAttr() : b_.getI64IntegerAttr(n); };
    return made_[count] = kernel::CounterOp::create(b_, loop_.getLoc(), type, b_.getI64IntegerAttr(count.start),
                                                    b_.getI64IntegerAttr(count.step), attribute(count.every, 1),
                                                    attribute(count.of, 0));
  }

 private:
  stablehlo::WhileOp loop_;
  OpBuilder b_;
  const int64_t room_;
  std::map<Count, Value> made_;
};

struct UseCounters : impl::UseCountersPassBase<UseCounters> {
  void runOnOperation() override {
    // Outer loops first: those within get what words are left.
    getOperation().walk<WalkOrder::PreOrder>([](stablehlo::WhileOp loop) { rewrite(loop); });
  }

  static void rewrite(stablehlo::WhileOp loop) {
    const std::optional<int64_t> trips = kernel::tripCountOf(loop);
    if (!trips || *trips < 1 || *trips > analysis::Counters::kMost) return;
    llvm::MapVector<Value, Values> positions = positionsIn(loop);
    if (positions.empty()) return;
    countOut(loop, *trips, positions);
    Made made(loop);
    for (auto &[v, values] : positions) {
      const std::optional<Count> count = countOf(values);
      Value counter = count ? made.counterOf(*count, v.getType()) : Value();
      if (!counter) continue;
      v.replaceUsesWithIf(counter, [](OpOperand &use) {
        OperandRange starts = startsOf(use.getOwner());
        return !starts.empty() && use.getOperandNumber() >= starts.getBeginOperandIndex();
      });
    }
  }
};

}  // namespace
}  // namespace tpuc::fusion
