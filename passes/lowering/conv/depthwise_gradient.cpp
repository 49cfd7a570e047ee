// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gradients of depthwise convolutions with respect to their weights, on the vector unit: for each tap the sum of x,
// shifted by it, times dy over the batch and all positions.
//
// A grid step makes a padded copy of its block of x (window.h). Then, for a few taps at a time, it walks all vregs of
// dy and adds their products with x to a vreg for each tap, which stays in a register: 8 positions along sublanes. At
// the end these are added up.
#include "passes/lowering/conv/depthwise_gradient.h"

#include <map>

#include "passes/lowering/body/vector_ops.h"
#include "passes/lowering/conv/window.h"
#include "passes/lowering/grid/root_kernel.h"
#include "passes/plan/conv/depthwise_gradient.h"

using namespace mlir;

namespace tpuc::lowering {
namespace {

// Sums that registers hold beside what is multiplied, and products in a loop's body.
constexpr int64_t kMostSums = 28, kMostProducts = 112;

class DepthwiseGradientKernel : RootKernel<DepthwiseGradientPlan> {
 public:
  DepthwiseGradientKernel(KernelContext &context, Code &code, stablehlo::ConvolutionOp conv)
      : RootKernel(context, code, conv) {}
  LogicalResult run(Value start, Value count);

 private:
  // Groups of 8 positions along a row, of units of dy's from `unit` on.
  struct Groups {
    Linear unit;
    int64_t first, count;
  };
  using Sums = SmallVector<Value>;

  ArrayRef<SmallVector<int64_t>> tapsOf(int64_t part) const;
  int64_t parts() const { return llvm::divideCeil(static_cast<int64_t>(taps_.size()), kMostSums); }
  int64_t rowsAtOnce(int64_t taps) const;
  Value inside(Value v, int64_t group) const;
  Value loadDy(ArrayRef<Linear> rows, const Linear &tile, const Linear &unit) const;
  Value loadX(ArrayRef<Linear> rows, ArrayRef<int64_t> tap, const Linear &tile, const Groups &groups, int64_t group);
  void addProducts(Sums &sums, ArrayRef<SmallVector<int64_t>> taps, ArrayRef<Linear> at, int64_t rows,
                   const Linear &tile, const Groups &groups);
  Sums walk(ArrayRef<int64_t> extents, const Sums &sums, function_ref<void(ArrayRef<Linear>, Sums &)> body);
  void emitPart(int64_t part, const Linear &tile);
  void emitResults();
  void emitStep(const Step &step);
  Linear wordOfSum(const Linear &tap, const Linear &tile) const { return Linear(sums_) + (tap * tiles() + tile) * 8; }
};

ArrayRef<SmallVector<int64_t>> DepthwiseGradientKernel::tapsOf(int64_t part) const {
  const int64_t size = taps_.size(), each = llvm::divideCeil(size, parts());
  return ArrayRef(taps_).slice(part * each, std::min(each, size - part * each));
}

// Rows side by side meet the same rows of x at other taps: these are loaded once.
int64_t DepthwiseGradientKernel::rowsAtOnce(int64_t taps) const {
  if (lead_.size() == 1) return 1;
  int64_t rows = 4;
  while (rows > 1 && (domain_.block[lead_.back()] % rows || taps * rows * dy_->array.pack > kMostProducts)) rows /= 2;
  return rows;
}

// A vreg of 8 positions of a row, with zeros behind the row's last one.
Value DepthwiseGradientKernel::inside(Value v, int64_t group) const {
  const int64_t left = padded_.last.out - group * 8;
  if (left >= 8) return v;
  return c_.inst("v.sel", {c_.inst("v.lt.s32", {c_.inst("v.subid", {}), c_.splatI(left)}), v, c_.splatI(0)});
}

Value DepthwiseGradientKernel::loadDy(ArrayRef<Linear> rows, const Linear &tile, const Linear &unit) const {
  Linear word = dy_->base + tile * (dy_->rowsHeld / dy_->array.pack) + unit * 8;
  for (auto [i, row] : llvm::enumerate(rows)) word = word + row * dy_->leadWords[i];
  return c_.load(word, 1, dy_->region);
}

Value DepthwiseGradientKernel::loadX(ArrayRef<Linear> rows, ArrayRef<int64_t> tap, const Linear &tile,
                                     const Groups &groups, int64_t group) {
  SmallVector<Linear> from{rows[0]};
  for (size_t i = 1; i < rows.size(); ++i)
    from.push_back(rows[i] * padded_.lead[i].stride + Linear(tap[i - 1] * padded_.lead[i].dilation));
  const Axis &last = padded_.last;
  const Linear position = groups.unit * (8 * dy_->array.pack) + Linear(8 * group);
  return c_.load(padded_.wordOf(from, tile, position * last.stride + Linear(tap.back() * last.dilation)), last.stride,
                 padded_.region, padded_.heldLanes());
}

// The products of `rows` rows of dy from `at` on, of some groups along them.
void DepthwiseGradientKernel::addProducts(Sums &sums, ArrayRef<SmallVector<int64_t>> taps, ArrayRef<Linear> at,
                                          int64_t rows, const Linear &tile, const Groups &groups) {
  // Values of x by group, row of the copy, and tap but for what the row has of it.
  std::map<SmallVector<int64_t>, Value> loaded;
  const Axis &axis = padded_.lead.back();
  for (int64_t row = 0; row < rows; ++row) {
    SmallVector<Linear> place(at);
    if (lead_.size() > 1) place.back() = at.back() * rows + Linear(row);
    Value packed = loadDy(place, tile, groups.unit);
    for (int64_t group = groups.first; group < groups.first + groups.count; ++group) {
      const bool isKnown = groups.unit.isConstant();
      const int64_t ofRow = groups.unit.constant * dy_->array.pack + group;
      Value dy = unpackGroup(c_, dy_->array.type.getElementType(), packed, group);
      if (isKnown) dy = inside(dy, ofRow);
      for (auto [k, tap] : llvm::enumerate(taps)) {
        SmallVector<int64_t> key{group, lead_.size() > 1 ? row * axis.stride + tap[tap.size() - 2] * axis.dilation : 0};
        key.append(tap.begin(), tap.end());
        if (lead_.size() > 1) key[key.size() - 2] = 0;
        Value &x = loaded[key];
        if (!x) {
          x = loadX(place, tap, tile, groups, group);
          if (isKnown) x = inside(x, ofRow);
        }
        sums[k] = c_.inst("v.fma.f32", {x, dy, sums[k]});
      }
    }
  }
}

// All positions of a space as one loop that carries the sums.
DepthwiseGradientKernel::Sums DepthwiseGradientKernel::walk(ArrayRef<int64_t> extents, const Sums &sums,
                                                            function_ref<void(ArrayRef<Linear>, Sums &)> body) {
  int64_t total = 1;
  for (int64_t e : extents) total *= e;
  if (total == 0) return sums;
  SmallVector<Value> init(extents.size(), c_.i64(0));
  llvm::append_range(init, sums);
  SmallVector<Value> out = c_.loop(
      c_.i64(0), c_.i64(total), 1, init,
      [&](Value, ValueRange carried) {
        ValueRange counters = carried.take_front(extents.size());
        SmallVector<Linear> at;
        for (auto [extent, counter] : llvm::zip(extents, counters))
          at.push_back(extent == 1 ? Linear(0) : c_.linear(counter));
        Sums now(carried.drop_front(extents.size()));
        body(at, now);
        SmallVector<Value> next = c_.advance(counters, extents);
        llvm::append_range(next, now);
        return next;
      },
      true);
  return Sums(ArrayRef(out).drop_front(extents.size()));
}

// Some taps of a tile of lanes: whole units of dy's, then what is left of a row.
void DepthwiseGradientKernel::emitPart(int64_t part, const Linear &tile) {
  const ArrayRef<SmallVector<int64_t>> taps = tapsOf(part);
  const int64_t pack = dy_->array.pack, out = padded_.last.out, whole = out / (8 * pack),
                rest = llvm::divideCeil(out, 8) - whole * pack, rows = rowsAtOnce(taps.size()),
                first = taps.begin() - taps_.begin();
  Sums sums;
  for (size_t k = 0; k < taps.size(); ++k) sums.push_back(c_.load(wordOfSum(Linear(first + k), tile), 1, kSumRegion));
  SmallVector<int64_t> extents;
  for (int64_t d : lead_) extents.push_back(domain_.block[d]);
  extents.back() /= rows;
  extents.push_back(whole);
  const size_t n = lead_.size();
  sums = walk(extents, sums, [&](ArrayRef<Linear> at, Sums &now) {
    addProducts(now, taps, at.take_front(n), rows, tile, {at[n], 0, pack});
  });
  if (rest > 0)
    sums = walk(ArrayRef(extents).drop_back(), sums, [&](ArrayRef<Linear> at, Sums &now) {
      addProducts(now, taps, at, rows, tile, {Linear(whole), 0, rest});
    });
  for (auto [k, sum] : llvm::enumerate(sums)) c_.store(sum, wordOfSum(Linear(first + k), tile), 1, kSumRegion);
}

void DepthwiseGradientKernel::emitResults() {
  SmallVector<int64_t> extents;
  for (int64_t d : tapDims_) extents.push_back(domain_.dims[d]);
  extents.push_back(tiles());
  c_.flatLoop(extents, 2, [&](ArrayRef<Linear> at, const Linear &) {
    Point p = origin();
    Linear tap(0);
    for (auto [i, d] : llvm::enumerate(tapDims_)) {
      p.at[d] = at[i];
      tap = tap * domain_.dims[d] + at[i];
    }
    p.at[lanes_] = at.back();
    Value sum =
        emitReduceSublanes(c_, Reducer::Add, c_.b.getF32Type(), c_.load(wordOfSum(tap, at.back()), 1, kSumRegion));
    storeRoot(SmallVector<Value>(domain_.pack, sum), p);
  });
}

void DepthwiseGradientKernel::emitStep(const Step &step) {
  body_->blockIndex = step.index;
  emitStage(c_, padded_, step.index);
  const int64_t vregs = static_cast<int64_t>(taps_.size()) * tiles();
  c_.ifThen(step.first, [&] {
    c_.flatLoop({vregs}, 4, [&](ArrayRef<Linear> at, const Linear &) {
      c_.store(c_.splatI(0), Linear(sums_) + at[0] * 8, 1, kSumRegion);
    });
  });
  c_.loop(c_.i64(0), c_.i64(tiles()), 1, {}, [&](Value iv, ValueRange) {
    for (int64_t part = 0; part < parts(); ++part) emitPart(part, c_.linear(iv));
    return SmallVector<Value>();
  });
  c_.ifThen(step.last, [&] { emitResults(); });
}

LogicalResult DepthwiseGradientKernel::run(Value start, Value count) {
  if (failed(plan())) return failure();
  makeBody(2 * padded_.last.out * positions());
  emitBorders(c_, padded_);
  emitGrid(*grid_, c_, start, count, [&](const Step &step) { emitStep(step); });
  return success();
}

}  // namespace

LogicalResult lowerDepthwiseGradientKernel(KernelContext &context, Code &code, stablehlo::ConvolutionOp conv,
                                           Value start, Value count) {
  return DepthwiseGradientKernel(context, code, conv).run(start, count);
}

}  // namespace tpuc::lowering
