// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/decompose/random_bits.h"

using namespace mlir;

namespace tpuc::decompose {

Value RandomBits::run() {
  type_ = typeOf(op_.getOutput());
  Type element = type_.getElementType();
  unsigned width = element.getIntOrFloatBitWidth();
  state_ = asWord(op_.getInitialState(), b_.getIntegerType(64, false));
  Value bits = generate(width);
  // Narrower ones are the low bits of 32.
  if (width < 32)
    bits = stablehlo::ConvertOp::create(b_, build_.loc, type_.clone(b_.getIntegerType(width, false)), bits);
  SmallVector<Value> next{build_.reshape(at(state_, 0), {1})};
  for (Value word : after_) next.push_back(build_.reshape(word, {1}));
  op_.getOutputState().replaceAllUsesWith(
      asWord(build_.concatenate(next, 0), typeOf(op_.getOutputState()).getElementType()));
  bits = asWord(bits, element);
  op_.getOutput().replaceAllUsesWith(bits);
  op_.erase();
  return bits;
}

Value RandomBits::asWord(Value v, Type element) {
  return typeOf(v).getElementType() == element
             ? v
             : Value(stablehlo::BitcastConvertOp::create(b_, build_.loc, typeOf(v).clone(element), v));
}

Value RandomBits::word64(uint64_t value) {
  auto type = RankedTensorType::get({}, b_.getIntegerType(64, false));
  return stablehlo::ConstantOp::create(
      b_, build_.loc, type,
      cast<ElementsAttr>(Attribute(
          DenseElementsAttr::get(type, Attribute(b_.getIntegerAttr(type.getElementType(), APInt(64, value)))))));
}

Pair RandomBits::words(Value v, Lanes &l) {
  Value high = stablehlo::ShiftRightLogicalOp::create(b_, build_.loc, v.getType(), v,
                                                      build_.broadcast(word64(32), typeOf(v).getShape(), {}));
  return {l.convert(v, l.u32()), l.convert(high, l.u32())};
}

Value RandomBits::joined(Pair x, Lanes &l) {
  Type u64 = b_.getIntegerType(64, false);
  Value low = l.convert(x.lo, u64), high = l.convert(x.hi, u64);
  return l.bor(low, l.shl(high, build_.broadcast(word64(32), l.shape, {})));
}

}  // namespace tpuc::decompose
