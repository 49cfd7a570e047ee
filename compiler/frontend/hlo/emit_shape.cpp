// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Opcodes that move elements, and those that only say where they lie.
#include "compiler/frontend/hlo/families.h"
#include "dialects/stablehlo/stablehlo.h"

using namespace mlir;

namespace tpuc::frontend::hlo {

TPUC_HLO_EMIT(emitBroadcast) {
  e.create(i, op, i.values(), {e.dims("broadcast_dimensions", i.fields.numbers(kDimensions))}, results);
  return success();
}

// All of the dims: a permutation, or those to reverse.
TPUC_HLO_EMIT(emitDims) {
  StringRef name = op == "stablehlo.transpose" ? "permutation" : "dimensions";
  e.create(i, op, i.values(), {e.dims(name, i.fields.numbers(kDimensions))}, results);
  return success();
}

TPUC_HLO_EMIT(emitOneDim) {
  SmallVector<int64_t> dims = i.fields.numbers(kDimensions);
  if (dims.size() != 1) return e.malformed(i) << "expects one dim, but got " << dims.size();
  e.create(i, op, i.values(), {e.number(op == "stablehlo.iota" ? "iota_dimension" : "dimension", dims.front())},
           results);
  return success();
}

TPUC_HLO_EMIT(emitSlice) {
  SmallVector<int64_t> starts, limits, strides;
  for (const Message &dim : i.fields.messages(kSliceDimensions)) {
    starts.push_back(dim.number(kSliceStart));
    limits.push_back(dim.number(kSliceLimit));
    strides.push_back(dim.number(kSliceStride, 1));
  }
  e.create(i, op, i.values(),
           {e.dims("start_indices", starts), e.dims("limit_indices", limits), e.dims("strides", strides)}, results);
  return success();
}

TPUC_HLO_EMIT(emitPad) {
  SmallVector<int64_t> low, high, interior;
  for (const Message &dim : i.fields.message(kPaddingConfig).messages(kPaddingDims)) {
    low.push_back(dim.number(kEdgeLow));
    high.push_back(dim.number(kEdgeHigh));
    interior.push_back(dim.number(kInterior));
  }
  e.create(i, op, i.values(),
           {e.dims("edge_padding_low", low), e.dims("edge_padding_high", high), e.dims("interior_padding", interior)},
           results);
  return success();
}

// An array, and a size for each dim of the result.
TPUC_HLO_EMIT(emitDynamicReshape) {
  if (i.operands.empty()) return e.malformed(i) << "expects an array and its sizes";
  SmallVector<mlir::Value> sizes;
  for (unsigned n = 1; n < i.operands.size(); ++n) {
    if (i.arrayType(n).getRank() != 0 || i.arrayType(n) != i.arrayType(1))
      return e.malformed(i) << "expects sizes that are scalars of one type";
    sizes.push_back(e.create(i, "stablehlo.reshape", i.array(n), i.arrayType(1).clone({1}), {}));
  }
  Type element = sizes.empty() ? Type(e.b.getI32Type()) : i.arrayType(1).getElementType();
  auto type = RankedTensorType::get({static_cast<int64_t>(sizes.size())}, element);
  auto none = [&] { return DenseElementsAttr::get(type, ArrayRef<Attribute>()); };
  if (sizes.empty())
    sizes.push_back(stablehlo::ConstantOp::create(e.b, i.location, none()));
  else
    sizes = {e.create(i, "stablehlo.concatenate", sizes, type, e.number("dimension", 0))};
  e.create(i, op, {i.array(0), sizes[0]}, {}, results);
  return success();
}

// The same elements in memory: the operand with its dims from major to minor, reshaped to the result's in its order,
// and these put in place.
TPUC_HLO_EMIT(emitBitcast) {
  RankedTensorType from = i.arrayType(0), to = i.type();
  if (!to || !from.hasStaticShape() || !to.hasStaticShape()) return e.malformed(i) << "expects arrays with sizes";
  if (stablehlo::elementBits(from.getElementType()) != stablehlo::elementBits(to.getElementType()))
    return e.refuse(i, codes::kUnknownOp) << "to elements of another width has no form in StableHLO";
  if (stablehlo::numElements(from.getShape()) != stablehlo::numElements(to.getShape()))
    return e.malformed(i) << "expects as many elements as its operand has";
  mlir::Value v = i.array(0);
  auto step = [&](StringRef name, RankedTensorType type, Attributes attributes = {}) {
    if (v.getType() != type || !attributes.empty()) v = e.create(i, name, v, type, attributes);
  };
  auto permuted = [](RankedTensorType type, ArrayRef<int64_t> order) {
    return type.clone(llvm::to_vector(llvm::map_range(order, [&](int64_t dim) { return type.getDimSize(dim); })));
  };
  auto isInOrder = [](ArrayRef<int64_t> order) { return llvm::is_sorted(order); };
  SmallVector<int64_t> order = i.operandShapes[0].majorToMinor(), orderTo = i.shape.majorToMinor();
  if (!isInOrder(order)) step("stablehlo.transpose", permuted(from, order), e.dims("permutation", order));
  RankedTensorType inMemory = permuted(to, orderTo);
  step("stablehlo.reshape", inMemory.clone(from.getElementType()));
  step("stablehlo.bitcast_convert", inMemory);
  SmallVector<int64_t> back(orderTo.size());
  for (auto [at, dim] : llvm::enumerate(orderTo)) back[dim] = at;
  if (!isInOrder(back)) step("stablehlo.transpose", to, e.dims("permutation", back));
  results = {v};
  return success();
}

// A copy to another layout, a domain: the same value.
TPUC_HLO_EMIT(emitIdentity) {
  if (TypeRange(ValueRange(*i.operands[0])) != TypeRange(i.shape.types()))
    return e.malformed(i) << "expects its operand's shape";
  results = *i.operands[0];
  return success();
}

TPUC_HLO_EMIT(emitFirst) { return emitIdentity(e, i, op, results); }

TPUC_HLO_EMIT(emitTuple) {
  for (const Leaves *leaves : i.operands) llvm::append_range(results, *leaves);
  return success();
}

TPUC_HLO_EMIT(emitTupleElement) {
  const int64_t index = i.fields.number(kTupleIndex);
  std::optional<size_t> first = i.operandShapes[0].leafAt(index);
  if (!first) return e.malformed(i) << "expects a tuple with an element " << index;
  // An asynchronous start has fewer values here than its tuple's type says.
  if (i.operands[0]->size() != i.operandShapes[0].leaves)
    return e.refuse(i, codes::kUnknownOp) << "of an asynchronous operation has no form in StableHLO";
  const Shape &element = i.operandShapes[0].elements[index];
  if (element.types() != i.shape.types()) return e.malformed(i) << "expects the shape of the tuple's element";
  results.append(i.operands[0]->begin() + *first, i.operands[0]->begin() + *first + element.leaves);
  return success();
}

}  // namespace tpuc::frontend::hlo
