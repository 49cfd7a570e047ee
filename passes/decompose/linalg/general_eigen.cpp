// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Eigenvalues and eigenvectors of matrices that need not be symmetric (LAPACK's geev).
//
//  1. Rows and columns are scaled by powers of two until each row's largest element is about its column's (Osborne
//     1960): D^-1 A D.
//  2. Its Schur form (schur.cpp), of a real matrix then as a complex triangle T.
//  3. (T - w_j) x = 0 is solved from row j up, for all j at once. What would overflow is scaled down, a divisor that is
//     rounding replaced. Left vectors are right ones of T*, with rows and columns in reverse order.
//  4. D Z x, of length 1, its largest element real; of a real matrix, real values have real vectors and a pair
//     conjugated ones.
#include "passes/decompose/linalg/matrices.h"

using namespace mlir;

namespace tpuc::decompose {

using V = Value;
using Direction = Matrices::Direction;

namespace {

constexpr int32_t kMostRounds = 20;

// Powers of two by their exponents, all in integers whatever the elements are.
class Balance {
 public:
  Balance(Matrices &m, int64_t n) : m(m), n_(n), wide_(m.real.isF64()), bias_(wide_ ? 1023 : 127) {}

  // Exponents of D, [batch.., n].
  V exponents(V a) {
    V size = m.isComplex() ? m.max(m.abs(m.realPart(a)), m.abs(m.imagPart(a))) : m.abs(a);
    V none = m.bor(m.isZero(size), m.diagonal(Direction::EQ, m.shapeOf(a)));
    // Far below any exponent.
    V e = m.select(none, ints(m.shapeOf(a), kNone), exponentOf(size));
    auto done = m.loopWhile(
        {m.number(0), m.number(1), e, m.zeros(m.shaped({n_}), m.b.getI32Type())},
        [&](ValueRange s) {
          return m.band(m.compare(Direction::LT, s[0], m.number(kMostRounds)),
                        m.compare(Direction::NE, s[1], m.number(0)));
        },
        [&](ValueRange s) -> SmallVector<V> {
          auto round = m.loop(n_, {m.number(0), s[2], s[3]}, [&](V i, ValueRange state) { return one(i, state); });
          return {m.add(s[0], m.number(1)), round[0], round[1], round[2]};
        });
    return done[3];
  }

  // 2^e.
  V power(V e) {
    Type word = IntegerType::get(m.b.getContext(), wide_ ? 64 : 32, IntegerType::Unsigned);
    V bits = m.convert(m.add(e, ints(m.shapeOf(e), bias_)), word);
    V shifted = m.op<stablehlo::ShiftLeftOp>(bits, m.build.splat(typeOf(bits), wide_ ? 52 : 23));
    return stablehlo::BitcastConvertOp::create(m.b, m.loc, typeOf(bits).clone(m.real), shifted);
  }

 private:
  static constexpr int32_t kNone = -100000;
  V ints(ArrayRef<int64_t> shape, int32_t value) { return m.build.broadcast(m.number(value), shape, {}); }
  V most(V e, int64_t dim) { return m.reduce<stablehlo::MaxOp>(e, {dim}, m.number(kNone)); }

  V exponentOf(V size) {
    Type word = IntegerType::get(m.b.getContext(), wide_ ? 64 : 32, IntegerType::Unsigned);
    V bits = stablehlo::BitcastConvertOp::create(m.b, m.loc, typeOf(size).clone(word), size);
    V high = m.op<stablehlo::ShiftRightLogicalOp>(bits, m.build.splat(typeOf(bits), wide_ ? 52 : 23));
    return m.sub(m.convert(high, m.b.getI32Type()), ints(m.shapeOf(size), bias_));
  }

  // Row i over 2^by, column i times it.
  SmallVector<V> one(V i, ValueRange state) {
    V e = state[1], column = most(m.select(m.at(m.shapeOf(e), m.c, i), e, ints(m.shapeOf(e), kNone)), m.r);
    V row = most(m.select(m.at(m.shapeOf(e), m.r, i), e, ints(m.shapeOf(e), kNone)), m.c);
    // Each in its place, as only i's is asked for.
    V r = most(row, m.r), c = most(column, m.r), apart = m.sub(r, c), two = ints(m.batch, 2);
    V has = m.band(m.compare(Direction::GT, r, ints(m.batch, kNone / 2)),
                   m.compare(Direction::GT, c, ints(m.batch, kNone / 2)));
    V by = m.op<stablehlo::DivOp>(apart, two),
      scale = m.select(m.at(m.shaped({n_}), m.r, i), m.along(by, m.r, n_), ints(m.shaped({n_}), 0));
    V now = m.pick(state[2], m.r, i), after = m.add(now, by), limit = ints(m.batch, bias_ / 2 - 3);
    V fits = m.band(m.compare(Direction::LE, after, limit), m.compare(Direction::GE, after, m.neg(limit)));
    V moves = m.band(m.band(has, fits), m.compare(Direction::NE, by, ints(m.batch, 0)));
    scale = m.select(m.along(moves, m.r, n_), scale, ints(m.shaped({n_}), 0));
    V next = m.sub(m.add(e, m.along(scale, m.r, n_)), m.along(scale, m.c, n_));
    V moved = m.convert(m.build.any(moves), m.b.getI32Type());
    return {m.op<stablehlo::MaxOp>(state[0], moved), next, m.add(state[2], scale)};
  }

  Matrices &m;
  int64_t n_;
  bool wide_;
  int32_t bias_;
};

// Column j: x with (T - w_j) x = 0, x_j a positive number, zeros below.
class BackSubstitution {
 public:
  BackSubstitution(Matrices &m, V t) : m(m), t_(t), n_(m.shapeOf(t)[m.r]) {
    w_ = m.only(m.diagonal(Direction::EQ, m.shapeOf(t)), t, m.c);
    double epsilon = m.real.isF64() ? 0x1p-52 : 0x1p-23;
    V bySize = m.mul(size(w_), m.constant(size(w_), epsilon)),
      tiny = m.constant(bySize, smallestNormal(m) * static_cast<double>(n_) / epsilon);
    least_ = m.max(bySize, tiny);
  }

  V vectors() {
    V unit = m.select(m.diagonal(Direction::EQ, m.shapeOf(t_)), m.constant(t_, 1), m.zeros(t_));
    return m.loop(n_, {unit}, [&](V step, ValueRange state) {
      return SmallVector<V>{row(m.sub(m.number(n_ - 1), step), state[0])};
    })[0];
  }

 private:
  V size(V v) { return m.add(m.abs(m.realPart(v)), m.abs(m.imagPart(v))); }

  V row(V i, V x) {
    auto vectors = m.shaped({n_});
    V of = m.build.reshape(m.slab(t_, m.r, i, 1), vectors), later = m.after(vectors, m.r, i);
    V sums = m.sum(m.mul(m.along(m.select(later, of, m.zeros(of)), m.c, n_), x), m.r);
    V divisor = m.sub(m.along(m.pick(of, m.r, i), m.r, n_), w_),
      small = m.compare(Direction::LT, size(divisor), least_);
    divisor = m.select(small, m.fromReal(least_), divisor);
    V top = size(sums), bottom = size(divisor),
      large = m.compare(Direction::GT, top, m.mul(bottom, m.constant(bottom, 0x1p30)));
    V by = m.fromReal(m.select(large, m.div(bottom, m.select(large, top, m.constant(top, 1))), m.constant(top, 1)));
    V solved = m.neg(m.div(m.mul(sums, by), divisor));
    V here = m.band(m.at(m.shapeOf(x), m.r, i), m.along(later, m.r, n_));
    return m.select(here, m.along(solved, m.r, n_), m.mul(x, m.along(by, m.r, n_)));
  }

  Matrices &m;
  V t_, w_, least_;
  int64_t n_;
};

class GeneralVectors {
 public:
  GeneralVectors(Matrices &given, Matrices &m, const ComplexTriangle &of)
      : m(m), of_(of), n_(m.shapeOf(of.t)[m.r]), real_(!given.isComplex()) {}

  // scale: the diagonal of the balancing matrix D; for left vectors its reciprocals.
  V right(V scale) { return finished(BackSubstitution(m, of_.t).vectors(), scale); }
  V left(V scale) {
    auto reversed = [&](V v) { return V(stablehlo::ReverseOp::create(m.b, m.loc, v, ArrayRef<int64_t>{m.r, m.c})); };
    return finished(reversed(BackSubstitution(m, reversed(m.adjoint(of_.t))).vectors()), scale);
  }

 private:
  V finished(V x, V scale) {
    V v = m.dot(of_.z, m.c, scaledBack(x), m.r);
    v = m.mul(v, m.fromReal(m.along(scale, m.c, n_)));
    if (real_) v = m.select(m.along(of_.second, m.r, n_), m.conjugate(earlier(v)), v);
    return normalised(scaledBack(v));
  }
  // The column before.
  V earlier(V v) {
    if (n_ == 1) return v;
    return m.build.concatenate({m.zeros(m.part(v, m.c, 0, 1)), m.part(v, m.c, 0, n_ - 1)}, m.c);
  }
  // Columns whose largest part is 1.
  V scaledBack(V v) {
    V most = m.largest(m.max(m.abs(m.realPart(v)), m.abs(m.imagPart(v))), m.r);
    most = m.select(m.isZero(most), m.constant(most, 1), most);
    return m.div(v, m.fromReal(m.along(most, m.r, n_)));
  }

  V normalised(V v) {
    V re = m.realPart(v), im = m.imagPart(v), squares = m.add(m.mul(re, re), m.mul(im, im));
    V most = m.largest(squares, m.r), row = m.iota(m.shapeOf(v), m.r),
      none = m.build.broadcast(m.number(INT32_MAX), m.shapeOf(v), {});
    V place = m.smallest(m.select(m.compare(Direction::EQ, squares, m.along(most, m.r, n_)), row, none), m.r);
    V peak = m.compare(Direction::EQ, row, m.along(place, m.r, n_));
    V length = m.sqrt(m.sum(squares, m.r)), head = m.only(peak, v, m.r), size = m.sqrt(most);
    length = m.select(m.isZero(length), m.constant(length, 1), length),
    size = m.select(m.isZero(size), m.constant(size, 1), size);
    V by = m.div(m.conjugate(m.div(head, m.fromReal(size))), m.fromReal(length));
    v = m.mul(v, m.along(by, m.r, n_));
    V real = peak;
    if (real_) real = m.bor(real, m.along(m.bnot(m.bor(of_.second, of_.first)), m.r, n_));
    return m.select(real, m.fromReal(m.realPart(v)), v);
  }

  Matrices &m;
  const ComplexTriangle &of_;
  int64_t n_;
  bool real_;
};

ComplexTriangle triangleOf(Matrices &m, Matrices &complex, const Schur &schur, bool vectors) {
  V on = m.diagonal(Direction::EQ, m.shapeOf(schur.t));
  if (m.isComplex()) return {schur.t, schur.z, m.only(on, schur.t, m.c), {}, {}};
  if (vectors) return complexTriangle(m, complex, schur.t, schur.z);
  auto [re, im] = eigenvaluesOf(m, schur.t);
  return {{}, {}, stablehlo::ComplexOp::create(m.b, m.loc, typeOf(re).clone(complex.element), re, im), {}, {}};
}

}  // namespace

GeneralEigen generalEigenDecomposition(Matrices &m, V a, bool left, bool right) {
  int64_t n = m.shapeOf(a)[m.r];
  Matrices complex(m.b, m.loc, typeOf(a).clone(ComplexType::get(m.real)));
  Balance balance(m, n);
  V e = balance.exponents(a), d = balance.power(e), over = balance.power(m.neg(e));
  if (n > 1) a = m.mul(m.mul(a, m.fromReal(m.along(d, m.r, n))), m.fromReal(m.along(over, m.c, n)));
  Schur schur = schurForm(m, a, left || right);
  ComplexTriangle of = triangleOf(m, complex, schur, left || right);
  if (!left && !right) return {of.values, {}, {}, schur.info};
  GeneralVectors vectors(m, complex, of);
  return {of.values, left ? vectors.left(over) : V(), right ? vectors.right(d) : V(), schur.info};
}

}  // namespace tpuc::decompose
