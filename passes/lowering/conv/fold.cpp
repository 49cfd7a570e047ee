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
        const int64_t count = std::min<int64_t>(128, features - tile * 128);
        Value v = c.load(in.wordOf(lead, tile, at[n] * (8 * stride) + Linear(tap * in.last.dilation)), stride,
                         in.region, count);
        placeLanes(c, out, v, tap * features + tile * 128, count);
      }
    for (auto [tile, v] : llvm::enumerate(out))
      c.store(v ? v : c.splatI(0), fold.wordOf(lead, Linear(static_cast<int64_t>(tile)), at[n] * 8), 1, fold.region, {},
              {8, fold.heldLanes()});
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
      for (int64_t tile = 0; tile * 128 < lanes; ++tile) {
        const int64_t count = std::min<int64_t>(128, lanes - tile * 128);
        placeLanes(c, out, c.load(fold.wordOf(row, tile, at[n] * 8), 1, fold.region, count), tap * lanes + tile * 128,
                   count);
      }
    }
    for (auto [tile, v] : llvm::enumerate(out))
      c.store(v ? v : c.splatI(0), folded.wordOf(at.take_front(n), Linear(static_cast<int64_t>(tile)), at[n] * 8), 1,
              folded.region, {}, {8, folded.heldLanes()});
  });
}

// ---- weights --------------------------------------------------------------------------------------------------------

namespace {

// The weights of a convolution on their way into folded rows.
class FoldingWeights {
 public:
  FoldingWeights(Code &c, const FoldedWeights &folded, ArrayBlock &weights, bool intToFloat)
      : c_(c),
        folded_(folded),
        weights_(weights),
        pack_(weights.array.pack),
        height_(llvm::divideCeil(folded.transposed ? folded.outputs : folded.features, 8 * pack_)),
        sourceTiles_(folded.transposed ? llvm::divideCeil(folded.features, 128) : folded.tiles),
        intToFloat_(intToFloat) {}

  // Ascending rows: what a tap's last group has too many, the next tap overwrites.
  void emitRows() {
    const int64_t n = folded_.windows.size();
    SmallVector<int64_t> extents(folded_.windows);
    extents.push_back(sourceTiles_);
    c_.flatLoop(
        extents, 1,
        [&](ArrayRef<Linear> at, const Linear &) {
          for (int64_t tap = 0; tap < folded_.taps(); ++tap)
            c_.loop(c_.i64(0), c_.i64(height_), 1, {}, [&](Value iv, ValueRange) {
              emitRow(at.take_front(n), tap, c_.linear(iv), at[n]);
              return SmallVector<Value>();
            });
        },
        false);
  }

  void emitTransposed() {
    const int64_t n = folded_.windows.size();
    SmallVector<int64_t> extents(folded_.windows);
    extents.push_back(height_);
    c_.flatLoop(extents, 1, [&](ArrayRef<Linear> at, const Linear &) {
      for (int64_t part = 0; part < pack_; ++part) {
        SmallVector<Value> out(folded_.tiles);
        for (int64_t tap = 0; tap < folded_.taps(); ++tap)
          for (int64_t tile = 0; tile < sourceTiles_; ++tile) {
            int64_t count = std::min<int64_t>(128, folded_.features - tile * 128);
            Value v = fetch(at.take_front(n), tap, at[n], part, Linear(tile));
            if (count < 128) v = keepFeatures(v, "v.laneid", count);
            placeLanes(c_, out, v, folded_.rowOf(tap) + tile * 128, count);
          }
        Linear row = at[n] * (8 * pack_) + Linear(8 * part);
        for (auto [tile, v] : llvm::enumerate(out))
          c_.store(v ? v : c_.splatI(0), folded_.wordOf(at.take_front(n), row, Linear(static_cast<int64_t>(tile))), 1,
                   folded_.region);
      }
    });
  }

 private:
  // A tap's 8 rows, part `part` of packed vreg `vreg` of the array's rows; lanes of `tile`.
  Value fetch(ArrayRef<Linear> lead, int64_t tap, const Linear &vreg, int64_t part, const Linear &tile) {
    const int64_t n = folded_.windows.size(), count = folded_.axes.size();
    Linear word = weights_.base + tile * (weights_.rowsHeld / pack_);
    for (int64_t i = 0; i < n; ++i)
      word = word + (folded_.axes[i].reversed ? lead[i] * -1 + Linear(folded_.axes[i].window - 1) : lead[i]) *
                        weights_.leadWords[i];
    int64_t rest = tap;
    for (int64_t i = count; i-- > n; rest /= folded_.axes[i].window) {
      int64_t position = rest % folded_.axes[i].window;
      word = word + Linear((folded_.axes[i].reversed ? folded_.axes[i].window - 1 - position : position) *
                           weights_.leadWords[i]);
    }
    Value v = unpackGroup(c_, weights_.array.type.getElementType(), c_.load(word + vreg * 8, 1, weights_.region), part);
    return intToFloat_ ? c_.inst("v.cvt.s32.f32", {v}) : v;
  }

  // Zeros instead of rows or lanes, counted by `id`, that are no features.
  Value keepFeatures(Value v, StringRef id, int64_t count) {
    return c_.inst("v.sel", {c_.inst("v.lt.s32", {c_.inst(id, {}), c_.splatI(count)}), v, c_.splatI(0)});
  }

  // All parts of one packed vreg.
  void emitRow(ArrayRef<Linear> lead, int64_t tap, const Linear &vreg, const Linear &tile) {
    for (int64_t part = 0; part < pack_; ++part) {
      if (folded_.turned && 8 * part >= folded_.features) break;
      Value v = fetch(lead, tap, vreg, part, tile);
      // Between taps there are rows of nobody.
      if (folded_.turned && folded_.features < 8) v = keepFeatures(v, "v.subid", folded_.features);
      c_.store(v, folded_.wordOf(lead, vreg * (8 * pack_) + Linear(folded_.rowOf(tap) + 8 * part), tile), 1,
               folded_.region);
    }
  }

  Code &c_;
  const FoldedWeights &folded_;
  ArrayBlock &weights_;
  int64_t pack_;
  int64_t height_;       // vregs of the block's rows; columns beyond `outputs` are nobody's
  int64_t sourceTiles_;  // of the block's lanes
  bool intToFloat_;
};

}  // namespace

void emitFoldedWeights(Code &c, const FoldedWeights &folded, ArrayBlock &weights, bool intToFloat) {
  FoldingWeights folding(c, folded, weights, intToFloat);
  folded.transposed ? folding.emitTransposed() : folding.emitRows();
}

}  // namespace tpuc::lowering
