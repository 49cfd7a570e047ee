// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/decompose/words.h"

#include "dialects/stablehlo/stablehlo.h"

using namespace mlir;

namespace tpuc::decompose {
using namespace builders;

bool isKnownElement(Type element) {
  return element.isIntOrFloat() && (element.isInteger(1) || element.getIntOrFloatBitWidth() >= 8);
}

Value Words::of(Value v) { return isNarrow() ? build_.convert(bitcast(v, bits()), b_.getI32Type()) : v; }

Value Words::back(Value v) { return isNarrow() ? bitcast(build_.convert(v, bits()), element_) : v; }

Type Words::bits() const {
  return element_.isInteger() ? element_ : Type(b_.getIntegerType(element_.getIntOrFloatBitWidth()));
}

Value Words::bitcast(Value v, Type type) {
  if (typeOf(v).getElementType() == type) return v;
  return stablehlo::BitcastConvertOp::create(b_, build_.loc, typeOf(v).clone(type), v);
}

SmallVector<int64_t> longSizes(ArrayRef<int64_t> sizes) {
  SmallVector<int64_t> out;
  for (int64_t n : sizes.drop_back())
    if (n != 1) out.push_back(n);
  out.push_back(sizes.back());
  return out;
}

Value clampedIndex(Build &build, Value index, int64_t high) {
  auto type = cast<IntegerType>(typeOf(index).getElementType());
  unsigned magnitude = type.getWidth() - !type.isUnsigned();
  if (magnitude < 31) high = std::min(high, (int64_t{1} << magnitude) - 1);
  return stablehlo::ClampOp::create(build.b, build.loc, build.splat(typeOf(index), 0), index,
                                    build.splat(typeOf(index), high));
}

Value startOf(Build &build, Value indices, int64_t vectorDim, int64_t k, int64_t high) {
  return build.convert(clampedIndex(build, build.component(indices, vectorDim, k), high), build.b.getI32Type());
}

}  // namespace tpuc::decompose
