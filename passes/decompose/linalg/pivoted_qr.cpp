// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// QR factors of a matrix whose columns are exchanged so that the diagonal falls (LAPACK's geqp3): before a column is
// reflected (qr.cpp), the longest of those left, from the diagonal down, takes its place. Columns that are to stand
// first count as longer than any.
#include "passes/decompose/linalg/matrices.h"

using namespace mlir;

namespace tpuc::decompose {

using V = Value;
using Direction = Matrices::Direction;

namespace {

class PivotedReflections {
 public:
  PivotedReflections(Matrices &m, V a)
      : m(m), height_(m.shapeOf(a)[m.r]), breadth_(m.shapeOf(a)[m.c]), count_(std::min(height_, breadth_)) {}

  PivotedQr run(V a, V first) {
    V order = m.add(m.iota(m.shapeOf(first), m.r), m.build.broadcast(m.number(1), m.shapeOf(first), {}));
    V taus = m.zeros(m.shaped({count_}), m.element);
    SmallVector<V> done =
        m.loop(count_, {a, order, first, taus}, [&](V j, ValueRange state) { return column(j, state); });
    return {done[0], done[1], done[3]};
  }

 private:
  // The place of the longest column, the first of equals: [batch].
  V longest(V a, V first, V j) {
    V left = m.select(m.where(Direction::GE, m.shapeOf(a), m.r, j), a, m.zeros(a));
    V re = m.realPart(left), size = m.mul(re, re);
    if (m.isComplex()) size = m.add(size, m.mul(m.imagPart(left), m.imagPart(left)));
    V norms = m.sum(size, m.r);
    norms = m.select(m.compare(Direction::NE, first, m.zeros(first)), m.constant(norms, INFINITY), norms);
    norms = m.select(m.where(Direction::GE, m.shapeOf(norms), m.r, j), norms, m.constant(norms, -1));
    V most = m.along(m.largest(norms, m.r), m.r, breadth_), places = m.iota(m.shapeOf(norms), m.r);
    // A NaN equals nothing; then the column stays.
    V none = m.build.broadcast(j, m.shapeOf(norms), {});
    V nan = m.bnot(m.compare(Direction::EQ, most, most)),
      far = m.build.broadcast(m.number(INT32_MAX), m.shapeOf(norms), {});
    return m.smallest(m.select(nan, none, m.select(m.compare(Direction::EQ, norms, most), places, far)), m.r);
  }

  // Positions j and p of dim `dim` exchanged; p is one a matrix.
  V exchanged(V v, int64_t dim, V j, V p) {
    auto shape = llvm::to_vector(m.shapeOf(v));
    V place = m.along(p, m.r, shape[m.r]);
    if (dim == m.c) place = m.along(place, m.c, shape[m.c]);
    V there = m.compare(Direction::EQ, m.iota(shape, dim), place), zero = m.zeros(v);
    V atP = m.sum(m.select(there, v, zero), dim), atJ = m.pick(v, dim, j);
    return m.select(m.at(shape, dim, j), m.along(atP, dim, shape[dim]),
                    m.select(there, m.along(atJ, dim, shape[dim]), v));
  }

  SmallVector<V> column(V j, ValueRange state) {
    V p = longest(state[0], state[2], j), a = exchanged(state[0], m.c, j, p), order = exchanged(state[1], m.r, j, p);
    auto shape = llvm::to_vector(m.shapeOf(a));
    Reflector h = reflectorOf(m, m.pick(a, m.c, j), j);
    V v = m.along(m.select(m.at(m.shapeOf(h.tail), m.r, j), m.constant(h.tail, 1), h.tail), m.c, breadth_);
    V dots = m.mul(m.sum(m.mul(m.conjugate(v), a), m.r), m.along(m.conjugate(h.tau), m.r, breadth_));
    V reflected = m.sub(a, m.mul(v, m.along(dots, m.r, height_)));
    V whole = m.along(m.along(h.beta, m.r, breadth_), m.r, height_);
    V done = m.select(m.at(shape, m.r, j), whole, m.select(m.after(shape, m.r, j), v, a));
    V taus = m.select(m.at(m.shapeOf(state[3]), m.r, j), m.along(h.tau, m.r, count_), state[3]);
    return {m.select(m.after(shape, m.c, j), reflected, m.select(m.at(shape, m.c, j), done, a)), order,
            exchanged(state[2], m.r, j, p), taus};
  }

  Matrices &m;
  int64_t height_, breadth_, count_;
};

}  // namespace

PivotedQr pivotedQrDecomposition(Matrices &m, V a, V first) { return PivotedReflections(m, a).run(a, first); }

}  // namespace tpuc::decompose
