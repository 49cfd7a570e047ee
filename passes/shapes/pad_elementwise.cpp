// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ops whose elements depend on those of the same place: padding stays padding. And those that make arrays of what has
// no padding.
#include "passes/shapes/padder.h"

using namespace mlir;

namespace tpuc::shapes {

namespace hlo = tpuc::stablehlo;

namespace {

RankedTensorType tensor(Value value) { return cast<RankedTensorType>(value.getType()); }

// Operands of one size; a select's predicate and a clamp's bounds may be scalars.
LogicalResult elementwise(Operation *op, Padder &padder) {
  const int64_t rank = tensor(op->getResult(0)).getRank();
  auto full = llvm::find_if(op->getOperands(), [&](Value operand) { return tensor(operand).getRank() == rank; });
  if (full == op->operand_end()) return padder.refuse(op, "no operand has the result's shape");
  Extents extents = padder.extents(*full);
  OpBuilder builder(op);
  for (OpOperand &operand : op->getOpOperands()) {
    if (tensor(operand.get()).getRank() != rank) continue;
    for (auto [a, b] : llvm::zip_equal(extents, padder.extents(operand.get())))
      if (failed(padder.requireEqual(op, a, b, "operands' sizes"))) return failure();
    operand.set(padder.fitted(builder, op->getLoc(), operand.get(), padder.capacity(extents)));
  }
  if (failed(padder.retype(op, {extents}))) return failure();
  padder.rows.visit(op);
  return success();
}

LogicalResult sameAsFirst(Operation *op, Padder &padder) {
  return padder.retype(op, {padder.extents(op->getOperand(0))});
}

LogicalResult barrier(Operation *op, Padder &padder) {
  return padder.retype(op,
                       llvm::map_to_vector(op->getOperands(), [&](Value operand) { return padder.extents(operand); }));
}

LogicalResult getDimensionSize(Operation *op, Padder &padder) {
  auto size = cast<hlo::GetDimensionSizeOp>(op);
  const Extent extent = padder.extents(size.getOperand())[size.getDimension()];
  Value value;
  OpBuilder builder(op);
  if (auto number = extent.asNumber()) {
    value = splat(builder, op->getLoc(), builder.getI32Type(), *number);
    padder.values.set(value, {extent});
  } else {
    value = padder.scalar(extent);
  }
  op->getResult(0).replaceAllUsesWith(value);
  padder.erase(op);
  return success();
}

// A smaller true size: what was behind it is padding now.
LogicalResult setDimensionSize(Operation *op, Padder &padder) {
  auto set = cast<hlo::SetDimensionSizeOp>(op);
  const SizeValues::Elements *size = padder.values.of(set.getSize());
  if (!size) return padder.refuse(op, "the size depends on data");
  Extents extents = padder.extents(set.getOperand());
  if (failed(padder.requireAtLeast(op, extents[set.getDimension()], size->front(), "a size"))) return failure();
  extents[set.getDimension()] = size->front();
  return padder.replace(op, {set.getOperand()}, {extents});
}

const SizeValues::Elements *shapeOperand(Value value, Padder &padder) { return padder.values.of(value); }

LogicalResult broadcastTo(Operation *op, Padder &padder, Value operand, ArrayRef<int64_t> dims, Extents result) {
  Extents from = padder.extents(operand);
  for (auto [i, dim] : llvm::enumerate(dims)) {
    if (from[i].asNumber() == 1) continue;
    // A size that may be 1 would be repeated then.
    if (!padder.space.equal(from[i], result[dim]))
      return padder.refuse(op, "a dimension of size " + padder.space.text(from[i]) + " becomes one of " +
                                   padder.space.text(result[dim]));
    result[dim] = from[i];
  }
  OpBuilder builder(op);
  RankedTensorType type = padder.typeOf(tensor(operand).getElementType(), result);
  auto value = hlo::BroadcastInDimOp::create(builder, op->getLoc(), type, operand, builder.getDenseI64ArrayAttr(dims));
  if (failed(padder.replace(op, {value}, {result}))) return failure();
  noteApart(value, padder, operand, value, dims);
  return success();
}

LogicalResult dynamicBroadcast(Operation *op, Padder &padder) {
  auto broadcast = cast<hlo::DynamicBroadcastInDimOp>(op);
  const SizeValues::Elements *shape = shapeOperand(broadcast.getOutputDimensions(), padder);
  return shape ? broadcastTo(op, padder, broadcast.getOperand(), broadcast.getBroadcastDimensions(), *shape)
               : padder.refuse(op, "the shape depends on data");
}

// Sizes that the type leaves open are the operand's.
LogicalResult broadcastInDim(Operation *op, Padder &padder) {
  auto broadcast = cast<hlo::BroadcastInDimOp>(op);
  Extents from = padder.extents(broadcast.getOperand()), result;
  for (int64_t size : broadcast.getType().getShape()) result.push_back(Extent::number(size));
  for (auto [i, dim] : llvm::enumerate(broadcast.getBroadcastDimensions()))
    if (broadcast.getType().isDynamicDim(dim)) result[dim] = from[i];
  return broadcastTo(op, padder, broadcast.getOperand(), broadcast.getBroadcastDimensions(), result);
}

LogicalResult dynamicIota(Operation *op, Padder &padder) {
  auto iota = cast<hlo::DynamicIotaOp>(op);
  const SizeValues::Elements *shape = shapeOperand(iota.getOutputShape(), padder);
  if (!shape) return padder.refuse(op, "the shape depends on data");
  OpBuilder builder(op);
  Value value =
      hlo::IotaOp::create(builder, op->getLoc(), padder.typeOf(tensor(iota.getResult()).getElementType(), *shape),
                          iota.getIotaDimensionAttr());
  return padder.replace(op, {value}, {*shape});
}

// Bits of the last dimension may be split or joined; that one is not open then.
LogicalResult bitcast(Operation *op, Padder &padder) {
  Extents from = padder.extents(op->getOperand(0)), result;
  RankedTensorType type = tensor(op->getResult(0));
  const bool split = type.getRank() != static_cast<int64_t>(from.size());
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    result.push_back(dim < static_cast<int64_t>(from.size()) ? from[dim] : Extent::number(type.getDimSize(dim)));
  if (split && padder.isPadded(op->getOperand(0), from.size() - 1) &&
      type.getRank() < static_cast<int64_t>(from.size()))
    return padder.refuse(op, "it joins bits of an open dimension");
  return padder.retype(op, {result});
}

LogicalResult transpose(Operation *op, Padder &padder) {
  Extents from = padder.extents(op->getOperand(0)), result;
  for (int64_t dim : cast<hlo::TransposeOp>(op).getPermutation()) result.push_back(from[dim]);
  return padder.retype(op, {result});
}

// Ops on matrices that lie one beside the other in batches.
LogicalResult matrices(Operation *op, Padder &padder) {
  for (Value operand : op->getOperands()) {
    const int64_t rank = tensor(operand).getRank();
    if (padder.isPadded(operand, rank - 1) || padder.isPadded(operand, rank - 2))
      return padder.refuse(op, "its matrices are of open size");
  }
  return padder.retype(op, {padder.extents(op->getOperand(op->getNumOperands() - 1))});
}

}  // namespace

void addElementwiseRules(PadRules &rules) {
  rules["elementwise"] = elementwise;
  for (StringRef name : {"stablehlo.map", "stablehlo.convert"}) rules[name] = elementwise;
  rules["stablehlo.uniform_quantize"] = sameAsFirst;
  rules["stablehlo.optimization_barrier"] = barrier;
  rules["stablehlo.get_dimension_size"] = getDimensionSize;
  rules["stablehlo.set_dimension_size"] = setDimensionSize;
  rules["stablehlo.dynamic_broadcast_in_dim"] = dynamicBroadcast;
  rules["stablehlo.broadcast_in_dim"] = broadcastInDim;
  rules["stablehlo.dynamic_iota"] = dynamicIota;
  rules["stablehlo.bitcast_convert"] = bitcast;
  rules["stablehlo.transpose"] = transpose;
  rules["stablehlo.cholesky"] = matrices;
  rules["stablehlo.triangular_solve"] = matrices;
}

}  // namespace tpuc::shapes
