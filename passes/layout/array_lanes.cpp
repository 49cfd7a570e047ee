// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One dim goes to the lanes wherever it is, batches of small matrices say. What has no such dim stays as it is; what
// needs its dims as they are is given them by a transpose.
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/builders/build.h"
#include "passes/layout/array_orders.h"

using namespace mlir;

namespace tpuc::layout {
using namespace builders;

bool ArrayOrders::spreadLane(Value from, int64_t lane) {
  byLane_ = true;
  return setLane(from, lane) && finish();
}

bool ArrayOrders::setLane(Value v, int64_t lane) {
  auto type = dyn_cast<RankedTensorType>(v.getType());
  if (!type || type.getRank() < 2) return true;
  if (auto known = lanes_.find(v); known != lanes_.end()) return known->second == lane;
  lanes_[v] = lane;
  Order order;
  for (int64_t d = 0; d < type.getRank(); ++d)
    if (d != lane) order.push_back(d);
  if (lane >= 0) order.push_back(lane);
  return set(v, order);
}

// Where a broadcast or a reduction has the dims of the side with fewer dims on its other side.
static SmallVector<int64_t> placesOf(Operation *op) {
  if (auto broadcast = dyn_cast<stablehlo::BroadcastInDimOp>(op))
    return SmallVector<int64_t>(broadcast.getBroadcastDimensions());
  SmallVector<int64_t> kept;
  auto reduce = mlir::cast<stablehlo::ReduceOp>(op);
  for (int64_t d = 0; d < typeOf(reduce.getInputs()[0]).getRank(); ++d)
    if (!llvm::is_contained(reduce.getDimensions(), d)) kept.push_back(d);
  return kept;
}

bool ArrayOrders::spreadsLane(Operation *op) {
  bool reduces = mlir::isa<stablehlo::ReduceOp>(op);
  auto inputs =
      mlir::isa<stablehlo::ReduceOp>(op) ? op->getOperands().take_front(op->getNumResults()) : op->getOperands();
  SmallVector<Value> few(reduces ? ValueRange(op->getResults()) : ValueRange(inputs)),
      many(reduces ? ValueRange(inputs) : ValueRange(op->getResults()));
  SmallVector<int64_t> places = placesOf(op);
  auto setAll = [&](ArrayRef<Value> values, int64_t lane) {
    return llvm::all_of(values, [&](Value v) { return setLane(v, lane); });
  };
  for (Value v : many)
    if (auto known = lanes_.find(v); known != lanes_.end()) {
      int64_t lane = known->second, at = llvm::find(places, lane) - places.begin();
      return setAll(many, lane) && setAll(few, at < static_cast<int64_t>(places.size()) ? at : -1);
    }
  for (Value v : few)
    if (auto known = lanes_.find(v); known != lanes_.end() && known->second >= 0)
      return setAll(many, places[known->second]) && setAll(few, known->second);
  // What lacks the dim does not say whether the other has it.
  if (last_) return setAll(many, -1) && setAll(few, -1);
  later_.push_back(op);
  return true;
}

bool ArrayOrders::relateLane(Operation *op, Value v) {
  int64_t lane = lanes_.lookup(v);
  ArrayRef<int64_t> order = orderOf(v);
  if (mlir::isa<func::ReturnOp>(op)) return takesOrder(v);
  if (mlir::isa<stablehlo::ReturnOp>(op)) return relateRegions(op->getParentOp(), v);
  if (mlir::isa<stablehlo::WhileOp, stablehlo::IfOp, stablehlo::CaseOp>(op)) return relateRegions(op, v);
  auto inside = [&] {
    inside_.insert(op);
    return true;
  };
  if (auto constant = dyn_cast<stablehlo::ConstantOp>(op);
      (constant && constant.getValue().isSplat() && v.hasOneUse()) || mlir::isa<stablehlo::IotaOp>(op))
    return inside();
  if (mlir::isa<stablehlo::BroadcastInDimOp, stablehlo::ReduceOp>(op)) return inside() && spreadsLane(op);
  if (auto reshape = dyn_cast<stablehlo::ReshapeOp>(op); reshape && onlyUnits(reshape)) {
    Value other = v == reshape.getOperand() ? Value(reshape) : reshape.getOperand();
    SmallVector<int64_t> from = longDims(v), to = longDims(other);
    auto *at = llvm::find(from, lane);
    return inside() && setLane(other, at == from.end() ? -1 : to[at - from.begin()]);
  }
  if (auto transpose = dyn_cast<stablehlo::TransposeOp>(op)) {
    ArrayRef<int64_t> permutation = transpose.getPermutation();
    if (v == transpose.getResult())
      return inside() && setLane(transpose.getOperand(), lane < 0 ? -1 : permutation[lane]);
    return inside() && setLane(transpose, lane < 0 ? -1 : llvm::find(permutation, lane) - permutation.begin());
  }
  auto window = dyn_cast<stablehlo::ReduceWindowOp>(op);
  bool same = op->hasTrait<stablehlo::IsElementwise>() ||
              mlir::isa<stablehlo::SliceOp, stablehlo::PadOp, stablehlo::ConcatenateOp, stablehlo::ReverseOp>(op);
  if (mlir::isa<stablehlo::DynamicSliceOp, stablehlo::DynamicUpdateSliceOp>(op)) same = takesPart(op, order);
  if (window) same = !reachesAlong(window, order.back());
  if (!same) {
    ends_.insert(op);
    return end(v);
  }
  auto isArray = [](Value x) { return typeOf(x).getRank() > 0; };
  return inside() && llvm::all_of(op->getOperands(), [&](Value x) { return !isArray(x) || setLike(x, v); }) &&
         llvm::all_of(op->getResults(), [&](Value x) { return setLike(x, v); });
}

}  // namespace tpuc::layout
