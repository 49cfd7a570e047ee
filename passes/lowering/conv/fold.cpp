// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Window positions brought side by side along lanes, of the input and of the weights.
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

// ---- input ----------------------------------------------------------------------------------------------------------

void emitFold(Code &c, const Fold &fold, const PaddedInput &in) {
  SmallVector<int64_t> extents(fold.held);
  extents.push_back(fold.rows / 8);
  int64_t n = fold.held.size(), stride = in.last.out == 1 ? 0 : in.last.stride, features = in.lanes;
  c.flatLoop(extents, in.last.window <= 4 ? 4 : 2, [&](ArrayRef<Linear> at, const Linear &) {
    SmallVector<Value> out(fold.tiles);
    ArrayRef<Linear> lead = at.take_front(n);
    for (int64_t tap = 0; tap < in.last.window; ++tap)
      for (int64_t tile = 0; tile * 128 < features; ++tile) {
        Value v =
            c.load(in.wordOf(lead, tile, at[n] * (8 * stride) + Linear(tap * in.last.dilation)), stride, in.region);
        placeLanes(c, out, v, tap * features + tile * 128, std::min<int64_t>(128, features - tile * 128));
      }
    for (auto [tile, v] : llvm::enumerate(out))
      c.store(v ? v : c.splatI(0), fold.wordOf(lead, Linear(static_cast<int64_t>(tile)), at[n] * 8), 1, fold.region);
  });
}

// ---- axes before the last -------------------------------------------------------------------------------------------

void emitFoldRows(Code &c, const FoldRows &folded, const PaddedInput &in, const Fold &fold) {
  SmallVector<int64_t> extents(folded.held), windows;
  extents.push_back(folded.rows / 8);
  int64_t n = folded.held.size(), taps = 1, lanes = in.lanes * in.last.window;
  for (const Axis &a : in.lead) {
    windows.push_back(a.window);
    taps *= a.window;
  }
  c.flatLoop(extents, taps <= 4 ? 4 : 2, [&](ArrayRef<Linear> at, const Linear &) {
    SmallVector<Value> out(folded.tiles);
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
      c.store(v ? v : c.splatI(0), folded.wordOf(at.take_front(n), Linear(static_cast<int64_t>(tile)), at[n] * 8), 1,
              folded.region);
  });
}

// ---- weights --------------------------------------------------------------------------------------------------------

void emitFoldedWeights(Code &c, const FoldedWeights &folded, ArrayBlock &weights, bool intToFloat) {
  const Array &a = weights.array;
  Type element = a.type.getElementType();
  int64_t n = folded.windows.size(), count = folded.axes.size(), taps = folded.taps();
  // Vregs of the block's rows; columns beyond `outputs` are nobody's.
  int64_t height = llvm::divideCeil(folded.transposed ? folded.outputs : folded.features, 8 * a.pack);
  int64_t sourceTiles = folded.transposed ? llvm::divideCeil(folded.features, 128) : folded.tiles;
  // A tap's 8 rows, part `part` of packed vreg `vreg` of the array's rows; lanes of `tile`.
  auto fetch = [&](ArrayRef<Linear> lead, int64_t tap, const Linear &vreg, int64_t part, const Linear &tile) {
    Linear word = weights.base + tile * (weights.rowsHeld / a.pack);
    for (int64_t i = 0; i < n; ++i)
      word = word + (folded.axes[i].reversed ? lead[i] * -1 + Linear(folded.axes[i].window - 1) : lead[i]) *
                        weights.leadWords[i];
    int64_t rest = tap;
    for (int64_t i = count; i-- > n; rest /= folded.axes[i].window) {
      int64_t position = rest % folded.axes[i].window;
      word = word +
             Linear((folded.axes[i].reversed ? folded.axes[i].window - 1 - position : position) * weights.leadWords[i]);
    }
    Value v = unpackGroup(c, element, c.load(word + vreg * 8, 1, weights.region), part);
    return intToFloat ? c.inst("v.cvt.s32.f32", {v}) : v;
  };
  // Rows or lanes, counted by `id`, that are features.
  auto keepFeatures = [&](Value v, StringRef id, int64_t count) {
    return c.inst("v.sel", {c.inst("v.lt.s32", {c.inst(id, {}), c.splatI(count)}), v, c.splatI(0)});
  };
  SmallVector<int64_t> extents(folded.windows);
  if (!folded.transposed) {
    // Ascending rows: what a tap's last group has too many, the next tap overwrites.
    extents.push_back(sourceTiles);
    c.flatLoop(
        extents, 1,
        [&](ArrayRef<Linear> at, const Linear &) {
          for (int64_t tap = 0; tap < taps; ++tap)
            c.loop(c.i64(0), c.i64(height), 1, {}, [&](Value iv, ValueRange) {
              Linear vreg = c.linear(iv);
              for (int64_t part = 0; part < a.pack; ++part) {
                if (folded.turned && 8 * part >= folded.features) break;
                Value v = fetch(at.take_front(n), tap, vreg, part, at[n]);
                // Between taps there are rows of nobody.
                if (folded.turned && folded.features < 8) v = keepFeatures(v, "v.subid", folded.features);
                c.store(
                    v,
                    folded.wordOf(at.take_front(n), vreg * (8 * a.pack) + Linear(folded.rowOf(tap) + 8 * part), at[n]),
                    1, folded.region);
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
      SmallVector<Value> out(folded.tiles);
      for (int64_t tap = 0; tap < taps; ++tap)
        for (int64_t tile = 0; tile < sourceTiles; ++tile) {
          int64_t count = std::min<int64_t>(128, folded.features - tile * 128);
          Value v = fetch(at.take_front(n), tap, at[n], part, Linear(tile));
          if (count < 128) v = keepFeatures(v, "v.laneid", count);
          placeLanes(c, out, v, folded.rowOf(tap) + tile * 128, count);
        }
      Linear row = at[n] * (8 * a.pack) + Linear(8 * part);
      for (auto [tile, v] : llvm::enumerate(out))
        c.store(v ? v : c.splatI(0), folded.wordOf(at.take_front(n), row, Linear(static_cast<int64_t>(tile))), 1,
                folded.region);
    }
  });
}

}  // namespace tpuc::lowering
