// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ops that infer their results say so themselves (InferTypeOpInterface). Here are the others: those whose result type
// says more than its shape, as the element type of a dot or a convert, and those whose shape is an operand.
#include "passes/shapes/result_types.h"

#include "dialects/diagnostics/diagnose.h"
#include "dialects/diagnostics/outer_codes.h"
#include "dialects/stablehlo/checks.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tpuc::shapes {

namespace hlo = tpuc::stablehlo;

namespace {

using Shape = SmallVector<int64_t>;

RankedTensorType typeOf(Value value) { return cast<RankedTensorType>(value.getType()); }
ArrayRef<int64_t> shapeOf(Value value) { return typeOf(value).getShape(); }

Shape without(ArrayRef<int64_t> shape, ArrayRef<int64_t> dims) {
  Shape kept;
  for (auto [dim, size] : llvm::enumerate(shape))
    if (!llvm::is_contained(dims, static_cast<int64_t>(dim))) kept.push_back(size);
  return kept;
}

Shape dotShape(hlo::DotGeneralOp op) {
  auto dims = op.getDotDimensionNumbers();
  Shape shape;
  for (int64_t dim : dims.getLhsBatchingDimensions()) shape.push_back(shapeOf(op.getLhs())[dim]);
  auto append = [&](Value side, ArrayRef<int64_t> batching, ArrayRef<int64_t> contracting) {
    Shape gone(batching);
    llvm::append_range(gone, contracting);
    llvm::append_range(shape, without(shapeOf(side), gone));
  };
  append(op.getLhs(), dims.getLhsBatchingDimensions(), dims.getLhsContractingDimensions());
  append(op.getRhs(), dims.getRhsBatchingDimensions(), dims.getRhsContractingDimensions());
  return shape;
}

int64_t elementOr(std::optional<ArrayRef<int64_t>> list, size_t i, int64_t otherwise) {
  return list && i < list->size() ? (*list)[i] : otherwise;
}

template <typename ConvOp>
std::optional<Shape> convShape(ConvOp op, ArrayRef<int64_t> padding) {
  auto dims = op.getDimensionNumbers();
  Shape shape(typeOf(op.getLhs()).getRank());
  shape[dims.getOutputBatchDimension()] =
      shapeOf(op.getLhs())[dims.getInputBatchDimension()] / static_cast<int64_t>(op.getBatchGroupCount());
  shape[dims.getOutputFeatureDimension()] = shapeOf(op.getRhs())[dims.getKernelOutputFeatureDimension()];
  for (auto [i, out] : llvm::enumerate(dims.getOutputSpatialDimensions())) {
    hlo::WindowDim window;
    window.size = shapeOf(op.getRhs())[dims.getKernelSpatialDimensions()[i]];
    window.stride = elementOr(op.getWindowStrides(), i, 1);
    window.baseDilation = elementOr(op.getLhsDilation(), i, 1);
    window.windowDilation = elementOr(op.getRhsDilation(), i, 1);
    window.padLow = elementOr(padding, 2 * i, 0);
    window.padHigh = elementOr(padding, 2 * i + 1, 0);
    auto count = hlo::numWindows(shapeOf(op.getLhs())[dims.getInputSpatialDimensions()[i]], window);
    if (!count) return std::nullopt;
    shape[out] = *count;
  }
  return shape;
}

Shape flat(std::optional<DenseIntElementsAttr> padding) {
  if (!padding) return {};
  return llvm::map_to_vector(padding->getValues<APInt>(), [](const APInt &n) { return n.getSExtValue(); });
}

std::optional<Shape> windowsShape(hlo::ReduceWindowOp op) {
  Shape shape(shapeOf(op.getInputs()[0])), padding = flat(op.getPadding());
  for (size_t i = 0; i < shape.size(); ++i) {
    hlo::WindowDim window;
    window.size = op.getWindowDimensions()[i];
    window.stride = elementOr(op.getWindowStrides(), i, 1);
    window.baseDilation = elementOr(op.getBaseDilations(), i, 1);
    window.windowDilation = elementOr(op.getWindowDilations(), i, 1);
    window.padLow = elementOr(ArrayRef<int64_t>(padding), 2 * i, 0);
    window.padHigh = elementOr(ArrayRef<int64_t>(padding), 2 * i + 1, 0);
    auto count = hlo::numWindows(shape[i], window);
    if (!count) return std::nullopt;
    shape[i] = *count;
  }
  return shape;
}

// Batch dims of the indices, and the slices' dims at offset_dims: gather_c22.
Shape gatherShape(hlo::GatherDimensionNumbersAttr dims, ArrayRef<int64_t> indices, ArrayRef<int64_t> sizes) {
  Shape gone(dims.getCollapsedSliceDims());
  llvm::append_range(gone, dims.getOperandBatchingDims());
  Shape window = without(sizes, gone), batch = without(indices, {dims.getIndexVectorDim()}), shape;
  size_t nextWindow = 0, nextBatch = 0;
  for (size_t dim = 0; dim < window.size() + batch.size(); ++dim) {
    const bool offset = llvm::is_contained(dims.getOffsetDims(), static_cast<int64_t>(dim));
    shape.push_back(offset && nextWindow < window.size() ? window[nextWindow++] : batch[nextBatch++]);
  }
  return shape;
}

// The one open dimension of a reshape holds what the others leave.
std::optional<Shape> reshapeShape(Value operand, RankedTensorType result) {
  Shape shape(result.getShape());
  int64_t known = 1, open = -1;
  for (auto [dim, size] : llvm::enumerate(shape)) {
    if (!ShapedType::isDynamic(size))
      known *= size;
    else if (open >= 0)
      return std::nullopt;
    else
      open = dim;
  }
  if (open < 0 || known == 0) return std::nullopt;
  shape[open] = typeOf(operand).getNumElements() / known;
  return shape;
}

Shape broadcastShape(Value operand, ArrayRef<int64_t> dims, RankedTensorType result) {
  Shape shape(result.getShape());
  for (auto [dim, size] : llvm::enumerate(shapeOf(operand)))
    if (size != 1 && ShapedType::isDynamic(shape[dims[dim]])) shape[dims[dim]] = size;
  return shape;
}

std::optional<Shape> padShape(hlo::DynamicPadOp op, const ShapeValues &values) {
  auto low = values.integers(op.getEdgePaddingLow()), high = values.integers(op.getEdgePaddingHigh()),
       interior = values.integers(op.getInteriorPadding());
  if (!low || !high || !interior) return std::nullopt;
  Shape shape;
  for (auto [size, l, h, i] : llvm::zip_equal(shapeOf(op.getOperand()), *low, *high, *interior))
    shape.push_back(size + std::max<int64_t>(size - 1, 0) * i + l + h);
  return shape;
}

std::optional<Shape> sliceShape(hlo::RealDynamicSliceOp op, const ShapeValues &values) {
  auto starts = values.integers(op.getStartIndices()), limits = values.integers(op.getLimitIndices()),
       strides = values.integers(op.getStrides());
  if (!starts || !limits || !strides) return std::nullopt;
  Shape shape;
  for (auto [start, limit, stride] : llvm::zip_equal(*starts, *limits, *strides)) {
    if (stride <= 0) return std::nullopt;
    shape.push_back((std::max<int64_t>(limit - start, 0) + stride - 1) / stride);
  }
  return shape;
}

// Within the array, where all its ends are known.
LogicalResult checkSlice(hlo::RealDynamicSliceOp op, const ShapeValues &values) {
  auto starts = values.integers(op.getStartIndices()), limits = values.integers(op.getLimitIndices());
  if (!starts || !limits) return success();
  for (auto [size, start, limit] : llvm::zip_equal(shapeOf(op.getOperand()), *starts, *limits))
    if (start < 0 || start > limit || limit > size)
      return diagnose(op, codes::kSizes) << "expects a slice within " << size << " elements, but got " << start
                                         << " to " << limit;
  return success();
}

Shape fftShape(hlo::FftOp op) {
  Shape shape(shapeOf(op.getOperand()));
  if (op.getFftType() == hlo::FftType::RFFT) shape.back() = op.getFftLength().back() / 2 + 1;
  if (op.getFftType() == hlo::FftType::IRFFT) shape.back() = op.getFftLength().back();
  return shape;
}

// An element of twice the width takes a last dimension of size 2, and gives one back.
Shape bitcastShape(hlo::BitcastConvertOp op) {
  auto bits = [](RankedTensorType type) {
    Type element = type.getElementType();
    auto complex = dyn_cast<ComplexType>(element);
    return complex ? 2 * complex.getElementType().getIntOrFloatBitWidth()
                   : hlo::storageElement(type).getIntOrFloatBitWidth();
  };
  const unsigned from = bits(typeOf(op.getOperand())), to = bits(op.getType());
  Shape shape(shapeOf(op.getOperand()));
  if (from > to) shape.push_back(from / to);
  if (from < to) shape.pop_back();
  return shape;
}

Shape selectShape(hlo::TorchIndexSelectOp op) {
  ArrayRef<int64_t> operand = shapeOf(op.getOperand()), index = shapeOf(op.getIndex());
  Shape shape(operand.take_front(op.getDim()));
  llvm::append_range(shape, index.drop_front(op.getBatchDims()));
  llvm::append_range(shape, operand.drop_front(op.getDim() + 1));
  return shape;
}

Shape dotShape(hlo::DotOp op) {
  Shape shape(shapeOf(op.getLhs()).drop_back());
  llvm::append_range(shape, shapeOf(op.getRhs()).drop_front());
  return shape;
}

// The shape of every result; nothing where it is not known.
std::optional<Shape> commonShape(Operation *op, const ShapeValues &values) {
  using Result = std::optional<Shape>;
  auto given = [&](Value shape) -> Result { return values.integers(shape); };
  auto first = [&](auto) -> Result { return Shape(shapeOf(op->getOperand(0))); };
  return TypeSwitch<Operation *, Result>(op)
      .Case([&](hlo::DotGeneralOp op) -> Result { return dotShape(op); })
      .Case([&](hlo::DotOp op) -> Result { return dotShape(op); })
      .Case([&](hlo::ConvolutionOp op) { return convShape(op, flat(op.getPadding())); })
      .Case([&](hlo::DynamicConvOp op) -> Result {
        auto padding = values.integers(op.getDPadding());
        return padding ? convShape(op, *padding) : std::nullopt;
      })
      .Case([&](hlo::ReduceOp op) -> Result { return without(shapeOf(op.getInputs()[0]), op.getDimensions()); })
      .Case([&](hlo::ReduceWindowOp op) { return windowsShape(op); })
      .Case([&](hlo::GatherOp op) -> Result {
        return gatherShape(op.getDimensionNumbers(), shapeOf(op.getStartIndices()), op.getSliceSizes());
      })
      .Case([&](hlo::DynamicGatherOp op) -> Result {
        auto sizes = values.integers(op.getSliceSizes());
        return sizes ? Result(gatherShape(op.getDimensionNumbers(), shapeOf(op.getStartIndices()), *sizes))
                     : std::nullopt;
      })
      .Case([&](hlo::TorchIndexSelectOp op) -> Result { return selectShape(op); })
      .Case([&](hlo::ReshapeOp op) { return reshapeShape(op.getOperand(), op.getType()); })
      .Case([&](hlo::BroadcastInDimOp op) -> Result {
        return broadcastShape(op.getOperand(), op.getBroadcastDimensions(), op.getType());
      })
      .Case([&](hlo::BroadcastOp op) -> Result {
        Shape shape(op.getBroadcastSizes());
        llvm::append_range(shape, shapeOf(op.getOperand()));
        return shape;
      })
      .Case([&](hlo::DynamicBroadcastInDimOp op) { return given(op.getOutputDimensions()); })
      .Case([&](hlo::DynamicReshapeOp op) { return given(op.getOutputShape()); })
      .Case([&](hlo::DynamicIotaOp op) { return given(op.getOutputShape()); })
      .Case([&](hlo::RngOp op) { return given(op.getShape()); })
      .Case([&](hlo::DynamicPadOp op) { return padShape(op, values); })
      .Case([&](hlo::RealDynamicSliceOp op) { return sliceShape(op, values); })
      .Case([&](hlo::SetDimensionSizeOp op) -> Result {
        auto size = values.integers(op.getSize());
        if (!size) return std::nullopt;
        Shape shape(shapeOf(op.getOperand()));
        shape[op.getDimension()] = size->front();
        return shape;
      })
      .Case([&](hlo::FftOp op) -> Result { return fftShape(op); })
      .Case([&](hlo::BitcastConvertOp op) -> Result { return bitcastShape(op); })
      .Case([&](hlo::TriangularSolveOp op) -> Result { return Shape(shapeOf(op.getB())); })
      .Case<hlo::ConvertOp, hlo::UniformQuantizeOp, hlo::SelectAndScatterOp, hlo::MapOp, hlo::BatchNormInferenceOp>(
          first)
      .Default([](Operation *) { return std::nullopt; });
}

// A result for each operand of the same place.
bool givesWhatItTakes(Operation *op) {
  return isa<hlo::SortOp, hlo::OptimizationBarrierOp, hlo::WhileOp, hlo::ScatterOp>(op);
}

SmallVector<Type> batchNormTypes(Operation *op) {
  auto operand = typeOf(op->getOperand(0)), feature = typeOf(op->getOperand(1));
  return {operand, feature, feature};
}

// The branches end in the results.
SmallVector<Type> branchTypes(Operation *op) {
  return llvm::to_vector(op->getRegion(0).front().getTerminator()->getOperandTypes());
}

Type withShape(Type type, ArrayRef<int64_t> shape) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? Type(RankedTensorType::get(shape, tensor.getElementType())) : type;
}

}  // namespace

LogicalResult checkSizes(Operation *op, llvm::function_ref<LogicalResult()> check) {
  std::string text;
  {
    ScopedDiagnosticHandler handler(op->getContext(), [&](Diagnostic &diagnostic) {
      if (text.empty()) text = diagnostic.str();
      return success();
    });
    if (succeeded(check())) return success();
  }
  return diagnose(op, codes::kSizes) << "these sizes contradict each other: " << text;
}

FailureOr<SmallVector<Type>> resultTypes(Operation *op, const ShapeValues &values) {
  if (auto infers = dyn_cast<InferTypeOpInterface>(op)) {
    SmallVector<Type> types;
    auto infer = [&] {
      return infers.inferReturnTypes(op->getContext(), op->getLoc(), op->getOperands(),
                                     op->getDiscardableAttrDictionary(), op->getPropertiesStorage(), op->getRegions(),
                                     types);
    };
    if (failed(checkSizes(op, infer))) return failure();
    return types;
  }
  if (givesWhatItTakes(op))
    return llvm::to_vector_of<Type>(op->getOperands().take_front(op->getNumResults()).getTypes());
  if (isa<hlo::BatchNormTrainingOp, hlo::BatchNormGradOp>(op)) return batchNormTypes(op);
  if (isa<hlo::IfOp, hlo::CaseOp>(op)) return branchTypes(op);
  if (auto slice = dyn_cast<hlo::RealDynamicSliceOp>(op); slice && failed(checkSlice(slice, values))) return failure();
  SmallVector<Type> types(op->getResultTypes());
  if (std::optional<Shape> shape = commonShape(op, values)) {
    for (int64_t size : *shape)
      if (size < 0) return diagnose(op, codes::kSizes) << "expects sizes of 0 at least, but got " << size;
    for (Type &type : types) type = withShape(type, *shape);
  }
  return types;
}

}  // namespace tpuc::shapes
