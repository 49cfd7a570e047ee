// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Taps of turned images, brought side by side:
//  1. the rows of as many images as lanes have room for become one vreg, 8 sublanes of features;
//  2. each tap along the last axis turns its lanes, what lies outside of the image becomes zero, and taps of few
//     features share the 8 sublanes;
//  3. for each row of results these groups, of all rows under the window, are pushed to the transpose buffer, 16 at a
//     time, and leave it as rows of positions with k along lanes.
#include "passes/lowering/conv/turned_taps.h"

#include "passes/lowering/conv/block_rows.h"

using namespace mlir;

namespace tpuc::lowering {
namespace {

int64_t floorMod(int64_t a, int64_t b) { return ((a % b) + b) % b; }

class Taps : BlockRows {
 public:
  Taps(Code &code, const TurnedTaps &taps, const PaddedInput &input, ArrayRef<Linear> index)
      : BlockRows(code, input, index), taps_(taps) {}
  void emit();

 private:
  // Sublane or lane numbers of `id` from `low` to `high` - 1.
  Value interval(Value id, int64_t low, int64_t high) const {
    if (low) id = c_.inst("v.sub.i32", {id, c_.splatI(low)});
    return c_.inst("v.lt.u32", {id, c_.splatI(high - low)});
  }
  Value keep(Value mask, Value v, Value other = {}) const {
    return mask ? c_.inst("v.sel", {mask, v, other ? other : c_.splatI(0)}) : v;
  }
  Value turn(StringRef by, Value v, int64_t distance) const {
    return distance ? c_.inst(by, {v}, {{"imm", distance}}) : v;
  }
  Value imageRow(const Row &row, int64_t tile) const;
  Row rowOf(ArrayRef<Linear> at, ArrayRef<int64_t> first, int64_t image) const;
  SmallVector<Linear> leadAt(ArrayRef<Linear> at, ArrayRef<int64_t> first) const;
  Value imageRows(ArrayRef<Linear> at, ArrayRef<int64_t> first, int64_t tile) const;
  Value lanePositions() const;
  Value tapAt(function_ref<Value(int64_t, int64_t)> source, int64_t tap, int64_t tile) const;

  const TurnedTaps &taps_;
};

Value Taps::imageRow(const Row &row, int64_t tile) const {
  const Array &a = block->array;
  Value packed = c_.load(row.source + Linear(tile * (block->rowsHeld / a.pack)), 1, block->region);
  Value v = unpackGroup(c_, a.type.getElementType(), packed, 0);
  if (intToFloat) v = c_.inst("v.cvt.s32.f32", {v});
  return keep(presence(row), v);
}

// The row of one of the images side by side.
BlockRows::Row Taps::rowOf(ArrayRef<Linear> at, ArrayRef<int64_t> first, int64_t image) const {
  SmallVector<Linear> place(at);
  place[0] = at[0] * taps_.images + Linear(image);
  return rowAt(place, first);
}

SmallVector<Linear> Taps::leadAt(ArrayRef<Linear> at, ArrayRef<int64_t> first) const {
  SmallVector<Linear> lead = rowOf(at, first, 0).lead;
  lead[0] = at[0];
  return lead;
}

// A tile of positions of the images side by side, zeros beyond their features.
Value Taps::imageRows(ArrayRef<Linear> at, ArrayRef<int64_t> first, int64_t tile) const {
  Value all;
  for (int64_t image = 0; image < taps_.images; ++image) {
    Value v = imageRow(rowOf(at, first, image), tile);
    const int64_t lane = image * taps_.positions;
    all = image ? keep(interval(c_.inst("v.laneid", {}), lane, lane + last.in), turn("x.rot.lane", v, lane), all) : v;
  }
  return lanes < 8 ? keep(interval(c_.inst("v.subid", {}), 0, lanes), all) : all;
}

// Each lane's position in its own image.
Value Taps::lanePositions() const {
  Value lane = c_.inst("v.laneid", {}), position = lane;
  for (int64_t image = 1; image < taps_.images; ++image) {
    Value before = c_.inst("v.lt.s32", {lane, c_.splatI(image * taps_.positions)});
    position = c_.inst("v.sub.i32", {position, c_.inst("v.sel", {before, c_.splatI(0), c_.splatI(taps_.positions)})});
  }
  return position;
}

// What a tap meets at the positions of a tile, zeros outside of the image; null: nothing but these.
Value Taps::tapAt(function_ref<Value(int64_t, int64_t)> source, int64_t tap, int64_t tile) const {
  const int64_t shift = tap * last.dilation - last.low, lanesUsed = taps_.images > 1 ? taps_.positions : 128;
  Value all;
  int64_t first = 0, beyond = 0;  // the lanes that meet the image
  for (int64_t from = 0; from * 128 < last.in; ++from) {
    // Those that meet this tile of it.
    const int64_t begin = (from - tile) * 128 - shift, end = std::min(last.in - tile * 128 - shift, begin + 128),
                  low = std::max<int64_t>(begin, 0), high = std::min(end, lanesUsed);
    if (low >= high) continue;
    Value v = turn("x.rot.lane", source(from, tap % taps_.slots), floorMod(begin, 128));
    if (!all) first = low;
    all = all ? keep(c_.inst("v.lt.s32", {c_.inst("v.laneid", {}), c_.splatI(low)}), all, v) : v;
    beyond = high;
  }
  if (!all || (first == 0 && beyond == lanesUsed)) return all;
  return keep(interval(lanePositions(), first, beyond), all);
}

void Taps::emit() {
  SmallVector<int64_t> first, extents = rowExtents(first);
  extents[0] /= taps_.images;
  if (llvm::is_contained(extents, 0)) return;
  const int64_t distance = 8 / taps_.slots;
  c_.flatLoop(extents, taps_.tiles == 1 ? 2 : 1, [&](ArrayRef<Linear> at, const Linear &) {
    const SmallVector<Linear> lead = leadAt(at, first);
    // Loaded when first met: a wide image has more tiles than there are registers.
    llvm::DenseMap<std::pair<int64_t, int64_t>, Value> sources;
    auto source = [&](int64_t tile, int64_t slot) {
      Value &whole = sources[{tile, 0}];
      if (!whole) whole = imageRows(at, first, tile);
      Value v = whole, &turned = sources[{tile, slot}];
      if (!turned) turned = turn("x.rot.sub", v, slot * distance);
      return turned;
    };
    for (int64_t tile = 0; tile < taps_.tiles; ++tile)
      for (int64_t group = 0; group < taps_.groups; ++group) {
        Value all;
        for (int64_t tap = group * taps_.slots; tap < std::min((group + 1) * taps_.slots, last.window); ++tap)
          if (Value v = tapAt(source, tap, tile)) all = all ? c_.inst("v.or", {all, v}) : v;
        c_.store(all ? all : c_.splatI(0), taps_.wordOf(lead, tile, group), 1, taps_.region);
      }
  });
}

// Rows of results from groups of taps.
class TurnedRows {
 public:
  TurnedRows(Code &code, const FoldRows &rows, const TurnedTaps &taps, const PaddedInput &input)
      : c_(code), rows_(rows), taps_(taps), in_(input) {}
  void emit();

 private:
  static constexpr int64_t kColumns = 16;  // of 8, in a transpose buffer
  void push(ArrayRef<Linear> at, int64_t tile, int64_t first, int64_t count);
  void pop(ArrayRef<Linear> at, int64_t tile, int64_t first, int64_t count);

  Code &c_;
  const FoldRows &rows_;
  const TurnedTaps &taps_;
  const PaddedInput &in_;
  int64_t buffer_ = 0;
};

void TurnedRows::push(ArrayRef<Linear> at, int64_t tile, int64_t first, int64_t count) {
  for (int64_t column = first; column < first + count; ++column) {
    SmallVector<Linear> lead(at);
    int64_t tap = column / taps_.groups;
    for (size_t i = lead.size(); i-- > 0; tap /= in_.lead[i].window)
      lead[i] = at[i] * in_.lead[i].stride + Linear(tap % in_.lead[i].window * in_.lead[i].dilation);
    Value v = c_.load(taps_.wordOf(lead, tile, column % taps_.groups), 1, taps_.region);
    c_.inst("x.tr.push", {v}, {{"row", column - first}, {"buf", buffer_}});
  }
}

void TurnedRows::pop(ArrayRef<Linear> at, int64_t tile, int64_t first, int64_t count) {
  const int64_t end = std::min<int64_t>(taps_.positions - tile * 128, 128);
  Value used = count < kColumns ? c_.inst("v.lt.s32", {c_.inst("v.laneid", {}), c_.splatI(8 * count)}) : Value();
  for (int64_t image = 0; image < taps_.images; ++image)
    for (int64_t position = 0; position < end; position += 8) {
      Value v = c_.inst("x.tr.pop", {}, {{"row", (image * taps_.positions + position) / 8}, {"buf", buffer_}});
      // What was pushed before is in the other columns.
      if (used) v = c_.inst("v.sel", {used, v, c_.splatI(0)});
      SmallVector<Linear> lead(at);
      lead[0] = at[0] * taps_.images + Linear(image);
      c_.store(v, rows_.wordOf(lead, Linear(first / kColumns), Linear(tile * 128 + position)), 1, rows_.region);
    }
}

void TurnedRows::emit() {
  SmallVector<int64_t> extents(rows_.held);
  extents[0] /= taps_.images;
  c_.flatLoop(extents, taps_.tiles == 1 ? 2 : 1, [&](ArrayRef<Linear> at, const Linear &) {
    for (int64_t tile = 0; tile < taps_.tiles; ++tile)
      for (int64_t first = 0; first < kColumns * rows_.tiles; first += kColumns, buffer_ = 1 - buffer_) {
        const int64_t count = std::clamp<int64_t>(taps_.columns() - first, 0, kColumns);
        push(at, tile, first, count);
        pop(at, tile, first, count);
      }
  });
}

void fillWords(Code &c, int64_t word, int64_t words, int64_t region) {
  c.loop(
      c.i64(0), c.i64(words / 8), 1, {},
      [&](Value iv, ValueRange) {
        c.store(c.splatI(0), Linear(word) + c.linear(iv) * 8, 1, region);
        return SmallVector<Value>();
      },
      true);
}

}  // namespace

void emitTurnedFill(Code &c, const TurnedTaps &taps, const FoldRows &rows) {
  fillWords(c, taps.word, taps.words, taps.region);
  fillWords(c, rows.word + rows.words - rows.slack, rows.slack, rows.region);
}

void emitTurnedTaps(Code &c, const TurnedTaps &taps, const PaddedInput &input, ArrayRef<Linear> index) {
  Taps(c, taps, input, index).emit();
}

void emitTurnedRows(Code &c, const FoldRows &rows, const TurnedTaps &taps, const PaddedInput &input) {
  TurnedRows(c, rows, taps, input).emit();
}

}  // namespace tpuc::lowering
