// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which convolutions a kernel takes.
#include "passes/analysis/convolution_form.h"

#include "passes/analysis/domain.h"
#include "passes/analysis/scan.h"
#include "passes/builders/build.h"

using namespace mlir;

namespace tpuc::analysis {
using namespace builders;

SmallVector<ConvAxis> axesOf(stablehlo::ConvolutionOp op) {
  auto n = op.getDimensionNumbers();
  auto at = [](std::optional<ArrayRef<int64_t>> values, size_t i) { return values ? (*values)[i] : 1; };
  SmallVector<ConvAxis> axes;
  for (size_t i = 0; i < n.getInputSpatialDimensions().size(); ++i) {
    ConvAxis a{typeOf(op.getLhs()).getDimSize(n.getInputSpatialDimensions()[i]),
               typeOf(op.getResult()).getDimSize(n.getOutputSpatialDimensions()[i]),
               typeOf(op.getRhs()).getDimSize(n.getKernelSpatialDimensions()[i]),
               at(op.getWindowStrides(), i),
               0,
               0,
               at(op.getLhsDilation(), i),
               at(op.getRhsDilation(), i),
               false};
    if (auto padding = op.getPadding()) {
      a.low = padding->getValues<int64_t>()[2 * i];
      a.high = padding->getValues<int64_t>()[2 * i + 1];
    }
    if (auto reversal = op.getWindowReversal()) a.reversed = (*reversal)[i];
    axes.push_back(a);
  }
  return axes;
}

static bool hasMatrixTypes(stablehlo::ConvolutionOp op) {
  Type a = typeOf(op.getLhs()).getElementType(), b = typeOf(op.getRhs()).getElementType(),
       out = typeOf(op.getResult()).getElementType();
  auto isFloat = [](Type t) { return t.isF32() || t.isBF16() || t.isF16(); };
  return (isFloat(a) && isFloat(b) && isFloat(out)) ||
         (a.isSignlessInteger(8) && b.isSignlessInteger(8) && out.isSignlessInteger(32));
}

// The window kernel's code grows with the window.
constexpr int64_t kMostTaps = 64;

bool isDepthwise(stablehlo::ConvolutionOp op) {
  auto n = op.getDimensionNumbers();
  int64_t groups = op.getFeatureGroupCount();
  return groups > 1 && typeOf(op.getLhs()).getDimSize(n.getInputFeatureDimension()) == groups &&
         typeOf(op.getResult()).getDimSize(n.getOutputFeatureDimension()) == groups;
}

static bool hasDepthwiseForm(stablehlo::ConvolutionOp op) {
  int64_t taps = 1;
  for (const ConvAxis &a : axesOf(op)) taps *= a.window;
  auto n = op.getDimensionNumbers();
  return isDepthwise(op) && taps <= kMostTaps &&
         n.getKernelInputFeatureDimension() < n.getKernelOutputFeatureDimension();
}

bool isCanonical(stablehlo::ConvolutionOp op) {
  auto n = op.getDimensionNumbers();
  int64_t space = n.getInputSpatialDimensions().size();
  if (space < 1 || space > 3 || (op.getFeatureGroupCount() != 1 && !hasDepthwiseForm(op)) ||
      op.getBatchGroupCount() != 1 || !hasMatrixTypes(op))
    return false;
  auto iota = [&](ArrayRef<int64_t> dims, int64_t first) {
    return llvm::equal(dims, llvm::seq<int64_t>(first, first + space));
  };
  int64_t i = n.getKernelInputFeatureDimension(), o = n.getKernelOutputFeatureDimension();
  return n.getInputBatchDimension() == 0 && n.getInputFeatureDimension() == space + 1 &&
         iota(n.getInputSpatialDimensions(), 1) && n.getOutputBatchDimension() == 0 &&
         n.getOutputFeatureDimension() == space + 1 && iota(n.getOutputSpatialDimensions(), 1) &&
         iota(n.getKernelSpatialDimensions(), 0) && std::min(i, o) == space && std::max(i, o) == space + 1;
}

// A gradient's types and dims, whatever the batch's groups.
static bool isGradientInGroups(stablehlo::ConvolutionOp op) {
  auto n = op.getDimensionNumbers();
  int64_t space = n.getInputSpatialDimensions().size();
  if (space < 1 || space > 3 || op.getFeatureGroupCount() != 1 || !hasMatrixTypes(op)) return false;
  if (!mlir::isa<FloatType>(typeOf(op.getLhs()).getElementType())) return false;
  for (const ConvAxis &a : axesOf(op))
    if (a.reversed) return false;
  auto iota = [&](ArrayRef<int64_t> dims, int64_t first) {
    return llvm::equal(dims, llvm::seq<int64_t>(first, first + space));
  };
  return n.getInputFeatureDimension() == 0 && n.getInputBatchDimension() == space + 1 &&
         iota(n.getInputSpatialDimensions(), 1) && n.getKernelInputFeatureDimension() == 0 &&
         n.getKernelOutputFeatureDimension() == space + 1 && iota(n.getKernelSpatialDimensions(), 1) &&
         iota(n.getOutputSpatialDimensions(), 0) && n.getOutputBatchDimension() == space &&
         n.getOutputFeatureDimension() == space + 1;
}

bool isGradient(stablehlo::ConvolutionOp op) { return op.getBatchGroupCount() == 1 && isGradientInGroups(op); }

bool isDepthwiseGradient(stablehlo::ConvolutionOp op) {
  const int64_t groups = op.getBatchGroupCount();
  int64_t taps = 1;
  for (const ConvAxis &a : axesOf(op)) taps *= a.out;
  return groups > 1 && taps <= kMostTaps && isGradientInGroups(op) && typeOf(op.getLhs()).getShape().back() == groups &&
         typeOf(op.getRhs()).getShape().back() == groups;
}

// Input [space.., features, last]; of one feature [space.., features, last spatial, last].
static bool isBatchLanesInput(stablehlo::ConvolutionOp op, int64_t features, int64_t last) {
  ArrayRef<int64_t> dims = op.getDimensionNumbers().getInputSpatialDimensions();
  const int64_t space = static_cast<int64_t>(dims.size()), count = typeOf(op.getLhs()).getDimSize(features);
  SmallVector<int64_t> expected = llvm::to_vector(llvm::seq<int64_t>(0, space));
  if (count == 1) expected.back() = space;
  return dims == ArrayRef(expected) && last == space + 1 && features == (count == 1 ? space - 1 : space) &&
         count <= kMostBatchLanesFeatures;
}

// What both forms share; `out`: the number of features of the result.
static bool isBatchLanes(stablehlo::ConvolutionOp op, int64_t in, int64_t out, bool isGradient) {
  auto n = op.getDimensionNumbers();
  const int64_t space = static_cast<int64_t>(n.getInputSpatialDimensions().size());
  if (space < 1 || space > 3 || op.getFeatureGroupCount() != 1 || op.getBatchGroupCount() != 1) return false;
  for (Value v : {op.getLhs(), op.getRhs(), op.getResult()})
    if (Type t = typeOf(v).getElementType(); !t.isF32() && !t.isBF16()) return false;
  auto isFirst = [&](ArrayRef<int64_t> dims) { return llvm::equal(dims, llvm::seq<int64_t>(0, space)); };
  if (!isFirst(n.getKernelSpatialDimensions()) || !isFirst(n.getOutputSpatialDimensions())) return false;
  // Rows of a window: of each run of taps whole groups of 8.
  const SmallVector<ConvAxis> axes = axesOf(op);
  const ConvAxis &last = axes.back();
  const bool joins = in == 1 || (isGradient ? last.stride : last.dilation) == 1;
  auto taps = [&](const ConvAxis &a) { return isGradient ? a.out : a.window; };
  int64_t rows = joins ? llvm::alignTo(taps(last) * in, 8) : taps(last) * static_cast<int64_t>(llvm::alignTo(in, 8));
  for (const ConvAxis &a : ArrayRef(axes).drop_back()) rows *= taps(a);
  return rows <= kMostBatchLanesRows && out <= kMostBatchLanesFeatures;
}

bool hasBatchLanes(stablehlo::ConvolutionOp op) {
  auto n = op.getDimensionNumbers();
  const int64_t space = static_cast<int64_t>(n.getInputSpatialDimensions().size());
  return n.getKernelInputFeatureDimension() == space && n.getKernelOutputFeatureDimension() == space + 1 &&
         n.getOutputFeatureDimension() == space && n.getOutputBatchDimension() == space + 1 &&
         isBatchLanesInput(op, n.getInputFeatureDimension(), n.getInputBatchDimension()) &&
         isBatchLanes(op, typeOf(op.getLhs()).getDimSize(n.getInputFeatureDimension()),
                      typeOf(op.getResult()).getDimSize(space), /*isGradient=*/false);
}

bool isBatchLanesGradient(stablehlo::ConvolutionOp op) {
  auto n = op.getDimensionNumbers();
  const int64_t space = static_cast<int64_t>(n.getInputSpatialDimensions().size());
  if (llvm::any_of(axesOf(op), [](const ConvAxis &a) { return a.reversed; })) return false;
  return n.getKernelOutputFeatureDimension() == space && n.getKernelInputFeatureDimension() == space + 1 &&
         n.getOutputBatchDimension() == space && n.getOutputFeatureDimension() == space + 1 &&
         isBatchLanesInput(op, n.getInputBatchDimension(), n.getInputFeatureDimension()) &&
         isBatchLanes(op, typeOf(op.getLhs()).getDimSize(n.getInputBatchDimension()),
                      typeOf(op.getRhs()).getDimSize(space), /*isGradient=*/true);
}

// The dim along lanes in the usual form: features, or of a gradient the batch.
static int64_t laneDimOf(stablehlo::ConvolutionOp op) {
  auto n = op.getDimensionNumbers();
  return std::max(n.getInputFeatureDimension(), n.getInputBatchDimension());
}

bool hasTurnedInput(stablehlo::ConvolutionOp op) {
  ArrayRef<int64_t> space = op.getDimensionNumbers().getInputSpatialDimensions();
  return !space.empty() && space.back() == typeOf(op.getLhs()).getRank() - 1;
}

bool hasPlanesInput(stablehlo::ConvolutionOp op) {
  return op.getDimensionNumbers().getInputSpatialDimensions() == ArrayRef<int64_t>{2, 3};
}

// Whether a convolution may have images as planes. A block then holds all rows of an image, in a quarter of the least
// VMEM that a kernel has. Such kernels have code for each group of taps, and take no dilated input.
static bool mayHavePlanes(stablehlo::ConvolutionOp op) {
  constexpr int64_t kMostBytes = int64_t{4} << 20, kMostGroups = 96;
  RankedTensorType type = typeOf(op.getLhs());
  const SmallVector<ConvAxis> axes = axesOf(op);
  if (axes.size() != 2 || !(type.getElementType().isF32() || type.getElementType().isBF16())) return false;
  auto taps = [&](const ConvAxis &a) { return isCanonical(op) ? a.window : a.out; };
  const int64_t features = type.getDimSize(3), tiles = llvm::divideCeil(axes[1].in, 128),
                slots = kMostTurned / static_cast<int64_t>(llvm::PowerOf2Ceil(features)),
                groups = llvm::divideCeil(taps(axes[1]), slots);
  return axes[0].baseDilation == 1 && axes[1].baseDilation == 1 && taps(axes[0]) * taps(axes[1]) > 1 &&
         groups * std::max(tiles, taps(axes[0])) <= kMostGroups &&
         paddedBytes(type.clone({1, features, axes[0].in, axes[1].in})) <= kMostBytes;
}

bool mayTurnInput(stablehlo::ConvolutionOp op, ArrayRef<int64_t> order) {
  if (op.getFeatureGroupCount() != 1 || !(isCanonical(op) || isGradient(op))) return false;
  const int64_t lanes = laneDimOf(op);
  if (typeOf(op.getLhs()).getDimSize(lanes) > kMostTurned) return false;
  if (order == ArrayRef<int64_t>{0, 3, 1, 2}) return mayHavePlanes(op);
  SmallVector<int64_t> turned = llvm::to_vector(llvm::seq<int64_t>(0, lanes + 1));
  std::swap(turned[lanes], turned[lanes - 1]);
  return order == ArrayRef(turned);
}

void turnInput(stablehlo::ConvolutionOp op, ArrayRef<int64_t> order) {
  auto n = op.getDimensionNumbers();
  auto turned = [&](int64_t d) { return llvm::find(order, d) - order.begin(); };
  op.setDimensionNumbersAttr(stablehlo::ConvDimensionNumbersAttr::get(
      op.getContext(), turned(n.getInputBatchDimension()), turned(n.getInputFeatureDimension()),
      llvm::map_to_vector(n.getInputSpatialDimensions(), turned), n.getKernelInputFeatureDimension(),
      n.getKernelOutputFeatureDimension(), n.getKernelSpatialDimensions(), n.getOutputBatchDimension(),
      n.getOutputFeatureDimension(), n.getOutputSpatialDimensions()));
}

bool hasKernelForm(stablehlo::ConvolutionOp op) {
  for (Value v : {op.getLhs(), op.getRhs(), op.getResult()})
    if (typeOf(v).getNumElements() == 0) return false;
  if (isGradient(op) || isDepthwiseGradient(op) || hasBatchLanes(op) || isBatchLanesGradient(op)) return true;
  int64_t positions = 1;
  for (const ConvAxis &a : axesOf(op)) positions *= a.window;
  return isCanonical(op) && (positions <= kMostPositions || axesOf(op).back().window <= kMostFolded);
}

bool hasKernelForm(stablehlo::ReduceWindowOp op) {
  if (analysis::scanOf(op)) return true;
  if (op.getInputs().size() != 1) return false;
  Value input = op.getInputs()[0];
  auto type = typeOf(input);
  auto constant = op.getInitValues()[0].getDefiningOp<stablehlo::ConstantOp>();
  Type t = type.getElementType();
  bool lanes = t.isF32() || t.isBF16() || t.isF16() || t.isInteger(8) || t.isInteger(16) || t.isInteger(32);
  int64_t rank = type.getRank(), taps = 1;
  if (!constant || constant->getBlock() != op->getBlock() || !lanes || rank < 2 || rank > 5 ||
      type.getNumElements() == 0)
    return false;
  Operation *by = analysis::onlyOp(op.getBody().front());
  if (!mlir::isa_and_nonnull<stablehlo::AddOp, stablehlo::MulOp, stablehlo::MaxOp, stablehlo::MinOp, stablehlo::AndOp,
                             stablehlo::OrOp, stablehlo::XorOp>(by))
    return false;
  auto at = [](std::optional<ArrayRef<int64_t>> values, int64_t i) { return values ? (*values)[i] : 1; };
  auto out = cast<RankedTensorType>(op.getResult(0).getType());
  if (out.getNumElements() == 0 || out.getElementType() != t) return false;
  for (int64_t d = 0; d < rank; ++d) {
    int64_t window = op.getWindowDimensions()[d];
    int64_t low = op.getPadding() ? op.getPadding()->getValues<int64_t>()[2 * d] : 0;
    taps *= window;
    if (d + 1 == rank && (window != 1 || at(op.getWindowStrides(), d) != 1 || at(op.getBaseDilations(), d) != 1 ||
                          type.getDimSize(d) != out.getDimSize(d) || low != 0))
      return false;
  }
  return taps <= kMostTaps;
}

bool hasKernelForm(stablehlo::SelectAndScatterOp op) {
  auto type = typeOf(op.getOperand()), source = typeOf(op.getSource());
  Type t = type.getElementType();
  auto constant = op.getInitValue().getDefiningOp<stablehlo::ConstantOp>();
  int64_t rank = type.getRank(), taps = 1, phases = 1;
  if (!constant || constant->getBlock() != op->getBlock() ||
      !(t.isF32() || t.isBF16() || t.isF16() || t.isSignlessInteger(32)))
    return false;
  if (rank < 2 || rank > 5 || type.getNumElements() == 0 || source.getNumElements() == 0 ||
      source.getElementType() != t || typeOf(op.getResult()) != type)
    return false;
  Block &select = op.getSelect().front();
  auto compare = dyn_cast_or_null<stablehlo::CompareOp>(analysis::onlyOp(select));
  using D = stablehlo::ComparisonDirection;
  if (!compare || compare.getLhs() != select.getArgument(0) || compare.getComparisonDirection() == D::EQ ||
      compare.getComparisonDirection() == D::NE)
    return false;
  if (compare.getCompareType() == stablehlo::ComparisonType::TOTALORDER) return false;
  if (!mlir::isa_and_nonnull<stablehlo::AddOp, stablehlo::MaxOp, stablehlo::MinOp>(
          analysis::onlyOp(op.getScatter().front())))
    return false;
  for (int64_t d = 0; d < rank; ++d) {
    int64_t window = op.getWindowDimensions() ? (*op.getWindowDimensions())[d] : 1,
            stride = op.getWindowStrides() ? (*op.getWindowStrides())[d] : 1;
    int64_t low = op.getPadding() ? op.getPadding()->getValues<int64_t>()[2 * d] : 0,
            high = op.getPadding() ? op.getPadding()->getValues<int64_t>()[2 * d + 1] : 0;
    bool trivial = window == 1 && stride == 1 && low == 0 && high == 0;
    if (low < 0 || high < 0 || low >= window || high >= window) return false;
    taps *= window;
    if (d + 2 < rank) phases *= stride;
    if (d + 1 == rank && !trivial) return false;
  }
  return taps <= kMostTaps && phases <= kMostTaps;
}

bool isPointwise(stablehlo::ConvolutionOp op) {
  return llvm::all_of(axesOf(op), [](const ConvAxis &a) {
    return a.window == 1 && a.stride == 1 && a.low == 0 && a.high == 0 && a.baseDilation == 1;
  });
}

}  // namespace tpuc::analysis
