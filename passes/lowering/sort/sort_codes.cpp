// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Codes of floats, least to greatest. Zeros and NaNs have 2^24 bit patterns; a position needs four of these: a zero and
// a NaN of either sign.
//
//   [-0x7fffffff, -0x800000]   negative numbers, -infinity first
//   [-0x7fffff, 0]             zeros: twice the position, and 1 where the sign is minus
//   [1, 0x7f800000]            positive numbers, as their bits
//   [0x7f800001, 0x7ffffffe]   NaNs: twice the position, and the sign
#include "passes/lowering/sort/sort_codes.h"

#include "passes/lowering/sort/sort_order.h"

using namespace mlir;

namespace tpuc::lowering {

constexpr int64_t kFirstZero = -0x7fffff, kFirstNan = 0x7f800001;
// Mirrored bits of negative numbers end at -2; less this they end just below the zeros.
constexpr int64_t kBelowZeros = 0x7ffffe;

Value codeOf(Code &c, Type element, Value lanes, Value positions) {
  Value bits = element.isF16()    ? c.inst("v.cvt.f16.f32", {lanes})
               : element.isBF16() ? c.inst("v.shl", {lanes, c.splatI(16)})
                                  : lanes;
  Value size = c.inst("v.and", {bits, c.splatBits(0x7fffffff)});
  Value place = c.inst("v.or", {c.inst("v.shl", {positions, c.splatI(1)}), c.inst("v.shr.u32", {bits, c.splatI(31)})});
  Value below = c.inst("v.sub.i32", {mirrorNegative(c, bits), c.splatI(kBelowZeros)});
  Value code = c.inst("v.sel", {c.inst("v.lt.s32", {bits, c.splatI(0)}), below, bits});
  Value zero = c.inst("v.add.i32", {place, c.splatI(kFirstZero)});
  code = c.inst("v.sel", {c.inst("v.eq.i32", {size, c.splatI(0)}), zero, code});
  Value nan = c.inst("v.add.i32", {place, c.splatI(kFirstNan)});
  return c.inst("v.sel", {c.inst("v.lt.s32", {c.splatBits(0x7f800000), size}), nan, code});
}

Value elementOf(Code &c, Type element, Value code) {
  auto isBelow = [&](int64_t end) { return c.inst("v.lt.s32", {code, c.splatI(end)}); };
  auto signAfter = [&](int64_t first) {
    return c.inst("v.shl", {c.inst("v.sub.i32", {code, c.splatI(first)}), c.splatI(31)});
  };
  Value nan = c.inst("v.or", {signAfter(kFirstNan), c.splatBits(0x7fc00000)});
  Value negative = mirrorNegative(c, c.inst("v.add.i32", {code, c.splatI(kBelowZeros)}));
  Value v = c.inst("v.sel", {isBelow(kFirstNan), code, nan});
  v = c.inst("v.sel", {isBelow(1), signAfter(kFirstZero), v});
  v = c.inst("v.sel", {isBelow(kFirstZero), negative, v});
  if (element.isF16()) v = c.inst("v.shl", {c.inst("v.cvt.f32.f16", {v}), c.splatI(16)});
  return element.isF32() ? v : c.inst("v.shr.s32", {v, c.splatI(16)});
}

}  // namespace tpuc::lowering
