//===- contraction.cpp - verifiers of dot products and convolutions ----------------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "dialects/stablehlo/assembly.h"
#include "dialects/stablehlo/infer.h"
#include "mlir/Dialect/Quant/IR/QuantTypes.h"

using namespace mlir;

namespace tpuc::stablehlo {

static quant::UniformQuantizedPerAxisType perAxis(RankedTensorType type) {
  return dyn_cast<quant::UniformQuantizedPerAxisType>(type.getElementType());
}

//===-----------------------------------------------------------------------------===//
// Dot products
//===-----------------------------------------------------------------------------===//

// dot_general_c11, convolution_c24
static LogicalResult checkPrecision(Emit emit, std::optional<ArrayAttr> precision) {
  // One precision for both sides, and none, are taken too.
  if (precision && precision->size() > 2)
    return emit() << "expects precision_config of size 2, but got " << precision->size();
  return success();
}

// dot_general_c14..c20, convolution_c28, c31..c34: what a quantized right side asks of the rest
static LogicalResult checkQuantized(Emit emit, RankedTensorType lhs, RankedTensorType rhs, RankedTensorType result) {
  if (!isQuantized(rhs) || isQuantized(lhs) != isQuantized(result))
    return emit() << "expects rhs to be quantized, and lhs and result both or neither, but got " << lhs << ", " << rhs
                  << " and " << result;
  if (!isQuantized(lhs)) {
    if (lhs.getElementType() != expressedElement(rhs) || lhs.getElementType() != result.getElementType())
      return emit() << "expects the expressed type of rhs in lhs and result, but got " << lhs << ", " << rhs << " and "
                    << result;
    return success();
  }
  if (storageElement(lhs) != storageElement(rhs))
    return emit() << "expects lhs and rhs to store the same type, but got " << lhs << " and " << rhs;
  if (expressedElement(lhs) != expressedElement(rhs) || expressedElement(lhs) != expressedElement(result))
    return emit() << "expects lhs, rhs and result to express the same type, but got " << lhs << ", " << rhs << " and "
                  << result;
  if (!perAxis(rhs) && perAxis(result))
    return emit() << "expects a result quantized per tensor, as rhs is, but got " << result;
  return success();
}

namespace {
// An algorithm that hardware has: types, the components that each side is split into, how many products are taken.
struct KnownAlgorithm {
  StringRef sides, accumulation;
  int64_t components, operations;
  bool imprecise = false;
};
}  // namespace

static bool isKnown(DotAlgorithmAttr algorithm) {
  static constexpr KnownAlgorithm known[] = {{"f8", "f32", 1, 1},    {"f8", "f32", 1, 1, true}, {"f16", "f16", 1, 1},
                                             {"f16", "f32", 1, 1},   {"f32", "f32", 1, 1},      {"f64", "f64", 1, 1},
                                             {"bf16", "bf16", 1, 1}, {"bf16", "f32", 1, 1},     {"bf16", "f32", 1, 3},
                                             {"bf16", "f32", 2, 3},  {"bf16", "f32", 1, 6},     {"bf16", "f32", 3, 6},
                                             {"bf16", "f32", 1, 9},  {"bf16", "f32", 3, 9},     {"tf32", "f32", 1, 1},
                                             {"tf32", "f32", 1, 3},  {"tf32", "f32", 2, 3}};
  auto name = [](Type type) {
    std::string text;
    llvm::raw_string_ostream(text) << type;
    return StringRef(text).starts_with("f8") ? std::string("f8") : text;
  };
  return llvm::any_of(known, [&](const KnownAlgorithm &one) {
    return name(algorithm.getLhsPrecisionType()) == one.sides && name(algorithm.getRhsPrecisionType()) == one.sides &&
           name(algorithm.getAccumulationType()) == one.accumulation &&
           algorithm.getLhsComponentCount() == one.components && algorithm.getRhsComponentCount() == one.components &&
           algorithm.getNumPrimitiveOperations() == one.operations &&
           algorithm.getAllowImpreciseAccumulation() == one.imprecise;
  });
}

static LogicalResult checkAlgorithm(Emit emit, DotAlgorithmAttr algorithm, std::optional<ArrayAttr> precision) {
  if (!algorithm) return success();
  // dot_general_c21
  if (precision)
    for (auto one : precision->getAsRange<PrecisionAttr>())
      if (one.getValue() != Precision::DEFAULT)
        return emit() << "expects precision DEFAULT beside an algorithm, but got "
                      << stringifyPrecision(one.getValue());
  // dot_general_c22, dot_general_c23, dot_general_c24
  if (failed(checkAtLeast(emit, "lhs_component_count", algorithm.getLhsComponentCount(), 1)) ||
      failed(checkAtLeast(emit, "rhs_component_count", algorithm.getRhsComponentCount(), 1)) ||
      failed(checkAtLeast(emit, "num_primitive_operations", algorithm.getNumPrimitiveOperations(), 1)))
    return failure();
  if (!isKnown(algorithm))
    return emit() << "expects an algorithm that hardware is known to have, but got " << algorithm;
  return success();
}

// One side's dimensions: unique and in range.
static LogicalResult checkDotSide(Emit emit, StringRef side, ArrayRef<int64_t> batching, ArrayRef<int64_t> contracting,
                                  int64_t rank) {
  SmallVector<int64_t> both(batching);
  llvm::append_range(both, contracting);
  std::string name = (side + " batching and contracting dimensions").str();
  if (failed(checkInRange(emit, name, both, rank))) return failure();
  return checkUnique(emit, name, both);
}

// Sizes that have to agree between the sides.
static LogicalResult checkDotPairs(Emit emit, StringRef what, RankedTensorType lhs, ArrayRef<int64_t> lhsDims,
                                   RankedTensorType rhs, ArrayRef<int64_t> rhsDims) {
  for (auto [l, r] : llvm::zip_equal(lhsDims, rhsDims))
    if (!sameDim(lhs.getDimSize(l), rhs.getDimSize(r)))
      return emit() << "expects " << what << " dimensions of the same size, but got " << lhs.getDimSize(l) << " and "
                    << rhs.getDimSize(r);
  return success();
}

LogicalResult DotGeneralOp::verify() {
  auto emit = errorsOf(*this);
  RankedTensorType lhs = getLhs().getType(), rhs = getRhs().getType(), result = getType();
  DotDimensionNumbersAttr dims = getDotDimensionNumbers();
  ArrayRef<int64_t> lhsBatch = dims.getLhsBatchingDimensions(), rhsBatch = dims.getRhsBatchingDimensions();
  ArrayRef<int64_t> lhsContract = dims.getLhsContractingDimensions(), rhsContract = dims.getRhsContractingDimensions();
  // dot_general_c1, dot_general_c2
  if (failed(checkSize(emit, "rhs_batching_dimensions", rhsBatch.size(), lhsBatch.size())) ||
      failed(checkSize(emit, "rhs_contracting_dimensions", rhsContract.size(), lhsContract.size())))
    return failure();
  // dot_general_c3..c8
  if (failed(checkDotSide(emit, "lhs", lhsBatch, lhsContract, lhs.getRank())) ||
      failed(checkDotSide(emit, "rhs", rhsBatch, rhsContract, rhs.getRank())))
    return failure();
  // dot_general_c9, dot_general_c10
  if (failed(checkDotPairs(emit, "batching", lhs, lhsBatch, rhs, rhsBatch)) ||
      failed(checkDotPairs(emit, "contracting", lhs, lhsContract, rhs, rhsContract)))
    return failure();
  // dot_general_c11, dot_general_c21..c24
  if (failed(checkPrecision(emit, getPrecisionConfig())) ||
      failed(checkAlgorithm(emit, getAlgorithmAttr(), getPrecisionConfig())))
    return failure();
  // dot_general_c12
  SmallVector<int64_t> shape;
  for (int64_t dim : lhsBatch) shape.push_back(lhs.getDimSize(dim));
  auto appendFree = [&](RankedTensorType type, ArrayRef<int64_t> batch, ArrayRef<int64_t> contract) {
    for (auto [dim, size] : llvm::enumerate(type.getShape()))
      if (!llvm::is_contained(batch, dim) && !llvm::is_contained(contract, dim)) shape.push_back(size);
  };
  appendFree(lhs, lhsBatch, lhsContract);
  appendFree(rhs, rhsBatch, rhsContract);
  if (failed(checkShape(emit, "result", result.getShape(), shape))) return failure();
  // dot_general_c13 is not checked: types are mixed in practice, as int8 by bf16.
  if (!isQuantized(lhs) && !isQuantized(rhs) && !isQuantized(result)) return success();
  // dot_general_c14, dot_general_c17..c20
  if (failed(checkQuantized(emit, lhs, rhs, result))) return failure();
  // dot_general_c15
  bool zero = true;
  if (auto uniform = dyn_cast<quant::UniformQuantizedType>(rhs.getElementType())) zero = uniform.getZeroPoint() == 0;
  if (auto axis = perAxis(rhs)) {
    zero = llvm::all_of(axis.getZeroPoints(), [](int64_t point) { return point == 0; });
    // dot_general_c16
    if (llvm::is_contained(rhsContract, axis.getQuantizedDimension()))
      return emit() << "expects a quantized dimension of rhs that is not contracted, but got "
                    << axis.getQuantizedDimension();
  }
  if (!zero) return emit() << "expects zero points of 0 in rhs, but got " << rhs;
  return success();
}

LogicalResult DotOp::verify() {
  auto emit = errorsOf(*this);
  RankedTensorType lhs = getLhs().getType(), rhs = getRhs().getType();
  if (failed(checkPrecision(emit, getPrecisionConfig()))) return failure();
  auto oneOrTwo = [](int64_t rank) { return rank == 1 || rank == 2; };
  if (!oneOrTwo(lhs.getRank()) || !oneOrTwo(rhs.getRank()))
    return emit() << "expects operands of rank 1 or 2, but got " << lhs << " and " << rhs;
  if (!sameDim(lhs.getShape().back(), rhs.getShape().front()))
    return emit() << "expects contracting dimensions of the same size, but got " << lhs.getShape().back() << " and "
                  << rhs.getShape().front();
  SmallVector<int64_t> shape(lhs.getShape().drop_back());
  llvm::append_range(shape, rhs.getShape().drop_front());
  return checkShape(emit, "result", getType().getShape(), shape);
}

//===-----------------------------------------------------------------------------===//
// Convolutions
//===-----------------------------------------------------------------------------===//

// A permutation of the dimensions: convolution_c13, c18, c20
static LogicalResult checkConvSide(Emit emit, StringRef side, int64_t first, int64_t second, ArrayRef<int64_t> spatial,
                                   int64_t rank) {
  // convolution_c12, c17, c19
  if (failed(checkSize(emit, (side + "_spatial_dimensions").str(), spatial.size(), rank - 2))) return failure();
  SmallVector<int64_t> all{first, second};
  llvm::append_range(all, spatial);
  std::string name = (side + " dimensions").str();
  if (failed(checkUnique(emit, name, all))) return failure();
  return checkInRange(emit, name, all, rank);
}

// The window along each spatial dimension: convolution_c2..c9
template <typename OpT>
static FailureOr<SmallVector<WindowDim>> readWindow(Emit emit, OpT op, int64_t numSpatial,
                                                    std::optional<DenseIntElementsAttr> padding) {
  SmallVector<WindowDim> window(numSpatial);
  auto read = [&](StringRef name, std::optional<ArrayRef<int64_t>> list, int64_t WindowDim::*field) -> LogicalResult {
    // An empty list stands for ones, as a missing one does.
    if (!list || list->empty()) return success();
    if (failed(checkSize(emit, name, list->size(), numSpatial)) || failed(checkAtLeast(emit, name, *list, 1)))
      return failure();
    for (auto [dim, value] : llvm::zip_equal(window, *list)) dim.*field = value;
    return success();
  };
  if (failed(read("window_strides", op.getWindowStrides(), &WindowDim::stride)) ||
      failed(read("lhs_dilation", op.getLhsDilation(), &WindowDim::baseDilation)) ||
      failed(read("rhs_dilation", op.getRhsDilation(), &WindowDim::windowDilation)))
    return failure();
  if (auto reversal = op.getWindowReversal(); reversal && !reversal->empty())
    if (failed(checkSize(emit, "window_reversal", reversal->size(), numSpatial))) return failure();
  auto pairs = readPadding(emit, padding, numSpatial);
  if (failed(pairs)) return failure();
  for (auto [dim, pair] : llvm::zip_equal(window, *pairs)) std::tie(dim.padLow, dim.padHigh) = pair;
  return window;
}

// convolution_c10, c11, c14..c16, c21..c23
template <typename OpT>
static LogicalResult checkGroups(Emit emit, OpT op, RankedTensorType lhs, RankedTensorType rhs) {
  ConvDimensionNumbersAttr dims = op.getDimensionNumbers();
  int64_t features = op.getFeatureGroupCount(), batches = op.getBatchGroupCount();
  if (failed(checkAtLeast(emit, "feature_group_count", features, 1)) ||
      failed(checkAtLeast(emit, "batch_group_count", batches, 1)))
    return failure();
  if (features > 1 && batches > 1)
    return emit() << "expects feature_group_count or batch_group_count to be 1, but got " << features << " and "
                  << batches;
  auto divides = [&](StringRef what, int64_t size, StringRef count, int64_t groups) -> LogicalResult {
    if (!ShapedType::isDynamic(size) && size % groups != 0)
      return emit() << "expects " << what << " to be a multiple of " << count << " " << groups << ", but got " << size;
    return success();
  };
  int64_t inputFeatures = lhs.getDimSize(dims.getInputFeatureDimension());
  int64_t kernelInputs = rhs.getDimSize(dims.getKernelInputFeatureDimension());
  int64_t outputFeatures = rhs.getDimSize(dims.getKernelOutputFeatureDimension());
  if (failed(divides("the input batch size", lhs.getDimSize(dims.getInputBatchDimension()), "batch_group_count",
                     batches)) ||
      failed(divides("the input feature size", inputFeatures, "feature_group_count", features)) ||
      failed(divides("the kernel output feature size", outputFeatures, "batch_group_count", batches)) ||
      failed(divides("the kernel output feature size", outputFeatures, "feature_group_count", features)))
    return failure();
  if (!ShapedType::isDynamic(inputFeatures) && !sameDim(kernelInputs, inputFeatures / features))
    return emit() << "expects " << inputFeatures / features << " input features of the kernel, but got "
                  << kernelInputs;
  return success();
}

// convolution_c25, c26
static LogicalResult checkConvResult(Emit emit, ConvDimensionNumbersAttr dims, int64_t batchGroups,
                                     ArrayRef<WindowDim> window, bool knownPadding, RankedTensorType lhs,
                                     RankedTensorType rhs, RankedTensorType result) {
  SmallVector<int64_t> shape(lhs.getRank(), ShapedType::kDynamic);
  int64_t batch = lhs.getDimSize(dims.getInputBatchDimension());
  shape[dims.getOutputBatchDimension()] = ShapedType::isDynamic(batch) ? batch : batch / batchGroups;
  shape[dims.getOutputFeatureDimension()] = rhs.getDimSize(dims.getKernelOutputFeatureDimension());
  for (auto [spatial, given] : llvm::enumerate(window)) {
    WindowDim dim = given;
    dim.size = rhs.getDimSize(dims.getKernelSpatialDimensions()[spatial]);
    if (dim.size == 0)
      return emit() << "expects a window of size 1 at least in spatial dimension " << spatial << ", but got 0";
    std::optional<int64_t> places = numWindows(lhs.getDimSize(dims.getInputSpatialDimensions()[spatial]), dim);
    if (!places) return emit() << "expects a window whose places can be counted in 64 bits";
    if (knownPadding) shape[dims.getOutputSpatialDimensions()[spatial]] = *places;
  }
  return checkShape(emit, "result", result.getShape(), shape);
}

template <typename OpT>
static LogicalResult verifyConvolution(OpT op, std::optional<DenseIntElementsAttr> padding, bool knownPadding) {
  auto emit = errorsOf(op);
  RankedTensorType lhs = op.getLhs().getType(), rhs = op.getRhs().getType(), result = op.getType();
  ConvDimensionNumbersAttr dims = op.getDimensionNumbers();
  // convolution_c1
  int64_t rank = lhs.getRank();
  if (rank < 2 || rhs.getRank() != rank)
    return emit() << "expects lhs and rhs of the same rank of at least 2, but got " << lhs << " and " << rhs;
  if (failed(checkConvSide(emit, "input", dims.getInputBatchDimension(), dims.getInputFeatureDimension(),
                           dims.getInputSpatialDimensions(), rank)) ||
      failed(checkConvSide(emit, "kernel", dims.getKernelInputFeatureDimension(),
                           dims.getKernelOutputFeatureDimension(), dims.getKernelSpatialDimensions(), rank)) ||
      failed(checkConvSide(emit, "output", dims.getOutputBatchDimension(), dims.getOutputFeatureDimension(),
                           dims.getOutputSpatialDimensions(), rank)))
    return failure();
  FailureOr<SmallVector<WindowDim>> window = readWindow(emit, op, rank - 2, padding);
  if (failed(window) || failed(checkGroups(emit, op, lhs, rhs))) return failure();
  if (failed(checkPrecision(emit, op.getPrecisionConfig())) ||
      failed(checkConvResult(emit, dims, op.getBatchGroupCount(), *window, knownPadding, lhs, rhs, result)))
    return failure();
  // convolution_c27, of the sides; results are wider in practice, as int8 to int32.
  if (!isQuantized(lhs) && !isQuantized(rhs) && !isQuantized(result))
    return checkElement(emit, "rhs", rhs.getElementType(), lhs.getElementType());
  // convolution_c28, c31..c34
  if (failed(checkQuantized(emit, lhs, rhs, result))) return failure();
  // convolution_c29, c30
  auto onlyAlong = [&](StringRef what, RankedTensorType type, int64_t dimension) -> LogicalResult {
    if (auto axis = perAxis(type); axis && axis.getQuantizedDimension() != dimension)
      return emit() << "expects " << what << " quantized along dimension " << dimension << ", but got "
                    << axis.getQuantizedDimension();
    return success();
  };
  if (failed(onlyAlong("rhs", rhs, dims.getKernelOutputFeatureDimension()))) return failure();
  return onlyAlong("result", result, dims.getOutputFeatureDimension());
}

LogicalResult ConvolutionOp::verify() { return verifyConvolution(*this, getPadding(), /*knownPadding=*/true); }

LogicalResult DynamicConvOp::verify() {
  // dynamic_conv_c4
  int64_t spatial = getLhs().getType().getRank() - 2;
  if (failed(checkShape(errorsOf(*this), "d_padding", getDPadding().getType().getShape(), {spatial, 2})))
    return failure();
  return verifyConvolution(*this, getPadding(), /*knownPadding=*/false);
}

}  // namespace tpuc::stablehlo

using namespace tpuc::stablehlo;
#define GET_OP_CLASSES
#include "dialects/stablehlo/contraction.cpp.inc"
