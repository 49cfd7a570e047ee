// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Taps of turned images, brought side by side:
//  1. a vreg has a row of an image, or rows of as many images as its lanes have room for. Its 8 sublanes are features;
//     where these are few, taps share the sublanes, each with all features. Of planes these rows are made first;
//  2. for each group of taps a permutation of lanes brings each result what the taps meet, strides included; what lies
//     outside of the image becomes zero;
//  3. for each row of results these groups, of all rows under the window, are pushed to the transpose buffer, 16 at a
//     time, and leave it as rows of positions with k along lanes. Of bf16 another 16 are the upper halves.
#include "passes/lowering/conv/turned_taps.h"

#include "passes/lowering/conv/block_rows.h"
#include "passes/lowering/grid/transfers.h"

using namespace mlir;

namespace tpuc::lowering {
namespace {

// What is left of the first row that a step needs in its unit of rows, and the number of that unit.
struct FirstRow {
  Linear unit, rest;

  FirstRow(Code &c, const PaddedInput &in, const TurnedTaps &taps, ArrayRef<Linear> index) {
    const PaddedInput::Rows rows = in.rowsOf(1);
    // Nothing negative is divided.
    const int64_t above = llvm::alignTo(std::max<int64_t>(rows.low, 0), taps.unit);
    const Linear row = index[in.leadDims[1]] * rows.step + Linear(above - rows.low);
    unit = c.divL(row, taps.unit) + Linear(-above / taps.unit);
    rest = c.remL(row, taps.unit);
  }
};

// Rows of planes, each with all features of its positions.
class PlaneRows : BlockRows {
 public:
  PlaneRows(Code &code, const TurnedTaps &taps, const PaddedInput &input, ArrayRef<Linear> index)
      : BlockRows(code, input, index), taps_(taps), first_(code, input, taps, index) {}
  void emit() const;

 private:
  bool endsEarly() const { return domain->steps(leadDims[0]) > 1 && domain->hasTail(leadDims[0]); }
  Linear heldImage(const Linear &image) const;
  Value limitOf(const Linear &image, const Linear &unit) const;
  Value partOf(Value packed, int64_t part) const;
  void emitUnit(ArrayRef<Linear> at) const;

  const TurnedTaps &taps_;
  FirstRow first_;
};

// Where the block has an image: a last block that would be shorter begins earlier.
Linear PlaneRows::heldImage(const Linear &image) const {
  if (!endsEarly()) return image;
  const int64_t batch = leadDims[0];
  Value number = c_.min(c_.value(index_[batch] * domain->block[batch] + image), c_.i64(lead[0].in - 1));
  return c_.linear(c_.b.createOrFold<arith::SubIOp>(c_.loc, number, c_.value(haloStart(c_, *block, 0, index_[batch]))));
}

// Rows that the array has from the first one of a unit on: none of an image or a unit that it has not.
Value PlaneRows::limitOf(const Linear &image, const Linear &unit) const {
  Value inside = c_.cmp(arith::CmpIPredicate::sge, c_.value(unit), c_.i64(0));
  if (const int64_t batch = leadDims[0]; endsEarly()) {
    Value number = c_.value(index_[batch] * domain->block[batch] + image);
    inside =
        c_.b.createOrFold<arith::AndIOp>(c_.loc, inside, c_.cmp(arith::CmpIPredicate::slt, number, c_.i64(lead[0].in)));
  }
  return c_.select(inside, c_.value(unit * -taps_.unit + Linear(lead[1].in)), c_.i64(0));
}

// One of the rows that share words, as 32 bits.
Value PlaneRows::partOf(Value packed, int64_t part) const {
  if (block->array.pack == 1) return packed;
  return part ? c_.inst("v.and", {packed, c_.splatBits(0xffff0000)}) : c_.inst("v.shl", {packed, c_.splatI(16)});
}

void PlaneRows::emitUnit(ArrayRef<Linear> at) const {
  const int64_t pack = block->array.pack, features = 8 / taps_.slots, copies = taps_.rowWords() / features,
                distance = taps_.rowDistance(), units = llvm::divideCeil(lead[1].in, taps_.unit);
  const Linear unit = first_.unit + at[1], limit = c_.linear(limitOf(at[0], unit));
  const Linear held = c_.linear(c_.min(c_.max(c_.value(unit), c_.i64(0)), c_.i64(units - 1)));
  Value rows = c_.inst("v.mul.i32", {c_.inst("v.subid", {}), c_.splatI(pack)});
  SmallVector<Value> inside;
  for (int64_t part = 0; part < pack; ++part)
    inside.push_back(c_.inst("v.lt.s32", {rows, c_.splat(limit + Linear(-part))}));
  const Linear from = block->base + heldImage(at[0]) * block->leadWords[0] + held * 8,
               to = (at[0] * taps_.rowUnits + at[1]) * (taps_.unit * distance) + Linear(taps_.rowsWord);
  for (int64_t tile = 0; tile < taps_.rowTiles; ++tile)
    for (int64_t feature = 0; feature < lanes; ++feature) {
      Value packed =
          c_.load(from + Linear(feature * block->leadWords[1] + tile * (block->rowsHeld / pack)), 1, block->region);
      for (int64_t part = 0; part < pack; ++part) {
        Value v = c_.inst("v.sel", {inside[part], partOf(packed, part), c_.splatI(0)});
        for (int64_t copy = 0; copy < copies; ++copy)
          c_.store(v, to + Linear(part * distance + tile * taps_.rowWords() + copy * features + feature),
                   pack * distance, taps_.rowsRegion);
      }
    }
}

void PlaneRows::emit() const {
  c_.flatLoop({domain->block[leadDims[0]], taps_.rowUnits}, 1,
              [&](ArrayRef<Linear> at, const Linear &) { emitUnit(at); });
}

class Taps : BlockRows {
 public:
  Taps(Code &code, const TurnedTaps &taps, const PaddedInput &input, ArrayRef<Linear> index)
      : BlockRows(code, input, index), taps_(taps) {}
  void emit();

 private:
  // Where lanes find what a group of taps meets in a vreg of rows; `inside`: of which lanes, null: all.
  struct Way {
    Value lanes, inside;
    bool meets = true;
  };

  // Sublane or lane numbers of `id` from `low` to `high` - 1.
  Value interval(Value id, int64_t low, int64_t high) const {
    if (low) id = c_.inst("v.sub.i32", {id, c_.splatI(low)});
    return c_.inst("v.lt.u32", {id, c_.splatI(high - low)});
  }
  Value keep(Value mask, Value v, Value other = {}) const {
    return mask ? c_.inst("v.sel", {mask, v, other ? other : c_.splatI(0)}) : v;
  }
  // Whether a vreg has room for rows; those that a row of results is made of.
  bool haveRoom() const { return taps_.rowTiles == 1; }
  int64_t sources() const { return haveRoom() ? llvm::divideCeil(taps_.images, taps_.imagesOfRow()) : taps_.rowTiles; }
  Value imageRow(ArrayRef<Linear> at, ArrayRef<int64_t> first, int64_t image, int64_t tile) const;
  Value rowOfPlanes(ArrayRef<Linear> at, int64_t image, int64_t tile) const;
  Value source(ArrayRef<Linear> at, ArrayRef<int64_t> first, int64_t number) const;
  void findResults();
  Way wayOf(int64_t tile, int64_t group, int64_t source) const;
  void emitRow(ArrayRef<Linear> at, ArrayRef<int64_t> first);

  static constexpr int64_t kNowhere = int64_t{1} << 30;

  const TurnedTaps &taps_;
  Linear rest_;  // of planes: rows before the first in its unit
  // By lane and sublane: the position that a result's first tap of a group meets, less a constant; the lane where its
  // image's row begins, and the vreg of rows that has it.
  Value start_, rowStart_, rowNumber_;
};

Value Taps::rowOfPlanes(ArrayRef<Linear> at, int64_t image, int64_t tile) const {
  const Linear rows = (at[0] * taps_.images + Linear(image)) * (taps_.rowUnits * taps_.unit) + at[1] + rest_;
  return c_.load(rows * taps_.rowDistance() + Linear(taps_.rowsWord + tile * taps_.rowWords()),
                 taps_.rowWords() == 1 ? 0 : 1, taps_.rowsRegion);
}

// A tile of an image's row, its features once for each tap of a group.
Value Taps::imageRow(ArrayRef<Linear> at, ArrayRef<int64_t> first, int64_t image, int64_t tile) const {
  if (isPlanes) return rowOfPlanes(at, image, tile);
  SmallVector<Linear> place(at);
  place[0] = at[0] * taps_.images + Linear(image);
  const Row row = rowAt(place, first);
  const Array &a = block->array;
  Value packed = c_.load(row.source + Linear(tile * (block->rowsHeld / a.pack)), 1, block->region);
  Value v = unpackGroup(c_, a.type.getElementType(), packed, 0);
  if (intToFloat) v = c_.inst("v.cvt.s32.f32", {v});
  v = keep(both(presence(row), lanes < 8 ? interval(c_.inst("v.subid", {}), 0, lanes) : Value()), v);
  if (taps_.slots == 1) return v;
  Value feature = c_.inst("v.and", {c_.inst("v.subid", {}), c_.splatI(8 / taps_.slots - 1)});
  return c_.inst("x.perm.sub", {v, feature});
}

// All images of a vreg of rows, side by side.
Value Taps::source(ArrayRef<Linear> at, ArrayRef<int64_t> first, int64_t number) const {
  if (!haveRoom()) return imageRow(at, first, 0, number);
  Value all;
  const int64_t begin = number * taps_.imagesOfRow(), end = std::min(begin + taps_.imagesOfRow(), taps_.images);
  for (int64_t image = begin; image < end; ++image) {
    Value v = imageRow(at, first, image, 0);
    const int64_t lane = (image - begin) * taps_.pitch;
    if (lane) v = c_.inst("x.rot.lane", {v}, {{"imm", lane}});
    all = all ? keep(c_.inst("v.lt.s32", {c_.inst("v.laneid", {}), c_.splatI(lane)}), all, v) : v;
  }
  return all;
}

void Taps::findResults() {
  Value lane = c_.inst("v.laneid", {}), result = lane, number = c_.splatI(0), row = number;
  const int64_t shared = taps_.imagesOfRow();
  for (int64_t image = 1; image < taps_.images; ++image) {
    Value before = c_.inst("v.lt.s32", {lane, c_.splatI(image * taps_.positions)});
    auto from = [&](Value v, int64_t after) { return c_.inst("v.sel", {before, v, c_.splatI(after)}); };
    result = c_.inst("v.sel", {before, result, c_.inst("v.sub.i32", {lane, c_.splatI(image * taps_.positions)})});
    row = from(row, image % shared * taps_.pitch);
    number = from(number, image / shared);
  }
  if (last.stride > 1) result = c_.inst("v.mul.i32", {result, c_.splatI(last.stride)});
  const int64_t features = 8 / taps_.slots;
  for (int64_t slot = 1; slot < taps_.slots; ++slot) {
    Value before = c_.inst("v.lt.s32", {c_.inst("v.subid", {}), c_.splatI(slot * features)});
    result = c_.inst("v.sel", {before, result, c_.inst("v.add.i32", {result, c_.splatI(last.dilation)})});
  }
  // Nothing is met beyond a row's results: a gradient contracts all lanes.
  if (const int64_t behind = taps_.positions; taps_.tiles == 1) {
    Value there = interval(lane, 0, last.out);
    for (int64_t image = 1; image < taps_.images; ++image)
      there = c_.inst("m.or", {there, interval(lane, image * behind, image * behind + last.out)});
    result = keep(there, result, c_.splatI(kNowhere));
  }
  start_ = result;
  rowStart_ = taps_.images > 1 ? row : Value();
  rowNumber_ = sources() > 1 && taps_.images > 1 ? number : Value();
}

Taps::Way Taps::wayOf(int64_t tile, int64_t group, int64_t source) const {
  const int64_t tap = group * taps_.slots, used = std::min(last.window - tap, taps_.slots),
                begin = haveRoom() ? 0 : source * 128, end = std::min(last.in, begin + 128),
                first = tile * 128 * last.stride + tap * last.dilation - last.low,
                results = std::min<int64_t>(last.out - tile * 128, 128);
  Way way;
  // What the taps reach of the row.
  const int64_t reached = first + (results - 1) * last.stride + (used - 1) * last.dilation;
  way.meets = first < end && reached >= begin;
  if (!way.meets) return way;
  Value position = c_.inst("v.add.i32", {start_, c_.splatI(first - begin)});
  way.lanes = rowStart_ ? c_.inst("v.add.i32", {position, rowStart_}) : position;
  way.inside = c_.inst("v.lt.u32", {position, c_.splatI(end - begin)});
  if (rowNumber_) way.inside = both(way.inside, c_.inst("v.eq.i32", {rowNumber_, c_.splatI(source)}));
  if (used < taps_.slots) way.inside = both(way.inside, interval(c_.inst("v.subid", {}), 0, used * (8 / taps_.slots)));
  return way;
}

void Taps::emitRow(ArrayRef<Linear> at, ArrayRef<int64_t> first) {
  SmallVector<Linear> lead(at);
  if (!isPlanes) {
    SmallVector<Linear> place(at);
    place[0] = at[0] * taps_.images;
    lead = rowAt(place, first).lead;
    lead[0] = at[0];
  }
  // Made when first met: a wide image has more tiles than there are registers.
  SmallVector<Value> made(sources());
  for (int64_t tile = 0; tile < taps_.tiles; ++tile)
    for (int64_t group = 0; group < taps_.groups; ++group) {
      Value all;
      for (int64_t number = 0; number < sources(); ++number) {
        const Way way = wayOf(tile, group, number);
        if (!way.meets) continue;
        if (!made[number]) made[number] = source(at, first, number);
        all = keep(way.inside, c_.inst("x.perm.lane", {made[number], way.lanes}), all);
      }
      c_.store(all ? all : c_.splatI(0), taps_.wordOf(lead, tile, group), 1, taps_.region);
    }
}

void Taps::emit() {
  SmallVector<int64_t> first, extents = isPlanes ? held : rowExtents(first);
  extents[0] /= taps_.images;
  if (llvm::is_contained(extents, 0)) return;
  if (isPlanes) rest_ = FirstRow(c_, *this, taps_, index_).rest;
  findResults();
  c_.flatLoop(extents, taps_.tiles == 1 ? 2 : 1, [&](ArrayRef<Linear> at, const Linear &) { emitRow(at, first); });
}

// Rows of results from groups of taps.
class TurnedRows {
 public:
  TurnedRows(Code &code, const FoldRows &rows, const TurnedTaps &taps, const PaddedInput &input)
      : c_(code), rows_(rows), taps_(taps), in_(input) {}
  void emit();

 private:
  static constexpr int64_t kColumns = TurnedTaps::kColumns;
  Value column(ArrayRef<Linear> at, int64_t tile, int64_t column) const;
  Value pairOf(Value low, Value high) const;
  void push(ArrayRef<Linear> at, int64_t tile, int64_t first, int64_t count);
  void pop(ArrayRef<Linear> at, int64_t tile, int64_t first, int64_t count);
  void storeTile(Value v, const Linear &word, int64_t first) const {
    c_.store(v, word + Linear(first / kColumns * rows_.tileWords), 1, rows_.region);
  }

  Code &c_;
  const FoldRows &rows_;
  const TurnedTaps &taps_;
  const PaddedInput &in_;
  int64_t buffer_ = 0;
};

Value TurnedRows::column(ArrayRef<Linear> at, int64_t tile, int64_t column) const {
  SmallVector<Linear> lead(at);
  int64_t tap = column / taps_.groups;
  for (size_t i = lead.size(); i-- > 0; tap /= in_.lead[i].window)
    lead[i] = at[i] * in_.lead[i].stride + Linear(tap % in_.lead[i].window * in_.lead[i].dilation);
  return c_.load(taps_.wordOf(lead, tile, column % taps_.groups), 1, taps_.region);
}

// Two columns as halves of 32 bits. An image of bf16 has its numbers in the upper halves.
Value TurnedRows::pairOf(Value low, Value high) const {
  Value half = c_.splatI(16);
  if (in_.block->array.type.getElementType().isBF16())
    return c_.inst("v.or", {c_.inst("v.shr.u32", {low, half}), high});
  Value upper = c_.inst("v.shl", {c_.inst("v.cvt.f32.bf16", {high}), half});
  return c_.inst("v.or", {c_.inst("v.cvt.f32.bf16", {low}), upper});
}

void TurnedRows::push(ArrayRef<Linear> at, int64_t tile, int64_t first, int64_t count) {
  for (int64_t row = 0; row < std::min(count, kColumns); ++row) {
    Value v = column(at, tile, first + row);
    if (count > kColumns)
      v = pairOf(v, row + kColumns < count ? column(at, tile, first + row + kColumns) : c_.splatI(0));
    c_.inst("x.tr.push", {v}, {{"row", row}, {"buf", buffer_}});
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
      const Linear word = rows_.wordOf(lead, Linear(0), Linear(tile * 128 + position));
      if (count <= kColumns) {
        storeTile(v, word, first);
        continue;
      }
      storeTile(c_.inst("v.shl", {v, c_.splatI(16)}), word, first);
      storeTile(c_.inst("v.and", {v, c_.splatBits(0xffff0000)}), word, first + kColumns);
    }
}

void TurnedRows::emit() {
  SmallVector<int64_t> extents(rows_.held);
  extents[0] /= taps_.images;
  // Tiles behind the last column are read where k takes more than one tile of the arrays' side.
  const bool isCut = 8 * taps_.columns() > 128 * rows_.multiple;
  const int64_t end = isCut ? kColumns * rows_.tiles : taps_.columns();
  c_.flatLoop(extents, taps_.tiles == 1 ? 2 : 1, [&](ArrayRef<Linear> at, const Linear &) {
    for (int64_t tile = 0; tile < taps_.tiles; ++tile)
      for (int64_t first = 0; first < end; buffer_ = 1 - buffer_) {
        const int64_t count = taps_.columnsFrom(first);
        push(at, tile, first, count);
        pop(at, tile, first, count);
        first += count > kColumns ? 2 * kColumns : kColumns;
      }
  });
}

}  // namespace

void emitTurnedFill(Code &c, const TurnedTaps &taps) {
  fillWords(c, 0, taps.word, taps.words, taps.region);
  fillWords(c, 0, taps.rowsWord, taps.rowsWords, taps.rowsRegion);
}

void emitRowsFill(Code &c, const FoldRows &rows) {
  fillWords(c, 0, rows.word + rows.words - rows.slack, rows.slack, rows.region);
}

void emitTurnedTaps(Code &c, const TurnedTaps &taps, const PaddedInput &input, ArrayRef<Linear> index) {
  if (input.isPlanes) PlaneRows(c, taps, input, index).emit();
  Taps(c, taps, input, index).emit();
}

void emitTurnedRows(Code &c, const FoldRows &rows, const TurnedTaps &taps, const PaddedInput &input) {
  TurnedRows(c, rows, taps, input).emit();
}

}  // namespace tpuc::lowering
