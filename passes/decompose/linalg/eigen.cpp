// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Eigenvalues and vectors of Hermitian matrices by Jacobi's method, n / 2 rotations at a time (Brent and Luk 1985).
//
// W starts as the matrix, U as the unit matrix. Row i of the upper half and row i of the lower half are a pair. A round
//  1. finds the rotation of each pair that makes its element of W zero,
//  2. rotates the pairs' rows of W and U, and moves rows so that every two meet once in a sweep of n - 1 rounds,
//  3. does the same to W's columns: W is its own adjoint, so they are the rows of the adjoint.
// Sweeps go on until what is off the diagonal is rounding. The rows of U are then the conjugated eigenvectors, W's
// diagonal the values. The halves have whole tiles of rows, or as many: the rows and columns of zeros that this adds no
// rotation touches.
#include "passes/decompose/linalg/matrices.h"

using namespace mlir;

namespace tpuc::decompose {

using V = Value;
using Direction = Matrices::Direction;

namespace {

constexpr int32_t kMostSweeps = 100;

class Jacobi {
 public:
  Jacobi(Matrices &m, int64_t n) : m(m), n_(n), half_(llvm::divideCeil(n, 2)) {
    constexpr int64_t kTileRows = 8, kWorthTiles = 32;  // smaller halves would get too many rounds more
    if (half_ >= kWorthTiles) half_ = llvm::alignTo(half_, kTileRows);
    all_ = 2 * half_;
  }

  Eigen run(V a, bool lower, bool sorted) {
    V w = hermitian(a, lower), size = largestOf(w);
    w = m.padded(m.div(w, m.fromReal(spread(size))), {all_, all_});
    V u = m.select(m.diagonal(Direction::EQ, m.shapeOf(w)), m.constant(w, 1), m.zeros(w));
    std::tie(w, u) = sweeps(w, u);
    V values = m.mul(diagonalOf(w, 0, all_), m.along(size, m.r, all_));
    if (all_ == n_ && !sorted) return {m.adjoint(u), values};
    if (sorted) std::tie(values, u) = inOrder(values, u);
    return {m.adjoint(m.part(m.part(u, m.r, 0, n_), m.c, 0, n_)), m.part(values, m.r, 0, n_)};
  }

 private:
  V hermitian(V a, bool lower) {
    V other = m.adjoint(a);
    V w = m.select(m.diagonal(lower ? Direction::LE : Direction::GE, m.shapeOf(a)), a, other);
    if (m.isComplex()) w = m.select(m.diagonal(Direction::EQ, m.shapeOf(a)), m.fromReal(m.realPart(w)), w);
    return w;
  }
  V spread(V v) { return m.along(m.along(v, m.r, n_), m.r, n_); }
  // The matrix's scale: squares of its elements neither overflow nor vanish.
  V largestOf(V w) {
    V size = m.isComplex() ? m.max(m.abs(m.realPart(w)), m.abs(m.imagPart(w))) : m.abs(w);
    V most = m.largest(m.largest(size, m.c), m.r);
    return m.select(m.isZero(most), m.constant(most, 1), most);
  }
  V squares(V v) {
    if (!m.isComplex()) return m.mul(v, v);
    V re = m.realPart(v), im = m.imagPart(v);
    return m.add(m.mul(re, re), m.mul(im, im));
  }
  V total(V v) { return m.sum(m.sum(v, m.c), m.r); }

  // Elements `distance` right of the diagonal, of the first rows.
  V elements(V w, int64_t distance, int64_t count) {
    V on = m.diagonal(Direction::EQ, m.shapeOf(w), distance);
    return m.part(m.only(on, w, m.c), m.r, 0, count);
  }
  V diagonalOf(V w, int64_t start, int64_t count) {
    return m.part(m.realPart(elements(w, 0, all_)), m.r, start, count);
  }

  Rotation rotation(V w) {
    return rotationOf(m, elements(w, half_, half_), diagonalOf(w, 0, half_), diagonalOf(w, half_, half_));
  }

  V goesOn(V w) {
    V off = m.select(m.diagonal(Direction::NE, m.shapeOf(w)), w, m.zeros(w));
    V rest = total(squares(off)), whole = total(squares(w));
    double epsilon = m.real.isF64() ? 0x1p-53 : 0x1p-24;
    V more = m.compare(Direction::LT, m.mul(whole, m.constant(whole, epsilon * epsilon / 16)), rest);
    if (m.batch.empty()) return more;
    return m.reduce<stablehlo::OrOp>(more, llvm::to_vector(llvm::seq<int64_t>(0, m.r)), m.build.zero(m.b.getI1Type()));
  }

  std::pair<V, V> sweeps(V w, V u) {
    SmallVector<V> init{m.number(0), goesOn(w), w, u};
    SmallVector<Type> types(ValueRange(init).getTypes());
    SmallVector<Location> locs(types.size(), m.loc);
    Meetings meetings = meetingsOf();
    auto loop = stablehlo::WhileOp::create(m.b, m.loc, types, init);
    OpBuilder::InsertionGuard guard(m.b);
    Block *cond = m.b.createBlock(&loop.getCond(), {}, types, locs);
    V few = m.compare(Direction::LT, cond->getArgument(0), m.number(kMostSweeps));
    stablehlo::ReturnOp::create(m.b, m.loc, m.band(few, cond->getArgument(1)));
    Block *body = m.b.createBlock(&loop.getBody(), {}, types, locs);
    // A round's angles come from the round before: what computes them is a kernel of its own, not a part of all that
    // use them.
    Rotation first = rotation(body->getArgument(2));
    SmallVector<V> round{body->getArgument(2), body->getArgument(3), first.d, first.sw};
    if (m.isComplex()) round.push_back(first.ws);
    SmallVector<V> done = m.loop(all_ - 1, round, [&](V, ValueRange state) -> SmallVector<V> {
      Rotation by{state[2], state[3], state.back()};
      V w = turned(m, m.adjoint(turned(m, state[0], by)), by, &meetings);
      Rotation next = rotation(w);
      SmallVector<V> after{w, turned(m, state[1], by), next.d, next.sw};
      if (m.isComplex()) after.push_back(next.ws);
      return after;
    });
    V count = m.add(body->getArgument(0), m.number(1)), more = goesOn(done[0]);
    stablehlo::ReturnOp::create(m.b, m.loc, ValueRange{count, more, done[0], done[1]});
    return {loop.getResult(2), loop.getResult(3)};
  }

  // Where nextPairs takes row i of the upper half and row i of the lower half.
  Meetings meetingsOf() {
    SmallVector<int64_t> shape = m.shaped({half_});
    auto all = [&](int32_t place) { return m.build.broadcast(m.number(place), shape, {}); };
    auto at = [&](int64_t row, int32_t place, V others) {
      return m.select(m.at(shape, m.r, m.number(row)), all(place), others);
    };
    V i = m.iota(shape, m.r);
    if (half_ == 1) return {i, all(1)};
    return {at(0, 0, at(half_ - 1, all_ - 1, m.add(i, all(1)))), at(0, 1, m.add(i, all(half_ - 1)))};
  }

  // Ascending; the rows that were added come last.
  std::pair<V, V> inOrder(V values, V u) {
    auto shape = m.shapeOf(values);
    if (all_ > n_) values = m.select(m.where(Direction::GE, shape, m.r, m.number(n_)), m.constant(values, NAN), values);
    auto [ascending, order] = sortedVectors(m, values);
    return {ascending, m.rows(u, order)};
  }

  Matrices &m;
  int64_t n_, half_, all_;
};

}  // namespace

// t = sign(tau) / (|tau| + sqrt(1 + tau^2)) of tau = (b - a) / (2 |o|), for the pair's a, b and o (Golub and Van Loan,
// 8.5.2).
Rotation rotationOf(Matrices &m, V o, V a, V b) {
  V size = m.isComplex() ? m.abs(o) : o,
    none = m.compare(Direction::LT, m.abs(size), m.constant(size, smallestNormal(m))), one = m.constant(size, 1);
  V tau = m.div(m.sub(b, a), m.mul(m.constant(size, 2), m.select(none, one, size)));
  V step = m.div(one, m.add(m.abs(tau), m.sqrt(m.add(one, m.mul(tau, tau)))));
  step = m.select(m.compare(Direction::LT, tau, m.zeros(tau)), m.neg(step), step);
  step = m.select(none, m.zeros(step), step);
  V c = m.div(one, m.sqrt(m.add(one, m.mul(step, step)))), sine = m.mul(step, c);
  V d = m.fromReal(m.div(m.mul(sine, sine), m.add(one, c)));
  if (!m.isComplex()) return {d, sine, sine};
  V phase = m.select(none, m.constant(o, 1), m.div(o, m.fromReal(m.select(none, one, size)))),
    sw = m.mul(m.fromReal(sine), phase);
  return {d, sw, m.conjugate(sw)};
}

namespace {

// Moves rows so that every two of n meet once in n - 1 rounds.
V nextPairs(Matrices &m, V top, V bottom) {
  int64_t h = m.shapeOf(top)[m.r];
  if (h == 1) return m.build.concatenate({top, bottom}, m.r);
  auto rows = [&](V v, int64_t start, int64_t count) { return m.part(v, m.r, start, count); };
  SmallVector<V> parts{rows(top, 0, 1), rows(bottom, 0, 1)};
  if (h > 2) parts.push_back(rows(top, 1, h - 2));
  parts.append({rows(bottom, 1, h - 1), rows(top, h - 1, 1)});
  return m.build.concatenate(parts, m.r);
}

}  // namespace

V turned(Matrices &m, V x, const Rotation &by, const Meetings *meetings) {
  int64_t columns = m.shapeOf(x)[m.c], h = m.shapeOf(x)[m.r] / 2;
  auto spread = [&](V v) { return m.along(v, m.c, columns); };
  V p = m.part(x, m.r, 0, h), q = m.part(x, m.r, h, h);
  V d = spread(by.d), top = m.sub(p, m.add(m.mul(spread(by.sw), q), m.mul(d, p))),
    bottom = m.add(q, m.sub(m.mul(spread(by.ws), p), m.mul(d, q)));
  if (meetings) {
    V column = m.iota(m.shapeOf(top), m.c);
    auto cleared = [&](V half, V place) {
      return m.select(m.compare(Matrices::Direction::EQ, column, spread(place)), m.zeros(half), half);
    };
    top = cleared(top, meetings->bottom);
    bottom = cleared(bottom, meetings->top);
  }
  return nextPairs(m, top, bottom);
}

std::pair<V, V> sortedVectors(Matrices &m, V values) {
  V order = m.iota(m.shapeOf(values), m.r);
  auto sort = stablehlo::SortOp::create(m.b, m.loc, TypeRange{values.getType(), order.getType()},
                                        ValueRange{values, order}, m.r, true);
  auto number = RankedTensorType::get({}, m.real), place = RankedTensorType::get({}, m.b.getI32Type());
  {
    OpBuilder::InsertionGuard guard(m.b);
    Block *body =
        m.b.createBlock(&sort.getComparator(), {}, {number, number, place, place}, SmallVector<Location>(4, m.loc));
    auto total = stablehlo::ComparisonTypeAttr::get(m.b.getContext(), stablehlo::ComparisonType::TOTALORDER);
    auto direction = stablehlo::ComparisonDirectionAttr::get(m.b.getContext(), Direction::LT);
    V less = stablehlo::CompareOp::create(m.b, m.loc, RankedTensorType::get({}, m.b.getI1Type()), body->getArgument(0),
                                          body->getArgument(1), direction, total);
    stablehlo::ReturnOp::create(m.b, m.loc, less);
  }
  return {sort.getResult(0), sort.getResult(1)};
}

Eigen eigenDecomposition(Matrices &m, V a, bool lower, bool sorted) {
  int64_t n = m.shapeOf(a)[m.r];
  if (n == 1) return {m.constant(a, 1), m.build.reshape(m.realPart(a), m.shaped({1}))};
  return Jacobi(m, n).run(a, lower, sorted);
}

}  // namespace tpuc::decompose
