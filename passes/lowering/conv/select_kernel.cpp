// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// select_and_scatter, the gradient of pooling: every window's value goes to the element that the window selects.
//
// Seen from the elements, nothing is scattered: an element adds the values of the windows over it that selected it. The
// window lies over the leading dims and the one along sublanes. A grid step:
//  1. makes padded copies of the operand and of the windows' values, these along sublanes as far apart as the windows
//     are (window.h);
//  2. for each window, the number of the position that it selects, into a copy laid out like the values';
//  3. for each element, a chain over the window's positions: where the window that has it there selected it, its value.
//     Along leading dims windows with a stride have it at few positions, which are known.
#include "passes/lowering/conv/select_kernel.h"

#include <limits>

#include "passes/lowering/body/vector_ops.h"
#include "passes/lowering/conv/window.h"
#include "passes/lowering/grid/root_kernel.h"
#include "passes/plan/conv/select_plan.h"

using namespace mlir;

namespace tpuc::lowering {
namespace {

constexpr int64_t kAll = std::numeric_limits<int32_t>::max();  // windows: more than there are

// Positions in turn as straight code, of `chain` steps each: what walks them takes little beside.
int64_t straight(int64_t chain) { return std::max<int64_t>(1, 64 / std::max<int64_t>(chain, 1)); }

class SelectKernel : RootKernel<SelectPlan> {
 public:
  SelectKernel(KernelContext &context, Code &code, stablehlo::SelectAndScatterOp op) : RootKernel(context, code, op) {}
  LogicalResult run(Value start, Value count);

 private:
  Value keeps(Value best, Value other);
  Value windowAt(int64_t i, const Linear &row);
  Value within(int64_t i, const Linear &row, int64_t begin, int64_t end);
  Value withinUnit(const Linear &unit, int64_t begin, int64_t end);
  Value both(Value a, Value b);
  Value maskOf(Value in);
  Value inside(ArrayRef<int64_t> tap, ArrayRef<Linear> rows, const Linear &unit);
  Value choice(ArrayRef<Linear> rows, const Linear &tile, const Linear &unit);
  Value exist(ArrayRef<Linear> rows, const Linear &unit);
  bool meetEdges() const;
  void emitChoices(const Linear &tile);
  std::optional<SmallVector<int64_t>> rowsOver(ArrayRef<int64_t> phase, ArrayRef<int64_t> tap) const;
  Value sum(ArrayRef<Linear> group, ArrayRef<int64_t> phase, const Linear &tile, const Linear &row);
  void emitGroups(ArrayRef<int64_t> first, ArrayRef<int64_t> count, ArrayRef<int64_t> phases, const Linear &tile);
  void emitElements(const Linear &tile);
};

// Where the window keeps `best` and does not take `other`.
Value SelectKernel::keeps(Value best, Value other) {
  using D = stablehlo::ComparisonDirection;
  auto compare = cast<stablehlo::CompareOp>(op_.getSelect().front().front());
  bool isFloat = mlir::isa<FloatType>(elementOf(op_.getOperand()));
  StringRef lt = isFloat ? "v.lt.f32" : "v.lt.s32", le = isFloat ? "v.le.f32" : "v.le.s32";
  switch (compare.getComparisonDirection()) {
    case D::GE:
      return c_.inst(le, {other, best});
    case D::GT:
      return c_.inst(lt, {other, best});
    case D::LE:
      return c_.inst(le, {best, other});
    default:
      return c_.inst(lt, {best, other});
  }
}

// The window along leading dim i whose choice is row `row` of the copy.
Value SelectKernel::windowAt(int64_t i, const Linear &row) {
  const Windows w = windowsOf(i);
  return c_.value(body_->blockIndex[i] * w.step + row + Linear(w.first));
}

// Whether a window along leading dim i is of those from `begin` to `end`; null: all are.
Value SelectKernel::within(int64_t i, const Linear &row, int64_t begin, int64_t end) {
  Value in;
  if (const int64_t least = windowsOf(i).least; least < begin)
    in = c_.cmp(arith::CmpIPredicate::sge, windowAt(i, row), c_.i64(begin));
  if (windowsOf(i).most >= end) in = both(in, c_.cmp(arith::CmpIPredicate::slt, windowAt(i, row), c_.i64(end)));
  return in;
}

Value SelectKernel::both(Value a, Value b) {
  return a && b ? c_.b.createOrFold<arith::AndIOp>(c_.loc, a, b) : a ? a : b;
}

Value SelectKernel::maskOf(Value in) {
  return c_.inst("v.ne.i32", {c_.inst("v.splat", {c_.select(in, c_.i64(1), c_.i64(0))}), c_.splatI(0)});
}

// A mask of those of 8 windows, along sublanes from `unit` on, that lie between `begin` and `end`; null: all of them.
Value SelectKernel::withinUnit(const Linear &unit, int64_t begin, int64_t end) {
  Value in;
  auto bound = [&](int64_t window) { return c_.splat(unit * -8 + Linear(window)); };
  if (begin > 0) in = c_.inst("v.le.s32", {bound(begin), c_.inst("v.subid", {})});
  if (end >= static_cast<int64_t>(llvm::alignTo(axes_[r_].out, 8))) return in;
  Value below = c_.inst("v.lt.s32", {c_.inst("v.subid", {}), bound(end)});
  return in ? c_.inst("m.and", {in, below}) : below;
}

// Where windows may select what a tap of theirs is; null when they always may.
Value SelectKernel::inside(ArrayRef<int64_t> tap, ArrayRef<Linear> rows, const Linear &unit) {
  // Windows whose tap is before `end` of the axis; those that there are not may be either.
  auto before = [&](int64_t i, int64_t end) {
    const Axis &a = axes_[i];
    const int64_t windows = llvm::divideCeilSigned(end - tap[i] + a.low, a.stride);
    return windows <= 0 ? -kAll : windows >= a.out ? kAll : windows;
  };
  Value in;
  for (int64_t i = 0; i < r_; ++i)
    in = both(in, within(i, rows[i], before(i, range_[i].first), before(i, range_[i].second)));
  Value mask = in ? maskOf(in) : Value(),
        along = withinUnit(unit, before(r_, range_[r_].first), before(r_, range_[r_].second));
  return mask && along ? c_.inst("m.and", {mask, along}) : mask ? mask : along;
}

// The numbers of the positions that 8 windows from `unit` on select.
Value SelectKernel::choice(ArrayRef<Linear> rows, const Linear &tile, const Linear &unit) {
  const int64_t stride = axes_[r_].stride;
  Value all = c_.inst("m.li", {}, {{"imm", 1}});
  Value best, found, number = c_.splatI(0);  // found: `best` is inside; null when it always is
  for (auto [k, tap] : llvm::enumerate(taps_)) {
    SmallVector<Linear> from;
    for (int64_t i = 0; i < r_; ++i) from.push_back(rows[i] * axes_[i].stride + Linear(tap[i]));
    Value v = c_.load(padded_.wordOf(from, tile, unit * (8 * stride) + Linear(tap[r_])), stride, padded_.region,
                      padded_.heldLanes());
    Value in = inside(tap, rows, unit);
    if (k == 0) {
      best = v;
      found = in;
      continue;
    }
    Value keep = keeps(best, v);
    if (found) keep = c_.inst("m.and", {keep, found});
    if (in) keep = c_.inst("m.or", {keep, c_.inst("m.xor", {in, all})});
    if (found) found = in ? c_.inst("m.or", {found, in}) : Value();
    best = c_.inst("v.sel", {keep, best, v});
    number = c_.inst("v.sel", {keep, number, c_.splatI(k)});
  }
  return number;
}

// Which of 8 windows from `unit` on there are; null: all.
Value SelectKernel::exist(ArrayRef<Linear> rows, const Linear &unit) {
  Value in;
  for (int64_t i = 0; i < r_; ++i) in = both(in, within(i, rows[i], 0, axes_[i].out));
  Value mask = in ? maskOf(in) : Value(), along = withinUnit(unit, 0, axes_[r_].out);
  return mask && along ? c_.inst("m.and", {mask, along}) : mask ? mask : along;
}

// Whether windows may have positions that they do not select.
bool SelectKernel::meetEdges() const {
  return llvm::any_of(llvm::zip(axes_, range_), [](auto axis) {
    const auto &[a, range] = axis;
    return -a.low < range.first || (a.out - 1) * a.stride + a.window - a.low > range.second;
  });
}

// The number of the position that each window selects, -1 where there is no window.
void SelectKernel::emitChoices(const Linear &tile) {
  SmallVector<int64_t> extents;
  for (int64_t i = 0; i < r_; ++i) extents.push_back(windowsOf(i).count);
  extents.push_back(llvm::divideCeil(axes_[r_].out, 8));
  const int64_t stride = axes_[r_].stride;
  // Masks are few: where windows meet an edge, one at a time.
  c_.flatLoop(extents, meetEdges() ? 1 : straight(taps_.size()), [&](ArrayRef<Linear> at, const Linear &) {
    SmallVector<Linear> rows;
    for (int64_t i = 0; i < r_; ++i) rows.push_back(at[i] + Linear(windowsOf(i).begin));
    Value number = choice(rows, tile, at[r_]);
    if (Value there = exist(rows, at[r_])) number = c_.inst("v.sel", {there, number, c_.splatI(-1)});
    Linear word = apart_.wordOf(rows, tile, at[r_] * (8 * stride) + Linear(apart_.last.low));
    c_.store(number, word + Linear(chosen_), stride, kChosenRegion, {}, {8, apart_.heldLanes()});
  });
}

// Rows of the windows' copy that have the windows over the elements of a phase at a tap; none: no window has them
// there.
std::optional<SmallVector<int64_t>> SelectKernel::rowsOver(ArrayRef<int64_t> phase, ArrayRef<int64_t> tap) const {
  SmallVector<int64_t> rows;
  for (int64_t i = 0; i < r_; ++i) {
    const Axis &back = apart_.lead[i];
    const int64_t position = phase[i] + back.window - 1 - tap[i] - back.low % back.baseDilation;
    if (position % back.baseDilation) return std::nullopt;
    rows.push_back(position / back.baseDilation);
  }
  return rows;
}

// The elements of a phase: 8 from `row` on, beside which the windows' first rows are `group`.
Value SelectKernel::sum(ArrayRef<Linear> group, ArrayRef<int64_t> phase, const Linear &tile, const Linear &row) {
  Type t = elementOf(op_.getResult());
  const bool single = domain_.dims[r_] == 1;
  Value sum = emitConstant(c_, t, initial_);
  // The window that has the element at its last position comes first.
  for (int64_t k = taps_.size(); k-- > 0;) {
    const auto over = rowsOver(phase, taps_[k]);
    if (!over) continue;
    SmallVector<Linear> rows;
    for (int64_t i = 0; i < r_; ++i) rows.push_back(group[i] + Linear((*over)[i]));
    Linear word = apart_.wordOf(rows, tile, row + Linear(apart_.last.window - 1 - taps_[k][r_]));
    Value value = c_.load(word, !single, apart_.region, apart_.heldLanes()),
          number = c_.load(word + Linear(chosen_), !single, kChosenRegion, apart_.heldLanes());
    Value hit = c_.inst("v.eq.i32", {number, c_.splatI(k)});
    sum = c_.inst("v.sel", {hit, emitCombine(c_, reducer_, t, sum, value), sum});
  }
  return sum;
}

// Elements by groups from `first` on, `count` of them along each leading dim, of a group those of `phases`.
void SelectKernel::emitGroups(ArrayRef<int64_t> first, ArrayRef<int64_t> count, ArrayRef<int64_t> phases,
                              const Linear &tile) {
  int64_t unit = domain_.unitRows();
  SmallVector<int64_t> extents(count);
  extents.push_back(llvm::divideCeil(domain_.block[r_], unit));
  int64_t chain = 0;
  for (const auto &phase : windowPositions(phases))
    chain += domain_.pack * llvm::count_if(taps_, [&](auto &tap) { return rowsOver(phase, tap); });
  c_.flatLoop(extents, straight(chain), [&](ArrayRef<Linear> at, const Linear &) {
    SmallVector<Linear> group;
    for (int64_t i = 0; i < r_; ++i) group.push_back(at[i] + Linear(first[i]));
    for (const auto &phase : windowPositions(phases)) {
      SmallVector<Value> groups;
      for (int64_t sub = 0; sub < domain_.pack; ++sub)
        groups.push_back(sum(group, phase, tile, domain_.dims[r_] == 1 ? Linear(0) : at[r_] * unit + Linear(8 * sub)));
      Point p = origin();
      for (int64_t i = 0; i < r_; ++i) p.at[i] = group[i] * axes_[i].stride + Linear(phase[i]);
      p.at[r_] = at[r_];
      p.at[lanes_] = tile;
      storeRoot(groups, p);
    }
  });
}

// Along a leading dim elements are as many phases as windows are apart: those of a phase are under windows at the same
// taps. The last group may be short.
void SelectKernel::emitElements(const Linear &tile) {
  for (const auto &isLast : windowPositions(SmallVector<int64_t>(r_, 2))) {
    SmallVector<int64_t> first, count, phases;
    for (int64_t i = 0; i < r_; ++i) {
      const int64_t whole = domain_.block[i] / axes_[i].stride, rest = domain_.block[i] % axes_[i].stride;
      first.push_back(isLast[i] ? whole : 0);
      count.push_back(isLast[i] ? rest > 0 : whole);
      phases.push_back(isLast[i] ? rest : axes_[i].stride);
    }
    if (!llvm::is_contained(count, 0)) emitGroups(first, count, phases, tile);
  }
}

LogicalResult SelectKernel::run(Value start, Value count) {
  if (failed(plan())) return failure();
  makeBody(typeOf(op_.getResult()).getNumElements() * taps_.size());
  emitBorders(c_, padded_);
  emitBorders(c_, apart_);
  PaddedInput numbers = apart_;
  numbers.word += chosen_;
  numbers.fill = 0xffffffffu;
  numbers.region = kChosenRegion;
  emitFill(c_, numbers);
  emitGrid(*grid_, c_, start, count, [&](const Step &step) {
    body_->blockIndex = step.index;
    emitStage(c_, padded_, step.index);
    emitStage(c_, apart_, step.index);
    c_.loop(c_.i64(0), c_.i64(llvm::divideCeil(domain_.block[lanes_], 128)), 1, {}, [&](Value iv, ValueRange) {
      emitChoices(c_.linear(iv));
      emitElements(c_.linear(iv));
      return SmallVector<Value>();
    });
  });
  return success();
}

}  // namespace

LogicalResult lowerSelectKernel(KernelContext &context, Code &code, stablehlo::SelectAndScatterOp op, Value start,
                                Value count) {
  return SelectKernel(context, code, op).run(start, count);
}

}  // namespace tpuc::lowering
