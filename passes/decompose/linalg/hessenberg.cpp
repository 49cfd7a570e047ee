// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrices that are zero below their first subdiagonal, similar to given ones, by reflections column by column
// (LAPACK's gehrd); of a Hermitian matrix such a one is tridiagonal (sytrd). By its upper triangle, LAPACK goes from
// the last column up: that is the same with rows and columns in reverse.
#include "passes/decompose/linalg/matrices.h"

using namespace mlir;

namespace tpuc::decompose {

using V = Value;
using Direction = Matrices::Direction;

Hessenberg hessenbergDecomposition(Matrices &m, V a) {
  int64_t n = m.shapeOf(a)[m.r];
  V none = m.zeros(m.shaped({n - 1}), m.element);
  if (n == 1) return {a, none};
  SmallVector<V> done = m.loop(n - 1, {a, none}, [&](V j, ValueRange state) -> SmallVector<V> {
    V a = state[0], row = m.add(j, m.number(1));
    auto shape = llvm::to_vector(m.shapeOf(a));
    Reflector h = reflectorOf(m, m.pick(a, m.c, j), row);
    V v = m.select(m.at(m.shapeOf(h.tail), m.r, row), m.constant(h.tail, 1), h.tail), down = m.along(v, m.c, n),
      across = m.along(v, m.r, n);
    // A H, then H* A.
    V sums = m.mul(m.sum(m.mul(a, across), m.c), m.along(h.tau, m.r, n));
    V x = m.sub(a, m.mul(m.along(sums, m.c, n), m.conjugate(across)));
    V dots = m.mul(m.sum(m.mul(m.conjugate(down), x), m.r), m.along(m.conjugate(h.tau), m.r, n));
    V reflected = m.sub(x, m.mul(down, m.along(dots, m.r, n)));
    V whole = m.along(m.along(h.beta, m.r, n), m.r, n);
    V reduced = m.select(m.at(shape, m.r, row), whole, m.select(m.after(shape, m.r, row), down, a));
    V taus = m.select(m.at(m.shapeOf(state[1]), m.r, j), m.along(h.tau, m.r, n - 1), state[1]);
    return {m.select(m.after(shape, m.c, j), reflected, m.select(m.at(shape, m.c, j), reduced, x)), taus};
  });
  return {done[0], done[1]};
}

Tridiagonal tridiagonalDecomposition(Matrices &m, V a, bool lower) {
  int64_t n = m.shapeOf(a)[m.r];
  auto reversed = [&](V v, ArrayRef<int64_t> dims) {
    return lower ? v : V(stablehlo::ReverseOp::create(m.b, m.loc, v, dims));
  };
  V given = reversed(a, {m.r, m.c});  // by its lower triangle
  auto shape = m.shapeOf(given);
  V under = m.diagonal(Direction::LE, shape), on = m.diagonal(Direction::EQ, shape);
  V whole = m.select(under, given, m.adjoint(given));
  if (m.isComplex()) whole = m.select(on, m.fromReal(m.realPart(whole)), whole);
  auto [factors, taus] = hessenbergDecomposition(m, whole);
  V diagonal = m.realPart(m.sum(m.select(on, factors, m.zeros(factors)), m.c));
  V next = m.select(m.diagonal(Direction::EQ, shape, -1), factors, m.zeros(factors));
  V off = m.part(m.realPart(m.sum(next, m.r)), m.r, 0, n - 1);
  V kept = m.select(under, m.isComplex() ? m.select(on, m.fromReal(m.realPart(factors)), factors) : factors, given);
  return {reversed(kept, {m.r, m.c}), reversed(diagonal, {m.r}), reversed(off, {m.r}), reversed(taus, {m.r})};
}

}  // namespace tpuc::decompose
