// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 1. Level by level, the first of each group, down to few vregs, which are sorted.
// 2. Level by level back, the groups that the first few of the next level are the first of: their elements are gathered
//    across lanes, a group in a lane, and sorted. An element that is among the first few is in such a group, as every
//    group that has one comes before all that have none.
#include "passes/lowering/sort/first_groups.h"

using namespace mlir;

namespace tpuc::lowering {
namespace {

constexpr int64_t kLevelRegion = 4000;  // of the first level but one; two for each level

class Groups : FirstGroups {
 public:
  Groups(Code &code, const FirstGroups &groups) : FirstGroups(groups), c_(code), levels_(levels()) {}
  void emit();

 private:
  struct Element {
    Value key, position;
  };
  bool isFirst(size_t level) const { return level == 0; }
  SortNetwork arrayOf(size_t level) const;
  SortNetwork sorted() const;
  Value isBefore(const Element &a, const Element &b) const;
  Element load(const SortNetwork &from, const Linear &vreg) const;
  void store(const Element &e, const SortNetwork &to, const Linear &vreg) const;
  Element nothing() const { return {c_.splatBits(last), c_.splatI(kNowhere)}; }
  Value shifted(Value v, int64_t by) const {
    return c_.inst(by < 0 ? "v.shr.u32" : "v.shl", {v, c_.splatI(std::abs(by))});
  }
  Value masked(Value v, int64_t mask) const { return c_.inst("v.and", {v, c_.splatI(mask)}); }

  Element firstOf(size_t level, const Linear &unit, const Linear &group) const;
  void reduce(size_t level) const;
  void gather(size_t level) const;
  void gatherUnit(size_t level, const Linear &unit) const;
  void sort() const;

  Code &c_;
  llvm::SmallVector<Level> levels_;
};

SortNetwork Groups::arrayOf(size_t level) const {
  if (level == levels_.size()) return sorted();
  SortShape of = shape;
  of.vregs = levels_[level].vregs;
  const int64_t region = isFirst(level) ? SortNetwork::kRegion : kLevelRegion + 2 * static_cast<int64_t>(level);
  return SortNetwork(c_, of, isFirst(level) ? 1 : 2, levels_[level].word, {}, region);
}

SortNetwork Groups::sorted() const {
  SortNetwork::Order order;
  order.before = [this](const SortNetwork::Element &a, const SortNetwork::Element &b) {
    return isBefore({a[0], a[1]}, {b[0], b[1]});
  };
  return SortNetwork(c_, outcome(), 2, outcomeWord(), order, kFoundRegion);
}

Value Groups::isBefore(const Element &a, const Element &b) const {
  Value first = descending ? c_.inst("v.lt.s32", {b.key, a.key}) : c_.inst("v.lt.s32", {a.key, b.key});
  Value equal = c_.inst("v.eq.i32", {a.key, b.key}), earlier = c_.inst("v.lt.s32", {a.position, b.position});
  return c_.inst("m.or", {first, c_.inst("m.and", {equal, earlier})});
}

Groups::Element Groups::load(const SortNetwork &from, const Linear &vreg) const {
  return {c_.load(from.wordOf(0, vreg), 1, from.regionOf(0)), c_.load(from.wordOf(1, vreg), 1, from.regionOf(1))};
}

void Groups::store(const Element &e, const SortNetwork &to, const Linear &vreg) const {
  c_.store(e.key, to.wordOf(0, vreg), 1, to.regionOf(0));
  c_.store(e.position, to.wordOf(1, vreg), 1, to.regionOf(1));
}

// ---- down -----------------------------------------------------------------------------------------------------------

// The first level's positions are those of its vregs and lanes.
Groups::Element Groups::firstOf(size_t level, const Linear &unit, const Linear &group) const {
  const Level &l = levels_[level];
  SortNetwork from = arrayOf(level);
  auto at = [&](int64_t i) { return unit * l.vregs + group + Linear(i * l.groups); };
  if (!isFirst(level)) {
    Element best = load(from, at(0));
    for (int64_t i = 1; i < l.size(); ++i) {
      Element e = load(from, at(i));
      Value before = isBefore(e, best);
      best = {c_.inst("v.sel", {before, e.key, best.key}), c_.inst("v.sel", {before, e.position, best.position})};
    }
    return best;
  }
  Element best{c_.load(from.wordOf(0, at(0)), 1, from.regionOf(0)), c_.splatI(0)};
  for (int64_t i = 1; i < l.size(); ++i) {
    Value key = c_.load(from.wordOf(0, at(i)), 1, from.regionOf(0));
    Value before = descending ? c_.inst("v.lt.s32", {best.key, key}) : c_.inst("v.lt.s32", {key, best.key});
    best = {c_.inst(descending ? "v.max.i32" : "v.min.i32", {best.key, key}),
            c_.inst("v.sel", {before, c_.splatI(i * l.groups * 128), best.position})};
  }
  Value own = c_.inst("v.add.i32", {c_.inst("v.laneid", {}), c_.splat(group * 128)});
  return {best.key, c_.inst("v.add.i32", {best.position, own})};
}

void Groups::reduce(size_t level) const {
  const int64_t groups = levels_[level].groups;
  SortNetwork to = arrayOf(level + 1);
  c_.flatLoop({shape.units, groups}, levels_[level].size() <= 8 ? 2 : 1, [&](ArrayRef<Linear> at, const Linear &) {
    store(firstOf(level, at[0], at[1]), to, at[0] * to.vregs() + at[1]);
  });
  if (to.vregs() == groups) return;
  c_.flatLoop({shape.units, to.vregs() - groups}, 1, [&](ArrayRef<Linear> at, const Linear &) {
    store(nothing(), to, at[0] * to.vregs() + Linear(groups) + at[1]);
  });
}

// ---- back -----------------------------------------------------------------------------------------------------------

// Each side of a vreg has a lane for each of the first few. What a group's vregs have for them comes to as many vregs
// of each side in turn.
void Groups::gatherUnit(size_t level, const Linear &unit) const {
  const Level &l = levels_[level];
  const int64_t sides = this->sides(), lanes = 128 / sides, each = llvm::divideCeil(l.size(), sides);
  SortNetwork from = arrayOf(level), to = sorted();
  Value lane = c_.inst("v.laneid", {}), within = masked(lane, lanes - 1);
  Value first = c_.load(to.wordOf(1, unit * kSorted), 1, to.regionOf(1));
  if (sides > 1) first = c_.inst("x.perm.lane", {first, within});
  const int64_t laneBits = llvm::Log2_64(lanes), groupBits = llvm::Log2_64(l.groups);
  Value side = shifted(lane, -laneBits), source = masked(first, 127), group = masked(shifted(first, -7), l.groups - 1);
  Value sought = c_.inst("v.or", {shifted(side, groupBits), group});

  const int64_t values = isFirst(level) ? 1 : 2;
  SmallVector<Value> none;
  for (int64_t i = 0; i < each * values; ++i) none.push_back(c_.splatBits(i < each ? last : kNowhere));
  SmallVector<Value> found = c_.loop(c_.i64(0), c_.i64(l.groups), 1, none, [&](Value iv, ValueRange carried) {
    SmallVector<Value> next(carried);
    for (int64_t s = 0; s < sides; ++s) {
      Value here = c_.inst("v.eq.i32", {sought, c_.splat(c_.linear(iv) + Linear(s * l.groups))});
      for (int64_t i = 0; i < each && s * each + i < l.size(); ++i)
        for (int64_t k = 0; k < values; ++k) {
          const Linear vreg = unit * l.vregs + c_.linear(iv) + Linear((s * each + i) * l.groups);
          Value v = c_.load(from.wordOf(k, vreg), 1, from.regionOf(k));
          Value &into = next[k * each + i];
          into = c_.inst("v.sel", {here, c_.inst("x.perm.lane", {v, source}), into});
        }
    }
    return next;
  });

  Value isKept = c_.inst("v.lt.s32", {within, c_.splatI(kept)});
  // Position of a vreg's element in the first level: those of a side begin `each` vregs of the group after the last's.
  Value base = c_.inst("v.add.i32", {c_.inst("v.mul.i32", {side, c_.splatI(each * l.groups * 128)}),
                                     c_.inst("v.or", {shifted(group, 7), source})});
  for (int64_t i = 0; i < kSorted; ++i) {
    Element e = nothing();
    if (i < each) {
      Value position = isFirst(level) ? c_.inst("v.add.i32", {base, c_.splatI(i * l.groups * 128)}) : found[each + i];
      e = {c_.inst("v.sel", {isKept, found[i], e.key}), c_.inst("v.sel", {isKept, position, e.position})};
    }
    store(e, to, unit * kSorted + Linear(i));
  }
}

void Groups::gather(size_t level) const {
  c_.loop(c_.i64(0), c_.i64(shape.units), 1, {}, [&](Value unit, ValueRange) {
    gatherUnit(level, c_.linear(unit));
    return SmallVector<Value>();
  });
}

void Groups::sort() const {
  SortNetwork network = sorted();
  network.sort();
  network.settle({0, 1});
}

void Groups::emit() {
  for (size_t level = 0; level < levels_.size(); ++level) reduce(level);
  sort();
  for (size_t level = levels_.size(); level-- > 0;) {
    gather(level);
    sort();
  }
}

}  // namespace

void emitFirstGroups(Code &c, const FirstGroups &groups) { Groups(c, groups).emit(); }

}  // namespace tpuc::lowering
