// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scatters of single elements at the order that a sort has found, as the gradient of a sort is.
//
//  1. The order has each place of its dim once. Updates sorted by the order lie each at its place.
//  2. The update computation then runs element by element.
//
// Rows that are compared with their indices before a sort has its first block are left to expand_tallies.
#include "passes/analysis/target_option.h"
#include "passes/builders/build.h"
#include "passes/builders/inline_region.h"
#include "passes/decompose/passes.h"
#include "passes/decompose/sort_order.h"
#include "passes/decompose/tallies.h"
#include "runtime/timing/machine_model.h"

using namespace mlir;

namespace tpuc::decompose {
using namespace builders;
#define GEN_PASS_DEF_SCATTERBYSORTPASS
#include "passes/decompose/passes.h.inc"
namespace {

// Whether a scatter has one operand and puts single elements along one dim, every other dim being a batch. The updates'
// dims are those of the operand.
bool isAlongOneDim(stablehlo::ScatterOp op) {
  auto numbers = op.getScatterDimensionNumbers();
  if (op.getInputs().size() != 1) return false;
  RankedTensorType type = typeOf(op.getInputs()[0]), updates = typeOf(op.getUpdates()[0]);
  const int64_t vectorDim = numbers.getIndexVectorDim();
  if (numbers.getScatterDimsToOperandDims().size() != 1 || !numbers.getUpdateWindowDims().empty() ||
      numbers.getInsertedWindowDims() != numbers.getScatterDimsToOperandDims() || updates != type ||
      static_cast<int64_t>(numbers.getInputBatchingDims().size()) != type.getRank() - 1)
    return false;
  return llvm::all_of(
      llvm::zip(numbers.getInputBatchingDims(), numbers.getScatterIndicesBatchingDims()),
      [&](auto dims) { return std::get<0>(dims) == std::get<1>(dims) - (std::get<1>(dims) > vectorDim); });
}

// `values`, sorted by `order`.
Value sortedBy(OpBuilder &b, Location loc, Value order, Value values, int64_t dim) {
  SmallVector<Value> operands{order, values};
  auto sort = stablehlo::SortOp::create(b, loc, TypeRange(ValueRange(operands)), operands, dim, /*is_stable=*/false);
  Block *body = &sort.getComparator().emplaceBlock();
  for (Value v : operands)
    for (int i = 0; i < 2; ++i) body->addArgument(RankedTensorType::get({}, typeOf(v).getElementType()), loc);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToEnd(body);
  Value isBefore = stablehlo::CompareOp::create(b, loc, body->getArgument(0), body->getArgument(1),
                                                stablehlo::ComparisonDirection::LT);
  stablehlo::ReturnOp::create(b, loc, isBefore);
  return sort.getResult(1);
}

// Whether a sort is done sooner: it is a kernel of its own, whose blocks come and go.
bool pays(stablehlo::ScatterOp op, const timing::MachineModel &model) {
  RankedTensorType type = typeOf(op.getInputs()[0]);
  const int64_t places = type.getDimSize(op.getScatterDimensionNumbers().getScatterDimsToOperandDims()[0]),
                rows = places ? type.getNumElements() / places : 0;
  return rows == 1 || cyclesOfTallyByRow(model.target(), rows, places, places) >
                          static_cast<double>(2 * model.dmaLatency(/*hbm=*/true));
}

void rewrite(stablehlo::ScatterOp op, const timing::MachineModel &model) {
  if (!isAlongOneDim(op) || !pays(op, model)) return;
  Value operand = op.getInputs()[0];
  RankedTensorType type = typeOf(operand);
  const int64_t dim = op.getScatterDimensionNumbers().getScatterDimsToOperandDims()[0];
  const std::optional<SortOrder> order = sortOrderOf(op.getScatterIndices(), dim, type.getShape());
  Block &update = op.getUpdateComputation().front();
  Type element = type.getElementType();
  if (!order || !order->isWhole || !isElementwiseRegion(update) || !capturesOf(update).empty() ||
      !element.isIntOrFloat() || element.getIntOrFloatBitWidth() < 8 || element.getIntOrFloatBitWidth() > 32)
    return;
  OpBuilder b(op);
  Value sorted = sortedBy(b, op.getLoc(), order->numbers, op.getUpdates()[0], dim);
  op.getResult(0).replaceAllUsesWith(inlineElementwise(b, update, {operand, sorted})[0]);
  op.erase();
}

struct ScatterBySort : impl::ScatterBySortPassBase<ScatterBySort> {
  using ScatterBySortPassBase::ScatterBySortPassBase;

  void runOnOperation() override {
    target::Target machine;
    if (failed(analysis::loadTarget(getOperation(), target, sets, machine))) return signalPassFailure();
    const timing::MachineModel model(machine);
    SmallVector<stablehlo::ScatterOp> ops;
    getOperation().walk([&](stablehlo::ScatterOp op) { ops.push_back(op); });
    for (stablehlo::ScatterOp op : ops) rewrite(op, model);
  }
};

}  // namespace
}  // namespace tpuc::decompose
