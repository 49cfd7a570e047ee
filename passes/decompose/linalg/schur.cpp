// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Schur forms of matrices that need not be symmetric, A = Z T Z*, by shifted QR iterations.
//
//  1. The matrix over a power of two becomes a Hessenberg one H, the product of its reflections Z (hessenberg.cpp,
//     qr.cpp).
//  2. Elements below the diagonal that are rounding become 0 (Ahues and Tisseur 1997). The last block that is still
//     connected is the one to work on; of real matrices blocks of two rows are done.
//  3. A sweep: a reflection takes the first column of the shifted matrix to a multiple of e_1, the bulge that it makes
//     in H is chased down the diagonal by others (Francis 1961; Golub and Van Loan, 7.5). Real matrices take both
//     shifts of a pair at once and stay real, complex ones Wilkinson's shift. 2 and 3 go on until no block is left, or
//     for 30 sweeps a row.
//  4. Blocks of two rows of a real matrix get LAPACK's standard form (schur_blocks.cpp).
// Z lies below H in one array, so that what is done to columns is done to both. The matrices of a batch go down the
// diagonal together, each within its own block.
#include "passes/decompose/linalg/matrices.h"

using namespace mlir;

namespace tpuc::decompose {

using V = Value;
using Direction = Matrices::Direction;

namespace {

class ShiftedQr {
 public:
  ShiftedQr(Matrices &m, int64_t n, bool vectors)
      : m(m), n_(n), rows_(vectors ? 2 * n : n), window_(std::min<int64_t>(n, m.isComplex() ? 2 : 3)) {
    epsilon_ = m.real.isF64() ? 0x1p-52 : 0x1p-23;
    tiny_ = smallestNormal(m) * static_cast<double>(n) / epsilon_;
  }

  // h over z, or h alone.
  std::pair<V, V> run(V stacked) {
    V fresh = m.zeros(m.batch, m.b.getI32Type());
    Place at = locate(stacked);
    auto done = m.loopWhile(
        {m.number(0), fresh, at.start, at.end, at.s},
        [&](ValueRange s) {
          return m.band(m.compare(Direction::LT, s[0], m.number(30 * std::max<int64_t>(10, n_))), anyActive(s[3]));
        },
        [&](ValueRange s) -> SmallVector<V> {
          Place next = locate(chase(s[4], s[2], s[3], firstColumn(diagonals(s[4]), s[1], s[2], s[3])));
          V waited = m.select(m.compare(Direction::EQ, next.end, s[3]), m.add(s[1], scalars(1)), scalars(0));
          return {m.add(s[0], m.number(1)), waited, next.start, next.end, next.s};
        });
    return {done[4], m.add(done[3], scalars(1))};
  }

 private:
  struct Diagonals {
    V on, below, above;  // by row, by row, by column; the first of the last two is 0
  };
  struct Place {
    V s, start, end;  // the block's first and last row; -1 where nothing is left to do
  };

  V scalars(int32_t value) { return m.build.broadcast(m.number(value), m.batch, {}); }
  V vectorOf(V scalar) { return m.along(scalar, m.r, n_); }
  V inWindow(V scalar) { return m.along(scalar, m.r, window_); }
  V positions() { return m.iota(m.shaped({n_}), m.r); }
  V moved(V v, int64_t by) {
    SmallVector<int64_t> low(m.r + 1, 0), high(m.r + 1, 0), none(m.r + 1, 0);
    low[m.r] = by, high[m.r] = -by;
    return m.build.pad(v, m.build.zero(typeOf(v).getElementType()), low, high, none);
  }
  V before(V v) { return moved(v, 1); }
  V size(V v) { return m.isComplex() ? m.add(m.abs(m.realPart(v)), m.abs(m.imagPart(v))) : m.abs(v); }
  V times(V v, double by) { return m.mul(v, m.constant(v, by)); }
  V lastWhere(V mask) {
    return m.reduce<stablehlo::MaxOp>(m.select(mask, positions(), m.build.broadcast(m.number(-1), m.shaped({n_}), {})),
                                      {m.r}, m.number(-1));
  }
  template <typename Op>
  V overBatch(V v, int32_t init) {
    return m.batch.empty() ? v : m.reduce<Op>(v, llvm::to_vector(llvm::seq<int64_t>(0, m.r)), m.number(init));
  }
  V anyActive(V end) { return m.compare(Direction::GE, overBatch<stablehlo::MaxOp>(end, -1), m.number(0)); }
  // v's element at a row that each matrix has of its own.
  V at(V v, V row, int32_t offset) {
    V place = offset ? m.add(row, scalars(offset)) : row;
    return m.only(m.compare(Direction::EQ, positions(), vectorOf(place)), v, m.r);
  }

  Diagonals diagonals(V s) {
    V h = m.part(s, m.r, 0, n_);
    auto shape = m.shapeOf(h);
    auto element = [&](int64_t distance, int64_t over) {
      return m.only(m.diagonal(Direction::EQ, shape, distance), h, over);
    };
    return {element(0, m.c), element(-1, m.c), element(1, m.r)};
  }

  // Whether the element below the diagonal is rounding, by row.
  V negligible(const Diagonals &of) {
    V left = before(of.on), below = size(of.below), above = size(of.above), sum = m.add(size(of.on), size(left));
    // Next to zeros the neighbours below the diagonal say what rounding is.
    V around = m.add(before(below), moved(below, -1));
    sum = m.select(m.isZero(sum), around, sum);
    V small = m.compare(Direction::LE, below, times(sum, epsilon_));
    V apart = size(m.sub(left, of.on)), here = size(of.on);
    V ab = m.max(below, above), ba = least(below, above), aa = m.max(here, apart), bb = least(here, apart),
      s = m.add(aa, ab);
    V allowed = times(m.mul(bb, m.div(aa, s)), epsilon_);
    V product = m.compare(Direction::LE, m.mul(ba, m.div(ab, s)), m.max(allowed, m.constant(allowed, tiny_)));
    return m.bor(m.compare(Direction::LE, below, m.constant(below, tiny_)), m.band(small, product));
  }
  V least(V x, V y) { return m.op<stablehlo::MinOp>(x, y); }

  Place locate(V s) {
    V small = negligible(diagonals(s)), none = m.bor(small, m.at(m.shaped({n_}), m.r, m.number(0)));
    V rows = rows_ == n_ ? small : m.build.concatenate({small, m.zeros(small)}, m.r);
    s = m.select(m.band(m.diagonal(Direction::EQ, m.shapeOf(s), -1), m.along(rows, m.c, n_)), m.zeros(s), s);
    V connected = m.bnot(none), end = lastWhere(m.isComplex() ? connected : m.band(connected, before(connected)));
    return {s, lastWhere(m.band(none, m.compare(Direction::LE, positions(), vectorOf(end)))), end};
  }

  // The first column of the polynomial of the shifts in H: its elements at the block's first rows.
  SmallVector<V> firstColumn(const Diagonals &of, V waited, V start, V end) {
    V turn = m.op<stablehlo::RemOp>(waited, scalars(10));
    V odd = m.band(m.compare(Direction::EQ, turn, scalars(0)), m.compare(Direction::NE, waited, scalars(0)));
    return m.isComplex() ? ofOneShift(of, odd, start, end) : ofTwoShifts(of, odd, start, end);
  }

  // The shift is the eigenvalue of the last two rows that is nearer to the last element; one that has nothing to do
  // with them when ten brought nothing.
  SmallVector<V> ofOneShift(const Diagonals &of, V odd, V start, V end) {
    V h11 = at(of.on, end, -1), h22 = at(of.on, end, 0), h21 = at(of.below, end, 0), h12 = at(of.above, end, 0);
    V u = m.mul(m.sqrt(h12), m.sqrt(h21)), x = times(m.sub(h11, h22), 0.5), scale = m.max(size(u), size(x));
    V none = m.isZero(size(u)), by = m.fromReal(m.select(none, m.constant(scale, 1), scale));
    V xs = m.div(x, by), us = m.div(u, by), y = m.mul(by, m.sqrt(m.add(m.mul(xs, xs), m.mul(us, us))));
    V same = m.add(m.mul(m.realPart(xs), m.realPart(y)), m.mul(m.imagPart(xs), m.imagPart(y)));
    y = m.select(m.compare(Direction::LT, same, m.zeros(same)), m.neg(y), y);
    V shift = m.select(none, h22, m.sub(h22, m.mul(u, m.div(u, m.select(none, m.constant(x, 1), m.add(x, y))))));
    shift = m.select(odd, m.add(h22, m.fromReal(times(size(h21), 0.75))), shift);
    return {m.sub(at(of.on, start, 0), shift), at(of.below, start, 1)};
  }

  // The column for a pair of complex shifts, or for twice the real one that is nearer to the last element.
  SmallVector<V> ofTwoShifts(const Diagonals &of, V odd, V start, V end) {
    V h11 = at(of.on, end, -1), h22 = at(of.on, end, 0), h21 = at(of.below, end, 0), h12 = at(of.above, end, 0);
    V far = m.add(m.abs(h21), m.abs(at(of.below, end, -1))), centre = m.add(times(far, 0.75), h22);
    h11 = m.select(odd, centre, h11), h22 = m.select(odd, centre, h22);
    h21 = m.select(odd, far, h21), h12 = m.select(odd, times(far, -0.4375), h12);
    V s = m.add(m.add(m.abs(h11), m.abs(h12)), m.add(m.abs(h21), m.abs(h22)));
    s = m.select(m.isZero(s), m.constant(s, 1), s);
    h11 = m.div(h11, s), h12 = m.div(h12, s), h21 = m.div(h21, s), h22 = m.div(h22, s);
    V middle = times(m.add(h11, h22), 0.5), det = m.sub(m.mul(m.sub(h11, middle), m.sub(h22, middle)), m.mul(h12, h21));
    V root = m.sqrt(m.abs(det)), pair = m.compare(Direction::GE, det, m.zeros(det)), up = m.add(middle, root),
      down = m.sub(middle, root);
    V nearer = m.select(m.compare(Direction::LE, m.abs(m.sub(up, h22)), m.abs(m.sub(down, h22))), up, down);
    V re = m.mul(s, m.select(pair, middle, nearer)), im = m.mul(s, m.select(pair, root, m.zeros(root)));

    V a = m.sub(at(of.on, start, 0), re), next = m.sub(at(of.on, start, 1), re), below = at(of.below, start, 1);
    V by = m.add(m.add(m.abs(a), m.abs(im)), m.abs(below)), b = m.div(below, by);
    V one = m.add(m.add(m.mul(b, at(of.above, start, 1)), m.mul(a, m.div(a, by))), m.mul(im, m.div(im, by)));
    return {one, m.mul(b, m.add(a, next)), m.mul(b, at(of.below, start, 2))};
  }

  // From the first block's first row to the last one's last but one.
  V chase(V s, V start, V end, ArrayRef<V> first) {
    V active = m.compare(Direction::GE, end, scalars(0)), far = scalars(INT32_MAX);
    V from = overBatch<stablehlo::MinOp>(m.select(active, start, far), INT32_MAX),
      to = overBatch<stablehlo::MaxOp>(end, -1);
    return m.loopWhile(
        {from, to, s}, [&](ValueRange state) { return m.compare(Direction::LT, state[0], state[1]); },
        [&](ValueRange state) -> SmallVector<V> {
          return {m.add(state[0], m.number(1)), state[1], step(state[2], state[0], start, end, first)};
        })[2];
  }

  // Reflects rows from k on, two of a complex matrix and three of a real one, so that column k - 1 has zeros below row
  // k. Then it reflects the columns of the same numbers. No other rows are read or written before, no other columns
  // after.
  V step(V s, V k, V start, V end, ArrayRef<V> first) {
    V from = m.op<stablehlo::MinOp>(k, m.number(static_cast<int32_t>(n_ - window_)));
    V all = m.build.broadcast(k, m.batch, {}), last = m.sub(k, m.number(1)),
      begins = m.compare(Direction::EQ, start, all);
    V active = m.band(m.compare(Direction::LE, start, all), m.compare(Direction::LT, all, end));
    V row = m.add(m.iota(m.shaped({window_}), m.r), m.build.broadcast(from, m.shaped({window_}), {}));
    V isHead = m.compare(Direction::EQ, row, inWindow(all));
    V limit = inWindow(m.op<stablehlo::MinOp>(m.add(all, scalars(static_cast<int32_t>(window_ - 1))), end));
    V inside = m.band(m.compare(Direction::GE, row, inWindow(all)), m.compare(Direction::LE, row, limit));

    V rows = m.slab(s, m.r, from, window_), x = m.pick(rows, m.c, last);
    for (auto [i, e] : llvm::enumerate(first)) {
      V here = m.compare(Direction::EQ, row, inWindow(m.add(start, scalars(static_cast<int32_t>(i)))));
      x = m.select(m.band(inWindow(begins), here), inWindow(e), x);
    }
    Reflector by = reflectorOf(m, m.select(inside, x, m.zeros(x)), m.sub(k, from));
    V tau = m.select(active, by.tau, m.zeros(by.tau)), v = m.select(isHead, m.constant(by.tail, 1), by.tail);

    V wide = m.along(v, m.c, n_), dots = m.mul(m.sum(m.mul(m.conjugate(wide), rows), m.r), vectorOf(m.conjugate(tau)));
    rows = m.sub(rows, m.mul(wide, m.along(dots, m.r, window_)));
    // The column before: `beta` at its head, and zeros below.
    V left = m.band(inside, inWindow(m.band(active, m.bnot(begins))));
    V gone = m.band(m.along(left, m.c, n_), m.at(m.shapeOf(rows), m.c, last));
    V head = m.along(m.select(isHead, inWindow(by.beta), m.zeros(x)), m.c, n_);
    s = m.put(s, m.select(gone, head, rows), {from, m.number(0)});

    // Columns as rows: all of a tile's lanes are of use.
    V columns = m.transposed(m.slab(s, m.c, from, window_)), high = m.along(v, m.c, rows_);
    V sums = m.mul(m.sum(m.mul(columns, high), m.r), m.along(tau, m.r, rows_));
    columns = m.sub(columns, m.mul(m.conjugate(high), m.along(sums, m.r, window_)));
    return m.put(s, m.transposed(columns), {m.number(0), from});
  }

  Matrices &m;
  int64_t n_, rows_, window_;
  double epsilon_, tiny_;
};

// H over the product of its reflections.
V stackedHessenberg(Matrices &m, V a, int64_t n, bool vectors) {
  auto [factors, taus] = hessenbergDecomposition(m, a);
  V h = m.select(m.diagonal(Direction::GE, m.shapeOf(a), -1), factors, m.zeros(factors));
  if (!vectors) return h;
  V q = productOfReflectors(m, m.part(m.part(factors, m.r, 1, n - 1), m.c, 0, n - 1), taus);
  SmallVector<int64_t> low(m.rank, 0), none(m.rank, 0);
  low[m.r] = low[m.c] = 1;
  V z = m.build.pad(q, m.build.zero(m.element), low, none, none), corner = m.diagonal(Direction::EQ, m.shapeOf(z));
  z = m.select(m.band(corner, m.at(m.shapeOf(z), m.r, m.number(0))), m.constant(z, 1), z);
  return m.build.concatenate({h, z}, m.r);
}

}  // namespace

Schur schurForm(Matrices &m, V a, bool vectors) {
  int64_t n = m.shapeOf(a)[m.r];
  V ones = vectors ? m.select(m.diagonal(Direction::EQ, m.shapeOf(a)), m.constant(a, 1), m.zeros(a)) : V();
  V info = m.zeros(m.batch, m.b.getI32Type());
  if (n == 1) return {a, ones, info};
  auto spread = [&](V v) { return m.fromReal(m.along(m.along(v, m.r, n), m.r, n)); };
  V size = m.isComplex() ? m.max(m.abs(m.realPart(a)), m.abs(m.imagPart(a))) : m.abs(a),
    most = m.largest(m.largest(size, m.c), m.r);
  // LAPACK's caller looks before it calls: such a matrix has no answer.
  V finite = m.compare(Direction::LT, most, m.constant(most, INFINITY)),
    scale = powerOfTwo(m, m.select(finite, most, m.constant(most, 1)));
  V whole = m.along(m.along(finite, m.r, n), m.r, n);
  auto [stacked, left] =
      ShiftedQr(m, n, vectors)
          .run(stackedHessenberg(m, m.select(whole, m.div(a, spread(scale)), m.zeros(a)), n, vectors));
  V t = m.part(stacked, m.r, 0, n), z = vectors ? m.part(stacked, m.r, n, n) : V();
  t = m.select(m.diagonal(Direction::GE, m.shapeOf(t), m.isComplex() ? 0 : -1), t, m.zeros(t));
  if (!m.isComplex()) standardiseBlocks(m, t, z);
  auto known = [&](V v) { return m.select(whole, v, m.constant(v, NAN)); };
  info = m.select(finite, left, m.build.broadcast(m.number(-4), m.batch, {}));
  return {known(m.mul(t, spread(scale))), vectors ? known(z) : V(), info};
}

V powerOfTwo(Matrices &m, V v) {
  bool wide = m.real.isF64();
  Type word = IntegerType::get(m.b.getContext(), wide ? 64 : 32, IntegerType::Unsigned);
  v = m.max(v, m.constant(v, smallestNormal(m)));
  V bits = stablehlo::BitcastConvertOp::create(m.b, m.loc, typeOf(v).clone(word), v);
  V exponent = m.build.splat(typeOf(bits), wide ? int64_t{0x7ff} << 52 : int64_t{0x7f800000});
  return stablehlo::BitcastConvertOp::create(m.b, m.loc, v.getType(), m.band(bits, exponent));
}

}  // namespace tpuc::decompose
