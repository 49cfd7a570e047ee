// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tridiagonal systems by elimination with exchanges of neighbouring rows (LAPACK's gtsv).
//
//  1. Row i, reduced to its elements at i and i + 1, meets row i + 1: the one with the larger element at i stays as the
//     factor's row, the other loses it. An exchange makes a third element.
//  2. From the last row back, x_i is what its row leaves.
// Of nearly singular systems, as inverse iteration has them (lagtf, lagts): rows meet by their elements relative to
// their own sizes, and a divisor that would overflow is moved away from zero.
#include "passes/decompose/linalg/matrices.h"

using namespace mlir;

namespace tpuc::decompose {

using V = Value;
using Direction = Matrices::Direction;

namespace {

class Chase {
 public:
  Chase(Matrices &m, V lower, V diagonal, V upper, V right, bool perturbed)
      : m(m),
        lower_(lower),
        diagonal_(diagonal),
        upper_(upper),
        right_(right),
        n_(m.shapeOf(right)[m.r]),
        sides_(m.shapeOf(right)[m.c]),
        perturbed_(perturbed) {}

  TridiagonalSolution run() {
    V none = m.zeros(diagonal_);
    SmallVector<V> state{element(diagonal_, m.number(0)),
                         element(upper_, m.number(0)),
                         row(right_, m.number(0)),
                         none,
                         none,
                         none,
                         m.zeros(right_)};
    if (perturbed_) state.push_back(m.add(size(state[0]), size(state[1])));
    if (n_ > 1) state = m.loop(n_ - 1, state, [&](V i, ValueRange before) { return eliminate(i, before); });
    // The last row stands alone.
    V last = m.number(n_ - 1), nothing = m.zeros(state[0]);
    SmallVector<V> rows = stored(last, ArrayRef(state).slice(3, 4), state[0], nothing, nothing, state[2]);
    V least = perturbed_ ? leastDivisor(rows) : V();
    V gone = m.zeros(state[2]);
    V x = m.loop(n_, {m.zeros(right_), gone, gone}, [&](V step, ValueRange known) -> SmallVector<V> {
      V i = m.sub(last, step);
      auto times = [&](V factors, V by) { return m.mul(m.along(element(factors, i), m.r, sides_), by); };
      V rest = m.sub(m.sub(row(rows[3], i), times(rows[1], known[1])), times(rows[2], known[2]));
      V divisor = m.along(element(rows[0], i), m.r, sides_);
      V solved = m.div(rest, perturbed_ ? moved(divisor, rest, least) : divisor);
      return {putRow(known[0], solved, i), solved, known[1]};
    })[0];
    return {x, firstZero(rows[0])};
  }

 private:
  V element(V v, V i) { return m.build.reshape(m.slab(v, m.r, i, 1), m.batch); }
  V row(V v, V i) { return m.build.reshape(m.slab(v, m.r, i, 1), m.shaped({sides_})); }
  V putElement(V v, V x, V i) { return m.put(v, m.build.reshape(x, m.shaped({1})), {i}); }
  V putRow(V v, V x, V i) { return m.put(v, m.build.reshape(x, m.shaped({1, sides_})), {i, m.number(0)}); }
  // How large a number is. For complex ones LAPACK takes the sum of both parts' magnitudes too.
  V size(V v) { return m.isComplex() ? m.add(m.abs(m.realPart(v)), m.abs(m.imagPart(v))) : m.abs(v); }
  SmallVector<V> stored(V i, ArrayRef<V> rows, V p, V q, V r, V b) {
    return {putElement(rows[0], p, i), putElement(rows[1], q, i), putElement(rows[2], r, i), putRow(rows[3], b, i)};
  }

  // State: the row at hand (p, q and its right side), and the factor's rows.
  SmallVector<V> eliminate(V i, ValueRange state) {
    V p = state[0], q = state[1], b = state[2], next = m.add(i, m.number(1));
    V l = element(lower_, next), d = element(diagonal_, next), u = element(upper_, next), below = row(right_, next);
    V none = m.zeros(p), stays = m.compare(Direction::GE, size(p), size(l)), scale;
    if (perturbed_) {
      // The last row's upper element is no part of the matrix.
      V inside = m.build.broadcast(m.compare(Direction::LT, next, m.number(n_ - 1)), m.batch, {});
      V rest = m.select(inside, size(u), m.zeros(size(u))), below = m.add(m.add(size(l), size(d)), rest);
      stays = m.compare(Direction::GE, m.mul(size(p), below), m.mul(size(l), state[7]));
      scale = m.select(stays, below, state[7]);
    }
    auto spread = [&](V v) { return m.along(v, m.r, sides_); };
    V factor = m.div(m.select(stays, l, p), m.select(stays, p, l));
    if (perturbed_) factor = m.select(m.isZero(size(l)), none, factor);
    SmallVector<V> kept(state.slice(3, 4)), rows = stored(i, kept, m.select(stays, p, l), m.select(stays, q, d),
                                                          m.select(stays, none, u), m.select(spread(stays), b, below));
    V p1 = m.sub(m.select(stays, d, q), m.mul(factor, m.select(stays, q, d))),
      q1 = m.select(stays, u, m.neg(m.mul(factor, u)));
    V b1 = m.sub(m.select(spread(stays), below, b), m.mul(spread(factor), m.select(spread(stays), b, below)));
    SmallVector<V> out{p1, q1, b1};
    out.append(rows);
    if (perturbed_) out.push_back(scale);
    return out;
  }

  // Rounding of the first row's largest element.
  V leastDivisor(ArrayRef<V> rows) {
    V zero = m.number(0),
      most = m.max(m.max(size(element(rows[0], zero)), size(element(rows[1], zero))), size(element(rows[2], zero)));
    most = m.mul(most, m.constant(most, m.real.isF64() ? 0x1p-52 : 0x1p-23));
    return m.along(m.max(most, m.constant(most, smallestNormal(m))), m.r, sides_);
  }
  V moved(V divisor, V rest, V least) {
    V bottom = size(divisor),
      overflows = m.compare(Direction::GT, m.mul(size(rest), m.constant(bottom, smallestNormal(m))), bottom);
    V head = m.realPart(divisor),
      by = m.fromReal(m.select(m.compare(Direction::LT, head, m.zeros(head)), m.neg(least), least));
    return m.select(m.bor(m.isZero(bottom), overflows), m.add(divisor, by), divisor);
  }

  V firstZero(V pivots) {
    V number = m.add(m.iota(m.shapeOf(pivots), m.r), m.build.broadcast(m.number(1), m.shapeOf(pivots), {}));
    V none = m.build.broadcast(m.number(INT32_MAX), m.shapeOf(pivots), {});
    V first = m.smallest(m.select(m.isZero(size(pivots)), number, none), m.r);
    return m.select(m.compare(Direction::EQ, first, m.build.broadcast(m.number(INT32_MAX), m.batch, {})),
                    m.zeros(first), first);
  }

  Matrices &m;
  V lower_, diagonal_, upper_, right_;
  int64_t n_, sides_;
  bool perturbed_;
};

}  // namespace

TridiagonalSolution solveTridiagonal(Matrices &m, V lower, V diagonal, V upper, V right, bool perturbed) {
  return Chase(m, lower, diagonal, upper, right, perturbed).run();
}

}  // namespace tpuc::decompose
