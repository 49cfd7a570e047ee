// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// select_and_scatter, the gradient of pooling: every window's value goes to the element that the window selects.
//
// Seen from the elements, nothing is scattered: an element adds the values of the windows over it that selected it. The
// window lies over the leading dims and the one along sublanes. A grid step:
//  1. makes padded copies of the operand and of the windows' values, these as far apart as the windows are (window.h);
//  2. for each window, the number of the position that it selects, into a copy laid out like the values';
//  3. for each element, a chain over the window's positions: where the window that has it there selected it, its value.
#include "passes/lowering/conv/select_kernel.h"

#include "passes/lowering/body/vector_ops.h"
#include "passes/lowering/conv/window.h"
#include "passes/lowering/grid/root_kernel.h"
#include "passes/plan/conv/select_plan.h"

using namespace mlir;

namespace tpuc::lowering {
namespace {

class SelectKernel : RootKernel<SelectPlan> {
 public:
  SelectKernel(KernelContext &context, Code &code, stablehlo::SelectAndScatterOp op) : RootKernel(context, code, op) {}
  LogicalResult run(Value start, Value count);

 private:
  Value keeps(Value best, Value other);
  Value inside(ArrayRef<int64_t> tap, ArrayRef<Linear> at);
  void emitChoices(const Linear &tile);
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

// Where windows may select what a tap of theirs is; null when they always may.
Value SelectKernel::inside(ArrayRef<int64_t> tap, ArrayRef<Linear> at) {
  Value in;
  for (int64_t i = 0; i < r_; ++i) {
    const Axis &a = padded_.lead[i];
    const auto [begin, end] = range_[i];
    int64_t first = tap[i] - a.low;
    if (first >= begin && first + (a.out - 1) * a.stride < end) continue;
    Value p = c_.value(at[i] * a.stride + Linear(first));
    Value here = c_.b.createOrFold<arith::AndIOp>(c_.loc, c_.cmp(arith::CmpIPredicate::sge, p, c_.i64(begin)),
                                                  c_.cmp(arith::CmpIPredicate::slt, p, c_.i64(end)));
    in = in ? c_.b.createOrFold<arith::AndIOp>(c_.loc, in, here) : here;
  }
  Value mask;
  if (in) mask = c_.inst("v.ne.i32", {c_.inst("v.splat", {c_.select(in, c_.i64(1), c_.i64(0))}), c_.splatI(0)});
  const Axis &a = padded_.last;
  const auto [begin, end] = range_[r_];
  int64_t first = tap[r_] - a.low - begin;
  if (first >= 0 && first + (a.out - 1) * a.stride < end - begin) return mask;
  Value window = c_.inst("v.add.i32", {c_.inst("v.subid", {}), c_.splat(at[r_] * 8)});
  Value p = c_.inst("v.add.i32", {c_.inst("v.mul.i32", {window, c_.splatI(a.stride)}), c_.splatI(first)});
  Value along = c_.inst("v.lt.u32", {p, c_.splatI(end - begin)});  // below zero is large
  return mask ? c_.inst("m.and", {mask, along}) : along;
}

// The number of the position that each window selects, -1 beyond the last window.
void SelectKernel::emitChoices(const Linear &tile) {
  SmallVector<int64_t> extents;
  for (int64_t d : padded_.leadDims) extents.push_back(domain_.block[d]);
  extents.push_back(llvm::divideCeil(padded_.last.out, 8));
  int64_t stride = padded_.last.stride;
  Value all = c_.inst("m.li", {}, {{"imm", 1}});
  c_.flatLoop(extents, 2, [&](ArrayRef<Linear> at, const Linear &) {
    Value best, found, number = c_.splatI(0);  // found: `best` is inside; null when it always is
    for (auto [k, tap] : llvm::enumerate(taps_)) {
      SmallVector<Linear> rows;
      for (int64_t i = 0; i < r_; ++i) rows.push_back(at[i] * padded_.lead[i].stride + Linear(tap[i]));
      Value v = c_.load(padded_.wordOf(rows, tile, at[r_] * (8 * stride) + Linear(tap[r_])), stride, padded_.region);
      Value in = inside(tap, at);
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
    if (padded_.last.out % 8) {
      Value window = c_.inst("v.add.i32", {c_.inst("v.subid", {}), c_.splat(at[r_] * 8)});
      number = c_.inst("v.sel", {c_.inst("v.lt.s32", {window, c_.splatI(padded_.last.out)}), number, c_.splatI(-1)});
    }
    SmallVector<Linear> rows;
    for (int64_t i = 0; i < r_; ++i) rows.push_back(at[i] * apart_.lead[i].baseDilation + Linear(apart_.lead[i].low));
    Linear word = apart_.wordOf(rows, tile, at[r_] * (8 * stride) + Linear(apart_.last.low));
    c_.store(number, word + Linear(chosen_), stride, kChosenRegion);
  });
}

void SelectKernel::emitElements(const Linear &tile) {
  Type t = elementOf(op_.getResult());
  int64_t unit = domain_.unitRows();
  SmallVector<int64_t> extents;
  for (int64_t d : lead_) extents.push_back(domain_.block[d]);
  extents.push_back(llvm::divideCeil(domain_.block[r_], unit));
  bool single = domain_.dims[r_] == 1;
  c_.flatLoop(extents, 1, [&](ArrayRef<Linear> at, const Linear &) {
    SmallVector<Value> groups;
    for (int64_t sub = 0; sub < domain_.pack; ++sub) {
      Value sum = emitConstant(c_, t, initial_);
      // The window that has the element at its last position comes first.
      for (int64_t k = taps_.size(); k-- > 0;) {
        SmallVector<Linear> rows;
        for (int64_t i = 0; i < r_; ++i) rows.push_back(at[i] + Linear(apart_.lead[i].window - 1 - taps_[k][i]));
        Linear row = single ? Linear(0) : at[r_] * unit + Linear(8 * sub);
        Linear word = apart_.wordOf(rows, tile, row + Linear(apart_.last.window - 1 - taps_[k][r_]));
        Value value = c_.load(word, !single, apart_.region),
              number = c_.load(word + Linear(chosen_), !single, kChosenRegion);
        Value hit = c_.inst("v.eq.i32", {number, c_.splatI(k)});
        sum = c_.inst("v.sel", {hit, emitCombine(c_, reducer_, t, sum, value), sum});
      }
      groups.push_back(sum);
    }
    Point p = origin();
    for (int64_t i = 0; i <= r_; ++i) p.at[i] = at[i];
    p.at[lanes_] = tile;
    storeRoot(groups, p);
  });
}

LogicalResult SelectKernel::run(Value start, Value count) {
  if (failed(plan())) return failure();
  makeBody(typeOf(op_.getResult()).getNumElements() * taps_.size());
  emitFill(c_, padded_);
  emitFill(c_, apart_);
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
