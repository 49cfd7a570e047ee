// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pads, slices, concatenations, reversals and gathers of narrow elements whose rows come out of step: widened for the
// way, but for concatenations of few parts, which a loop selects.
#include "mlir/IR/Matchers.h"
#include "passes/analysis/domain.h"
#include "passes/analysis/packed_rows.h"
#include "passes/analysis/sorted_rows.h"
#include "passes/fusion/group.h"
#include "passes/fusion/widen.h"

using namespace mlir;

namespace tpuc::fusion {

Type widened(Type type) {
  if (!type.isIntOrFloat() || type.getIntOrFloatBitWidth() >= 32) return {};
  if (mlir::isa<FloatType>(type)) return Float32Type::get(type.getContext());
  return IntegerType::get(type.getContext(), 32, cast<IntegerType>(type).getSignedness());
}

Value widen(OpBuilder &b, Location loc, Value v) {
  auto type = cast<RankedTensorType>(v.getType());
  RankedTensorType to = type.clone(widened(type.getElementType()));
  DenseElementsAttr constant;
  if (!matchPattern(v, m_Constant(&constant)) || !constant.isSplat())
    return stablehlo::ConvertOp::create(b, loc, to, v);
  if (auto t = dyn_cast<FloatType>(to.getElementType())) {
    APFloat value = constant.getSplatValue<APFloat>();
    bool inexact;
    value.convert(t.getFloatSemantics(), APFloat::rmNearestTiesToEven, &inexact);
    return stablehlo::ConstantOp::create(b, loc, cast<ElementsAttr>(DenseElementsAttr::get(to, value)));
  }
  APInt value = constant.getSplatValue<APInt>();
  bool sign = !type.getElementType().isUnsignedInteger() && !type.getElementType().isInteger(1);
  return stablehlo::ConstantOp::create(
      b, loc, cast<ElementsAttr>(DenseElementsAttr::get(to, sign ? value.sext(32) : value.zext(32))));
}

Value narrowed(OpBuilder &b, Location loc, Value wide, RankedTensorType to) {
  if (!to.getElementType().isInteger(1)) return stablehlo::ConvertOp::create(b, loc, to, wide);
  auto zero = stablehlo::ConstantOp::create(b, loc, cast<ElementsAttr>(b.getZeroAttr(wide.getType())));
  return stablehlo::CompareOp::create(b, loc, wide, zero, stablehlo::ComparisonDirection::NE);
}

namespace {

constexpr int64_t kMostBytes = int64_t{1} << 30;  // of wide arrays: they must not be what makes a program too large

RankedTensorType typeOf(Value v) { return cast<RankedTensorType>(v.getType()); }

// Positions along the dim whose neighbours share lanes that share no lane: rows of a packed word, words of a vector's
// row.
struct Rows {
  explicit Rows(RankedTensorType type)
      : dim(std::max<int64_t>(type.getRank() - 2, 0)),
        step(analysis::packingOf(type.getElementType()) * (type.getRank() < 2 ? 128 : 1)) {}
  int64_t dim, step;
};

// Elements that a move takes one by one, given its operand's type.
int64_t singleElements(Operation *op) {
  RankedTensorType type = typeOf(op->getOperand(0)), result = typeOf(op->getResult(0));
  if (!type.getRank() || !result.getRank()) return 0;
  Rows rows(type);
  auto shifted = [&](int64_t by) { return by % rows.step != 0; };
  if (auto pad = dyn_cast<stablehlo::PadOp>(op))
    return shifted(pad.getEdgePaddingLow()[rows.dim]) || pad.getInteriorPadding()[rows.dim] ? type.getNumElements() : 0;
  if (auto slice = dyn_cast<stablehlo::SliceOp>(op))
    return shifted(slice.getStartIndices()[rows.dim]) || slice.getStrides()[rows.dim] != 1 ? result.getNumElements()
                                                                                           : 0;
  if (auto reverse = dyn_cast<stablehlo::ReverseOp>(op))
    return llvm::is_contained(reverse.getDimensions(), rows.dim) ? result.getNumElements() : 0;
  if (auto concat = dyn_cast<stablehlo::ConcatenateOp>(op)) {
    int64_t at = 0, elements = 0;
    if (static_cast<int64_t>(concat.getDimension()) != rows.dim) return 0;
    for (Value v : concat.getInputs()) {
      if (shifted(at)) elements += typeOf(v).getNumElements();
      at += typeOf(v).getDimSize(rows.dim);
    }
    return elements;
  }
  auto isPart = [&](ArrayRef<int64_t> sizes) { return sizes[rows.dim] != type.getDimSize(rows.dim); };
  if (auto slice = dyn_cast<stablehlo::DynamicSliceOp>(op))
    return isPart(slice.getSliceSizes()) ? result.getNumElements() : 0;
  if (auto update = dyn_cast<stablehlo::DynamicUpdateSliceOp>(op)) {
    RankedTensorType part = typeOf(update.getUpdate());
    return isPart(part.getShape()) ? part.getNumElements() : 0;
  }
  if (auto gather = dyn_cast<stablehlo::GatherOp>(op))
    return isPart(gather.getSliceSizes()) ? result.getNumElements() : 0;
  return 0;
}

// Operands that hold elements of the moved array.
SmallVector<unsigned> movedOperands(Operation *op) {
  if (mlir::isa<stablehlo::ConcatenateOp>(op)) return llvm::to_vector(llvm::seq<unsigned>(op->getNumOperands()));
  if (mlir::isa<stablehlo::PadOp, stablehlo::DynamicUpdateSliceOp>(op)) return {0, 1};
  return {0};
}

// Whether it takes less to convert, move lanes and convert back: each array is read and written once more.
bool pays(Operation *op, int64_t elements) {
  int64_t bytes = 0;
  for (unsigned i : movedOperands(op)) bytes += typeOf(op->getOperand(i)).getNumElements() * 6;
  bytes += typeOf(op->getResult(0)).getNumElements() * 14;
  if (bytes > kMostBytes * 2) return false;
  return elements * kGranules > 2 * bytes + kStart;
}

}  // namespace

void widenMoves(func::FuncOp func) {
  SmallVector<stablehlo::ConcatenateOp> joined;
  func.walk([&](stablehlo::ConcatenateOp op) {
    if (!mlir::isa<kernel::FusionOp>(op->getParentOp()) && joinsRows(op)) joined.push_back(op);
  });
  for (stablehlo::ConcatenateOp op : joined) selectParts(op);
  SmallVector<Operation *> many;
  func.walk([&](Operation *op) {
    if (mlir::isa<kernel::FusionOp>(op->getParentOp())) return;
    if (auto gather = dyn_cast<stablehlo::GatherOp>(op); gather && analysis::gathersPackedRows(gather)) return;
    if (!isCopyOp(op) || analysis::isShuffledView(op) || analysis::bringsInOrder(op) ||
        mlir::isa<stablehlo::ScatterOp, stablehlo::SortOp>(op) || isLoopOp(op))
      return;
    if (analysis::packingOf(typeOf(op->getResult(0)).getElementType()) == 1) return;
    if (int64_t elements = singleElements(op); elements && pays(op, elements)) many.push_back(op);
  });
  for (Operation *op : many) {
    if (auto concat = dyn_cast<stablehlo::ConcatenateOp>(op); concat && selectParts(concat)) continue;
    OpBuilder b(op);
    RankedTensorType type = typeOf(op->getResult(0));
    for (unsigned i : movedOperands(op)) op->setOperand(i, widen(b, op->getLoc(), op->getOperand(i)));
    op->getResult(0).setType(type.clone(widened(type.getElementType())));
    b.setInsertionPointAfter(op);
    Value narrow = narrowed(b, op->getLoc(), op->getResult(0), type);
    op->getResult(0).replaceUsesWithIf(narrow,
                                       [&](OpOperand &use) { return use.getOwner() != narrow.getDefiningOp(); });
  }
}

}  // namespace tpuc::fusion
