// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows of blocks to padded copies.
#include "passes/lowering/conv/window.h"

#include "passes/lowering/body/vector_ops.h"
#include "passes/lowering/conv/block_rows.h"

using namespace mlir;

namespace tpuc::lowering {

Value unpackGroup(Code &c, Type t, Value packed, int64_t group) {
  unsigned bits = t.isInteger(1) ? 8 : t.getIntOrFloatBitWidth();
  if (bits == 32) return packed;
  if (t.isBF16()) return c.inst("v.unpack.bf16", {packed}, {{"part", group}});
  bool sign = !t.isUnsignedInteger() && !t.isInteger(1) && !t.isF16();
  Value v = c.inst(bits == 16 ? "v.unpack.b16" : "v.unpack.b8", {packed}, {{"part", group}, {"sext", sign}});
  return t.isF16() ? c.inst("v.cvt.f16.f32", {v}) : v;
}

namespace {

// Brings a block to its copy.
class Stage : BlockRows {
 public:
  using BlockRows::BlockRows;
  void emit();

 private:
  Value laneMask(const Linear &tile) const;
  Value keepInside(Value v, Value keep, const Linear &position, int64_t unit) const;
  void emitTurned();
  void emitFeatures();
};

Value Stage::laneMask(const Linear &tile) const {
  if (heldLanes() < 128) return {};
  if (lanes % 128 == 0 && (domain->steps(lanesDim) <= 1 || !domain->hasTail(lanesDim))) return {};
  Linear lane = tile * 128 + index_[lanesDim] * domain->block[lanesDim];
  return c_.inst("v.lt.s32", {c_.inst("v.add.i32", {c_.inst("v.laneid", {}), c_.splat(lane)}), c_.splatI(lanes)});
}

// 8 positions from `position` on, which stays below a multiple of `unit`: those behind the last are padding.
Value Stage::keepInside(Value v, Value keep, const Linear &position, int64_t unit) const {
  const bool inside = last.in % unit == 0 || (position.isConstant() && position.constant + 8 <= last.in);
  if (!inside) {
    Value row = c_.inst("v.add.i32", {c_.inst("v.subid", {}), c_.splat(position)});
    keep = both(keep, c_.inst("v.lt.s32", {row, c_.splatI(last.in)}));
  }
  return keep ? c_.inst("v.sel", {keep, v, c_.splatBits(fill)}) : v;
}

void Stage::emit() {
  if (isTurned) return emitTurned();
  if (features > 1) return emitFeatures();
  const Array &a = block->array;
  const int64_t unit = 8 * a.pack, n = lead.size();
  SmallVector<int64_t> first, extents = rowExtents(first);
  extents.push_back(llvm::divideCeil(std::min(domain->block[lanesDim], lanes), 128));
  extents.push_back(llvm::divideCeil(last.in, unit));
  if (llvm::is_contained(extents, 0)) return;
  c_.flatLoop(extents, 16 / a.pack, [&](ArrayRef<Linear> at, const Linear &) {
    const Row row = rowAt(at, first);
    Value packed =
        c_.load(row.source + at[n] * (block->rowsHeld / a.pack) + at[n + 1] * 8, 1, block->region, heldLanes());
    Value keep = both(presence(row), laneMask(at[n]));
    for (int64_t g = 0; g < a.pack; ++g) {
      Value v = unpackGroup(c_, a.type.getElementType(), packed, g);
      if (intToFloat) v = c_.inst("v.cvt.s32.f32", {v});
      const Linear position = at[n + 1] * unit + Linear(8 * g);
      v = keepInside(v, keep, position, unit);
      c_.store(v, wordOf(row.lead, at[n], position * last.baseDilation + Linear(last.low)), last.baseDilation, region,
               {}, {8, heldLanes()});
    }
  });
}

// A vreg has 128 positions of all features: through the transpose buffer, it is 16 of 8 positions.
void Stage::emitTurned() {
  const Array &a = block->array;
  SmallVector<int64_t> first, extents = rowExtents(first);
  if (llvm::is_contained(extents, 0)) return;
  // Two rows in turn, where one is a tile: one is pushed while the other leaves.
  int64_t buffer = 0;
  c_.flatLoop(extents, last.in <= 128 ? 2 : 1, [&](ArrayRef<Linear> at, const Linear &) {
    const Row row = rowAt(at, first);
    Value keep = both(presence(row), laneMask(Linear(0)));
    for (int64_t tile = 0; tile * 128 < last.in; ++tile, buffer = 1 - buffer) {
      const int64_t end = std::min<int64_t>(last.in, (tile + 1) * 128);
      Value packed = c_.load(row.source + Linear(tile * (block->rowsHeld / a.pack)), 1, block->region);
      Value v = unpackGroup(c_, a.type.getElementType(), packed, 0);
      if (intToFloat) v = c_.inst("v.cvt.s32.f32", {v});
      c_.inst("x.tr.push", {v}, {{"row", 0}, {"buf", buffer}});
      for (int64_t position = tile * 128; position < end; position += 8) {
        Value turned = c_.inst("x.tr.pop", {}, {{"row", position % 128 / 8}, {"buf", buffer}});
        turned = keepInside(turned, keep, Linear(position), 8);
        c_.store(turned, wordOf(row.lead, Linear(0), Linear(position * last.baseDilation + last.low)),
                 last.baseDilation, region, {}, {8, heldLanes()});
      }
    }
  });
}

// A position's features, one after the other: of the last 8 only those that there are.
void Stage::emitFeatures() {
  const Array &a = block->array;
  const int64_t unit = 8 * a.pack, n = lead.size();
  SmallVector<int64_t> first, extents = rowExtents(first);
  extents.push_back(llvm::divideCeil(std::min(domain->block[lanesDim], lanes), 128));
  extents.push_back(last.in);
  if (llvm::is_contained(extents, 0)) return;
  c_.flatLoop(extents, 4, [&](ArrayRef<Linear> at, const Linear &) {
    const Row row = rowAt(at, first);
    Value keep = both(presence(row), laneMask(at[n]));
    const Linear from = row.source + at[n] * (block->rowsHeld / a.pack) + at[n + 1] * block->leadWords[n],
                 to = wordOf(row.lead, at[n], at[n + 1] * last.baseDilation + Linear(last.low));
    for (int64_t f = 0; f < features; f += 8) {
      Value v = unpackGroup(c_, a.type.getElementType(),
                            c_.load(from + Linear(f / unit * 8), 1, block->region, heldLanes()), f % unit / 8);
      if (keep) v = c_.inst("v.sel", {keep, v, c_.splatBits(fill)});
      Value mask;
      if (f + 8 > features) mask = c_.inst("v.lt.s32", {c_.inst("v.subid", {}), c_.splatI(features - f)});
      c_.store(v, to + Linear(f), 1, region, mask, {8, heldLanes()});
    }
  });
}

// What the steps' blocks leave of a copy. Stores are of 8 words: what they write too much is a block's place, or
// padding.
class Borders : BlockRows {
 public:
  Borders(Code &code, const PaddedInput &copy) : BlockRows(code, copy, {}) {}
  void emit();

 private:
  void fillRuns(int64_t start, int64_t runs, int64_t distance, int64_t length);
  bool isStagedWhole(ArrayRef<int64_t> extents) const;
};

void Borders::fillRuns(int64_t start, int64_t runs, int64_t distance, int64_t length) {
  if (runs <= 0 || length <= 0) return;
  if (runs == 1) return fillWords(c_, fill, word + start, length, region, heldLanes());
  Value v = c_.splatBits(fill);
  const int64_t vregs = llvm::divideCeil(length, 8);
  c_.flatLoop({runs, vregs}, 4, [&](ArrayRef<Linear> at, const Linear &) {
    c_.store(v, Linear(word + start) + at[0] * distance + at[1] * 8, 1, region, {}, {8, heldLanes()});
  });
}

// Whether what a block writes is one range of rows along each axis.
bool Borders::isStagedWhole(ArrayRef<int64_t> extents) const {
  if (isPlanes || last.baseDilation > 1 || llvm::is_contained(extents, 0) || last.in == 0) return false;
  for (size_t i = 0; i < lead.size(); ++i)
    if (isStatic(i) && rowsOf(i).dilation > 1) return false;
  const int64_t staged = llvm::divideCeil(std::min(domain->block[lanesDim], lanes), 128);
  return tiles == staged;
}

void Borders::emit() {
  SmallVector<int64_t> first, extents = rowExtents(first);
  if (!isStagedWhole(extents)) return emitFill(c_, *this);
  int64_t rows = tiles, outer = 1;
  for (int64_t h : held) rows *= h;
  for (size_t i = 0; i < lead.size(); outer *= held[i++]) {
    if (!isStatic(i)) continue;
    const int64_t below = rowsOf(i).low + first[i], end = below + extents[i], slab = held[i] * leadWords[i];
    fillRuns(0, outer, slab, below * leadWords[i]);
    fillRuns(end * leadWords[i], outer, slab, (held[i] - end) * leadWords[i]);
  }
  // Behind a row's positions follow those before the next row's.
  const int64_t unit = features > 1 ? 1
                       : isTurned   ? 8
                                    : 8 * block->array.pack,
                before = std::max<int64_t>(last.low, 0) * features,
                staged = static_cast<int64_t>(llvm::alignTo(last.in, unit)) * features;
  fillRuns(0, 1, 0, before);
  fillRuns(before + staged, rows, pitch, pitch - staged);
  const int64_t end = rows * pitch / 8 * 8;
  fillRuns(end, 1, 0, words - end);
}

}  // namespace

void fillWords(Code &c, uint32_t bits, int64_t word, int64_t words, int64_t region, int64_t lanes) {
  Value v = c.splatBits(bits);
  const int64_t vregs = llvm::divideCeil(words, 8), unrolled = vregs / 4 * 4;
  auto at = [&](const Linear &i) { c.store(v, Linear(word) + i * 8, 1, region, {}, {8, lanes}); };
  c.loop(
      c.i64(0), c.i64(unrolled), 4, {},
      [&](Value iv, ValueRange) {
        for (int64_t k = 0; k < 4; ++k) at(c.linear(iv) + Linear(k));
        return SmallVector<Value>();
      },
      true);
  for (int64_t k = unrolled; k < vregs; ++k) at(Linear(k));
}

void emitFill(Code &c, const PaddedInput &copy) {
  fillWords(c, copy.fill, copy.word, copy.words, copy.region, copy.heldLanes());
}

void emitBorders(Code &c, const PaddedInput &copy) { Borders(c, copy).emit(); }

void emitStage(Code &c, const PaddedInput &copy, ArrayRef<Linear> index) { Stage(c, copy, index).emit(); }

}  // namespace tpuc::lowering
