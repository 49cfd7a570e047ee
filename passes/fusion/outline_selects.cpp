// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The gradient of a pool that pads: its operand padded, a select_and_scatter, and a slice that takes what was padded
// off again. One kernel, which pads in VMEM and leaves out what the slice does.
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "passes/fusion/group.h"

using namespace mlir;

namespace tpuc::fusion {
namespace {

// Whether a dim of the operand is padded by less than a window, so that no window is padding alone.
bool padsLittle(stablehlo::SelectAndScatterOp op, stablehlo::PadOp pad, int64_t d) {
  const int64_t window = op.getWindowDimensions() ? (*op.getWindowDimensions())[d] : 1,
                low = pad.getEdgePaddingLow()[d], high = pad.getEdgePaddingHigh()[d];
  const int64_t own = op.getPadding() ? op.getPadding()->getValues<int64_t>()[2 * d] : 0;
  return low >= 0 && high >= 0 && own >= 0 && low + own < window && high < window && pad.getInteriorPadding()[d] == 0;
}

// The slice that undoes the padding of what the op makes, if all of it is there.
stablehlo::SliceOp paddedBetween(stablehlo::SelectAndScatterOp op, stablehlo::PadOp pad) {
  DenseElementsAttr value;
  if (!pad || pad->getBlock() != op->getBlock() || !matchPattern(pad.getPaddingValue(), m_Constant(&value)) ||
      !op->hasOneUse())
    return {};
  auto slice = dyn_cast<stablehlo::SliceOp>(*op->user_begin());
  auto from = cast<RankedTensorType>(pad.getOperand().getType());
  if (!slice || slice.getType() != from) return {};
  const int64_t rank = from.getRank();
  for (int64_t d = 0; d < rank; ++d)
    if (!padsLittle(op, pad, d) || slice.getStrides()[d] != 1 ||
        slice.getStartIndices()[d] != pad.getEdgePaddingLow()[d])
      return {};
  return slice;
}

void outline(stablehlo::SelectAndScatterOp op, stablehlo::PadOp pad, stablehlo::SliceOp slice) {
  OpBuilder b(slice);
  SmallVector<Value> inputs{pad.getOperand()};
  if (op.getSource() != inputs[0]) inputs.push_back(op.getSource());
  auto fusion = kernel::FusionOp::create(b, op.getLoc(), slice.getType(), b.getStringAttr("window"), inputs,
                                         ArrayAttr(), ArrayAttr());
  Block *body = b.createBlock(&fusion.getBody());
  IRMapping map;
  for (Value v : inputs) map.map(v, body->addArgument(v.getType(), v.getLoc()));
  b.setInsertionPointToEnd(body);
  for (Value v : {pad.getPaddingValue(), op.getInitValue()})
    if (!map.contains(v)) b.clone(*v.getDefiningOp(), map);
  for (Operation *inner : {pad.getOperation(), op.getOperation(), slice.getOperation()}) b.clone(*inner, map);
  kernel::YieldOp::create(b, op.getLoc(), map.lookup(slice.getResult()));
  slice.replaceAllUsesWith(fusion.getResult(0));
  slice.erase();
  op.erase();
  if (pad->use_empty()) pad.erase();
}

}  // namespace

void outlineSelects(func::FuncOp func, const plan::Question &question) {
  SmallVector<stablehlo::SelectAndScatterOp> selects;
  func.walk([&](stablehlo::SelectAndScatterOp op) { selects.push_back(op); });
  for (auto op : selects) {
    auto pad = op.getOperand().getDefiningOp<stablehlo::PadOp>();
    stablehlo::SliceOp slice = isMatrixOp(op) ? paddedBetween(op, pad) : stablehlo::SliceOp();
    if (slice && op.getInitValue().getDefiningOp<stablehlo::ConstantOp>() && question.hasKernel(op))
      outline(op, pad, slice);
  }
}

}  // namespace tpuc::fusion
