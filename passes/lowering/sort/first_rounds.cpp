// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A round walks a unit's vregs once: what the round before took is removed, each slot keeps its first, and the slots'
// first is found across lanes and sublanes.
#include "passes/lowering/sort/first_rounds.h"

using namespace mlir;

namespace tpuc::lowering {

constexpr int64_t kStraight = 8;  // vregs of a unit that a round walks without a loop

namespace {

constexpr int64_t kLastRegion = 3000;  // of the position that each unit's last round took

class Rounds : FirstRounds {
 public:
  Rounds(Code &code, const FirstRounds &rounds) : FirstRounds(rounds), c_(code) {}
  void emit() const;

 private:
  struct Best {
    Value key, position;
  };
  Best take(Best best, Value removed, Value slots, const Linear &unit, const Linear &vreg) const;
  Value over(Value v, bool most) const;

  Code &c_;
};

// The greatest or least over the slots, in all of them.
Value Rounds::over(Value v, bool most) const {
  if (shape.lanes) v = c_.inst(most ? "x.max.lane.s32" : "x.min.lane.s32", {v});
  for (int64_t by = 4; shape.sublanes && by > 0; by /= 2)
    v = c_.inst(most ? "v.max.i32" : "v.min.i32", {v, c_.inst("x.rot.sub", {v}, {{"imm", by}})});
  return v;
}

Rounds::Best Rounds::take(Best best, Value removed, Value slots, const Linear &unit, const Linear &vreg) const {
  Linear at = (unit * shape.vregs + vreg) * 8 + Linear(word);
  Value position = c_.inst("v.add.i32", {slots, c_.splat(vreg * (int64_t{1} << shape.slotBits()))});
  Value key = c_.inst(
      "v.sel", {c_.inst("v.eq.i32", {position, removed}), c_.splatBits(last), c_.load(at, 1, SortNetwork::kRegion)});
  c_.store(key, at, 1, SortNetwork::kRegion);
  Value first = descending ? c_.inst("v.lt.s32", {best.key, key}) : c_.inst("v.lt.s32", {key, best.key});
  return {c_.inst(descending ? "v.max.i32" : "v.min.i32", {best.key, key}),
          c_.inst("v.sel", {first, position, best.position})};
}

void Rounds::emit() const {
  SortShape out = outcome();
  SortNetwork keys(c_, shape, 1, word, {}), taken(c_, out, 2, outcomeWord(), {}, kFoundRegion);
  int64_t lastWord = outcomeWord() + out.words(2);
  Value slots = keys.slots();
  c_.loop(
      c_.i64(0), c_.i64(shape.units), 1, {},
      [&](Value unit, ValueRange) {
        c_.store(c_.splatI(-1), Linear(unit) * 8 + Linear(lastWord), 1, kLastRegion);
        return SmallVector<Value>();
      },
      true);
  c_.loop(c_.i64(0), c_.i64(kept), 1, {}, [&](Value round, ValueRange) {
    Value slot = c_.b.createOrFold<arith::AndIOp>(c_.loc, round, c_.i64((int64_t{1} << shape.slotBits()) - 1));
    Value mine = c_.inst("v.eq.i32", {slots, c_.inst("v.splat", {slot})});
    Linear place = c_.divL(Linear(round), int64_t{1} << shape.slotBits());
    c_.loop(
        c_.i64(0), c_.i64(shape.units), 1, {},
        [&](Value iv, ValueRange) {
          Linear unit = c_.linear(iv), state = unit * 8 + Linear(lastWord);
          Value removed = c_.load(state, 1, kLastRegion);
          Best best{c_.splatBits(last), c_.splatI(kNowhere)};
          if (shape.vregs <= kStraight) {
            for (int64_t v = 0; v < shape.vregs; ++v) best = take(best, removed, slots, unit, Linear(v));
          } else {
            SmallVector<Value> found = c_.loop(
                c_.i64(0), c_.i64(shape.vregs), 1, SmallVector<Value>{best.key, best.position},
                [&](Value v, ValueRange carried) {
                  Best next = take({carried[0], carried[1]}, removed, slots, unit, c_.linear(v));
                  return SmallVector<Value>{next.key, next.position};
                },
                true);
            best = {found[0], found[1]};
          }
          Value key = over(best.key, descending);
          Value position =
              over(c_.inst("v.sel", {c_.inst("v.eq.i32", {best.key, key}), best.position, c_.splatI(kNowhere)}), false);
          c_.store(position, state, 1, kLastRegion);
          Value found[] = {key, position};
          for (auto [k, v] : llvm::enumerate(found)) {
            Linear at = taken.wordOf(k, unit * out.vregs + place);
            c_.store(c_.inst("v.sel", {mine, v, c_.load(at, 1, taken.regionOf(k))}), at, 1, taken.regionOf(k));
          }
          return SmallVector<Value>();
        },
        true);
    return SmallVector<Value>();
  });
}

}  // namespace

void emitFirstRounds(Code &c, const FirstRounds &rounds) { Rounds(c, rounds).emit(); }

}  // namespace tpuc::lowering
