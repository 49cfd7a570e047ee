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

// The load of one point of a block.
class Body::ShuffledLoad {
 public:
  ShuffledLoad(Body &body, ArrayBlock &block, const DimMap &map, const Point &p)
      : body_(body), c_(body.code), domain_(body.domain), block_(block), a_(block.array), map_(map), p_(p) {
    findLead();
  }

  Value load() {
    if (a_.laneShuffle) {
      const int64_t c = domain_.c();
      const Moved moved = movedAlong(*a_.laneShuffle, a_.rank() - 1, c,
                                     (p_.at[c] + body_.blockIndex[c] * (domain_.block[c] / 128)) * 128);
      if (moved.isOutside()) return padding();
      lanes_ = placesOf(c_, moved);
    }
    inside_ = lanes_.inside;
    if (a_.rowShuffle) return shuffledRows();
    return masked(map_[a_.order[a_.rank() - 2]] == domain_.r() ? alignedRows() : oneRow());
  }

 private:
  Value masked(Value v) { return inside_ ? c_.inst("v.sel", {inside_, v, padding()}) : v; }
  Value padding() { return emitConstant(c_, a_.type.getElementType(), a_.padding); }

  // Words of the dims before the last two.
  void findLead() {
    lead_ = block_.base;
    for (int64_t phys = 0; phys < a_.rank() - 2; ++phys) {
      if (map_[a_.order[phys]] == kUnit) continue;
      if (map_[a_.order[phys]] == domain_.r()) apart_ = block_.leadWords[phys];
      lead_ = lead_ + body_.localIndex(block_, phys, p_) * block_.leadWords[phys];
    }
  }

  Moved movedAlong(const analysis::Shuffle &shuffle, int64_t phys, int64_t d, const Linear &at) {
    const bool along = phys == a_.rank() - 1;
    return Moved{shuffle,
                 block_.halos.find(phys)->second,
                 haloStart(c_, block_, phys, body_.blockIndex[d]),
                 body_.indexVector(d, p_),
                 c_.inst(along ? "v.laneid" : "v.subid", {}),
                 at,
                 along ? 128 : 8,
                 a_.extent(phys),
                 a_.held(phys),
                 along ? 1 : a_.pack,
                 along ? 128 : 8,
                 static_cast<bool>(a_.padding),
                 body_.indicesOf(d, p_)};
  }

  // Lanes of the words at `word`, one row of them or eight.
  Value loadLanes(const Linear &word, int64_t stride) {
    const int64_t column = block_.rowsHeld / a_.pack, last = a_.rank() - 1;
    if (a_.laneShuffle)
      return chosen(c_, lanes_, "x.perm.lane",
                    [&](const Linear &tile) { return c_.load(word + tile * column, stride, block_.region); });
    const bool one = map_[a_.order[last]] == kUnit;
    Linear lane = (one ? Linear(0) : body_.localIndex(block_, last, p_)) + Linear(a_.laneShift);
    Value w = c_.load(word + c_.divL(lane, 128) * column, stride, block_.region);
    if (one) return c_.inst("x.bcast.lane", {w}, {{"imm", a_.laneShift}});
    return a_.laneShift ? c_.inst("x.rot.lane", {w}, {{"imm", 128 - a_.laneShift}}) : w;
  }

  Value shuffledRows() {
    const int64_t pack = a_.pack;
    const Moved moved = movedAlong(*a_.rowShuffle, a_.rank() - 2, domain_.r(), body_.rowBase(p_));
    if (moved.isOutside()) return padding();
    // Words of a column tile follow one another: where a row is one, eight from anywhere are a vreg.
    if (pack == 1 && !a_.padding && a_.rowShuffle->step == 1)
      return body_.toLaneForm(block_, loadLanes(lead_ + moved.at + Linear(a_.rowShuffle->first) + moved.start * -1, 1));
    Places rows = placesOf(c_, moved);
    Value v = chosen(c_, rows, "x.perm.sub", [&](const Linear &tile) { return loadLanes(lead_ + tile * 8, 1); });
    if (pack > 1) {
      Value part = c_.inst("v.and", {rows.row, c_.splatI(pack - 1)});
      v = c_.inst("v.shl",
                  {v, c_.inst("v.mul.i32", {c_.inst("v.sub.i32", {c_.splatI(pack - 1), part}), c_.splatI(32 / pack)})});
      v = body_.extractTop(block_, v);
    } else {
      v = body_.toLaneForm(block_, v);
    }
    if (rows.inside) inside_ = inside_ ? c_.inst("m.and", {inside_, rows.inside}) : rows.inside;
    return masked(v);
  }

  // Rows as the domain has them.
  Value alignedRows() {
    const int64_t pack = a_.pack, r = domain_.r(), within = 8 * p_.sub % (8 * pack);
    Value v = loadLanes(lead_ + p_.at[r] * (domain_.unitRows() / pack) + Linear((8 * p_.sub - within) / pack), 1);
    return pack == 1 ? body_.toLaneForm(block_, v) : body_.unpack(block_, v, within / 8);
  }

  Value oneRow() {
    const int64_t phys = a_.rank() - 2;
    const bool one = map_[a_.order[phys]] == kUnit;
    Linear row = (one ? Linear(0) : body_.localIndex(block_, phys, p_)) + Linear(a_.rowShift);
    return body_.extractPart(block_, loadLanes(lead_ + c_.divL(row, a_.pack), apart_), c_.remL(row, a_.pack));
  }

  Body &body_;
  Code &c_;
  const Domain &domain_;
  ArrayBlock &block_;
  const Array &a_;
  const DimMap &map_;
  const Point &p_;
  Linear lead_;
  int64_t apart_ = 0;  // rows of the kernel that are a leading dim of the array's
  Places lanes_;
  Value inside_;  // where the array has an element; null: everywhere
};

Value Body::loadShuffled(ArrayBlock &block, const DimMap &map, const Point &p) {
  return ShuffledLoad(*this, block, map, p).load();
}

}  // namespace tpuc::lowering
