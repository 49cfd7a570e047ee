// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/decompose/linalg/matrices.h"

using namespace mlir;

namespace tpuc::decompose {

using V = Value;

Matrices::Matrices(OpBuilder &b, Location loc, RankedTensorType type)
    : b(b), build{b, loc}, loc(loc), element(type.getElementType()) {
  auto complex = dyn_cast<ComplexType>(element);
  real = complex ? complex.getElementType() : element;
  rank = type.getRank();
  r = rank - 2;
  c = rank - 1;
  batch = llvm::to_vector(type.getShape().drop_back(2));
}

SmallVector<int64_t> Matrices::shaped(ArrayRef<int64_t> inner) {
  SmallVector<int64_t> out(batch);
  llvm::append_range(out, inner);
  return out;
}

V Matrices::number(int32_t value) {
  auto type = RankedTensorType::get({}, b.getI32Type());
  return stablehlo::ConstantOp::create(b, loc, type,
                                       cast<ElementsAttr>(Attribute(DenseElementsAttr::get(type, value))));
}

V Matrices::constant(V like, double value) {
  Type t = typeOf(like).getElementType();
  Attribute one;
  if (auto complex = dyn_cast<ComplexType>(t))
    one =
        b.getArrayAttr({b.getFloatAttr(complex.getElementType(), value), b.getFloatAttr(complex.getElementType(), 0)});
  else
    one = b.getFloatAttr(t, value);
  auto type = typeOf(like);
  return stablehlo::ConstantOp::create(
      b, loc, type, cast<ElementsAttr>(Attribute(DenseElementsAttr::get(type, ArrayRef<Attribute>(one)))));
}

V Matrices::abs(V x) {
  auto complex = dyn_cast<ComplexType>(typeOf(x).getElementType());
  return stablehlo::AbsOp::create(b, loc, complex ? Type(typeOf(x).clone(complex.getElementType())) : x.getType(), x);
}

V Matrices::realPart(V x) {
  return mlir::isa<ComplexType>(typeOf(x).getElementType())
             ? V(stablehlo::RealOp::create(b, loc, typeOf(x).clone(real), x))
             : x;
}
V Matrices::imagPart(V x) { return stablehlo::ImagOp::create(b, loc, typeOf(x).clone(real), x); }

V Matrices::conjugate(V x) {
  if (!mlir::isa<ComplexType>(typeOf(x).getElementType())) return x;
  return stablehlo::ComplexOp::create(b, loc, x.getType(), realPart(x), neg(imagPart(x)));
}

V Matrices::fromReal(V x) {
  if (!isComplex()) return x;
  return stablehlo::ComplexOp::create(b, loc, typeOf(x).clone(element), x, zeros(x));
}

V Matrices::convert(V x, Type to) {
  return typeOf(x).getElementType() == to ? x : V(stablehlo::ConvertOp::create(b, loc, typeOf(x).clone(to), x));
}

V Matrices::diagonal(Direction d, ArrayRef<int64_t> shape, int64_t distance) {
  V row = iota(shape, r), column = iota(shape, c);
  if (distance) row = add(row, build.broadcast(number(distance), shape, {}));
  return compare(d, column, row);
}

V Matrices::along(V v, int64_t dim, int64_t extent) {
  SmallVector<int64_t> shape(shapeOf(v)), dims;
  shape.insert(shape.begin() + dim, extent);
  for (int64_t d = 0; d < static_cast<int64_t>(shape.size()); ++d)
    if (d != dim) dims.push_back(d);
  return build.broadcast(v, shape, dims);
}

V Matrices::transposed(V v) {
  SmallVector<int64_t> permutation = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  std::swap(permutation[r], permutation[c]);
  return build.transpose(v, permutation);
}

V Matrices::part(V v, int64_t dim, int64_t start, int64_t size) {
  SmallVector<int64_t> from(typeOf(v).getRank(), 0), to(shapeOf(v)), stride(from.size(), 1);
  from[dim] = start;
  to[dim] = start + size;
  return build.slice(v, from, to, stride);
}

V Matrices::slab(V v, int64_t dim, V start, int64_t size) {
  SmallVector<int64_t> sizes(shapeOf(v));
  if (sizes[dim] == size) return v;
  sizes[dim] = size;
  SmallVector<V> starts(sizes.size(), number(0));
  starts[dim] = start;
  return stablehlo::DynamicSliceOp::create(b, loc, typeOf(v).clone(sizes), v, starts, sizes);
}

V Matrices::put(V v, V part, ArrayRef<V> starts) {
  if (part.getType() == v.getType()) return part;
  SmallVector<V> all(typeOf(v).getRank() - starts.size(), number(0));
  llvm::append_range(all, starts);
  return stablehlo::DynamicUpdateSliceOp::create(b, loc, v.getType(), v, part, all);
}

V Matrices::padded(V v, ArrayRef<int64_t> inner) {
  int64_t n = typeOf(v).getRank();
  SmallVector<int64_t> none(n, 0), high(n, 0);
  for (auto [i, size] : llvm::enumerate(inner)) {
    int64_t dim = n - inner.size() + i;
    high[dim] = size - typeOf(v).getDimSize(dim);
  }
  return build.pad(v, build.zero(typeOf(v).getElementType()), none, high, none);
}

V Matrices::rows(V v, V indices) {
  SmallVector<int64_t> shared = llvm::to_vector(llvm::seq<int64_t>(0, r)), sizes(rank, 1), shape(shapeOf(v));
  sizes[c] = shape[c];
  shape[r] = shapeOf(indices).back();
  auto numbers = stablehlo::GatherDimensionNumbersAttr::get(b.getContext(), {c}, {r}, shared, shared, {r}, rank - 1);
  return stablehlo::GatherOp::create(b, loc, typeOf(v).clone(shape), v, indices, numbers, b.getDenseI64ArrayAttr(sizes),
                                     b.getBoolAttr(false));
}

V Matrices::largest(V v, int64_t dim) {
  auto type = RankedTensorType::get({}, real);
  V low = stablehlo::ConstantOp::create(
      b, loc, type,
      cast<ElementsAttr>(Attribute(DenseElementsAttr::get(type, Attribute(b.getFloatAttr(real, -INFINITY))))));
  return reduce<stablehlo::MaxOp>(v, {dim}, low);
}
V Matrices::smallest(V v, int64_t dim) { return reduce<stablehlo::MinOp>(v, {dim}, number(INT32_MAX)); }

// Doubles by their bits: a sum of them would be many times as long.
V Matrices::onlyReal(V mask, V v, int64_t dim) {
  auto type = typeOf(v);
  if (!type.getElementType().isF64()) return sum(select(mask, v, zeros(v)), dim);
  Type bits = IntegerType::get(b.getContext(), 64, IntegerType::Unsigned);
  V word = stablehlo::BitcastConvertOp::create(b, loc, type.clone(bits), v);
  V found = reduce<stablehlo::OrOp>(select(mask, word, zeros(word)), {dim}, build.zero(bits));
  return stablehlo::BitcastConvertOp::create(b, loc, typeOf(found).clone(type.getElementType()), found);
}

V Matrices::only(V mask, V v, int64_t dim) {
  if (!mlir::isa<ComplexType>(typeOf(v).getElementType())) return onlyReal(mask, v, dim);
  V re = onlyReal(mask, realPart(v), dim), im = onlyReal(mask, imagPart(v), dim);
  return stablehlo::ComplexOp::create(b, loc, typeOf(re).clone(typeOf(v).getElementType()), re, im);
}

V Matrices::dotOf(V x, int64_t i, V y, int64_t j) {
  SmallVector<int64_t> shared = llvm::to_vector(llvm::seq<int64_t>(0, r)), shape(batch);
  for (auto [v, contracted] : {std::pair(x, i), std::pair(y, j)})
    for (int64_t d = r; d < typeOf(v).getRank(); ++d)
      if (d != contracted) shape.push_back(typeOf(v).getDimSize(d));
  auto numbers = stablehlo::DotDimensionNumbersAttr::get(b.getContext(), shared, shared, {i}, {j});
  Type t = typeOf(x).getElementType(), f32 = b.getF32Type();
  auto algorithm = t.isF32() ? stablehlo::DotAlgorithmAttr::get(b.getContext(), f32, f32, f32, 1, 1, 1, false)
                             : stablehlo::DotAlgorithmAttr();
  return stablehlo::DotGeneralOp::create(b, loc, RankedTensorType::get(shape, t), x, y, numbers, ArrayAttr(),
                                         algorithm);
}

// A product of complex f32 is made of products of its parts, on the matrix unit.
V Matrices::dot(V x, int64_t i, V y, int64_t j) {
  if (!isComplex() || !real.isF32()) return dotOf(x, i, y, j);
  V xr = realPart(x), xi = imagPart(x), yr = realPart(y), yi = imagPart(y);
  V re = sub(dotOf(xr, i, yr, j), dotOf(xi, i, yi, j)), im = add(dotOf(xr, i, yi, j), dotOf(xi, i, yr, j));
  return stablehlo::ComplexOp::create(b, loc, typeOf(re).clone(element), re, im);
}

SmallVector<V> Matrices::loop(int64_t n, ValueRange init, function_ref<SmallVector<V>(V, ValueRange)> step) {
  return build.loop(n, init, step);
}

SmallVector<V> Matrices::loopWhile(ValueRange init, function_ref<V(ValueRange)> goesOn,
                                   function_ref<SmallVector<V>(ValueRange)> step) {
  SmallVector<Type> types(init.getTypes());
  SmallVector<Location> locs(types.size(), loc);
  auto op = stablehlo::WhileOp::create(b, loc, types, init);
  OpBuilder::InsertionGuard guard(b);
  Block *cond = b.createBlock(&op.getCond(), {}, types, locs);
  stablehlo::ReturnOp::create(b, loc, goesOn(cond->getArguments()));
  Block *body = b.createBlock(&op.getBody(), {}, types, locs);
  stablehlo::ReturnOp::create(b, loc, step(body->getArguments()));
  return SmallVector<V>(op.getResults());
}

}  // namespace tpuc::decompose
