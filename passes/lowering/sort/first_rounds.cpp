// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A round walks a unit's vregs once: what the round before took is removed, each slot keeps its first, and the slots'
// first is found across lanes and sublanes.
#include "passes/lowering/sort/first_rounds.h"

using namespace mlir;

namespace tpuc::lowering {

constexpr int64_t kStraight = 8;
constexpr int64_t kNowhere = 0x7fffffff;

SortShape FirstRounds::outcome() const {
  SortShape out = shape;
  out.size = kept;
  int64_t vregs = llvm::divideCeil(kept, int64_t{1} << shape.slotBits());
  out.vregs = llvm::alignTo(vregs, shape.slotBits() ? 4 : 32);  // results are read by whole words
  return out;
}

int64_t FirstRounds::cycles() const { return kept * (2 * shape.vregs + (shape.slotBits() ? 4 : 2)); }

// The greatest or least over the slots, in all of them.
Value FirstRounds::over(Code &c, Value v, bool most) const {
  if (shape.lanes) v = c.inst(most ? "x.max.lane.s32" : "x.min.lane.s32", {v});
  for (int64_t by = 4; shape.sublanes && by > 0; by /= 2)
    v = c.inst(most ? "v.max.i32" : "v.min.i32", {v, c.inst("x.rot.sub", {v}, {{"imm", by}})});
  return v;
}

FirstRounds::Best FirstRounds::take(Code &c, Best best, Value removed, Value slots, const Linear &unit,
                                    const Linear &vreg) const {
  Linear at = (unit * shape.vregs + vreg) * 8 + Linear(word);
  Value position = c.inst("v.add.i32", {slots, c.splat(vreg * (int64_t{1} << shape.slotBits()))});
  Value key = c.inst("v.sel",
                     {c.inst("v.eq.i32", {position, removed}), c.splatBits(last), c.load(at, 1, SortNetwork::kRegion)});
  c.store(key, at, 1, SortNetwork::kRegion);
  Value first = descending ? c.inst("v.lt.s32", {best.key, key}) : c.inst("v.lt.s32", {key, best.key});
  return {c.inst(descending ? "v.max.i32" : "v.min.i32", {best.key, key}),
          c.inst("v.sel", {first, position, best.position})};
}

void FirstRounds::emit(Code &c) const {
  SortShape out = outcome();
  SortNetwork keys(c, shape, 1, word, {}), taken(c, out, 2, outcomeWord(), {}, kFoundRegion);
  int64_t lastWord = outcomeWord() + SortNetwork::words(out, 2);
  Value slots = keys.slots();
  c.loop(
      c.i64(0), c.i64(shape.units), 1, {},
      [&](Value unit, ValueRange) {
        c.store(c.splatI(-1), Linear(unit) * 8 + Linear(lastWord), 1, kLastRegion);
        return SmallVector<Value>();
      },
      true);
  c.loop(c.i64(0), c.i64(kept), 1, {}, [&](Value round, ValueRange) {
    Value slot = c.b.createOrFold<arith::AndIOp>(c.loc, round, c.i64((int64_t{1} << shape.slotBits()) - 1));
    Value mine = c.inst("v.eq.i32", {slots, c.inst("v.splat", {slot})});
    Linear place = c.divL(Linear(round), int64_t{1} << shape.slotBits());
    c.loop(
        c.i64(0), c.i64(shape.units), 1, {},
        [&](Value iv, ValueRange) {
          Linear unit = c.linear(iv), state = unit * 8 + Linear(lastWord);
          Value removed = c.load(state, 1, kLastRegion);
          Best best{c.splatBits(last), c.splatI(kNowhere)};
          if (shape.vregs <= kStraight) {
            for (int64_t v = 0; v < shape.vregs; ++v) best = take(c, best, removed, slots, unit, Linear(v));
          } else {
            SmallVector<Value> found = c.loop(
                c.i64(0), c.i64(shape.vregs), 1, SmallVector<Value>{best.key, best.position},
                [&](Value v, ValueRange carried) {
                  Best next = take(c, {carried[0], carried[1]}, removed, slots, unit, c.linear(v));
                  return SmallVector<Value>{next.key, next.position};
                },
                true);
            best = {found[0], found[1]};
          }
          Value key = over(c, best.key, descending);
          Value position =
              over(c, c.inst("v.sel", {c.inst("v.eq.i32", {best.key, key}), best.position, c.splatI(kNowhere)}), false);
          c.store(position, state, 1, kLastRegion);
          Value found[] = {key, position};
          for (auto [k, v] : llvm::enumerate(found)) {
            Linear at = taken.wordOf(k, unit * out.vregs + place);
            c.store(c.inst("v.sel", {mine, v, c.load(at, 1, taken.regionOf(k))}), at, 1, taken.regionOf(k));
          }
          return SmallVector<Value>();
        },
        true);
    return SmallVector<Value>();
  });
}

}  // namespace tpuc::lowering
