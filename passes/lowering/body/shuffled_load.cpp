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
#include "passes/lowering/grid/transfers.h"

using namespace mlir;

namespace tpuc::lowering {
namespace {

// Where the elements of a vreg along one dim are.
struct Places {
  Value index;   // in units of a word's row or a lane: of the array, or from the first tile on
  Value row;     // before: in elements
  Value inside;  // null where all are
  Linear tile;   // the first that holds one, of those that the block has
  Linear first;  // its number in `index`
  int64_t tiles = 1, held = 1, log = 0;
  bool staysInside = false;  // no tile but the block's
  bool isInOrder = false;    // a tile's units are the vreg's
};

int64_t floorDiv(int64_t a, int64_t b) { return a >= 0 ? a / b : -((-a + b - 1) / b); }

// A dim of a block, of whose positions a vreg has `span` from `at` on; `lane` counts them, `index` is their numbers.
// `pack`: elements a unit, `unit`: units a vreg.
struct Moved {
  const analysis::Shuffle &shuffle;
  const Halo &halo;
  Linear start;  // the block's first element
  Value index, lane;
  Linear at;
  int64_t span, shown, extent, pack, unit;
  bool padded;
  std::optional<IndexRange> indices;  // that the vreg has, where known

  // Whether the array has an element for each of them, or for none.
  bool isWithin() const {
    return isPlain() && indices->first + shuffle.first >= 0 && indices->last + shuffle.first < extent;
  }
  bool isOutside() const {
    return isPlain() && (indices->last + shuffle.first < 0 || indices->first + shuffle.first >= extent);
  }

 private:
  bool isPlain() const { return padded && indices && shuffle.step == 1 && shuffle.every == 1; }
};

// Positions of the array from `low` on, gaps counted, for each of the vreg's.
Value positionsFrom(Code &c, const Moved &m, int64_t low) {
  const int64_t step = m.shuffle.step;
  Value x = step == 1 ? m.lane : c.inst("v.mul.i32", {m.lane, c.splatI(step)});
  if (step < 0) low -= (m.span - 1) * step;
  return low ? c.inst("v.add.i32", {x, c.splatI(low)}) : x;
}

Places placesOf(Code &c, const Moved &m) {
  const analysis::Shuffle &s = m.shuffle;
  Places out;
  auto shift = [&](Value v, int64_t by) { return by == 1 ? v : c.inst("v.shr.s32", {v, c.splatI(llvm::Log2_64(by))}); };
  // The lowest position of the vreg, far enough up to divide.
  const int64_t tile = s.every * m.pack * m.unit, reach = (m.span - 1) * std::abs(s.step);
  const Linear low = m.at * s.step + Linear(s.step < 0 ? s.first - reach : s.first);
  constexpr int64_t kBlocks = 1024;  // that blocks may run over
  int64_t lowest = s.step < 0
                       ? s.first + s.step * (static_cast<int64_t>(llvm::alignTo(m.shown, kBlocks)) + kBlocks) - reach
                       : low.constant;
  int64_t up = std::max<int64_t>(0, -floorDiv(lowest, tile));
  const Linear first = c.divL(low + Linear(up * tile), tile) + Linear(-up);
  // Where positions advance by whole tiles, all vregs begin at one place of a tile: numbers from there are constants.
  const bool fixed = llvm::all_of(low.terms, [&](auto &term) { return term.second % tile == 0; });
  const int64_t begin = fixed ? low.constant - floorDiv(low.constant, tile) * tile : tile - 1;
  out.tiles = (begin + reach) / tile + 1;
  out.log = llvm::Log2_64(m.unit);
  out.held = m.halo.held / m.halo.tile;
  out.tile = first + c.divL(m.start, m.halo.tile) * -1;
  out.first = fixed ? Linear(0) : first;
  out.staysInside = m.isWithin() || (!m.padded && s.step == 1);
  auto everywhere = [&] {
    Value x = s.step == 1 ? m.index : c.inst("v.mul.i32", {m.index, c.splatI(s.step)});
    return s.first ? c.inst("v.add.i32", {x, c.splatI(s.first)}) : x;
  };
  out.isInOrder = fixed && begin == 0 && out.tiles == 1 && s.step == 1 && s.every == 1 && m.pack == 1;
  Value x = fixed ? positionsFrom(c, m, begin) : everywhere();
  if (m.padded && !m.isWithin()) out.inside = c.inst("v.lt.u32", {shift(everywhere(), s.every), c.splatI(m.extent)});
  if (s.every > 1)
    out.inside =
        c.inst("m.and", {out.inside, c.inst("v.eq.i32", {c.inst("v.and", {x, c.splatI(s.every - 1)}), c.splatI(0)})});
  out.row = shift(x, s.every);
  out.index = shift(out.row, m.pack);
  return out;
}

// Tile i, within the block.
Linear tileAt(Code &c, const Places &p, int64_t i) {
  Linear tile = p.tile + Linear(i);
  if (p.staysInside) return tile;
  if (tile.isConstant()) return std::clamp<int64_t>(tile.constant, 0, p.held - 1);
  return c.linear(c.max(c.min(c.value(tile), c.i64(p.held - 1)), c.i64(0)));
}

// What each position finds in its tile.
Value chosen(Code &c, const Places &p, StringRef permute, function_ref<Value(const Linear &)> load) {
  Value out;
  for (int64_t i = 0; i < p.tiles; ++i) {
    Linear tile = p.tile + Linear(i);
    if (!p.staysInside && tile.isConstant() && (tile.constant < 0 || tile.constant >= p.held)) continue;
    Value v = load(tileAt(c, p, i));
    if (!p.isInOrder) v = c.inst(permute, {v, p.index});
    Value here =
        out ? c.inst("v.eq.i32", {c.inst("v.shr.s32", {p.index, c.splatI(p.log)}), c.splat(p.first + Linear(i))})
            : Value();
    out = out ? c.inst("v.sel", {here, v, out}) : v;
  }
  return out ? out : c.inst(permute, {load(Linear(0)), p.index});  // nothing but padding
}

}  // namespace

Value Body::loadShuffled(ArrayBlock &block, const DimMap &map, const Point &p) {
  const Array &a = block.array;
  int64_t rank = a.rank(), pack = a.pack, column = block.rowsHeld / pack;
  Linear lead = block.base;
  int64_t apart = 0;  // rows of the kernel that are a leading dim of the array's
  for (int64_t phys = 0; phys < rank - 2; ++phys) {
    if (map[a.order[phys]] == kUnit) continue;
    if (map[a.order[phys]] == domain.r()) apart = block.leadWords[phys];
    lead = lead + localIndex(block, phys, p) * block.leadWords[phys];
  }
  int64_t dr = map[a.order[rank - 2]];
  auto movedAlong = [&](const analysis::Shuffle &shuffle, int64_t phys, int64_t d, const Linear &at) {
    const bool along = phys == rank - 1;
    return Moved{shuffle,
                 block.halos.find(phys)->second,
                 haloStart(code, block, phys, blockIndex[d]),
                 indexVector(d, p),
                 code.inst(along ? "v.laneid" : "v.subid", {}),
                 at,
                 along ? 128 : 8,
                 a.extent(phys),
                 a.held(phys),
                 along ? 1 : pack,
                 along ? 128 : 8,
                 static_cast<bool>(a.padding),
                 indicesOf(d, p)};
  };
  auto padding = [&] { return emitConstant(code, a.type.getElementType(), a.padding); };
  // Lanes of the words at `word`, one row of them or eight.
  Places lanes;
  if (a.laneShuffle) {
    Linear at = (p.at[domain.c()] + blockIndex[domain.c()] * (domain.block[domain.c()] / 128)) * 128;
    const Moved moved = movedAlong(*a.laneShuffle, rank - 1, domain.c(), at);
    if (moved.isOutside()) return padding();
    lanes = placesOf(code, moved);
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
    const Moved moved = movedAlong(*a.rowShuffle, rank - 2, domain.r(), rowBase(p));
    if (moved.isOutside()) return padding();
    // Words of a column tile follow one another: where a row is one, eight from anywhere are a vreg.
    if (pack == 1 && !a.padding && a.rowShuffle->step == 1)
      return toLaneForm(block, loadLanes(lead + moved.at + Linear(a.rowShuffle->first) + moved.start * -1, 1));
    Places rows = placesOf(code, moved);
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
    v = extractPart(block, loadLanes(lead + code.divL(row, pack), apart), code.remL(row, pack));
  }
  return inside ? code.inst("v.sel", {inside, v, padding()}) : v;
}

}  // namespace tpuc::lowering
