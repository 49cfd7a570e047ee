// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Singular values and vectors by rotations of rows (Hestenes 1958), n / 2 of them at a time as in eigen.cpp.
//
//  1. A = Q R; of a wide matrix the adjoint is taken, and the sides change places at the end.
//  2. Pairs of R's rows are rotated until all are at right angles but for rounding: J R = diag(s) V*. R's rows get
//     there in fewer sweeps than A's columns would (Drmac and Veselic 2008).
//  3. Rows in the order of their norms, the largest first: A = (Q J*) diag(s) V*.
//  4. A row of zeros has no direction. So the directions that there are get a QR of their own. The product of its
//     reflections is V: the first columns are those directions, the later ones complete them.
#include "passes/decompose/linalg/matrices.h"

using namespace mlir;

namespace tpuc::decompose {

using V = Value;
using Direction = Matrices::Direction;

namespace {

constexpr int32_t kMostSweeps = 40;

class OneSided {
 public:
  OneSided(Matrices &m, int64_t height, int64_t n, SingularVectors which)
      : m(m), height_(height), n_(n), all_(2 * llvm::divideCeil(n, 2)), which_(which) {}

  Singular run(V a) {
    V size = largestOf(a);
    Qr qr = qrDecomposition(m, m.div(a, m.fromReal(spread(size, height_, n_))));
    V r = m.part(qr.factors, m.r, 0, n_);
    V w = m.padded(m.select(m.diagonal(Direction::GE, m.shapeOf(r)), r, m.zeros(r)), {all_, n_});
    V u = m.select(m.diagonal(Direction::EQ, m.shapeOf(w)), m.constant(w, 1), m.zeros(w));
    std::tie(w, u) = sweeps(w, u);
    V norms = m.sqrt(m.sum(squares(w), m.c)), keys = m.neg(norms);
    if (all_ > n_) keys = m.select(m.at(m.shapeOf(keys), m.r, m.number(n_)), m.constant(keys, NAN), keys);
    auto [ascending, order] = sortedVectors(m, keys);
    V values = m.mul(m.neg(m.part(ascending, m.r, 0, n_)), m.along(size, m.r, n_));
    if (which_ == SingularVectors::None) return {values, {}, {}};
    V none = m.isZero(norms),
      scaled = m.div(w, m.fromReal(m.along(m.select(none, m.constant(norms, 1), norms), m.c, n_)));
    return {values, leftOf(qr, m.part(m.rows(u, order), m.r, 0, n_)),
            m.adjoint(completed(m.adjoint(m.part(m.rows(scaled, order), m.r, 0, n_))))};
  }

 private:
  V spread(V v, int64_t rows, int64_t columns) { return m.along(m.along(v, m.r, columns), m.r, rows); }
  V largestOf(V a) {
    V size = m.isComplex() ? m.max(m.abs(m.realPart(a)), m.abs(m.imagPart(a))) : m.abs(a);
    V most = m.largest(m.largest(size, m.c), m.r);
    return m.select(m.isZero(most), m.constant(most, 1), most);
  }
  V squares(V v) {
    if (!m.isComplex()) return m.mul(v, v);
    V re = m.realPart(v), im = m.imagPart(v);
    return m.add(m.mul(re, re), m.mul(im, im));
  }

  // A round rotates the pairs that are not at right angles, and moves all. The last value says which pairs were
  // rotated.
  std::tuple<V, V, V> round(V w, V u) {
    int64_t half = all_ / 2;
    V p = m.part(w, m.r, 0, half), q = m.part(w, m.r, half, half);
    V a = m.sum(squares(p), m.c), b = m.sum(squares(q), m.c), o = m.sum(m.mul(p, m.conjugate(q)), m.c);
    double tolerance = std::sqrt(static_cast<double>(n_)) * (m.real.isF64() ? 0x1p-52 : 0x1p-23);
    V right = m.mul(m.mul(m.sqrt(a), m.sqrt(b)), m.constant(a, tolerance));
    V oblique = m.compare(Direction::LT, m.max(right, m.constant(a, smallestNormal(m))), m.abs(o));
    Rotation by = rotationOf(m, m.select(oblique, o, m.zeros(o)), a, b);
    return {turned(m, w, by), which_ == SingularVectors::None ? u : turned(m, u, by), oblique};
  }

  std::pair<V, V> sweeps(V w, V u) {
    V yes = m.compare(Direction::EQ, m.number(0), m.number(0));
    SmallVector<V> init{m.number(0), yes, w, u};
    SmallVector<Type> types(ValueRange(init).getTypes());
    SmallVector<Location> locs(types.size(), m.loc);
    auto loop = stablehlo::WhileOp::create(m.b, m.loc, types, init);
    OpBuilder::InsertionGuard guard(m.b);
    Block *cond = m.b.createBlock(&loop.getCond(), {}, types, locs);
    stablehlo::ReturnOp::create(
        m.b, m.loc,
        m.band(m.compare(Direction::LT, cond->getArgument(0), m.number(kMostSweeps)), cond->getArgument(1)));
    Block *body = m.b.createBlock(&loop.getBody(), {}, types, locs);
    V none = m.zeros(m.shaped({all_ / 2}), m.b.getI1Type());
    SmallVector<V> done = m.loop(all_ - 1, {body->getArgument(2), body->getArgument(3), none},
                                 [&](V, ValueRange state) -> SmallVector<V> {
                                   auto [w, u, oblique] = round(state[0], state[1]);
                                   return {w, u, m.bor(state[2], oblique)};
                                 });
    V more = m.reduce<stablehlo::OrOp>(done[2], llvm::to_vector(llvm::seq<int64_t>(0, m.r + 1)),
                                       m.build.zero(m.b.getI1Type()));
    stablehlo::ReturnOp::create(m.b, m.loc,
                                ValueRange{m.add(body->getArgument(0), m.number(1)), more, done[0], done[1]});
    return {loop.getResult(2), loop.getResult(3)};
  }

  // Q J*, and of Q the columns beyond where all are asked for.
  V leftOf(Qr qr, V u) {
    bool all = which_ == SingularVectors::All && height_ > n_;
    V q = productOfReflectors(m, all ? m.padded(qr.factors, {height_, height_}) : qr.factors, qr.taus);
    V left = m.dot(m.part(q, m.c, 0, n_), m.c, m.conjugate(u), m.c);
    return all ? m.build.concatenate({left, m.part(q, m.c, n_, height_ - n_)}, m.c) : left;
  }

  // Columns of length 1, those of zeros at the end replaced.
  V completed(V v) {
    Qr qr = qrDecomposition(m, v);
    V q = productOfReflectors(m, qr.factors, qr.taus), on = m.diagonal(Direction::EQ, m.shapeOf(v));
    V diagonal = m.realPart(m.sum(m.select(on, qr.factors, m.zeros(v)), m.r));
    V turned = m.compare(Direction::LT, diagonal, m.zeros(diagonal));
    return m.select(m.along(turned, m.r, n_), m.neg(q), q);
  }

  Matrices &m;
  int64_t height_, n_, all_;
  SingularVectors which_;
};

}  // namespace

Singular singularValues(Matrices &m, V a, SingularVectors which) {
  int64_t height = m.shapeOf(a)[m.r], breadth = m.shapeOf(a)[m.c];
  if (height >= breadth) return OneSided(m, height, breadth, which).run(a);
  Singular of = OneSided(m, breadth, height, which).run(m.adjoint(a));
  return which == SingularVectors::None ? of : Singular{of.values, m.adjoint(of.right), m.adjoint(of.left)};
}

}  // namespace tpuc::decompose
