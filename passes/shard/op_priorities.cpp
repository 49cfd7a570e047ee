//===- op_priorities.cpp - which ops pass shardings on before which --------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 0. Ops that move no data between devices, away from values of several uses only where these are not passed.
// 1. The same, all values; and dynamic slices, from the array to its part.
// 2. Broadcasts, from the larger array to the smaller one.
// 3. All ops, but broadcasts as before.
// 4. All ops.
//===-----------------------------------------------------------------------------===//
#include "passes/shard/op_priorities.h"

#include "dialects/diagnostics/diagnose.h"
#include "dialects/diagnostics/outer_codes.h"
#include "dialects/stablehlo/stablehlo.h"

using namespace mlir;

namespace tpuc::shard {
namespace {

namespace hlo = tpuc::stablehlo;

bool passesThrough(Operation *op) {
  if (auto call = dyn_cast<hlo::CustomCallOp>(op))  // between a device's memory and its host's
    return llvm::is_contained({"MoveToHost", "MoveToDevice"}, call.getCallTargetName());
  return op->hasTrait<hlo::IsElementwise>() || isa<hlo::ReshapeOp, hlo::TransposeOp, sdy::ShardingConstraintOp>(op);
}

bool hasSeveralUsers(Value value) {
  Operation *first = nullptr;
  for (Operation *user : value.getUsers()) {
    if (first && user != first) return true;
    first = user;
  }
  return false;
}

Direction withoutSeveralUsers(Operation *op) {
  bool forward = llvm::none_of(op->getResults(), hasSeveralUsers),
       backward = llvm::none_of(op->getOperands(), hasSeveralUsers);
  if (forward) return backward ? Direction::BOTH : Direction::FORWARD;
  return backward ? Direction::BACKWARD : Direction::NONE;
}

}  // namespace

Direction directionAt(Operation *op, int priority) {
  bool widens = isa<hlo::BroadcastInDimOp, hlo::BroadcastOp>(op);
  if (priority >= 4 || (priority == 3 && !widens)) return Direction::BOTH;
  if (passesThrough(op)) return priority == 0 ? withoutSeveralUsers(op) : Direction::BOTH;
  if (priority >= 1 && isa<hlo::DynamicSliceOp, hlo::DynamicUpdateSliceOp>(op)) return Direction::FORWARD;
  return priority >= 2 && widens ? Direction::BACKWARD : Direction::NONE;
}

void runStrategies(Propagator &propagator, ArrayRef<Strategy> strategies) {
  for (Strategy strategy : strategies) propagator.run(strategy, [](Operation *) { return Direction::BOTH; });
}

void runOpPriorities(Propagator &propagator, ArrayRef<Strategy> strategies) {
  for (int priority = 0; priority < kOpPriorities; ++priority)
    for (Strategy strategy : strategies)
      propagator.run(strategy, [&](Operation *op) { return directionAt(op, priority); });
}

static std::optional<SmallVector<Strategy>> strategiesOf(StringRef name) {
  if (name == "basic") return SmallVector<Strategy>{Strategy::Basic};
  if (name == "aggressive") return SmallVector<Strategy>{Strategy::Aggressive};
  if (name == "basic-then-aggressive") return SmallVector<Strategy>{Strategy::Basic, Strategy::Aggressive};
  return std::nullopt;
}

LogicalResult propagate(ModuleOp module, StringRef strategy, PropagationOptions options,
                        function_ref<void(Propagator &, ArrayRef<Strategy>)> steps) {
  auto strategies = strategiesOf(strategy);
  if (!strategies)
    return diagnose(module, codes::kUsage)
           << "expects a strategy of basic, aggressive or basic-then-aggressive, but got " << strategy;
  Propagator propagator(module, options);
  if (failed(propagator.prepare())) return failure();
  steps(propagator, *strategies);
  propagator.finish();
  return success();
}

}  // namespace tpuc::shard
