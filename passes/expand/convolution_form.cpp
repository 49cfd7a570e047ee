// Which convolutions a kernel takes.
#include "passes/expand/convolution_form.h"

#include "passes/expand/build.h"

using namespace mlir;

namespace tpuc::expand {

SmallVector<ConvAxis> axesOf(stablehlo::ConvolutionOp op) {
  auto n = op.getDimensionNumbers();
  auto at = [](std::optional<ArrayRef<int64_t>> values, size_t i) { return values ? (*values)[i] : 1; };
  SmallVector<ConvAxis> axes;
  for (size_t i = 0; i < n.getInputSpatialDimensions().size(); ++i) {
    ConvAxis a{typeOf(op.getLhs()).getDimSize(n.getInputSpatialDimensions()[i]), typeOf(op.getResult()).getDimSize(n.getOutputSpatialDimensions()[i]),
               typeOf(op.getRhs()).getDimSize(n.getKernelSpatialDimensions()[i]), at(op.getWindowStrides(), i), 0, 0, at(op.getLhsDilation(), i),
               at(op.getRhsDilation(), i), false};
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
  Type a = typeOf(op.getLhs()).getElementType(), b = typeOf(op.getRhs()).getElementType(), out = typeOf(op.getResult()).getElementType();
  auto isFloat = [](Type t) { return t.isF32() || t.isBF16() || t.isF16(); };
  return (isFloat(a) && isFloat(b) && isFloat(out)) || (a.isSignlessInteger(8) && b.isSignlessInteger(8) && out.isSignlessInteger(32));
}

bool isCanonical(stablehlo::ConvolutionOp op) {
  auto n = op.getDimensionNumbers();
  int64_t space = n.getInputSpatialDimensions().size();
  if (space < 1 || space > 3 || op.getFeatureGroupCount() != 1 || op.getBatchGroupCount() != 1 || !hasMatrixTypes(op)) return false;
  auto iota = [&](ArrayRef<int64_t> dims, int64_t first) { return llvm::equal(dims, llvm::seq<int64_t>(first, first + space)); };
  int64_t i = n.getKernelInputFeatureDimension(), o = n.getKernelOutputFeatureDimension();
  return n.getInputBatchDimension() == 0 && n.getInputFeatureDimension() == space + 1 && iota(n.getInputSpatialDimensions(), 1) &&
         n.getOutputBatchDimension() == 0 && n.getOutputFeatureDimension() == space + 1 && iota(n.getOutputSpatialDimensions(), 1) &&
         iota(n.getKernelSpatialDimensions(), 0) && std::min(i, o) == space && std::max(i, o) == space + 1;
}

bool hasKernel(stablehlo::ConvolutionOp op, int64_t vmemBytes) {
  if (!isCanonical(op)) return false;
  for (Value v : {op.getLhs(), op.getRhs(), op.getResult()})
    if (typeOf(v).getNumElements() == 0) return false;
  SmallVector<ConvAxis> axes = axesOf(op);
  ConvAxis last = axes.pop_back_val();
  // Words of one row of results with its window, two column tiles wide; blocks twice, for the transfers.
  constexpr int64_t kSide = 256, kWord = 512;
  int64_t rows = 1, positions = last.window;
  for (const ConvAxis &a : axes) {
    rows *= (a.window - 1) * a.dilation + 1;
    positions *= a.window;
  }
  int64_t features = typeOf(op.getLhs()).getShape().back();
  int64_t pitch = std::max(last.in * last.baseDilation + std::max<int64_t>(last.low, 0), (last.out - 1) * last.stride + last.window * last.dilation) + 64;
  int64_t tiles = features > 128 ? 2 : 1;
  int64_t foldTiles = llvm::divideCeil(std::min<int64_t>(features, kSide) * last.window, 128) + 1;
  bool folds = last.window > 1 && last.window <= 64 && features < kSide;
  int64_t words = rows * pitch * tiles * 3 + positions * kSide * (kSide / 128) * 2 + (last.out + 32) * 2 * 6;
  if (folds) words += rows * (last.out + 32) * foldTiles + positions * kSide * 3;
  return words * kWord <= vmemBytes / 8 * 7;
}

bool isPointwise(stablehlo::ConvolutionOp op) {
  return llvm::all_of(axesOf(op), [](const ConvAxis &a) { return a.window == 1 && a.stride == 1 && a.low == 0 && a.high == 0 && a.baseDilation == 1; });
}

}  // namespace tpuc::expand
