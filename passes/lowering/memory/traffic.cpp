// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bytes of HBM that a kernel reads and writes.
#include "passes/lowering/memory/traffic.h"

#include "dialects/stablehlo/stablehlo.h"
#include "passes/lowering/code.h"
#include "passes/plan/grid/arrays.h"

using namespace mlir;

namespace tpuc::lowering {

void Traffic::add(RankedTensorType type) {
  Array array(type);
  constexpr int64_t kLaneBytes = 4;
  logical += static_cast<int64_t>(llvm::divideCeil(type.getNumElements() * kLaneBytes, array.pack));
  padded += array.hbmBytes();
}

// What an update writes into its array; empty for other ops.
static SmallVector<Value> updatesOf(Operation *op) {
  if (auto update = dyn_cast_or_null<stablehlo::DynamicUpdateSliceOp>(op)) return {update.getUpdate()};
  if (auto scatter = dyn_cast_or_null<stablehlo::ScatterOp>(op)) return llvm::to_vector(scatter.getUpdates());
  return {};
}

// Whether a scatter's computation has a look at what it replaces.
static bool combines(Operation *op) {
  auto scatter = dyn_cast<stablehlo::ScatterOp>(op);
  if (!scatter) return false;
  Block &block = scatter.getUpdateComputation().front();
  return llvm::any_of(block.getArguments().take_front(scatter.getInputs().size()),
                      [](BlockArgument old) { return !old.use_empty(); });
}

static Traffic sumOf(ArrayRef<Value> values) {
  Traffic out;
  for (Value v : values) out.add(cast<RankedTensorType>(v.getType()));
  return out;
}

Traffic readTraffic(kernel::FusionOp fusion, unsigned i, bool inPlace) {
  BlockArgument argument = fusion.getBlock().getArgument(i);
  Traffic whole = sumOf({argument}), part;
  for (Operation *user : argument.getUsers()) {
    if (inPlace && !updatesOf(user).empty() && user->getOperand(0) == argument) {
      if (combines(user)) part.add(cast<RankedTensorType>(updatesOf(user)[0].getType()));
    } else if (mlir::isa<stablehlo::SliceOp, stablehlo::DynamicSliceOp, stablehlo::GatherOp>(user) &&
               user->getOperand(0) == argument) {
      part.add(cast<RankedTensorType>(user->getResult(0).getType()));
    } else {
      return whole;
    }
  }
  return part.padded < whole.padded ? part : whole;
}

Traffic writeTraffic(kernel::FusionOp fusion, unsigned i, bool inPlace) {
  Value result = fusion.getBlock().getTerminator()->getOperand(i);
  Traffic whole = sumOf({result});
  SmallVector<Value> updates = updatesOf(result.getDefiningOp());
  if (!inPlace || updates.empty()) return whole;
  Traffic part = sumOf({updates[cast<OpResult>(result).getResultNumber()]});
  return part.padded < whole.padded ? part : whole;
}

}  // namespace tpuc::lowering
