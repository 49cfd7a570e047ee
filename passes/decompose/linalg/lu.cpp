// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LU factors with row exchanges, right-looking by panels of columns (LAPACK's getrf, in the order of its steps):
//
//  1. Column by column of the panel: the largest element from the diagonal down becomes the pivot, its row changes
//     places with the diagonal's, what is below is divided by it, and the panel's later columns lose the outer product.
//  2. The other columns change rows in the same way.
//  3. Of the panel's rows, what is right of it is solved with its unit lower triangle; the rest loses the product of
//     both
//     (matrix unit).
// Pivots are where row i went, the permutation where each row came from. The first of equal elements wins; NaN counts
// as largest.
#include "passes/decompose/linalg/matrices.h"

using namespace mlir;

namespace tpuc::decompose {

using V = Value;
using Direction = Matrices::Direction;

namespace {

class Elimination : Panels {
 public:
  Elimination(Matrices &m, V a)
      : Panels(m.shapeOf(a)[m.r], m.shapeOf(a)[m.c], std::min(m.shapeOf(a)[m.r], m.shapeOf(a)[m.c])), m(m), a_(a) {}

  Lu run() {
    V order = m.iota(m.shaped({tall_}), m.r);
    V pivots = m.zeros(m.shaped({panels_ * width_}), m.b.getI32Type());
    SmallVector<V> done = m.loop(panels_, {m.padded(a_, {tall_, wide_}), order, pivots},
                                 [&](V p, ValueRange state) { return eliminate(p, state); });
    return {m.part(m.part(done[0], m.r, 0, height_), m.c, 0, breadth_), m.part(done[2], m.r, 0, count_),
            m.part(done[1], m.r, 0, height_)};
  }

 private:
  SmallVector<V> eliminate(V p, ValueRange state) {
    V a = state[0], start = panels_ == 1 ? p : m.mul(p, m.number(width_));
    V panel = m.slab(a, m.c, start, width_), fresh = m.iota(m.shaped({tall_}), m.r);
    SmallVector<V> done = m.loop(width_, {panel, fresh, state[1], state[2]},
                                 [&](V j, ValueRange inner) { return column(start, j, inner); });
    if (wide_ > width_) {
      a = m.rows(a, done[1]);
      a = update(a, done[0], start);
      a = m.put(a, done[0], {m.number(0), start});
    } else {
      a = done[0];
    }
    return {a, done[2], done[3]};
  }

  // Element `index` of each vector, as an array of the vectors' batch.
  V element(V v, V index) {
    V here = m.compare(Direction::EQ, m.iota(m.shapeOf(v), m.r), m.along(index, m.r, m.shapeOf(v)[m.r]));
    return m.sum(m.select(here, v, m.zeros(v)), m.r);
  }
  // Positions `i` (a scalar) and `j` (one a matrix) of dim r exchanged.
  V exchanged(V v, V i, V j, V atI, V atJ) {
    auto shape = llvm::to_vector(m.shapeOf(v));
    bool vector = static_cast<int64_t>(shape.size()) == m.r + 1;
    auto spread = [&](V x) { return m.along(x, m.r, shape[m.r]); };
    V place = vector ? j : m.along(j, m.r, shape[m.c]);
    V second = m.compare(Direction::EQ, m.iota(shape, m.r), spread(place));
    return m.select(m.at(shape, m.r, i), spread(atJ), m.select(second, spread(atI), v));
  }

  V pivotOf(V columnValues, V row) {
    V size =
        m.isComplex() ? m.add(m.abs(m.realPart(columnValues)), m.abs(m.imagPart(columnValues))) : m.abs(columnValues);
    size = m.select(m.compare(Direction::EQ, size, size), size, m.constant(size, INFINITY));
    auto shape = m.shapeOf(size);
    V candidate =
        m.band(m.where(Direction::GE, shape, m.r, row), m.where(Direction::LT, shape, m.r, m.number(height_)));
    size = m.select(candidate, size, m.constant(size, -1));
    V best = m.compare(Direction::EQ, size, m.along(m.largest(size, m.r), m.r, shape[m.r]));
    V last = m.build.broadcast(m.number(tall_), shape, {});
    V found = m.smallest(m.select(best, m.iota(shape, m.r), last), m.r);
    // Columns that only fill the last panel leave the rows where they are.
    V own = m.build.broadcast(row, m.batch, {}),
      real = m.compare(Direction::LT, own, m.build.broadcast(m.number(count_), m.batch, {}));
    return m.select(real, found, own);
  }

  SmallVector<V> column(V start, V j, ValueRange state) {
    V panel = state[0], row = m.add(start, j);
    auto shape = llvm::to_vector(m.shapeOf(panel));
    V pivot = pivotOf(m.pick(panel, m.c, j), row);
    V chosen = m.compare(Direction::EQ, m.iota(shape, m.r), m.along(m.along(pivot, m.r, width_), m.r, tall_));
    V pivotRow = m.sum(m.select(chosen, panel, m.zeros(panel)), m.r), oldRow = m.pick(panel, m.r, row);
    panel = exchanged(panel, row, pivot, oldRow, pivotRow);
    auto order = [&](V v) { return exchanged(v, row, pivot, m.pick(v, m.r, row), element(v, pivot)); };
    V fresh = order(state[1]), whole = order(state[2]);
    auto slots = m.shapeOf(state[3]);
    V pivots = m.select(m.at(slots, m.r, row), m.along(pivot, m.r, slots[m.r]), state[3]);
    V diagonal = m.pick(pivotRow, m.r, j);  // [batch]
    diagonal = m.select(m.isZero(diagonal), m.constant(diagonal, 1), diagonal);
    V l = m.div(m.pick(panel, m.c, j), m.along(diagonal, m.r, tall_));
    V spreadL = m.along(l, m.c, width_), below = m.after(shape, m.r, row);
    V rest = m.sub(panel, m.mul(spreadL, m.along(pivotRow, m.r, tall_)));
    panel = m.select(m.band(below, m.after(shape, m.c, j)), rest,
                     m.select(m.band(below, m.at(shape, m.c, j)), spreadL, panel));
    return {panel, fresh, whole, pivots};
  }

  // Steps 2 and 3, for the columns right of the panel.
  V update(V a, V panel, V start) {
    V end = m.add(start, m.number(width_)), top = m.slab(a, m.r, start, width_),
      block = m.slab(panel, m.r, start, width_);
    auto right = [&](V v) { return m.where(Direction::GE, m.shapeOf(v), m.c, end); };
    V solved = m.select(right(top), solveTriangular(m, block, top, true, true), top);
    if (tall_ > width_) {
      V lower = m.select(m.where(Direction::GE, m.shapeOf(panel), m.r, end), panel, m.zeros(panel));
      a = m.sub(a, m.dot(lower, m.c, m.select(right(solved), solved, m.zeros(solved)), m.r));
    }
    return m.put(a, solved, {start, m.number(0)});
  }

  Matrices &m;
  V a_;
};

}  // namespace

Lu luDecomposition(Matrices &m, V a) { return Elimination(m, a).run(); }

}  // namespace tpuc::decompose
