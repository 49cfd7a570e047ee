// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Triangular systems, by panels of rows.
//
//  1. A panel of the right side loses what the solved rows make of it (matrix unit).
//  2. The panel's blocks of 8 rows are inverted, all at once, column by column.
//  3. Block by block: a block's rows lose what the panel's solved rows make of them, and are multiplied by its inverse.
// Inverses of whole panels would take more steps, and leave a residual that grows with the panel's condition (Du Croz,
// Higham 1992).
#include "dialects/kernel/kernel.h"
#include "passes/decompose/linalg/matrices.h"

using namespace mlir;

namespace tpuc::decompose {
namespace {

using V = Value;
using Direction = Matrices::Direction;

constexpr int64_t kBlock = 8;  // the rows of a vreg

class Triangular {
 public:
  Triangular(Matrices &m, bool lower, bool unit) : m_(m), lower_(lower), unit_(unit) {}
  V solve(V a, V right);

 private:
  V triangle(V a);
  V inverses(V block);
  V solvePanel(V block, V rest);
  V column(V block, V position);
  V fma(V x, V y, V z) {
    return m_.element.isF32() ? V(kernel::FmaOp::create(m_.b, m_.loc, x.getType(), x, y, z)) : m_.add(m_.mul(x, y), z);
  }
  // The i-th of n steps, from the corner that stands alone.
  V inOrder(V i, int64_t n) { return n == 1 || lower_ ? i : m_.sub(m_.number(n - 1), i); }
  V times(V i, int64_t n) { return m_.mul(i, m_.number(n)); }

  Matrices &m_;
  bool lower_, unit_;
};

// The triangle of `a` that the op reads. The rest of `a` may be anything, NaN too, and becomes zero.
V Triangular::triangle(V a) {
  auto shape = m_.shapeOf(a);
  a = m_.select(m_.diagonal(lower_ ? Direction::LE : Direction::GE, shape), a, m_.zeros(a));
  return unit_ ? m_.select(m_.diagonal(Direction::EQ, shape), m_.constant(a, 1), a) : a;
}

// For each row, the element at `position` among the columns of its block: [batch.., rows].
V Triangular::column(V block, V position) {
  auto shape = m_.shapeOf(block);
  V first = m_.band(m_.iota(shape, m_.r), m_.build.broadcast(m_.number(-kBlock), shape, {}));
  V wanted = m_.compare(Direction::EQ, m_.iota(shape, m_.c), m_.add(first, m_.build.broadcast(position, shape, {})));
  return m_.sum(m_.select(wanted, block, m_.zeros(block)), m_.c);
}

// Inverts a panel's blocks, transposed and one above the other: [batch.., width, 8]. With S = D^-1 L and X S = 1,
// column j of X is that of 1 without the sum of X's others times S's column j. L^-1 is X D^-1.
V Triangular::inverses(V block) {
  int64_t width = m_.shapeOf(block)[m_.c], blocks = width / kBlock;
  auto shape = m_.shaped({blocks, kBlock, kBlock}), rows = m_.shaped({blocks, kBlock});
  V diagonal =
      unit_ ? V() : m_.sum(m_.select(m_.diagonal(Direction::EQ, m_.shapeOf(block)), block, m_.zeros(block)), m_.c);
  SmallVector<V> done = m_.loop(kBlock, m_.zeros(shape, m_.element), [&](V step, ValueRange state) -> SmallVector<V> {
    V j = lower_ ? m_.sub(m_.number(kBlock - 1), step) : step, x = state[0];
    V scaled = column(block, j), sum = m_.zeros(rows, m_.element);
    scaled = m_.build.reshape(unit_ ? scaled : m_.div(scaled, diagonal), rows);
    for (int64_t k = 0; k < kBlock; ++k) {
      V factor = m_.build.reshape(m_.part(scaled, m_.c, k, 1), m_.shaped({blocks}));
      sum = fma(m_.along(factor, m_.c, kBlock), m_.build.reshape(m_.part(x, m_.c, k, 1), rows), sum);
    }
    V one = m_.select(m_.at(rows, m_.c, j), m_.constant(sum, 1), m_.zeros(sum));
    return {m_.select(m_.at(shape, m_.c, j), m_.along(m_.sub(one, sum), m_.c, kBlock), x)};
  });
  V x = unit_ ? done[0] : m_.div(done[0], m_.along(m_.build.reshape(diagonal, rows), m_.c + 1, kBlock));
  return m_.build.reshape(x, m_.shaped({width, kBlock}));
}

V Triangular::solvePanel(V block, V rest) {
  int64_t width = m_.shapeOf(block)[m_.c], blocks = width / kBlock;
  V inverse = inverses(block), none = m_.zeros(inverse), shape = m_.iota(m_.shapeOf(inverse), m_.r);
  V odd = m_.compare(Direction::NE, m_.band(shape, m_.build.broadcast(m_.number(1), m_.shapeOf(inverse), {})),
                     m_.build.broadcast(m_.number(0), m_.shapeOf(inverse), {}));
  // Even and odd terms are summed apart, as XLA's products on a CPU are: its numbers are what programs are compared
  // with.
  V evens = m_.select(odd, none, inverse), odds = m_.select(odd, inverse, none);
  return m_.loop(blocks, m_.zeros(rest), [&](V i, ValueRange state) -> SmallVector<V> {
    V start = blocks == 1 ? i : times(inOrder(i, blocks), kBlock), left = m_.slab(rest, m_.r, start, kBlock);
    if (blocks > 1) left = m_.sub(left, m_.dot(m_.slab(block, m_.r, start, kBlock), m_.c, state[0], m_.r));
    V x = m_.add(m_.dot(m_.slab(evens, m_.r, start, kBlock), m_.r, left, m_.r),
                 m_.dot(m_.slab(odds, m_.r, start, kBlock), m_.r, left, m_.r));
    return {m_.put(state[0], x, {start, m_.number(0)})};
  })[0];
}

V Triangular::solve(V a, V right) {
  int64_t n = m_.shapeOf(a)[m_.c], count = m_.shapeOf(right)[m_.c];
  int64_t width = std::min(llvm::alignTo(n, kBlock), static_cast<uint64_t>(kPanel)),
          panels = llvm::divideCeil(n, width), all = panels * width;
  a = triangle(a);
  if (all > n) {
    // Ones on the new part of the diagonal: it solves to zeros.
    a = m_.padded(a, {all, all});
    V fresh =
        m_.band(m_.diagonal(Direction::EQ, m_.shapeOf(a)), m_.where(Direction::GE, m_.shapeOf(a), m_.r, m_.number(n)));
    a = m_.select(fresh, m_.constant(a, 1), a);
    right = m_.padded(right, {all, count});
  }
  SmallVector<V> done = m_.loop(panels, m_.zeros(right), [&](V p, ValueRange outer) -> SmallVector<V> {
    V start = panels == 1 ? p : times(inOrder(p, panels), width);
    V rows = m_.slab(a, m_.r, start, width), rest = m_.slab(right, m_.r, start, width);
    if (panels > 1) rest = m_.sub(rest, m_.dot(rows, m_.c, outer[0], m_.r));
    return {m_.put(outer[0], solvePanel(m_.slab(rows, m_.c, start, width), rest), {start, m_.number(0)})};
  });
  return m_.part(done[0], m_.r, 0, n);
}

}  // namespace

V solveTriangular(Matrices &m, V a, V right, bool lower, bool unit) {
  return Triangular(m, lower, unit).solve(a, right);
}

}  // namespace tpuc::decompose
