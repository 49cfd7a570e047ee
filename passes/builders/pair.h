// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 64-bit integers as pairs of ui32 arrays: arithmetic written in 32-bit elementwise ops.
#pragma once
#include "dialects/kernel/kernel.h"
#include "passes/builders/build.h"

namespace tpuc::builders {

struct Pair {
  mlir::Value lo, hi;
};

// Elementwise ops on arrays of one shape. U: a ui32 array, P: a mask (i1 array).
class Lanes {
 public:
  Lanes(mlir::OpBuilder &b, mlir::Location loc, llvm::ArrayRef<int64_t> shape) : b(b), loc(loc), shape(shape) {}
  mlir::OpBuilder &b;
  mlir::Location loc;
  llvm::SmallVector<int64_t> shape;

  using V = mlir::Value;
  using Direction = stablehlo::ComparisonDirection;
  mlir::Type u32() { return b.getIntegerType(32, false); }
  mlir::RankedTensorType typed(mlir::Type element) { return mlir::RankedTensorType::get(shape, element); }
  template <typename Op>
  V op(V a) {
    return Op::create(b, loc, a.getType(), a);
  }
  template <typename Op>
  V op(V x, V y) {
    return Op::create(b, loc, x.getType(), x, y);
  }

  V splat(mlir::Attribute value, mlir::Type element);
  V u(uint32_t value) { return splat(b.getIntegerAttr(u32(), llvm::APInt(32, value)), u32()); }
  V f(float value) { return splat(b.getF32FloatAttr(value), b.getF32Type()); }
  V truth(bool value) { return splat(b.getBoolAttr(value), b.getI1Type()); }
  V add(V x, V y) { return op<stablehlo::AddOp>(x, y); }
  V sub(V x, V y) { return op<stablehlo::SubtractOp>(x, y); }
  V mul(V x, V y) { return op<stablehlo::MulOp>(x, y); }
  V mulh(V x, V y) { return kernel::MulhOp::create(b, loc, x.getType(), x, y); }
  V fma(V x, V y, V z) { return kernel::FmaOp::create(b, loc, x.getType(), x, y, z); }
  V band(V x, V y) { return op<stablehlo::AndOp>(x, y); }
  V bor(V x, V y) { return op<stablehlo::OrOp>(x, y); }
  V bxor(V x, V y) { return op<stablehlo::XorOp>(x, y); }
  V bnot(V x) { return op<stablehlo::NotOp>(x); }
  V shl(V x, V n) { return op<stablehlo::ShiftLeftOp>(x, n); }
  V shr(V x, V n) { return op<stablehlo::ShiftRightLogicalOp>(x, n); }
  V sar(V x, V n) { return op<stablehlo::ShiftRightArithmeticOp>(x, n); }
  V shl(V x, uint32_t n) { return n ? shl(x, u(n)) : x; }
  V shr(V x, uint32_t n) { return n ? shr(x, u(n)) : x; }
  V clz(V x) { return op<stablehlo::ClzOp>(x); }
  V compare(Direction d, V x, V y) { return stablehlo::CompareOp::create(b, loc, x, y, d); }
  V eq(V x, V y) { return compare(Direction::EQ, x, y); }
  V ne(V x, V y) { return compare(Direction::NE, x, y); }
  V lt(V x, V y) { return compare(Direction::LT, x, y); }
  V le(V x, V y) { return compare(Direction::LE, x, y); }
  V isZero(V x) { return eq(x, u(0)); }
  V select(V p, V x, V y) { return stablehlo::SelectOp::create(b, loc, x.getType(), p, x, y); }
  V convert(V x, mlir::Type element) {
    return typeOf(x).getElementType() == element ? x : V(stablehlo::ConvertOp::create(b, loc, typed(element), x));
  }
  V bits(V x, mlir::Type element) {
    return typeOf(x).getElementType() == element ? x
                                                 : V(stablehlo::BitcastConvertOp::create(b, loc, typed(element), x));
  }
  V toU(V mask) { return convert(mask, u32()); }  // 0 or 1
  V asSigned(V x) { return bits(x, b.getI32Type()); }
  V asUnsigned(V x) { return bits(x, u32()); }

  // ---- pairs ----
  Pair pair(uint64_t value) { return {u(static_cast<uint32_t>(value)), u(static_cast<uint32_t>(value >> 32))}; }
  Pair add(Pair x, Pair y);
  Pair add(Pair x, V y);  // y without a high word
  Pair sub(Pair x, Pair y);
  Pair neg(Pair x) { return sub(pair(0), x); }
  Pair mul(Pair x, Pair y);
  Pair mulWide(V x, V y) { return {mul(x, y), mulh(x, y)}; }
  Pair band(Pair x, Pair y) { return {band(x.lo, y.lo), band(x.hi, y.hi)}; }
  Pair bor(Pair x, Pair y) { return {bor(x.lo, y.lo), bor(x.hi, y.hi)}; }
  Pair bxor(Pair x, Pair y) { return {bxor(x.lo, y.lo), bxor(x.hi, y.hi)}; }
  Pair bnot(Pair x) { return {bnot(x.lo), bnot(x.hi)}; }
  // Amounts below 2^32 - 32; from 64 on nothing is left (or all sign bits).
  Pair shl(Pair x, V n);
  Pair shr(Pair x, V n);
  Pair sar(Pair x, V n);
  // Logical by up to 64, any bit that is shifted out stays in the lowest one.
  Pair shrSticky(Pair x, V n);
  V clz(Pair x);
  Pair select(V p, Pair x, Pair y) { return {select(p, x.lo, y.lo), select(p, x.hi, y.hi)}; }
  V isZero(Pair x) { return isZero(bor(x.lo, x.hi)); }
  V eq(Pair x, Pair y) { return band(eq(x.lo, y.lo), eq(x.hi, y.hi)); }
  V lt(Pair x, Pair y, bool isSigned = false);
  V le(Pair x, Pair y, bool isSigned = false) { return bnot(lt(y, x, isSigned)); }
  // An amount that is a constant from 1 to 31.
  static std::optional<uint32_t> shortAmount(V n);
  V isNegative(Pair x) { return ne(shr(x.hi, 31), u(0)); }
  Pair abs(Pair x) { return select(isNegative(x), neg(x), x); }
  // Unsigned quotient and remainder; by zero: all ones and the dividend.
  void divRem(Pair n, Pair d, Pair &quotient, Pair &remainder);

  // The nearest f32, ties to even; the value truncated and saturated.
  V toFloat(Pair x, bool isSigned);
  Pair fromFloat(V x, bool isSigned);
};

}  // namespace tpuc::builders
