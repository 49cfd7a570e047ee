//===- shape.cpp - verifiers and types of constants and of ops that move elements -------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "dialects/stablehlo/assembly.h"
#include "dialects/stablehlo/infer.h"
#include "mlir/Dialect/Quant/IR/QuantTypes.h"

using namespace mlir;

namespace tpuc::stablehlo {

//===-----------------------------------------------------------------------------===//
// Constants
//===-----------------------------------------------------------------------------===//

LogicalResult ConstantOp::verify() {
  // constant_c1; a quantized constant holds what is stored.
  auto value = dyn_cast<RankedTensorType>(getValue().getShapedType());
  RankedTensorType type = getOutput().getType();
  bool fits = value && value.getShape() == type.getShape() && value.getElementType() == storageElement(type);
  if (!fits) return emitOpError() << "expects a value of type " << type << ", but got " << getValue().getShapedType();
  return success();
}

OpFoldResult ConstantOp::fold(FoldAdaptor) { return quantizedElement(getType()) ? Attribute() : getValue(); }

void ConstantOp::getAsmResultNames(function_ref<void(Value, StringRef)> setName) {
  Type element = getOutput().getType().getElementType();
  setName(getOutput(), isa<IntegerType>(element) ? "c" : "cst");
}

ParseResult ConstantOp::parse(OpAsmParser &parser, OperationState &state) {
  // Quantized: stablehlo.constant() <{value = ..}> {..} : () -> type
  if (succeeded(parser.parseOptionalLParen())) {
    FunctionType type;
    if (parser.parseRParen()) return failure();
    if (succeeded(parser.parseOptionalLess())) {
      NamedAttrList properties;
      if (parser.parseOptionalAttrDict(properties) || parser.parseGreater()) return failure();
      state.attributes.append(properties);
    }
    if (parser.parseOptionalAttrDict(state.attributes) || parser.parseColonType(type)) return failure();
    state.addTypes(type.getResults());
    return success();
  }
  ElementsAttr value;
  if (parser.parseOptionalAttrDict(state.attributes) || parser.parseAttribute(value, "value", state.attributes))
    return failure();
  state.addTypes(value.getType());
  return success();
}

void ConstantOp::print(OpAsmPrinter &printer) {
  if (getValue().getShapedType() != getType()) {
    printer << "() <{value = " << getValue() << "}>";
    printer.printOptionalAttrDict((*this)->getAttrs(), {"value"});
    printer << " : () -> " << getType();
    return;
  }
  printer.printOptionalAttrDict((*this)->getAttrs(), {"value"});
  printer << ' ' << getValue();
}

LogicalResult IotaOp::verify() {
  // iota_c1
  return checkInRange(errorsOf(*this), "iota_dimension", getIotaDimension(), getType().getRank());
}

//===-----------------------------------------------------------------------------===//
// Broadcasts and reshapes
//===-----------------------------------------------------------------------------===//

// Quantized alike, scales and zero points included.
static LogicalResult checkSameElement(Emit emit, RankedTensorType result, Type expected) {
  if (result.getElementType() != expected)
    return emit() << "expects a result of element type " << expected << ", but got " << result.getElementType();
  return success();
}

// Static, or dynamic in one dimension that has a bound.
static LogicalResult checkStaticOrBounded(Emit emit, RankedTensorType type) {
  SmallVector<int64_t> bounds = upperBounds(type);
  int64_t dynamic = type.getNumDynamicDims();
  if (dynamic > 1 || (dynamic == 1 && llvm::is_contained(bounds, ShapedType::kDynamic)))
    return emit() << "expects a result that is static or bounded in one dimension, but got " << type;
  return success();
}

LogicalResult checkBroadcast(Emit emit, RankedTensorType operand, RankedTensorType result, ArrayRef<int64_t> dims) {
  auto axisOf = [](RankedTensorType type) {
    return dyn_cast<quant::UniformQuantizedPerAxisType>(type.getElementType());
  };
  // broadcast_in_dim_c1
  if (!axisOf(operand) && failed(checkSameElement(emit, result, operand.getElementType()))) return failure();
  if (axisOf(operand) && (!axisOf(result) || storageElement(operand) != storageElement(result) ||
                          expressedElement(operand) != expressedElement(result)))
    return emit() << "expects a result that is quantized as its operand, but got " << result;
  // broadcast_in_dim_c2
  if (failed(checkSize(emit, "broadcast_dimensions", dims.size(), operand.getRank()))) return failure();
  // broadcast_in_dim_c3, broadcast_in_dim_c4
  if (failed(checkInRange(emit, "broadcast_dimensions", dims, result.getRank())) ||
      failed(checkUnique(emit, "broadcast_dimensions", dims)))
    return failure();
  // broadcast_in_dim_c5
  for (auto [dim, size] : llvm::enumerate(operand.getShape()))
    if (size != 1 && !sameDim(size, result.getDimSize(dims[dim])))
      return emit() << "expects dimension " << dim << " of the operand to have size 1 or "
                    << result.getDimSize(dims[dim]) << ", but got " << size;
  // broadcast_in_dim_c6
  if (auto axis = axisOf(result)) {
    int64_t expected = dims[axisOf(operand).getQuantizedDimension()];
    if (axis.getQuantizedDimension() != expected)
      return emit() << "expects a result quantized along dimension " << expected << ", but got "
                    << axis.getQuantizedDimension();
    if (operand.getDimSize(axisOf(operand).getQuantizedDimension()) == 1 &&
        (llvm::any_of(axis.getScales(), [&](double s) { return s != axisOf(operand).getScales()[0]; }) ||
         llvm::any_of(axis.getZeroPoints(), [&](int64_t z) { return z != axisOf(operand).getZeroPoints()[0]; })))
      return emit() << "expects the operand's scale and zero point along dimension " << expected;
  }
  return success();
}

LogicalResult BroadcastInDimOp::verify() {
  if (failed(checkStaticOrBounded(errorsOf(*this), getType()))) return failure();
  return checkBroadcast(errorsOf(*this), getOperand().getType(), getType(), getBroadcastDimensions());
}

LogicalResult BroadcastOp::verify() {
  auto emit = errorsOf(*this);
  if (failed(checkAtLeast(emit, "broadcast_sizes", getBroadcastSizes(), 0))) return failure();
  SmallVector<int64_t> shape(getBroadcastSizes());
  llvm::append_range(shape, getOperand().getType().getShape());
  if (failed(checkShape(emit, "result", getType().getShape(), shape))) return failure();
  return checkElement(emit, "result", getType().getElementType(), getOperand().getType().getElementType());
}

LogicalResult ReshapeOp::verify() {
  if (failed(checkStaticOrBounded(errorsOf(*this), getType()))) return failure();
  return checkReshape(errorsOf(*this), getOperand().getType(), getType());
}

LogicalResult checkReshape(Emit emit, RankedTensorType operand, RankedTensorType result) {
  auto from = dyn_cast<quant::UniformQuantizedPerAxisType>(operand.getElementType());
  auto to = dyn_cast<quant::UniformQuantizedPerAxisType>(result.getElementType());
  // reshape_c1
  if (!from && failed(checkSameElement(emit, result, operand.getElementType()))) return failure();
  if (from &&
      (!to || from.getScales() != to.getScales() || from.getZeroPoints() != to.getZeroPoints() ||
       storageElement(operand) != storageElement(result) || expressedElement(operand) != expressedElement(result)))
    return emit() << "expects a result that is quantized as its operand, but got " << result;
  // reshape_c2
  std::optional<int64_t> before = numElements(operand.getShape()), after = numElements(result.getShape());
  bool isStatic = operand.hasStaticShape() && result.hasStaticShape();
  if (isStatic && (!before || !after))
    return emit() << "expects at most 2^63 - 1 elements, but got " << operand << " and " << result;
  if (isStatic && *before != *after)
    return emit() << "expects " << *before << " elements in the result, but got " << *after;
  if (!from || !isStatic) return success();
  // reshape_c3
  int64_t axis = from.getQuantizedDimension(), newAxis = to.getQuantizedDimension();
  ArrayRef<int64_t> oldShape = operand.getShape(), newShape = result.getShape();
  if (oldShape[axis] != newShape[newAxis] ||
      numElements(oldShape.take_front(axis)) != numElements(newShape.take_front(newAxis)) ||
      numElements(oldShape.drop_front(axis + 1)) != numElements(newShape.drop_front(newAxis + 1)))
    return emit() << "expects a reshape that keeps the quantized dimension apart, but got " << operand << " and "
                  << result;
  return success();
}

// bitcast_convert_c1, bitcast_convert_c2
LogicalResult BitcastConvertOp::verify() {
  auto emit = errorsOf(*this);
  RankedTensorType from = getOperand().getType(), to = getType();
  bool complexFrom = isa<ComplexType>(from.getElementType()), complexTo = isa<ComplexType>(to.getElementType());
  if (complexFrom != complexTo)
    return emit() << "expects operand and result to be complex both or neither, but got " << from << " and " << to;
  int64_t fromBits = elementBits(from.getElementType()), toBits = elementBits(to.getElementType());
  ArrayRef<int64_t> fromShape = from.getShape(), toShape = to.getShape();
  if (fromBits == toBits) return checkShape(emit, "result", toShape, fromShape);
  // The wider side has one dimension less; the narrower side's last one fills the bits.
  bool narrows = toBits < fromBits;
  ArrayRef<int64_t> wide = narrows ? fromShape : toShape, narrow = narrows ? toShape : fromShape;
  int64_t wideBits = std::max(fromBits, toBits), narrowBits = std::min(fromBits, toBits);
  if (narrow.size() != wide.size() + 1)
    return emit() << "expects rank " << (narrows ? wide.size() + 1 : narrow.size() - 1) << " of the result, but got "
                  << to.getRank();
  if (failed(checkShape(emit, "the leading dimensions", narrow.drop_back(), wide))) return failure();
  if (wideBits % narrowBits != 0 || !sameDim(narrow.back(), wideBits / narrowBits))
    return emit() << "expects a last dimension that makes " << wideBits << " bits of " << narrowBits << ", but got "
                  << narrow.back();
  return success();
}

//===-----------------------------------------------------------------------------===//
// Transposes and reverses
//===-----------------------------------------------------------------------------===//

LogicalResult inferTranspose(Emit emit, Type type, ArrayRef<int64_t> permutation, Types &types) {
  auto operand = dyn_cast<RankedTensorType>(type);
  if (!operand) return failure();
  // transpose_c2
  if (failed(checkSize(emit, "permutation", permutation.size(), operand.getRank())) ||
      failed(checkInRange(emit, "permutation", permutation, operand.getRank())) ||
      failed(checkUnique(emit, "permutation", permutation)))
    return failure();
  // transpose_c3
  SmallVector<int64_t> shape, bounds, from = upperBounds(operand);
  for (int64_t dim : permutation) {
    shape.push_back(operand.getDimSize(dim));
    bounds.push_back(from[dim]);
  }
  // transpose_c1, transpose_c4
  Type element = operand.getElementType();
  if (auto axis = dyn_cast<quant::UniformQuantizedPerAxisType>(element)) {
    auto *place = llvm::find(permutation, axis.getQuantizedDimension());
    element = quant::UniformQuantizedPerAxisType::get(
        axis.getFlags(), axis.getStorageType(), axis.getExpressedType(), axis.getScales(), axis.getZeroPoints(),
        place - permutation.begin(), axis.getStorageTypeMin(), axis.getStorageTypeMax());
  }
  types.push_back(withBounds(shape, bounds, element));
  return success();
}

LogicalResult TransposeOp::verify() {
  // transpose_c1: the element types are equal but for the dimension.
  if (!isQuantized(getType())) return success();
  SmallVector<Type> types;
  auto emit = errorsOf(*this);
  if (failed(inferTranspose(emit, getOperand().getType(), getPermutation(), types))) return failure();
  return checkSameElement(emit, getType(), getElementTypeOrSelf(types.front()));
}

LogicalResult ReverseOp::verify() {
  auto emit = errorsOf(*this);
  // reverse_c2, reverse_c3
  if (failed(checkUnique(emit, "dimensions", getDimensions())) ||
      failed(checkInRange(emit, "dimensions", getDimensions(), getOperand().getType().getRank())))
    return failure();
  return success();
}

//===-----------------------------------------------------------------------------===//
// Slices, pads, concatenations
//===-----------------------------------------------------------------------------===//

LogicalResult inferSlice(Emit emit, Type type, ArrayRef<int64_t> starts, ArrayRef<int64_t> limits,
                         ArrayRef<int64_t> strides, Types &types) {
  auto operand = dyn_cast<RankedTensorType>(type);
  if (!operand) return failure();
  // slice_c2
  int64_t rank = operand.getRank();
  if (failed(checkSize(emit, "start_indices", starts.size(), rank)) ||
      failed(checkSize(emit, "limit_indices", limits.size(), rank)) ||
      failed(checkSize(emit, "strides", strides.size(), rank)))
    return failure();
  // slice_c4
  if (failed(checkAtLeast(emit, "strides", strides, 1))) return failure();
  SmallVector<int64_t> shape, bounds = upperBounds(operand);
  for (int64_t dim = 0; dim < rank; ++dim) {
    // slice_c3
    int64_t most = ShapedType::isDynamic(bounds[dim]) ? limits[dim] : bounds[dim];
    if (starts[dim] < 0 || starts[dim] > limits[dim] || limits[dim] > most)
      return emit() << "expects 0 <= start <= limit <= " << most << " in dimension " << dim << ", but got "
                    << starts[dim] << " and " << limits[dim];
    // slice_c5
    int64_t extent = limits[dim] - starts[dim];
    shape.push_back(extent == 0 ? 0 : (extent - 1) / strides[dim] + 1);
  }
  // slice_c1
  types.push_back(RankedTensorType::get(shape, operand.getElementType()));
  return success();
}

LogicalResult inferPad(Emit emit, Type type, ArrayRef<int64_t> low, ArrayRef<int64_t> high, ArrayRef<int64_t> interior,
                       Types &types) {
  auto operand = dyn_cast<RankedTensorType>(type);
  if (!operand) return failure();
  // pad_c2
  int64_t rank = operand.getRank();
  if (failed(checkSize(emit, "edge_padding_low", low.size(), rank)) ||
      failed(checkSize(emit, "edge_padding_high", high.size(), rank)) ||
      failed(checkSize(emit, "interior_padding", interior.size(), rank)))
    return failure();
  // pad_c3
  if (failed(checkAtLeast(emit, "interior_padding", interior, 0))) return failure();
  // pad_c4
  auto padded = [&](int64_t dim, int64_t size) -> FailureOr<int64_t> {
    if (ShapedType::isDynamic(size)) return size;
    std::optional<int64_t> sum = checkedMul(std::max<int64_t>(size - 1, 0), interior[dim]);
    for (int64_t part : {size, low[dim], high[dim]})
      if (sum) sum = checkedAdd(*sum, part);
    if (!sum || *sum < 0)
      return emit() << "expects padding to a size of at least 0 in dimension " << dim << ", but got "
                    << (sum ? *sum : std::numeric_limits<int64_t>::max());
    return *sum;
  };
  SmallVector<int64_t> shape, bounds;
  for (auto [dim, size, bound] : llvm::enumerate(operand.getShape(), upperBounds(operand))) {
    FailureOr<int64_t> newSize = padded(dim, size), newBound = padded(dim, bound);
    if (failed(newSize) || failed(newBound)) return failure();
    shape.push_back(*newSize);
    bounds.push_back(*newBound);
  }
  types.push_back(withBounds(shape, bounds, operand.getElementType()));
  return success();
}

LogicalResult PadOp::verify() {
  // pad_c1
  return checkElement(errorsOf(*this), "padding_value", getPaddingValue().getType().getElementType(),
                      getOperand().getType().getElementType());
}

LogicalResult inferConcatenate(Emit emit, TypeRange inputs, int64_t dimension, Types &types) {
  // concatenate_c3
  if (inputs.empty()) return emit() << "expects at least one input";
  auto first = dyn_cast<RankedTensorType>(inputs.front());
  if (!first) return failure();
  // concatenate_c4
  if (failed(checkInRange(emit, "dimension", dimension, first.getRank()))) return failure();
  SmallVector<int64_t> shape(first.getShape()), bounds = upperBounds(first);
  for (Type input : inputs.drop_front()) {
    auto tensor = dyn_cast<RankedTensorType>(input);
    if (!tensor) return failure();
    // concatenate_c1
    if (failed(checkElement(emit, "inputs", tensor.getElementType(), first.getElementType()))) return failure();
    if (tensor.getRank() != first.getRank())
      return emit() << "expects inputs of rank " << first.getRank() << ", but got " << tensor;
    SmallVector<int64_t> tensorBounds = upperBounds(tensor);
    for (int64_t dim = 0; dim < first.getRank(); ++dim) {
      int64_t size = tensor.getDimSize(dim), bound = tensorBounds[dim];
      if (dim != dimension) {
        // concatenate_c2
        if (!sameDim(shape[dim], size))
          return emit() << "expects inputs of size " << shape[dim] << " in dimension " << dim << ", but got " << size;
        if (ShapedType::isDynamic(shape[dim])) shape[dim] = size;
        if (ShapedType::isDynamic(bounds[dim])) bounds[dim] = bound;
        continue;
      }
      // concatenate_c6
      auto add = [](int64_t a, int64_t b) -> std::optional<int64_t> {
        return ShapedType::isDynamic(a) || ShapedType::isDynamic(b) ? ShapedType::kDynamic : checkedAdd(a, b);
      };
      std::optional<int64_t> sum = add(shape[dim], size), boundSum = add(bounds[dim], bound);
      if (!sum || !boundSum) return emit() << "expects a size below 2^63 in dimension " << dim;
      shape[dim] = *sum;
      bounds[dim] = *boundSum;
    }
  }
  // concatenate_c5
  types.push_back(withBounds(shape, bounds, first.getElementType()));
  return success();
}

//===-----------------------------------------------------------------------------===//
// Sizes as values
//===-----------------------------------------------------------------------------===//

LogicalResult GetDimensionSizeOp::verify() {
  // get_dimension_size_c1
  return checkInRange(errorsOf(*this), "dimension", getDimension(), getOperand().getType().getRank());
}

LogicalResult SetDimensionSizeOp::verify() {
  RankedTensorType operand = getOperand().getType(), result = getType();
  auto emit = errorsOf(*this);
  if (failed(checkInRange(emit, "dimension", getDimension(), operand.getRank())) ||
      failed(checkElement(emit, "result", result.getElementType(), operand.getElementType())))
    return failure();
  // The dimension itself may have any size.
  SmallVector<int64_t> shape(operand.getShape());
  shape[getDimension()] = ShapedType::kDynamic;
  return checkShape(emit, "result", result.getShape(), shape);
}

}  // namespace tpuc::stablehlo

using namespace tpuc::stablehlo;
#define GET_OP_CLASSES
#include "dialects/stablehlo/shape.cpp.inc"
