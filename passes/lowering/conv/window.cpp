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
    Value packed = c_.load(row.source + at[n] * (block->rowsHeld / a.pack) + at[n + 1] * 8, 1, block->region);
    Value keep = both(presence(row), laneMask(at[n]));
    for (int64_t g = 0; g < a.pack; ++g) {
      Value v = unpackGroup(c_, a.type.getElementType(), packed, g);
      if (intToFloat) v = c_.inst("v.cvt.s32.f32", {v});
      const Linear position = at[n + 1] * unit + Linear(8 * g);
      v = keepInside(v, keep, position, unit);
      c_.store(v, wordOf(row.lead, at[n], position * last.baseDilation + Linear(last.low)), last.baseDilation, region);
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
                 last.baseDilation, region);
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
      Value v = unpackGroup(c_, a.type.getElementType(), c_.load(from + Linear(f / unit * 8), 1, block->region),
                            f % unit / 8);
      if (keep) v = c_.inst("v.sel", {keep, v, c_.splatBits(fill)});
      Value mask;
      if (f + 8 > features) mask = c_.inst("v.lt.s32", {c_.inst("v.subid", {}), c_.splatI(features - f)});
      c_.store(v, to + Linear(f), 1, region, mask);
    }
  });
}

}  // namespace

void emitFill(Code &c, const PaddedInput &copy) {
  Value v = c.splatBits(copy.fill);
  int64_t vregs = copy.words / 8, unrolled = vregs / 4 * 4;
  auto at = [&](Linear i) { c.store(v, Linear(copy.word) + i * 8, 1, copy.region); };
  c.loop(
      c.i64(0), c.i64(unrolled), 4, {},
      [&](Value iv, ValueRange) {
        for (int64_t k = 0; k < 4; ++k) at(c.linear(iv) + Linear(k));
        return SmallVector<Value>();
      },
      true);
  for (int64_t k = unrolled; k < vregs; ++k) at(Linear(k));
}

void emitStage(Code &c, const PaddedInput &copy, ArrayRef<Linear> index) { Stage(c, copy, index).emit(); }

}  // namespace tpuc::lowering
