// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Windows on the vector unit: pooling (reduce_window) and depthwise convolutions, with an elementwise epilogue.
//
// The window lies over the leading dims and the one along sublanes; lanes go along. A grid step makes a padded copy of
// its input block (window.h), unless the block is one already, then each vreg of the result is a chain over the
// window's positions: loads at constant distances.
#include "passes/lowering/body/vector_ops.h"
#include "passes/lowering/conv/select_kernel.h"
#include "passes/lowering/conv/window.h"
#include "passes/lowering/grid/root_kernel.h"
#include "passes/lowering/loop/scan_kernel.h"
#include "passes/plan/conv/window_plan.h"

using namespace mlir;

namespace tpuc::lowering {
namespace {

class WindowKernel : RootKernel<WindowPlan> {
 public:
  WindowKernel(KernelContext &context, Code &code) : RootKernel(context, code) {}
  LogicalResult run(Value start, Value count);

 private:
  void emitStep(const Step &step);
  Value weight(int64_t tap, const Linear &tile);
  Value combine(Type t, Value sum, Value v);
  Value chain(ArrayRef<Value> weights, ArrayRef<Linear> lead, const Linear &tile, const Linear &row, int64_t stride);
};

// The weights of one position, the same in every sublane.
Value WindowKernel::weight(int64_t tap, const Linear &tile) {
  const Array &a = weights_->array;
  Type t = a.type.getElementType();
  Linear word = weights_->base + tile * (weights_->rowsHeld / a.pack);
  for (int64_t i = 0; i < r_; ++i) {
    // The batch has no place in the weights.
    const Axis &axis = i + 1 == r_ ? padded_.last : padded_.lead[i + 1];
    int64_t position = taps_[tap][i + 1];
    word = word + Linear((axis.reversed ? axis.window - 1 - position : position) * weights_->leadWords[i]);
  }
  Value v = c_.load(word, 0, weights_->region);
  if (a.pack == 1) return v;
  Value top = c_.inst("v.shl", {v, c_.splatI(32 - 32 / a.pack)});
  if (t.isBF16()) return top;
  Value low = c_.inst(mlir::isa<IntegerType>(t) ? "v.shr.s32" : "v.shr.u32", {top, c_.splatI(32 - 32 / a.pack)});
  return t.isF16() ? c_.inst("v.cvt.f16.f32", {low}) : low;
}

// One application of the window's computation; a sum or product of narrow floats is one of theirs, rounded each time.
Value WindowKernel::combine(Type t, Value sum, Value v) {
  Value made = emitCombine(c_, reducer_, t, sum, v);
  bool rounds = mlir::isa<FloatType>(t) && (reducer_ == Reducer::Add || reducer_ == Reducer::Mul);
  return rounds ? normalise(c_, t, made) : made;
}

// One vreg of the result before the epilogue: 8 rows from `row` on.
Value WindowKernel::chain(ArrayRef<Value> weights, ArrayRef<Linear> lead, const Linear &tile, const Linear &row,
                          int64_t stride) {
  Type t = elementOf(root_->getResult(0));
  Value sum = window_ ? c_.splatBits(padded_.fill) : Value();
  for (auto [k, tap] : llvm::enumerate(taps_)) {
    SmallVector<Linear> rows;
    for (int64_t i = 0; i < r_; ++i)
      rows.push_back(lead[i] * padded_.lead[i].stride + Linear(tap[i] * padded_.lead[i].dilation));
    Value v = c_.load(padded_.wordOf(rows, tile, row * stride + Linear(tap[r_] * padded_.last.dilation)), stride,
                      padded_.region, padded_.heldLanes());
    if (window_)
      sum = combine(t, sum, v);
    else if (mlir::isa<IntegerType>(t))
      sum = emitCombine(c_, Reducer::Add, t, sum ? sum : c_.splatI(0), c_.inst("v.mul.i32", {v, weights[k]}));
    else
      sum = sum ? c_.inst("v.fma.f32", {v, weights[k], sum}) : c_.inst("v.mul.f32", {v, weights[k]});
  }
  return sum;
}

void WindowKernel::emitStep(const Step &step) {
  body_->blockIndex = step.index;
  if (!padded_.isBlock) emitStage(c_, padded_, step.index);
  int64_t tiles = llvm::divideCeil(domain_.block[lanes_], 128), unit = domain_.unitRows();
  int64_t stride = domain_.dims[r_] == 1 ? 0 : padded_.last.stride;
  SmallVector<int64_t> extents;
  for (int64_t d : lead_) extents.push_back(domain_.block[d]);
  extents.push_back(llvm::divideCeil(domain_.block[r_], unit));
  c_.loop(c_.i64(0), c_.i64(tiles), 1, {}, [&](Value iv, ValueRange) {
    Linear tile = c_.linear(iv);
    SmallVector<Value> weights;
    for (int64_t k = 0; conv_ && k < taps(); ++k) weights.push_back(weight(k, tile));
    c_.flatLoop(extents, std::max<int64_t>(1, 16 / (taps() * domain_.pack)), [&](ArrayRef<Linear> at, const Linear &) {
      Point p;
      p.at.assign(at.begin(), at.end());
      p.at.push_back(tile);
      SmallVector<Value> groups;
      for (int64_t sub = 0; sub < domain_.pack; ++sub)
        groups.push_back(chain(weights, at.take_front(r_), tile, at[r_] * unit + Linear(8 * sub), stride));
      storeRoot(groups, p);
    });
    return SmallVector<Value>();
  });
}

LogicalResult WindowKernel::run(Value start, Value count) {
  if (failed(plan())) return failure();
  makeBody((conv_ ? 2 : 1) * taps() * positions());
  if (!padded_.isBlock) emitBorders(c_, padded_);
  emitGrid(*grid_, c_, start, count, [&](const Step &step) { emitStep(step); });
  return success();
}

}  // namespace

LogicalResult lowerWindowKernel(KernelContext &context, Code &code, Value start, Value count) {
  const WindowRoot root = windowRootOf(context.op);
  if (root.select) return lowerSelectKernel(context, code, root.select, start, count);
  if (root.scan) return lowerScanKernel(context, code, root.window, *root.scan, start, count);
  return WindowKernel(context, code).run(start, count);
}

}  // namespace tpuc::lowering
