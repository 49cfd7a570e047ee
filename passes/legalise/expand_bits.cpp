// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ops on the bits of elements: reduce_precision, bitcast_convert between widths, powers of integers.
#include "passes/builders/pair.h"
#include "passes/legalise/bits.h"
#include "passes/legalise/passes.h"

using namespace mlir;

namespace tpuc::legalise {
using namespace builders;
#define GEN_PASS_DEF_EXPANDBITSPASS
#include "passes/legalise/passes.h.inc"
namespace {

IntegerType wordType(OpBuilder &b, unsigned width) { return b.getIntegerType(width, /*isSigned=*/false); }

// Splats and elementwise ops on unsigned integers of any width.
struct Bits {
  OpBuilder &b;
  Location loc;
  RankedTensorType type;

  Value splat(const APInt &value) {
    return stablehlo::ConstantOp::create(b, loc, type,
                                         cast<ElementsAttr>(Attribute(DenseElementsAttr::get(
                                             type, Attribute(b.getIntegerAttr(type.getElementType(), value))))));
  }
  Value splat(uint64_t value) { return splat(APInt(type.getElementTypeBitWidth(), value, false, true)); }
  template <typename Op>
  Value op(Value x, Value y) {
    return Op::create(b, loc, type, x, y);
  }
  Value band(Value x, Value y) { return op<stablehlo::AndOp>(x, y); }
  Value select(Value p, Value x, Value y) { return stablehlo::SelectOp::create(b, loc, type, p, x, y); }
  Value lt(Value x, Value y) { return stablehlo::CompareOp::create(b, loc, x, y, stablehlo::ComparisonDirection::LT); }
  Value le(Value x, Value y) { return stablehlo::CompareOp::create(b, loc, x, y, stablehlo::ComparisonDirection::LE); }
};

// Rounds the mantissa to nearest even by adding just less than half of its last kept bit, then brings exponents beyond
// the format's to infinity and those below to zero.
void reducePrecision(stablehlo::ReducePrecisionOp op) {
  OpBuilder b(op);
  auto type = typeOf(op.getOperand());
  const llvm::fltSemantics &semantics = cast<FloatType>(type.getElementType()).getFloatSemantics();
  unsigned width = type.getElementTypeBitWidth(), mantissa = APFloat::semanticsPrecision(semantics) - 1,
           exponent = width - 1 - mantissa;
  unsigned toMantissa = op.getMantissaBits(), toExponent = op.getExponentBits();
  if (toMantissa >= mantissa && toExponent >= exponent) {
    // Kernels compute bf16 in f32: here a program has the value rounded, which lowering does.
    if (type.getElementType().isBF16()) return;
    op.replaceAllUsesWith(op.getOperand());
    op.erase();
    return;
  }
  Bits w{b, op.getLoc(), type.clone(wordType(b, width))};
  Value raw = stablehlo::BitcastConvertOp::create(b, op.getLoc(), w.type, op.getOperand()), x = raw;
  APInt expMask = APInt::getBitsSet(width, mantissa, width - 1), sign = APInt::getSignMask(width);
  if (toMantissa < mantissa) {
    unsigned drop = mantissa - toMantissa;
    Value last = w.band(w.op<stablehlo::ShiftRightLogicalOp>(x, w.splat(drop)), w.splat(1));
    Value half = w.splat(APInt::getLowBitsSet(width, drop - 1));
    x = w.op<stablehlo::AddOp>(w.op<stablehlo::AddOp>(x, last), half);
    x = w.band(x, w.splat(~APInt::getLowBitsSet(width, drop)));
  }
  if (toExponent < exponent) {
    uint64_t bias = (uint64_t{1} << (exponent - 1)) - 1, toBias = (uint64_t{1} << (toExponent - 1)) - 1;
    Value e = w.band(x, w.splat(expMask)), zero = w.band(x, w.splat(sign));
    Value overflow = w.lt(w.splat(APInt(width, bias + toBias).shl(mantissa)), e),
          underflow = w.le(e, w.splat(APInt(width, bias - toBias).shl(mantissa)));
    x = w.select(overflow, w.op<stablehlo::OrOp>(zero, w.splat(expMask)), x);
    x = w.select(underflow, zero, x);
  }
  Value nan = w.lt(w.splat(expMask), w.band(raw, w.splat(~sign)));
  // A type without a mantissa has no NaN: infinity stands for it.
  if (toMantissa)
    x = w.select(nan, raw, x);
  else
    x = w.select(nan, w.op<stablehlo::OrOp>(w.band(raw, w.splat(sign)), w.splat(expMask)), x);
  op.replaceAllUsesWith(stablehlo::BitcastConvertOp::create(b, op.getLoc(), type, x).getResult());
  op.erase();
}

SmallVector<int64_t> withLast(ArrayRef<int64_t> shape, int64_t size) {
  SmallVector<int64_t> out(shape);
  out.push_back(size);
  return out;
}

// The narrow elements of a wide one are its last dim, low bits first.
Value bitcastWords(OpBuilder &b, stablehlo::BitcastConvertOp op) {
  auto from = typeOf(op.getOperand()), to = typeOf(op.getResult());
  unsigned wide = from.getElementTypeBitWidth(), narrow = to.getElementTypeBitWidth();
  Location loc = op.getLoc();
  Build build{b, loc};
  auto cast = [&](Value v, Type t) {
    return typeOf(v).getElementType() == t ? v
                                           : Value(stablehlo::BitcastConvertOp::create(b, loc, typeOf(v).clone(t), v));
  };
  auto convert = [&](Value v, Type t) { return Value(stablehlo::ConvertOp::create(b, loc, typeOf(v).clone(t), v)); };
  Value word = cast(op.getOperand(), wordType(b, wide)), result;
  if (wide > narrow) {
    SmallVector<Value> parts;
    SmallVector<int64_t> shape(from.getShape());
    shape.push_back(1);
    Bits w{b, loc, typeOf(word)};
    for (unsigned at = 0; at < wide; at += narrow) {
      Value part = at ? w.op<stablehlo::ShiftRightLogicalOp>(word, w.splat(at)) : word;
      parts.push_back(build.reshape(
          convert(w.band(part, w.splat(APInt::getLowBitsSet(wide, narrow))), wordType(b, narrow)), shape));
    }
    result = build.concatenate(parts, from.getRank());
  } else {
    int64_t rank = from.getRank();
    for (int64_t k = 0; k < static_cast<int64_t>(narrow / wide); ++k) {
      SmallVector<int64_t> start(rank, 0), limit(from.getShape()), stride(rank, 1);
      start.back() = k;
      limit.back() = k + 1;
      Value part = convert(build.reshape(build.slice(word, start, limit, stride), to.getShape()), wordType(b, narrow));
      Bits w{b, loc, typeOf(part)};
      if (k) part = w.op<stablehlo::ShiftLeftOp>(part, w.splat(k * wide));
      result = result ? w.op<stablehlo::OrOp>(result, part) : part;
    }
  }
  return cast(result, to.getElementType());
}

// A complex number is its real part, then its imaginary one.
Value bitcastComplex(OpBuilder &b, stablehlo::BitcastConvertOp op) {
  auto from = typeOf(op.getOperand()), to = typeOf(op.getResult());
  Type fromPart = cast<ComplexType>(from.getElementType()).getElementType(),
       toPart = cast<ComplexType>(to.getElementType()).getElementType();
  Build build{b, op.getLoc()};
  auto shape = withLast(from.getShape(), 1);
  Value re = stablehlo::RealOp::create(b, op.getLoc(), from.clone(fromPart), op.getOperand());
  Value im = stablehlo::ImagOp::create(b, op.getLoc(), from.clone(fromPart), op.getOperand());
  Value v = build.concatenate({build.reshape(re, shape), build.reshape(im, shape)}, from.getRank());
  auto parts = RankedTensorType::get(withLast(to.getShape(), 2), toPart);
  auto cast = stablehlo::BitcastConvertOp::create(b, op.getLoc(), parts, v);
  v = bitcastWords(b, cast);
  cast.erase();
  auto part = [&](int64_t k) {
    SmallVector<int64_t> start(parts.getRank(), 0), limit(parts.getShape()), stride(parts.getRank(), 1);
    start.back() = k;
    limit.back() = k + 1;
    return build.reshape(build.slice(v, start, limit, stride), to.getShape());
  };
  return stablehlo::ComplexOp::create(b, op.getLoc(), to, part(0), part(1));
}

// Bits are the last dim of their words, lowest first: shifted by their place.
Value bitcastBits(OpBuilder &b, stablehlo::BitcastConvertOp op) {
  auto from = typeOf(op.getOperand()), to = typeOf(op.getResult());
  Location loc = op.getLoc();
  Build build{b, loc};
  bool toBits = to.getElementType().isInteger(1);
  auto words = toBits ? from : to, bits = toBits ? to : from;
  auto word = words.clone(wordType(b, words.getElementTypeBitWidth()));
  Bits w{b, loc, word.clone(bits.getShape())};
  Value place = stablehlo::IotaOp::create(b, loc, w.type, bits.getRank() - 1);
  if (toBits) {
    Value v =
        words == word ? op.getOperand() : Value(stablehlo::BitcastConvertOp::create(b, loc, word, op.getOperand()));
    v = build.broadcast(v, bits.getShape(), llvm::to_vector(llvm::seq<int64_t>(0, words.getRank())));
    v = w.band(w.op<stablehlo::ShiftRightLogicalOp>(v, place), w.splat(1));
    return stablehlo::CompareOp::create(b, loc, v, w.splat(0), stablehlo::ComparisonDirection::NE);
  }
  Value v = w.op<stablehlo::ShiftLeftOp>(stablehlo::ConvertOp::create(b, loc, w.type, op.getOperand()), place);
  auto reduced = stablehlo::ReduceOp::create(b, loc, TypeRange(word), ValueRange(v),
                                             ValueRange(build.zero(word.getElementType())), {bits.getRank() - 1});
  auto scalar = RankedTensorType::get({}, word.getElementType());
  {
    OpBuilder::InsertionGuard guard(b);
    Block *body = b.createBlock(&reduced.getBody(), {}, {scalar, scalar}, {loc, loc});
    Value both = stablehlo::OrOp::create(b, loc, scalar, body->getArgument(0), body->getArgument(1));
    stablehlo::ReturnOp::create(b, loc, both);
  }
  v = reduced.getResult(0);
  return words == word ? v : Value(stablehlo::BitcastConvertOp::create(b, loc, words, v));
}

// Null where the bits stay where they are, element by element.
Value expandedBitcast(OpBuilder &b, stablehlo::BitcastConvertOp op) {
  Type from = typeOf(op.getOperand()).getElementType(), to = typeOf(op.getResult()).getElementType();
  if (from == to) return op.getOperand();
  if (mlir::isa<ComplexType>(from)) return bitcastComplex(b, op);
  if (!from.isIntOrFloat() || !to.isIntOrFloat() || from.getIntOrFloatBitWidth() == to.getIntOrFloatBitWidth())
    return {};
  return from.isInteger(1) || to.isInteger(1) ? bitcastBits(b, op) : bitcastWords(b, op);
}

}  // namespace

void expandBitcast(stablehlo::BitcastConvertOp op) {
  OpBuilder b(op);
  Value expanded = expandedBitcast(b, op);
  if (!expanded) return;
  op.replaceAllUsesWith(expanded);
  op.erase();
}

namespace {

// Powers by squaring. A negative exponent leaves 1 / x, which is 0, 1 or -1. The pass legalise_types makes 64-bit
// powers.
void power(stablehlo::PowOp op) {
  auto type = typeOf(op.getResult());
  Type element = type.getElementType();
  unsigned width = element.isInteger() ? element.getIntOrFloatBitWidth() : 0;
  if (width < 2 || width > 32) return;
  OpBuilder b(op);
  Bits w{b, op.getLoc(), type};
  Value x = op.getLhs(), n = op.getRhs(), one = w.splat(1), zero = w.splat(0), result = one, base = x;
  auto isSet = [&](unsigned bit) {
    Value set = w.band(n, w.splat(APInt::getOneBitSet(width, bit)));
    return Value(stablehlo::CompareOp::create(b, op.getLoc(), set, zero, stablehlo::ComparisonDirection::NE));
  };
  for (unsigned bit = 0; bit < width; ++bit) {
    result = w.select(isSet(bit), w.op<stablehlo::MulOp>(result, base), result);
    if (bit + 1 < width) base = w.op<stablehlo::MulOp>(base, base);
  }
  if (!element.isUnsignedInteger()) {
    Value minusOne = w.splat(APInt::getAllOnes(width)), odd = isSet(0);
    auto is = [&](Value y) {
      return Value(stablehlo::CompareOp::create(b, op.getLoc(), x, y, stablehlo::ComparisonDirection::EQ));
    };
    Value inverse = w.select(is(one), one, w.select(is(minusOne), w.select(odd, minusOne, one), zero));
    result = w.select(w.lt(n, zero), inverse, result);
  }
  op.replaceAllUsesWith(result);
  op.erase();
}

struct ExpandBits : impl::ExpandBitsPassBase<ExpandBits> {
  using ExpandBitsPassBase::ExpandBitsPassBase;
  void runOnOperation() override {
    getOperation().walk([](Operation *op) {
      if (auto reduce = dyn_cast<stablehlo::ReducePrecisionOp>(op))
        reducePrecision(reduce);
      else if (auto cast = dyn_cast<stablehlo::BitcastConvertOp>(op))
        expandBitcast(cast);
      else if (auto pow = dyn_cast<stablehlo::PowOp>(op))
        power(pow);
    });
  }
};

}  // namespace
}  // namespace tpuc::legalise
