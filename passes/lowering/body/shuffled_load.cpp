// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads of rows and lanes that are not where tiles have them.
//
//  1. The positions of the vreg's rows and lanes in the array, a number a lane; the tiles that hold them, a few
//     neighbours.
//  2. Each tile's vreg of words with its lanes, then its sublanes, permuted; a select by the tile that a position is
//     in.
//  3. Of rows that share words each lane takes its own part. Where the array has no element there is padding.
#include "passes/lowering/body/body.h"
#include "passes/lowering/body/vector_ops.h"

using namespace mlir;

namespace tpuc::lowering {
namespace {

// Where the elements of a vreg along one dim are.
struct Places {
  Value index;   // in units of a word's row or a lane
  Value row;     // before: in elements; null for lanes
  Value inside;  // null where all are
  Linear tile;   // the first that holds one, perhaps before or after the array's
  int64_t tiles = 1, held = 1, log = 0;
};

int64_t floorDiv(int64_t a, int64_t b) { return a >= 0 ? a / b : -((-a + b - 1) / b); }

// `at`: the vreg's first position; `span`: positions of it; `pack`: elements a unit, `unit`: units a vreg. `shown`,
// `extent`: elements of the view and of the array.
Places placesOf(Code &c, const analysis::Shuffle &s, Value index, const Linear &at, int64_t span, int64_t shown,
                int64_t extent, int64_t pack, int64_t unit, bool padded) {
  Places out;
  auto shift = [&](Value v, int64_t by) { return by == 1 ? v : c.inst("v.shr.s32", {v, c.splatI(llvm::Log2_64(by))}); };
  Value x = s.step == 1 ? index : c.inst("v.mul.i32", {index, c.splatI(s.step)});
  if (s.first) x = c.inst("v.add.i32", {x, c.splatI(s.first)});
  Value element = shift(x, s.every);
  if (padded) out.inside = c.inst("v.lt.u32", {element, c.splatI(extent)});
  if (s.every > 1)
    out.inside =
        c.inst("m.and", {out.inside, c.inst("v.eq.i32", {c.inst("v.and", {x, c.splatI(s.every - 1)}), c.splatI(0)})});
  out.row = element;
  out.index = shift(element, pack);
  out.log = llvm::Log2_64(unit);
  out.held = llvm::divideCeil(llvm::divideCeil(extent, pack), unit);
  // The lowest element of the vreg, far enough up to divide.
  int64_t tile = s.every * pack * unit, reach = (span - 1) * std::abs(s.step);
  Linear low = at * s.step + Linear(s.step < 0 ? s.first - reach : s.first);
  constexpr int64_t kBlocks = 1024;  // that blocks may run over
  int64_t lowest = s.step < 0
                       ? s.first + s.step * (static_cast<int64_t>(llvm::alignTo(shown, kBlocks)) + kBlocks) - reach
                       : low.constant;
  int64_t up = std::max<int64_t>(0, -floorDiv(lowest, tile));
  out.tile = c.divL(low + Linear(up * tile), tile) + Linear(-up);
  // Where positions advance by whole tiles, all vregs begin at one place of a tile.
  bool fixed = llvm::all_of(low.terms, [&](auto &term) { return term.second % tile == 0; });
  int64_t begin = fixed ? low.constant - floorDiv(low.constant, tile) * tile : tile - 1;
  out.tiles = (begin + reach) / tile + 1;
  return out;
}

// Tile i, within the array.
Linear tileAt(Code &c, const Places &p, int64_t i) {
  Linear tile = p.tile + Linear(i);
  if (tile.isConstant()) return std::clamp<int64_t>(tile.constant, 0, p.held - 1);
  return c.linear(c.max(c.min(c.value(tile), c.i64(p.held - 1)), c.i64(0)));
}

// What each position finds in its tile.
Value chosen(Code &c, const Places &p, StringRef permute, function_ref<Value(const Linear &)> load) {
  Value out;
  for (int64_t i = 0; i < p.tiles; ++i) {
    Linear tile = p.tile + Linear(i);
    if (tile.isConstant() && (tile.constant < 0 || tile.constant >= p.held)) continue;
    Value v = c.inst(permute, {load(tileAt(c, p, i)), p.index});
    Value here = out ? c.inst("v.eq.i32", {c.inst("v.shr.s32", {p.index, c.splatI(p.log)}), c.splat(tile)}) : Value();
    out = out ? c.inst("v.sel", {here, v, out}) : v;
  }
  return out ? out : c.inst(permute, {load(Linear(0)), p.index});  // nothing but padding
}

}  // namespace

Value Body::loadShuffled(ArrayBlock &block, const DimMap &map, const Point &p) {
  const Array &a = block.array;
  int64_t rank = a.rank(), pack = a.pack, column = block.rowsHeld / pack;
  Linear lead = block.base;
  for (int64_t phys = 0; phys < rank - 2; ++phys)
    if (map[a.order[phys]] != kUnit) lead = lead + localIndex(block, phys, p) * block.leadWords[phys];
  int64_t dr = map[a.order[rank - 2]];
  // Lanes of the words at `word`, one row of them or eight.
  Places lanes;
  if (a.laneShuffle) {
    Linear at = (p.at[domain.c()] + blockIndex[domain.c()] * (domain.block[domain.c()] / 128)) * 128;
    lanes = placesOf(code, *a.laneShuffle, indexVector(domain.c(), p), at, 128, a.extent(rank - 1), a.held(rank - 1), 1,
                     128, static_cast<bool>(a.padding));
  }
  auto loadLanes = [&](const Linear &word, int64_t stride) {
    if (!a.laneShuffle) {
      bool one = map[a.order[rank - 1]] == kUnit;
      Linear lane = (one ? Linear(0) : localIndex(block, rank - 1, p)) + Linear(a.laneShift);
      Value w = code.load(word + code.divL(lane, 128) * column, stride, block.region);
      if (one) return code.inst("x.bcast.lane", {w}, {{"imm", a.laneShift}});
      return a.laneShift ? code.inst("x.rot.lane", {w}, {{"imm", 128 - a.laneShift}}) : w;
    }
    return chosen(code, lanes, "x.perm.lane",
                  [&](const Linear &tile) { return code.load(word + tile * column, stride, block.region); });
  };
  Value v, inside = lanes.inside;
  if (a.rowShuffle) {
    Places rows = placesOf(code, *a.rowShuffle, indexVector(domain.r(), p), rowBase(p), 8, a.extent(rank - 2),
                           a.held(rank - 2), pack, 8, static_cast<bool>(a.padding));
    v = chosen(code, rows, "x.perm.sub", [&](const Linear &tile) { return loadLanes(lead + tile * 8, 1); });
    if (pack > 1) {
      Value part = code.inst("v.and", {rows.row, code.splatI(pack - 1)});
      v = code.inst(
          "v.shl",
          {v, code.inst("v.mul.i32", {code.inst("v.sub.i32", {code.splatI(pack - 1), part}), code.splatI(32 / pack)})});
      v = extractTop(block, v);
    } else {
      v = toLaneForm(block, v);
    }
    if (rows.inside) inside = inside ? code.inst("m.and", {inside, rows.inside}) : rows.inside;
  } else if (dr == domain.r()) {
    int64_t within = 8 * p.sub % (8 * pack);
    v = loadLanes(lead + p.at[dr] * (domain.unitRows() / pack) + Linear((8 * p.sub - within) / pack), 1);
    v = pack == 1 ? toLaneForm(block, v) : unpack(block, v, within / 8);
  } else {
    Linear row = (dr == kUnit ? Linear(0) : localIndex(block, rank - 2, p)) + Linear(a.rowShift);
    v = extractPart(block, loadLanes(lead + code.divL(row, pack), 0), code.remL(row, pack));
  }
  return inside ? code.inst("v.sel", {inside, v, emitConstant(code, a.type.getElementType(), a.padding)}) : v;
}

}  // namespace tpuc::lowering
