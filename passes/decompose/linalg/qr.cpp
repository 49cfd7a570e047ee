// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// QR factors by reflections (LAPACK's geqrf and orgqr), by panels of columns.
//
//  1. Column by column of the panel: H = 1 - tau v v* with v = (1, x / (a - beta)), tau = (beta - a) / beta and
//     beta = -sign(a) |(a, x)| takes the column (a, x) to (beta, 0); the panel's later columns are reflected.
//  2. The reflections of a panel are 1 - V T V* with a triangular T (Schreiber and Van Loan 1989), which reflects the
//     columns right of it in three matmuls.
// The product of reflections goes through the panels backwards, from the columns of the unit matrix.
#include "passes/decompose/linalg/matrices.h"

using namespace mlir;

namespace tpuc::decompose {

using V = Value;
using Direction = Matrices::Direction;

namespace {

// |x| over dim r, by the largest element's scale: squares neither overflow nor vanish.
V norm(Matrices &m, V x) {
  V size = m.isComplex() ? m.max(m.abs(m.realPart(x)), m.abs(m.imagPart(x))) : m.abs(x);
  V scale = m.largest(size, m.r);
  V none = m.bor(m.isZero(scale), m.bnot(m.compare(Direction::LT, scale, m.constant(scale, INFINITY))));
  V by = m.along(m.select(none, m.constant(scale, 1), scale), m.r, m.shapeOf(x)[m.r]);
  auto square = [&](V part) {
    V y = m.div(part, by);
    return m.mul(y, y);
  };
  V squares = m.isComplex() ? m.add(square(m.realPart(x)), square(m.imagPart(x))) : square(x);
  V root = m.sqrt(m.sum(squares, m.r));
  return m.select(none, root, m.mul(root, scale));
}

}  // namespace

Reflector reflectorOf(Matrices &m, V column, V row) {
  auto shape = m.shapeOf(column);
  V below = m.after(shape, m.r, row);
  V x = m.select(below, column, m.zeros(column)), a = m.pick(column, m.r, row);
  V length = norm(m, m.select(m.where(Direction::GE, shape, m.r, row), column, m.zeros(column)));
  V head = m.realPart(a), beta = m.select(m.compare(Direction::LT, head, m.zeros(head)), length, m.neg(length));
  // A column whose only number is a real one at its head needs no reflection. A column with a NaN does.
  V size = m.isComplex() ? m.add(m.abs(m.realPart(x)), m.abs(m.imagPart(x))) : m.abs(x);
  V done = m.isZero(m.largest(size, m.r));
  if (m.isComplex()) done = m.band(done, m.isZero(m.imagPart(a)));
  beta = m.select(done, head, beta);
  V whole = m.fromReal(beta), divisor = m.select(done, m.constant(a, 1), m.sub(a, whole));
  V tau = m.select(done, m.zeros(a), m.div(m.sub(whole, a), m.select(done, m.constant(a, 1), whole)));
  V tail = m.select(below, m.div(x, m.along(divisor, m.r, shape[m.r])), m.zeros(x));
  return {tail, tau, whole};
}

namespace {

class Reflections : Panels {
 public:
  Reflections(Matrices &m, int64_t height, int64_t breadth, int64_t count) : Panels(height, breadth, count), m(m) {}

  Qr decompose(V a) {
    V taus = m.zeros(m.shaped({panels_ * width_}), m.element);
    SmallVector<V> done =
        m.loop(panels_, {m.padded(a, {tall_, wide_}), taus}, [&](V p, ValueRange state) -> SmallVector<V> {
          V a = state[0], start = startOf(p);
          V fresh = m.zeros(m.shaped({width_}), m.element);
          SmallVector<V> reduced = m.loop(width_, {m.slab(a, m.c, start, width_), fresh},
                                          [&](V j, ValueRange inner) { return column(start, j, inner); });
          if (wide_ > width_) {
            V reflected = reflect(a, vectorsOf(reduced[0], start), reduced[1], /*adjoint=*/true);
            a = m.select(m.where(Direction::GE, m.shapeOf(a), m.c, m.add(start, m.number(width_))), reflected, a);
          }
          return {m.put(a, reduced[0], {m.number(0), start}), m.put(state[1], reduced[1], {start})};
        });
    return {m.part(m.part(done[0], m.r, 0, height_), m.c, 0, breadth_), m.part(done[1], m.r, 0, count_)};
  }

  V product(V a, V taus) {
    a = m.padded(a, {tall_, wide_});
    taus = m.padded(taus, {panels_ * width_});
    V unit = m.select(m.diagonal(Direction::EQ, m.shapeOf(a)), m.constant(a, 1), m.zeros(a));
    SmallVector<V> done = m.loop(panels_, {unit}, [&](V p, ValueRange state) -> SmallVector<V> {
      V start = startOf(m.sub(m.number(panels_ - 1), p));
      V panel = m.slab(a, m.c, start, width_);
      return {reflect(state[0], vectorsOf(panel, start), m.slab(taus, m.r, start, width_), /*adjoint=*/false)};
    });
    return m.part(m.part(done[0], m.r, 0, height_), m.c, 0, breadth_);
  }

 private:
  V startOf(V p) { return panels_ == 1 ? m.number(0) : m.mul(p, m.number(width_)); }

  SmallVector<V> column(V start, V j, ValueRange state) {
    V panel = state[0], row = m.add(start, j);
    auto shape = llvm::to_vector(m.shapeOf(panel));
    Reflector h = reflectorOf(m, m.pick(panel, m.c, j), row);
    auto tall = m.shapeOf(h.tail);
    V v = m.select(m.at(tall, m.r, row), m.constant(h.tail, 1), h.tail), spread = m.along(v, m.c, width_);
    V dots = m.sum(m.mul(m.conjugate(spread), panel), m.r);  // [batch, width]
    dots = m.mul(dots, m.along(m.conjugate(h.tau), m.r, width_));
    V reflected = m.sub(panel, m.mul(spread, m.along(dots, m.r, tall_)));
    V diagonal = m.along(m.along(h.beta, m.r, width_), m.r, tall_);
    V done = m.select(m.at(shape, m.r, row), diagonal, m.select(m.after(shape, m.r, row), spread, panel));
    panel = m.select(m.after(shape, m.c, j), reflected, m.select(m.at(shape, m.c, j), done, panel));
    V taus = m.select(m.at(m.shapeOf(state[1]), m.r, j), m.along(h.tau, m.r, width_), state[1]);
    return {panel, taus};
  }

  // The panel's v: ones at its diagonal, zeros above.
  V vectorsOf(V panel, V start) {
    auto shape = m.shapeOf(panel);
    V row = m.iota(shape, m.r), diagonal = m.add(m.iota(shape, m.c), m.build.broadcast(start, shape, {}));
    V below = m.select(m.compare(Direction::GT, row, diagonal), panel, m.zeros(panel));
    return m.select(m.compare(Direction::EQ, row, diagonal), m.constant(panel, 1), below);
  }

  // T column by column: T[:j, j] = -tau_j T[:j, :j] (V* v_j), T[j, j] = tau_j.
  V triangleOf(V v, V taus) {
    V products = m.dot(m.conjugate(v), m.r, v, m.r);
    auto shape = llvm::to_vector(m.shapeOf(products));
    return m.loop(width_, {m.zeros(products)}, [&](V j, ValueRange state) -> SmallVector<V> {
      V overlap = m.pick(products, m.c, j), tau = m.pick(taus, m.r, j);
      V sums = m.sum(m.mul(state[0], m.along(overlap, m.r, width_)), m.c);  // zeros from row j on
      V next = m.neg(m.mul(sums, m.along(tau, m.r, width_)));
      next = m.select(m.at(m.shapeOf(next), m.r, j), m.along(tau, m.r, width_), next);
      return {m.select(m.at(shape, m.c, j), m.along(next, m.c, width_), state[0])};
    })[0];
  }

  // x - V T V* x, or with T*.
  V reflect(V x, V v, V taus, bool adjoint) {
    V t = triangleOf(v, taus), overlap = m.dot(m.conjugate(v), m.r, x, m.r);
    V mixed = adjoint ? m.dot(m.conjugate(t), m.r, overlap, m.r) : m.dot(t, m.c, overlap, m.r);
    return m.sub(x, m.dot(v, m.c, mixed, m.r));
  }

  Matrices &m;
};

}  // namespace

Qr qrDecomposition(Matrices &m, V a) {
  int64_t height = m.shapeOf(a)[m.r], breadth = m.shapeOf(a)[m.c];
  return Reflections(m, height, breadth, std::min(height, breadth)).decompose(a);
}

V productOfReflectors(Matrices &m, V a, V taus) {
  return Reflections(m, m.shapeOf(a)[m.r], m.shapeOf(a)[m.c], m.shapeOf(taus).back()).product(a, taus);
}

}  // namespace tpuc::decompose
