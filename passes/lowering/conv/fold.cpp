// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Window positions side by side along lanes, of the input and of the weights.
#include "passes/lowering/conv/fold.h"

using namespace mlir;

namespace tpuc::lowering {
namespace {

// Rows whose lanes 0 to `count` - 1 hold features (zeros beyond) join `tiles` at lane `first` of their side by side.
void placeLanes(Code &c, MutableArrayRef<Value> tiles, Value v, int64_t first, int64_t count) {
  int64_t tile = first / 128, lane = first % 128;
  Value turned = lane ? c.inst("x.rot.lane", {v}, {{"imm", lane}}) : v;
  auto join = [&](Value &into, Value part) { into = into ? c.inst("v.or", {into, part}) : part; };
  if (lane + count <= 128) return join(tiles[tile], turned);
  Value low = c.inst("v.lt.s32", {c.inst("v.laneid", {}), c.splatI(lane)});
  join(tiles[tile], c.inst("v.sel", {low, c.splatI(0), turned}));
  join(tiles[tile + 1], c.inst("v.sel", {low, turned, c.splatI(0)}));
}

}  // namespace

void FoldedArray::layOut(int64_t k) {
  tiles = llvm::alignTo(llvm::divideCeil(k, 128), multiple);
  tileWords = rows;
  leadWords.assign(held.size(), 0);
  int64_t total = tiles * tileWords;
  for (size_t i = held.size(); i-- > 0;) {
    leadWords[i] = total;
    total *= held[i];
  }
  words = llvm::alignTo(total, 8);
}

Linear FoldedArray::wordOf(ArrayRef<Linear> lead, const Linear &tile, const Linear &x) const {
  Linear at = Linear(word) + tile * tileWords + x;
  for (auto [i, row] : llvm::enumerate(lead)) at = at + row * leadWords[i];
  return at;
}

// ---- input ----------------------------------------------------------------------------------------------------------

void Fold::layOut(const PaddedInput &in) {
  rows = llvm::alignTo(in.last.out, unitRows);
  held = in.held;
  FoldedArray::layOut(in.last.window * in.lanes);
}

void Fold::emit(Code &c, const PaddedInput &in) const {
  SmallVector<int64_t> extents(held);
  extents.push_back(rows / 8);
  int64_t n = held.size(), stride = in.last.out == 1 ? 0 : in.last.stride, features = in.lanes;
  c.flatLoop(extents, in.last.window <= 4 ? 4 : 2, [&](ArrayRef<Linear> at, const Linear &) {
    SmallVector<Value> out(tiles);
    ArrayRef<Linear> lead = at.take_front(n);
    for (int64_t tap = 0; tap < in.last.window; ++tap)
      for (int64_t tile = 0; tile * 128 < features; ++tile) {
        Value v =
            c.load(in.wordOf(lead, tile, at[n] * (8 * stride) + Linear(tap * in.last.dilation)), stride, in.region);
        placeLanes(c, out, v, tap * features + tile * 128, std::min<int64_t>(128, features - tile * 128));
      }
    for (auto [tile, v] : llvm::enumerate(out))
      c.store(v ? v : c.splatI(0), wordOf(lead, Linear(static_cast<int64_t>(tile)), at[n] * 8), 1, region);
  });
}

// ---- the other axes -------------------------------------------------------------------------------------------------

void FoldRows::layOut(const PaddedInput &in, const Fold &fold) {
  int64_t taps = in.last.window;
  for (const Axis &a : in.lead) taps *= a.window;
  rows = fold.rows;
  held.clear();
  for (int64_t d : in.leadDims) held.push_back(in.domain->block[d]);
  FoldedArray::layOut(taps * in.lanes);
}

void FoldRows::emit(Code &c, const PaddedInput &in, const Fold &fold) const {
  SmallVector<int64_t> extents(held), windows;
  extents.push_back(rows / 8);
  int64_t n = held.size(), taps = 1, lanes = in.lanes * in.last.window;
  for (const Axis &a : in.lead) {
    windows.push_back(a.window);
    taps *= a.window;
  }
  c.flatLoop(extents, taps <= 4 ? 4 : 2, [&](ArrayRef<Linear> at, const Linear &) {
    SmallVector<Value> out(tiles);
    for (int64_t tap = 0; tap < taps; ++tap) {
      SmallVector<Linear> row(n);
      int64_t rest = tap;
      for (int64_t i = n; i-- > 0; rest /= windows[i])
        row[i] = at[i] * in.lead[i].stride + Linear(rest % windows[i] * in.lead[i].dilation);
      for (int64_t tile = 0; tile * 128 < lanes; ++tile)
        placeLanes(c, out, c.load(fold.wordOf(row, tile, at[n] * 8), 1, fold.region), tap * lanes + tile * 128,
                   std::min<int64_t>(128, lanes - tile * 128));
    }
    for (auto [tile, v] : llvm::enumerate(out))
      c.store(v ? v : c.splatI(0), wordOf(at.take_front(n), Linear(static_cast<int64_t>(tile)), at[n] * 8), 1, region);
  });
}

// ---- weights --------------------------------------------------------------------------------------------------------

int64_t FoldedWeights::taps() const {
  int64_t n = 1;
  for (const Axis &a : ArrayRef<Axis>(axes).drop_front(windows.size())) n *= a.window;
  return n;
}

void FoldedWeights::layOut(const PaddedInput &in, int64_t inputs, int64_t results) {
  features = inputs;
  outputs = results;
  axes.assign(in.lead.begin() + 1, in.lead.end());  // the batch has no place in the weights
  axes.push_back(in.last);
  windows.clear();
  for (const Axis &a : ArrayRef<Axis>(axes).drop_back())
    if (!allAxes) windows.push_back(a.window);
  int64_t k = taps() * features;
  tiles = llvm::alignTo(llvm::divideCeil(transposed ? k : outputs, 128), side / 128);
  // A vreg's rows, 32 of bytes, may run over: the last tap's rest.
  rows = transposed ? llvm::alignTo(outputs, side) : llvm::alignTo(k, side) + 32;
  leadWords.assign(windows.size(), 0);
  int64_t total = tiles * rows;
  for (size_t i = windows.size(); i-- > 0;) {
    leadWords[i] = total;
    total *= windows[i];
  }
  words = llvm::alignTo(total, 8);
}

Linear FoldedWeights::wordOf(ArrayRef<Linear> lead, const Linear &row, const Linear &tile) const {
  Linear at = Linear(word) + tile * rows + row;
  for (auto [i, position] : llvm::enumerate(lead)) at = at + position * leadWords[i];
  return at;
}

void FoldedWeights::emit(Code &c, ArrayBlock &weights, bool intToFloat) const {
  const Array &a = weights.array;
  Type element = a.type.getElementType();
  int64_t n = windows.size(), count = axes.size(), taps = this->taps();
  // Vregs of the block's rows; columns beyond `outputs` are nobody's.
  int64_t height = llvm::divideCeil(transposed ? outputs : features, 8 * a.pack);
  int64_t sourceTiles = transposed ? llvm::divideCeil(features, 128) : tiles;
  // A tap's 8 rows, part `part` of packed vreg `vreg` of the array's rows; lanes of `tile`.
  auto fetch = [&](ArrayRef<Linear> lead, int64_t tap, const Linear &vreg, int64_t part, const Linear &tile) {
    Linear word = weights.base + tile * (weights.rowsHeld / a.pack);
    for (int64_t i = 0; i < n; ++i)
      word = word + (axes[i].reversed ? lead[i] * -1 + Linear(axes[i].window - 1) : lead[i]) * weights.leadWords[i];
    int64_t rest = tap;
    for (int64_t i = count; i-- > n; rest /= axes[i].window) {
      int64_t position = rest % axes[i].window;
      word = word + Linear((axes[i].reversed ? axes[i].window - 1 - position : position) * weights.leadWords[i]);
    }
    Value v = unpackGroup(c, element, c.load(word + vreg * 8, 1, weights.region), part);
    return intToFloat ? c.inst("v.cvt.s32.f32", {v}) : v;
  };
  SmallVector<int64_t> extents(windows);
  if (!transposed) {
    // Ascending rows: what a tap's last group has too many, the next tap overwrites.
    extents.push_back(sourceTiles);
    c.flatLoop(
        extents, 1,
        [&](ArrayRef<Linear> at, const Linear &) {
          for (int64_t tap = 0; tap < taps; ++tap)
            c.loop(c.i64(0), c.i64(height), 1, {}, [&](Value iv, ValueRange) {
              Linear vreg = c.linear(iv);
              for (int64_t part = 0; part < a.pack; ++part) {
                Value v = fetch(at.take_front(n), tap, vreg, part, at[n]);
                c.store(v, wordOf(at.take_front(n), vreg * (8 * a.pack) + Linear(tap * features + 8 * part), at[n]), 1,
                        region);
              }
              return SmallVector<Value>();
            });
        },
        false);
    return;
  }
  extents.push_back(height);
  c.flatLoop(extents, 1, [&](ArrayRef<Linear> at, const Linear &) {
    for (int64_t part = 0; part < a.pack; ++part) {
      SmallVector<Value> out(tiles);
      for (int64_t tap = 0; tap < taps; ++tap)
        for (int64_t tile = 0; tile < sourceTiles; ++tile) {
          int64_t count = std::min<int64_t>(128, features - tile * 128);
          Value v = fetch(at.take_front(n), tap, at[n], part, Linear(tile));
          if (count < 128)
            v = c.inst("v.sel", {c.inst("v.lt.s32", {c.inst("v.laneid", {}), c.splatI(count)}), v, c.splatI(0)});
          placeLanes(c, out, v, tap * features + tile * 128, count);
        }
      Linear row = at[n] * (8 * a.pack) + Linear(8 * part);
      for (auto [tile, v] : llvm::enumerate(out))
        c.store(v ? v : c.splatI(0), wordOf(at.take_front(n), row, Linear(static_cast<int64_t>(tile))), 1, region);
    }
  });
}

}  // namespace tpuc::lowering
