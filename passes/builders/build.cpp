// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builders with inferred types; steps that change nothing are left out.
#include "passes/builders/build.h"

using namespace mlir;

namespace tpuc::builders {

Value Build::zero(Type element) {
  auto type = RankedTensorType::get({}, element);
  Attribute zero = mlir::isa<ComplexType>(element) ? Attribute() : b.getZeroAttr(element);
  if (auto complex = dyn_cast<ComplexType>(element))
    zero = b.getArrayAttr({b.getZeroAttr(complex.getElementType()), b.getZeroAttr(complex.getElementType())});
  return stablehlo::ConstantOp::create(
      b, loc, type, cast<ElementsAttr>(Attribute(DenseElementsAttr::get(type, ArrayRef<Attribute>(zero)))));
}

Value Build::splat(RankedTensorType type, Attribute value) {
  return stablehlo::ConstantOp::create(b, loc, type,
                                       cast<ElementsAttr>(Attribute(DenseElementsAttr::get(type, value))));
}

Value Build::splat(RankedTensorType type, int64_t value) {
  return splat(type, Attribute(b.getIntegerAttr(type.getElementType(), value)));
}

Value Build::convert(Value v, Type element) {
  return typeOf(v).getElementType() == element
             ? v
             : Value(stablehlo::ConvertOp::create(b, loc, typeOf(v).clone(element), v));
}

Value Build::transpose(Value v, ArrayRef<int64_t> permutation) {
  bool identity = true;
  SmallVector<int64_t> shape;
  for (auto [i, d] : llvm::enumerate(permutation)) {
    identity &= static_cast<int64_t>(i) == d;
    shape.push_back(typeOf(v).getDimSize(d));
  }
  if (identity) return v;
  return stablehlo::TransposeOp::create(b, loc, RankedTensorType::get(shape, typeOf(v).getElementType()), v,
                                        permutation);
}

Value Build::reshape(Value v, ArrayRef<int64_t> shape) {
  if (typeOf(v).getShape() == shape) return v;
  return stablehlo::ReshapeOp::create(b, loc, RankedTensorType::get(shape, typeOf(v).getElementType()), v);
}

Value Build::slice(Value v, ArrayRef<int64_t> start, ArrayRef<int64_t> limit, ArrayRef<int64_t> stride) {
  SmallVector<int64_t> shape;
  for (auto [s, l, t] : llvm::zip(start, limit, stride)) shape.push_back(llvm::divideCeil(l - s, t));
  if (typeOf(v).getShape() == ArrayRef<int64_t>(shape)) return v;
  return stablehlo::SliceOp::create(b, loc, RankedTensorType::get(shape, typeOf(v).getElementType()), v, start, limit,
                                    stride);
}

Value Build::pad(Value v, Value value, ArrayRef<int64_t> low, ArrayRef<int64_t> high, ArrayRef<int64_t> interior) {
  SmallVector<int64_t> shape;
  bool nothing = true;
  for (auto [d, size] : llvm::enumerate(typeOf(v).getShape())) {
    nothing &= low[d] == 0 && high[d] == 0 && (interior[d] == 0 || size <= 1);
    shape.push_back(size + low[d] + high[d] + std::max<int64_t>(size - 1, 0) * interior[d]);
  }
  if (nothing) return v;
  return stablehlo::PadOp::create(b, loc, RankedTensorType::get(shape, typeOf(v).getElementType()), v, value, low, high,
                                  interior);
}

Value Build::concatenate(ValueRange parts, int64_t dim) {
  if (parts.size() == 1) return parts[0];
  SmallVector<int64_t> shape(typeOf(parts[0]).getShape());
  shape[dim] = 0;
  for (Value p : parts) shape[dim] += typeOf(p).getDimSize(dim);
  return stablehlo::ConcatenateOp::create(b, loc, RankedTensorType::get(shape, typeOf(parts[0]).getElementType()),
                                          parts, dim);
}

// Reduced over `dims` by an op of two scalars.
template <typename Op>
static Value reduced(const Build &build, Value v, ArrayRef<int64_t> dims) {
  Type element = typeOf(v).getElementType();
  SmallVector<int64_t> shape;
  for (int64_t d = 0; d < typeOf(v).getRank(); ++d)
    if (!llvm::is_contained(dims, d)) shape.push_back(typeOf(v).getDimSize(d));
  Value start = Build(build).zero(element);
  auto reduce = stablehlo::ReduceOp::create(build.b, build.loc, TypeRange(RankedTensorType::get(shape, element)),
                                            ValueRange(v), ValueRange(start), dims);
  auto scalar = RankedTensorType::get({}, element);
  OpBuilder::InsertionGuard guard(build.b);
  Block *body = build.b.createBlock(&reduce.getBody(), {}, {scalar, scalar}, {build.loc, build.loc});
  Value total = Op::create(build.b, build.loc, scalar, body->getArgument(0), body->getArgument(1));
  stablehlo::ReturnOp::create(build.b, build.loc, total);
  return reduce.getResult(0);
}

Value Build::sum(Value v, ArrayRef<int64_t> dims) { return reduced<stablehlo::AddOp>(*this, v, dims); }

Value Build::any(Value mask) {
  int64_t rank = typeOf(mask).getRank();
  return rank ? reduced<stablehlo::OrOp>(*this, mask, llvm::to_vector(llvm::seq<int64_t>(rank))) : mask;
}

Value Build::broadcast(Value v, ArrayRef<int64_t> shape, ArrayRef<int64_t> dims) {
  return stablehlo::BroadcastInDimOp::create(b, loc, RankedTensorType::get(shape, typeOf(v).getElementType()), v, dims);
}

Value Build::component(Value indices, int64_t vectorDim, int64_t k) {
  SmallVector<int64_t> shape(typeOf(indices).getShape()), first(shape.size(), 0), end(shape), one(shape.size(), 1);
  if (vectorDim == static_cast<int64_t>(shape.size())) return indices;
  first[vectorDim] = k;
  end[vectorDim] = k + 1;
  shape.erase(shape.begin() + vectorDim);
  return reshape(slice(indices, first, end, one), shape);
}

Value Build::elementsAt(Value rows, Value indices) {
  const int64_t batches = typeOf(rows).getRank() - 1;
  SmallVector<int64_t> every = llvm::to_vector(llvm::seq<int64_t>(0, batches));
  auto numbers = stablehlo::GatherDimensionNumbersAttr::get(b.getContext(), {}, {batches}, every, every, {batches},
                                                            typeOf(indices).getRank());
  return stablehlo::GatherOp::create(b, loc, typeOf(indices).clone(typeOf(rows).getElementType()), rows, indices,
                                     numbers, b.getDenseI64ArrayAttr(SmallVector<int64_t>(batches + 1, 1)),
                                     b.getBoolAttr(false));
}

SmallVector<Value> Build::loop(int64_t n, ValueRange init, function_ref<SmallVector<Value>(Value, ValueRange)> step) {
  auto number = RankedTensorType::get({}, b.getI32Type());
  if (n == 1) return step(splat(number, int64_t(0)), init);
  SmallVector<Value> operands{splat(number, int64_t(0))};
  llvm::append_range(operands, init);
  SmallVector<Type> types(ValueRange(operands).getTypes());
  SmallVector<Location> locs(types.size(), loc);
  auto op = stablehlo::WhileOp::create(b, loc, types, operands);
  OpBuilder::InsertionGuard guard(b);
  Block *cond = b.createBlock(&op.getCond(), {}, types, locs);
  Value more =
      stablehlo::CompareOp::create(b, loc, cond->getArgument(0), splat(number, n), stablehlo::ComparisonDirection::LT);
  stablehlo::ReturnOp::create(b, loc, more);
  Block *body = b.createBlock(&op.getBody(), {}, types, locs);
  SmallVector<Value> next{stablehlo::AddOp::create(b, loc, number, body->getArgument(0), splat(number, int64_t(1)))};
  llvm::append_range(next, step(body->getArgument(0), ValueRange(body->getArguments()).drop_front()));
  stablehlo::ReturnOp::create(b, loc, next);
  return SmallVector<Value>(op.getResults().drop_front());
}

}  // namespace tpuc::builders
