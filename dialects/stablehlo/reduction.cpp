//===- reduction.cpp - verifiers of ops that apply a region --------------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "dialects/stablehlo/assembly.h"
#include "dialects/stablehlo/infer.h"

using namespace mlir;

namespace tpuc::stablehlo {

//===-----------------------------------------------------------------------------===//
// reduce
//===-----------------------------------------------------------------------------===//

// The dimensions of `part` are dimensions of `shape`, in order.
static bool isPartOf(ArrayRef<int64_t> part, ArrayRef<int64_t> shape) {
  for (int64_t size : shape)
    if (!part.empty() && sameDim(part.front(), size)) part = part.drop_front();
  return part.empty();
}

// Inputs and initial values: as many of each, equal shapes, equal element types by pairs. `reducedRank` dimensions
// at least disappear.
// reduce_c1..c3, reduce_window_c1..c3
static LogicalResult checkReduceOperands(Operation *op, OperandRange inputs, OperandRange inits, int64_t reducedRank) {
  auto emit = errorsOf(op);
  if (inputs.empty() || op->getNumOperands() % 2 != 0)
    return emit() << "expects as many initial values as inputs, one at least, but got " << op->getNumOperands()
                  << " operands";
  if (op->getNumResults() != inputs.size())
    return emit() << "expects " << inputs.size() << " results, but got " << op->getNumResults();
  RankedTensorType first = tensorType(inputs.front());
  for (auto [input, init] : llvm::zip_equal(inputs, inits)) {
    RankedTensorType inputType = tensorType(input), initType = tensorType(init);
    if (failed(checkShape(emit, "inputs", inputType.getShape(), first.getShape()))) return failure();
    // The specification has scalars; programs in the wild have the shape of a part of the input.
    if (initType.getRank() > std::max<int64_t>(inputType.getRank() - reducedRank, 0) ||
        !isPartOf(initType.getShape(), inputType.getShape()))
      return emit() << "expects initial values of a shape that is part of " << inputType << ", but got " << initType;
    if (failed(checkElement(emit, "initial values", initType.getElementType(), inputType.getElementType())))
      return failure();
  }
  return success();
}

// Results of a shape, with the element types that the body returns: reduce_c7, reduce_c8
static LogicalResult checkReduceResults(Operation *op, ArrayRef<int64_t> shape, ArrayRef<Type> elements) {
  auto emit = errorsOf(op);
  for (auto [result, element] : llvm::zip_equal(op->getResults(), elements)) {
    RankedTensorType type = tensorType(result);
    if (failed(checkShape(emit, "result", type.getShape(), shape)) ||
        failed(checkElement(emit, "result", type.getElementType(), element)))
      return failure();
  }
  return success();
}

LogicalResult ReduceOp::verify() {
  auto emit = errorsOf(*this);
  if (failed(checkReduceOperands(*this, getInputs(), getInitValues(), getDimensions().size()))) return failure();
  // reduce_c4, reduce_c5
  RankedTensorType input = tensorType(getInputs().front());
  if (failed(checkInRange(emit, "dimensions", getDimensions(), input.getRank())) ||
      failed(checkUnique(emit, "dimensions", getDimensions())))
    return failure();
  SmallVector<Type> elements;
  // reduce_c6
  if (failed(checkReducer(emit, "body", getBody(), getInputs().getTypes(), elements, getInitValues().getTypes())))
    return failure();
  SmallVector<int64_t> shape;
  for (auto [dim, size] : llvm::enumerate(input.getShape()))
    if (!llvm::is_contained(getDimensions(), dim)) shape.push_back(size);
  return checkReduceResults(*this, shape, elements);
}

// A single op of a body that takes the two arguments in order and whose result is returned.
Operation *ReduceOp::getSimpleBodyOp() {
  if (getInputs().size() != 1 || getBody().empty()) return nullptr;
  Block &block = getBody().front();
  if (block.getOperations().size() != 2 || block.getNumArguments() != 2) return nullptr;
  Operation &inner = block.front();
  auto terminator = dyn_cast<ReturnOp>(block.back());
  bool simple = terminator && inner.getNumOperands() == 2 && inner.getNumResults() == 1 &&
                inner.getOperand(0) == block.getArgument(0) && inner.getOperand(1) == block.getArgument(1) &&
                terminator.getNumOperands() == 1 && terminator.getOperand(0) == inner.getResult(0);
  return simple ? &inner : nullptr;
}

//===-----------------------------------------------------------------------------===//
// Windows
//===-----------------------------------------------------------------------------===//

// window_dimensions, strides and dilations, one of each a dimension, all positive.
// reduce_window_c4..c12, select_and_scatter_c4..c8
static FailureOr<SmallVector<WindowDim>> readWindow(Emit emit, int64_t rank, std::optional<ArrayRef<int64_t>> sizes,
                                                    std::optional<ArrayRef<int64_t>> strides,
                                                    std::optional<ArrayRef<int64_t>> baseDilations,
                                                    std::optional<ArrayRef<int64_t>> windowDilations,
                                                    std::optional<DenseIntElementsAttr> padding) {
  SmallVector<WindowDim> window(rank);
  auto read = [&](StringRef name, std::optional<ArrayRef<int64_t>> list, int64_t WindowDim::*field) -> LogicalResult {
    if (!list) return success();
    if (failed(checkSize(emit, name, list->size(), rank)) || failed(checkAtLeast(emit, name, *list, 1)))
      return failure();
    for (auto [dim, value] : llvm::zip_equal(window, *list)) dim.*field = value;
    return success();
  };
  if (failed(read("window_dimensions", sizes, &WindowDim::size)) ||
      failed(read("window_strides", strides, &WindowDim::stride)) ||
      failed(read("base_dilations", baseDilations, &WindowDim::baseDilation)) ||
      failed(read("window_dilations", windowDilations, &WindowDim::windowDilation)))
    return failure();
  auto pairs = readPadding(emit, padding, rank);
  if (failed(pairs)) return failure();
  for (auto [dim, pair] : llvm::zip_equal(window, *pairs)) std::tie(dim.padLow, dim.padHigh) = pair;
  return window;
}

// reduce_window_c15, select_and_scatter_c2
static FailureOr<SmallVector<int64_t>> windowedShape(Emit emit, ArrayRef<int64_t> shape, ArrayRef<WindowDim> window) {
  SmallVector<int64_t> places;
  for (auto [size, dim] : llvm::zip_equal(shape, window)) {
    std::optional<int64_t> count = numWindows(size, dim);
    if (!count) return emit() << "expects a window whose places can be counted in 64 bits";
    places.push_back(*count);
  }
  return places;
}

LogicalResult ReduceWindowOp::verify() {
  auto emit = errorsOf(*this);
  if (failed(checkReduceOperands(*this, getInputs(), getInitValues(), 1))) return failure();
  ArrayRef<int64_t> inputShape = tensorType(getInputs().front()).getShape();
  auto window = readWindow(emit, inputShape.size(), getWindowDimensions(), getWindowStrides(), getBaseDilations(),
                           getWindowDilations(), getPadding());
  if (failed(window)) return failure();
  FailureOr<SmallVector<int64_t>> shape = windowedShape(emit, inputShape, *window);
  if (failed(shape)) return failure();
  SmallVector<Type> elements;
  // reduce_window_c13
  if (failed(checkReducer(emit, "body", getBody(), getInputs().getTypes(), elements, getInitValues().getTypes())))
    return failure();
  // reduce_window_c14..c16
  return checkReduceResults(*this, *shape, elements);
}

LogicalResult SelectAndScatterOp::verify() {
  auto emit = errorsOf(*this);
  RankedTensorType operand = getOperand().getType(), source = getSource().getType(), result = getType();
  Type element = operand.getElementType();
  // select_and_scatter_c1, select_and_scatter_c3
  if (failed(checkElement(emit, "source", source.getElementType(), element)) ||
      failed(checkElement(emit, "init_value", getInitValue().getType().getElementType(), element)))
    return failure();
  // select_and_scatter_c4
  if (failed(checkSize(emit, "window_dimensions", getWindowDimensions() ? getWindowDimensions()->size() : 0,
                       operand.getRank())))
    return failure();
  auto window = readWindow(emit, operand.getRank(), getWindowDimensions(), getWindowStrides(), std::nullopt,
                           std::nullopt, getPadding());
  if (failed(window)) return failure();
  FailureOr<SmallVector<int64_t>> places = windowedShape(emit, operand.getShape(), *window);
  if (failed(places) || failed(checkShape(emit, "source", source.getShape(), *places))) return failure();
  // select_and_scatter_c9
  auto scalar = RankedTensorType::get({}, element);
  auto pred = RankedTensorType::get({}, IntegerType::get(getContext(), 1));
  if (failed(checkBody(emit, "select", getSelect(), {scalar, scalar}, {pred}))) return failure();
  // select_and_scatter_c10
  SmallVector<Type> elements;
  if (failed(checkReducer(emit, "scatter", getScatter(), {operand}, elements))) return failure();
  // select_and_scatter_c11, select_and_scatter_c12
  if (failed(checkElement(emit, "result", result.getElementType(), elements.front()))) return failure();
  return checkShape(emit, "result", result.getShape(), operand.getShape());
}

//===-----------------------------------------------------------------------------===//
// map, sort
//===-----------------------------------------------------------------------------===//

LogicalResult MapOp::verify() {
  auto emit = errorsOf(*this);
  // map_c2
  if (getInputs().empty()) return emit() << "expects at least one input";
  // map_c1
  RankedTensorType result = getType();
  SmallVector<Type> scalars;
  for (Value input : getInputs()) {
    if (failed(checkShape(emit, "inputs", tensorType(input).getShape(), result.getShape()))) return failure();
    scalars.push_back(RankedTensorType::get({}, tensorType(input).getElementType()));
  }
  // map_c3
  if (llvm::to_vector(getDimensions()) != llvm::to_vector(llvm::seq<int64_t>(0, result.getRank())))
    return emit() << "expects dimensions to be 0 to " << result.getRank() - 1 << " in order";
  // map_c4
  return checkBody(emit, "computation", getComputation(), scalars,
                   {RankedTensorType::get({}, result.getElementType())});
}

LogicalResult SortOp::verify() {
  auto emit = errorsOf(*this);
  // sort_c1
  if (getInputs().empty()) return emit() << "expects at least one input";
  // sort_c2
  if (failed(checkTypes(emit, "results", getResultTypes(), getInputs().getTypes()))) return failure();
  // sort_c3
  RankedTensorType first = tensorType(getInputs().front());
  SmallVector<Type> scalars;
  for (Value input : getInputs()) {
    if (failed(checkShape(emit, "inputs", tensorType(input).getShape(), first.getShape()))) return failure();
    scalars.append(2, RankedTensorType::get({}, tensorType(input).getElementType()));
  }
  // sort_c4
  int64_t dimension = static_cast<int64_t>(getDimension()), rank = first.getRank();
  if (dimension < -rank || dimension >= rank)
    return emit() << "expects dimension in [" << -rank << ", " << rank << "), but got " << dimension;
  // sort_c5
  auto pred = RankedTensorType::get({}, IntegerType::get(getContext(), 1));
  return checkBody(emit, "comparator", getComparator(), scalars, {pred});
}

//===-----------------------------------------------------------------------------===//
// Batch normalization
//===-----------------------------------------------------------------------------===//

// The feature is a dimension and every vector has one element a feature: batch_norm_inference_c1..c7,
// batch_norm_training_c1..c7, batch_norm_grad_c1..c5
static LogicalResult checkNorm(Operation *op, RankedTensorType operand, uint64_t featureIndex, ValueRange vectors,
                               ValueRange tensors) {
  auto emit = errorsOf(op);
  if (failed(checkInRange(emit, "feature_index", static_cast<int64_t>(featureIndex), operand.getRank())))
    return failure();
  int64_t features = operand.getDimSize(featureIndex);
  for (Value vector : vectors)
    if (failed(checkElement(emit, "statistics", tensorType(vector).getElementType(), operand.getElementType())) ||
        failed(checkShape(emit, "statistics", tensorType(vector).getShape(), {features})))
      return failure();
  for (Value tensor : tensors)
    if (failed(checkElement(emit, "tensors", tensorType(tensor).getElementType(), operand.getElementType())) ||
        failed(checkShape(emit, "tensors", tensorType(tensor).getShape(), operand.getShape())))
      return failure();
  return success();
}

LogicalResult BatchNormInferenceOp::verify() {
  return checkNorm(*this, getOperand().getType(), getFeatureIndex(),
                   {getScale(), getOffset(), getMean(), getVariance()}, {getResult()});
}
LogicalResult BatchNormTrainingOp::verify() {
  return checkNorm(*this, getOperand().getType(), getFeatureIndex(),
                   {getScale(), getOffset(), getBatchMean(), getBatchVar()}, {getOutput()});
}
LogicalResult BatchNormGradOp::verify() {
  return checkNorm(*this, getOperand().getType(), getFeatureIndex(),
                   {getScale(), getMean(), getVariance(), getGradScale(), getGradOffset()},
                   {getGradOutput(), getGradOperand()});
}

}  // namespace tpuc::stablehlo

using namespace tpuc::stablehlo;
#define GET_OP_CLASSES
#include "dialects/stablehlo/reduction.cpp.inc"
