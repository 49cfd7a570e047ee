// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which windows are scans.
#include "passes/analysis/scan.h"

using namespace mlir;

namespace tpuc::analysis {

Operation *onlyOp(Block &body) {
  Operation &op = body.front();
  if (body.getNumArguments() != 2 || body.getOperations().size() != 2 || op.getNumOperands() != 2 ||
      op.getNumResults() != 1)
    return nullptr;
  if (body.getTerminator()->getNumOperands() != 1 || body.getTerminator()->getOperand(0) != op.getResult(0))
    return nullptr;
  // An argument may also be another block's: of a loop around it.
  Value x = body.getArgument(0), y = body.getArgument(1), left = op.getOperand(0), right = op.getOperand(1);
  return (left == x && right == y) || (left == y && right == x) ? &op : nullptr;
}

static bool isIdentity(Operation *op, const APFloat &v) {
  if (mlir::isa<stablehlo::AddOp>(op)) return v.isZero();
  if (mlir::isa<stablehlo::MulOp>(op)) return v.isExactlyValue(1.0);
  if (mlir::isa<stablehlo::MaxOp>(op)) return v.isInfinity() && v.isNegative();
  return mlir::isa<stablehlo::MinOp>(op) && v.isInfinity() && !v.isNegative();
}

static bool isIdentity(Operation *op, const APInt &v, bool isUnsigned) {
  if (mlir::isa<stablehlo::AddOp, stablehlo::OrOp, stablehlo::XorOp>(op)) return v.isZero();
  if (mlir::isa<stablehlo::MulOp>(op)) return v.isOne();
  if (mlir::isa<stablehlo::AndOp>(op)) return v.isAllOnes();
  if (mlir::isa<stablehlo::MaxOp>(op)) return isUnsigned ? v.isMinValue() : v.isMinSignedValue();
  return mlir::isa<stablehlo::MinOp>(op) && (isUnsigned ? v.isMaxValue() : v.isMaxSignedValue());
}

bool startsUnchanged(Operation *op, Value initial) {
  auto constant = initial.getDefiningOp<stablehlo::ConstantOp>();
  auto dense = constant ? dyn_cast<DenseElementsAttr>(constant.getValue()) : DenseElementsAttr();
  if (!dense || !dense.isSplat() || constant->getBlock() != initial.getParentBlock()) return false;
  Type t = dense.getElementType();
  if (t.isF32() || t.isBF16() || t.isF16()) return isIdentity(op, dense.getSplatValue<APFloat>());
  bool lanes = t.isInteger(8) || t.isInteger(16) || t.isInteger(32);
  return lanes && isIdentity(op, dense.getSplatValue<APInt>(), t.isUnsignedInteger());
}

// Sums and products of a few floats are made one by one, which matters where they cancel, and narrow ones rounded each
// time; a scan goes by doubling, in f32 until it is stored.
static constexpr int64_t kMostInOrder = 16;
static bool isInOrder(Operation *op, RankedTensorType type, int64_t window) {
  return mlir::isa<FloatType>(type.getElementType()) && mlir::isa<stablehlo::AddOp, stablehlo::MulOp>(op) &&
         window <= kMostInOrder;
}

static int64_t at(std::optional<ArrayRef<int64_t>> values, int64_t d) { return values ? (*values)[d] : 1; }

std::optional<Scan> scanOf(stablehlo::ReduceWindowOp op) {
  if (op.getInputs().size() != 1 || op.getInputs()[0].getType() != op.getResult(0).getType()) return std::nullopt;
  auto type = cast<RankedTensorType>(op.getResult(0).getType());
  Operation *computation = onlyOp(op.getBody().front());
  if (!computation || type.getNumElements() == 0 || !startsUnchanged(computation, op.getInitValues()[0]))
    return std::nullopt;
  std::optional<Scan> scan;
  for (int64_t d = 0; d < type.getRank(); ++d) {
    int64_t window = op.getWindowDimensions()[d], low = 0, high = 0;
    if (auto padding = op.getPadding()) {
      low = padding->getValues<int64_t>()[2 * d];
      high = padding->getValues<int64_t>()[2 * d + 1];
    }
    if (at(op.getWindowStrides(), d) != 1 || at(op.getBaseDilations(), d) != 1 || at(op.getWindowDilations(), d) != 1)
      return std::nullopt;
    if (window == 1 && low == 0 && high == 0) continue;
    bool ends = low == window - 1 && high == 0, begins = high == window - 1 && low == 0;
    if (scan || window < type.getDimSize(d) || (!ends && !begins) || isInOrder(computation, type, window))
      return std::nullopt;
    scan = Scan{d, begins};
  }
  return scan;
}

}  // namespace tpuc::analysis
