// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cholesky factors, by panels of columns: a panel loses the product of the columns before it with its own rows of them
// (matrix unit); then column by column: the one at j over the root of its diagonal becomes the factor's, the rest loses
// its outer product. Columns and rows are picked by masks and sums, so that each step is a few fused kernels over a
// panel.
#include "passes/decompose/linalg/matrices.h"

using namespace mlir;

namespace tpuc::decompose {

using V = Value;

V cholesky(Matrices &m, V a) {
  int64_t n = m.shapeOf(a)[m.c], width = std::min(n, kPanel), panels = llvm::divideCeil(n, width);
  auto shape = m.shaped({panels * width, width});
  a = m.padded(a, {panels * width, panels * width});
  SmallVector<V> done = m.loop(panels, m.zeros(a), [&](V p, ValueRange outer) -> SmallVector<V> {
    V start = panels == 1 ? p : m.mul(p, m.number(width)), factor = outer[0];
    V panel = m.slab(a, m.c, start, width);
    if (panels > 1) panel = m.sub(panel, m.dot(factor, m.c, m.conjugate(m.slab(factor, m.r, start, width)), m.c));
    SmallVector<V> columns = m.loop(width, {panel, m.zeros(panel)}, [&](V j, ValueRange state) -> SmallVector<V> {
      V rest = state[0], row = m.add(start, j);
      V column = m.pick(rest, m.c, j);
      V root = m.along(m.sqrt(m.fromReal(m.realPart(m.pick(column, m.r, row)))), m.r, shape[m.r]);
      ArrayRef<int64_t> tall = m.shapeOf(column);
      V l =
          m.select(m.after(tall, m.r, row), m.div(column, root), m.select(m.at(tall, m.r, row), root, m.zeros(column)));
      // Its own rows of l, as a row of the panel's columns.
      V own = m.conjugate(panels == 1 ? l : m.slab(l, m.r, start, width));
      V next = m.select(m.at(shape, m.c, j), m.along(l, m.c, width), state[1]);
      return {m.sub(rest, m.mul(m.along(l, m.c, width), m.along(own, m.r, shape[m.r]))), next};
    });
    return {m.put(factor, columns[1], {m.number(0), start})};
  });
  return m.part(m.part(done[0], m.r, 0, n), m.c, 0, n);
}

}  // namespace tpuc::decompose
