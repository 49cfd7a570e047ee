// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks of two rows on the diagonal of a real Schur form: LAPACK's standard form of them, the complex triangle that
// they stand for, and its eigenvalues. No two blocks share a row, so that all are dealt with at once.
#include "passes/decompose/linalg/matrices.h"

using namespace mlir;

namespace tpuc::decompose {

using V = Value;
using Direction = Matrices::Direction;

namespace {

// T's diagonals, and which rows are a block's second ones.
class Blocks {
 public:
  Blocks(Matrices &m, V t) : m(m), n_(m.shapeOf(t)[m.r]) {
    auto shape = m.shapeOf(t);
    auto element = [&](int64_t distance, int64_t over) {
      return m.only(m.diagonal(Direction::EQ, shape, distance), t, over);
    };
    d = element(0, m.c), c = element(-1, m.c), b = element(1, m.r), a = shifted(d, 1);
    second = m.compare(Direction::NE, c, m.zeros(c));
    first = shifted(second, -1);
  }

  V a, b, c, d;  // (a b; c d), where its second row is
  V first, second;

  // v's elements (of a vector or of rows, dim `dim`) one place later or earlier, zeros before or after.
  V shifted(V v, int64_t by, int64_t dim = -1) {
    if (dim < 0) dim = m.r;
    if (n_ == 1) return m.zeros(v);
    V rest = m.part(v, dim, by > 0 ? 0 : 1, n_ - 1), edge = m.zeros(m.part(v, dim, 0, 1));
    return by > 0 ? m.build.concatenate({edge, rest}, dim) : m.build.concatenate({rest, edge}, dim);
  }
  // The other row or column of each one's block; zeros of those in none.
  V partner(V v, int64_t dim) {
    auto spread = [&](V mask) { return m.along(mask, dim == m.r ? m.c : m.r, n_); };
    return m.select(spread(second), shifted(v, 1, dim), m.select(spread(first), shifted(v, -1, dim), m.zeros(v)));
  }
  // Each block's first row gets what `ofFirst` has in the second one, the second row `ofSecond`; rows in no block
  // `otherwise`.
  V both(V ofFirst, V ofSecond, V otherwise) {
    return m.select(second, ofSecond, m.select(first, shifted(ofFirst, -1), otherwise));
  }

 private:
  Matrices &m;
  int64_t n_;
};

// A rotation (x; y) to (cs x + sn y; cs y - sn x) and what it makes of the block.
struct Standard {
  V a, b, c, d, cs, sn;
};

// The rotation after which the diagonal's elements are equal and the others have different signs, or the one below is 0
// (LAPACK's lanv2).
class Standardisation {
 public:
  explicit Standardisation(Matrices &m) : m(m) {}

  Standard of(V a, V b, V c, V d) {
    Standard real = ofReal(a, b, c, d), pair = ofPair(a, b, c, d), same{a, b, c, d, one(a), zero(a)};
    V apart = m.sub(a, d), p = half(apart), large = m.max(m.abs(b), m.abs(c)), small = signedSmaller(b, c);
    V scale = m.max(m.abs(p), large), safe = m.select(m.isZero(scale), one(a), scale);
    V z = m.add(m.mul(m.div(p, safe), p), m.mul(m.div(large, safe), small));
    double epsilon = m.real.isF64() ? 0x1p-52 : 0x1p-23;
    Standard out = chosen(m.compare(Direction::GE, z, m.constant(z, 4 * epsilon)), real, pair);
    out = chosen(m.band(m.isZero(apart), m.bnot(alike(b, c))), same, out);
    out = chosen(m.isZero(b), exchanged(a, b, c, d), out);
    return chosen(m.isZero(c), same, out);
  }

 private:
  V one(V v) { return m.constant(v, 1); }
  V zero(V v) { return m.zeros(v); }
  V half(V v) { return m.mul(v, m.constant(v, 0.5)); }
  V negative(V v) { return m.compare(Direction::LT, v, m.zeros(v)); }
  V alike(V x, V y) { return m.compare(Direction::EQ, negative(x), negative(y)); }
  V withSign(V size, V of) { return m.select(negative(of), m.neg(size), size); }
  V signedSmaller(V b, V c) {
    V small = m.op<stablehlo::MinOp>(m.abs(b), m.abs(c));
    return m.select(alike(b, c), small, m.neg(small));
  }
  V hypotenuse(V x, V y) {
    V large = m.max(m.abs(x), m.abs(y)), by = m.select(m.isZero(large), one(x), large), u = m.div(x, by),
      v = m.div(y, by);
    return m.mul(by, m.sqrt(m.add(m.mul(u, u), m.mul(v, v))));
  }
  Standard chosen(V where, const Standard &x, const Standard &y) {
    auto pick = [&](V p, V q) { return m.select(where, p, q); };
    return {pick(x.a, y.a), pick(x.b, y.b), pick(x.c, y.c), pick(x.d, y.d), pick(x.cs, y.cs), pick(x.sn, y.sn)};
  }
  Standard exchanged(V a, V b, V c, V d) { return {d, m.neg(c), zero(b), a, zero(a), one(a)}; }

  // Two real eigenvalues far enough apart: the one further from d first.
  Standard ofReal(V a, V b, V c, V d) {
    V p = half(m.sub(a, d)), large = m.max(m.abs(b), m.abs(c)), small = signedSmaller(b, c),
      scale = m.max(m.abs(p), large);
    V z = m.add(m.mul(m.div(p, scale), p), m.mul(m.div(large, scale), small));
    z = m.add(p, withSign(m.mul(m.sqrt(scale), m.sqrt(z)), p));
    V length = hypotenuse(c, z);
    return {m.add(d, z),      m.sub(b, c),     zero(c), m.sub(d, m.mul(m.div(large, z), small)),
            m.div(z, length), m.div(c, length)};
  }

  // A pair, or two nearly equal ones: first the diagonal is made equal.
  Standard ofPair(V a, V b, V c, V d) {
    V apart = m.sub(a, d), sigma = m.add(b, c), length = hypotenuse(sigma, apart);
    V cs = m.sqrt(half(m.add(one(a), m.div(m.abs(sigma), length)))),
      sn = m.neg(withSign(m.div(half(apart), m.mul(length, cs)), sigma));
    V aa = m.add(m.mul(a, cs), m.mul(b, sn)), bb = m.sub(m.mul(b, cs), m.mul(a, sn));
    V cc = m.add(m.mul(c, cs), m.mul(d, sn)), dd = m.sub(m.mul(d, cs), m.mul(c, sn));
    a = m.add(m.mul(aa, cs), m.mul(cc, sn)), b = m.add(m.mul(bb, cs), m.mul(dd, sn));
    c = m.sub(m.mul(cc, cs), m.mul(aa, sn)), d = m.sub(m.mul(dd, cs), m.mul(bb, sn));
    V middle = half(m.add(a, d));
    Standard pair{middle, b, c, middle, cs, sn};
    // Real after all: rotated once more.
    V rb = m.sqrt(m.abs(b)), rc = m.sqrt(m.abs(c)), p = withSign(m.mul(rb, rc), c), by = m.sqrt(m.abs(m.add(b, c)));
    V cs1 = m.div(rb, by), sn1 = m.div(rc, by);
    Standard real{m.add(middle, p),
                  m.sub(b, c),
                  zero(c),
                  m.sub(middle, p),
                  m.sub(m.mul(cs, cs1), m.mul(sn, sn1)),
                  m.add(m.mul(cs, sn1), m.mul(sn, cs1))};
    Standard turned{middle, m.neg(c), zero(c), middle, m.neg(sn), cs};
    Standard out = chosen(m.isZero(b), turned, chosen(alike(b, c), real, pair));
    return chosen(m.isZero(c), pair, out);
  }

  Matrices &m;
};

}  // namespace

void standardiseBlocks(Matrices &m, V &t, V &z) {
  int64_t n = m.shapeOf(t)[m.r];
  Blocks of(m, t);
  Standard s = Standardisation(m).of(of.a, of.b, of.c, of.d);
  V one = m.constant(of.d, 1), none = m.zeros(of.d);
  V own = of.both(s.cs, s.cs, one), other = of.both(s.sn, m.neg(s.sn), none);
  auto turned = [&](V v, int64_t dim) {
    int64_t across = dim == m.r ? m.c : m.r;
    return m.add(m.mul(m.along(own, across, n), v), m.mul(m.along(other, across, n), of.partner(v, dim)));
  };
  t = turned(turned(t, m.r), m.c);
  auto shape = llvm::to_vector(m.shapeOf(t));
  // The blocks themselves as computed, whatever rounding says.
  auto put = [&](int64_t distance, V v, V where, int64_t along) {
    V place = m.band(m.diagonal(Direction::EQ, shape, distance), m.along(where, along, n));
    t = m.select(place, m.along(v, along, n), t);
  };
  put(0, of.both(s.a, s.d, none), m.bor(of.first, of.second), m.c);
  put(-1, s.c, of.second, m.c);
  put(1, s.b, of.second, m.r);
  if (z) z = turned(z, m.c);
}

std::pair<V, V> eigenvaluesOf(Matrices &m, V t) {
  Blocks of(m, t);
  V im = m.mul(m.sqrt(m.abs(of.b)), m.sqrt(m.abs(of.c)));
  return {of.d, of.both(im, m.neg(im), m.zeros(im))};
}

ComplexTriangle complexTriangle(Matrices &m, Matrices &complex, V t, V z) {
  int64_t n = m.shapeOf(t)[m.r];
  Blocks of(m, t);
  auto [re, im] = eigenvaluesOf(m, t);
  V w = stablehlo::ComplexOp::create(m.b, m.loc, typeOf(re).clone(complex.element), re, im);
  // (x, i y) with x^2 + y^2 = 1 is the block's eigenvector of the value above the axis, U = (x, i y; i y, x).
  V rb = m.sqrt(m.abs(of.b)), rc = m.sqrt(m.abs(of.c)), length = m.sqrt(m.add(m.abs(of.b), m.abs(of.c)));
  length = m.select(of.second, length, m.constant(length, 1));
  V x = m.div(rb, length), y = m.div(rc, length);
  x = m.select(m.compare(Direction::LT, of.b, m.zeros(of.b)), m.neg(x), x);
  V own = of.both(x, x, m.constant(x, 1)), other = of.both(y, y, m.zeros(y));
  auto scaled = [&](V v, V by, int64_t dim) { return m.mul(m.along(by, dim == m.r ? m.c : m.r, n), v); };
  auto join = [&](V a, V b) {
    return V(stablehlo::ComplexOp::create(m.b, m.loc, typeOf(a).clone(complex.element), a, b));
  };
  V tr = scaled(t, own, m.r), ti = m.neg(scaled(of.partner(t, m.r), other, m.r));
  V ur = m.sub(scaled(tr, own, m.c), scaled(of.partner(ti, m.c), other, m.c)),
    ui = m.add(scaled(ti, own, m.c), scaled(of.partner(tr, m.c), other, m.c));
  V upper = join(ur, ui), shape = upper;
  upper = complex.select(m.diagonal(Direction::GT, m.shapeOf(shape)), upper, complex.zeros(upper));
  upper = complex.select(m.diagonal(Direction::EQ, m.shapeOf(shape)), complex.along(w, m.c, n), upper);
  return {upper, join(scaled(z, own, m.c), scaled(of.partner(z, m.c), other, m.c)), w, of.second, of.first};
}

}  // namespace tpuc::decompose
