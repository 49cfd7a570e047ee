// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The remainder of f64, exact. With both significands as 53-bit integers, r starts as x's; then, ten bits of the
// exponents' distance at a time, r = r 2^k mod d, by the quotient's digit from the leading 22 bits as in Doubles::div.
// The loop ends when no element has bits left: once for quotients below 2^10, 205 times at most.
#include "passes/legalise/softfloat/double_elementary.h"

using namespace mlir;

namespace tpuc::legalise {

using V = Value;

// The largest element of a ui32 array.
static V largest(Lanes &l, V x) {
  auto type = typeOf(x);
  if (!type.getRank()) return x;
  auto scalar = RankedTensorType::get({}, type.getElementType());
  V zero = Lanes(l.b, l.loc, {}).u(0);
  SmallVector<int64_t> dims = llvm::to_vector(llvm::seq<int64_t>(0, type.getRank()));
  auto reduce = stablehlo::ReduceOp::create(l.b, l.loc, TypeRange{scalar}, ValueRange{x}, ValueRange{zero}, dims);
  OpBuilder::InsertionGuard guard(l.b);
  Block *body = l.b.createBlock(&reduce.getBody(), {}, {scalar, scalar}, {l.loc, l.loc});
  V most = stablehlo::MaxOp::create(l.b, l.loc, scalar, body->getArgument(0), body->getArgument(1));
  stablehlo::ReturnOp::create(l.b, l.loc, most);
  return reduce.getResult(0);
}

// r 2^distance mod d for r < d < 2^53.
static Pair reduced(Lanes &l, Pair r, V distance, Pair d) {
  V lead = l.convert(l.add(l.shr(d, l.u(31)).lo, l.u(1)), l.b.getF32Type());
  V reciprocal = l.op<stablehlo::DivOp>(l.f(0x1.ffffe0p-1f), lead);
  SmallVector<Type> types{distance.getType(), r.lo.getType(), r.hi.getType()};
  SmallVector<Location> locs(3, l.loc);
  auto loop = stablehlo::WhileOp::create(l.b, l.loc, types, ValueRange{distance, r.lo, r.hi});
  OpBuilder::InsertionGuard guard(l.b);
  Block *cond = l.b.createBlock(&loop.getCond(), {}, types, locs);
  V most = largest(l, cond->getArgument(0));
  stablehlo::ReturnOp::create(l.b, l.loc, Lanes(l.b, l.loc, {}).ne(most, Lanes(l.b, l.loc, {}).u(0)));

  Block *body = l.b.createBlock(&loop.getBody(), {}, types, locs);
  V left = body->getArgument(0), ten = l.u(10), step = l.select(l.lt(left, ten), left, ten);
  Pair next = l.shl(Pair{body->getArgument(1), body->getArgument(2)}, step);
  V digit = l.convert(l.mul(l.convert(l.shr(next, l.u(31)).lo, l.b.getF32Type()), reciprocal), l.u32());
  next = l.sub(next, l.mul(d, Pair{digit, l.u(0)}));
  next = l.select(l.le(d, next), l.sub(next, d), next);
  stablehlo::ReturnOp::create(l.b, l.loc, ValueRange{l.sub(left, step), next.lo, next.hi});
  return {loop.getResult(1), loop.getResult(2)};
}

Pair doubleRemainder(Doubles &d, Pair x, Pair y) {
  Lanes &l = d.l;
  Pair ax = d.abs(x), ay = d.abs(y);
  V below = l.lt(ax, ay), none = l.bor(l.bor(d.isNan(x), d.isNan(y)), l.bor(d.isInf(x), d.isZero(y)));
  V settled = l.bor(below, l.bor(none, d.isInf(y)));
  Doubles::Parts a = d.unpack(ax), b = d.unpack(ay);
  Pair r = l.shr(a.significand, l.u(11)), divisor = l.shr(b.significand, l.u(11));
  r = l.select(l.le(divisor, r), l.sub(r, divisor), r);
  r = reduced(l, r, l.select(settled, l.u(0), l.sub(a.exponent, b.exponent)), divisor);
  V zeros = l.clz(r), exponent = l.sub(l.add(b.exponent, l.u(11)), zeros);
  Pair result = d.copySign(d.pack(l.u(0), exponent, l.shl(r, l.sub(zeros, l.u(1)))), x);
  return l.select(none, l.pair(0x7ff8000000000000ull), l.select(settled, x, result));
}

}  // namespace tpuc::legalise
