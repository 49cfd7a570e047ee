// reduce_window as shifted slices combined elementwise, one dim after the other.
//
//  1. The operand padded (and dilated) with the initial value.
//  2. Along each dim, windows of 1, 2, 4, ... elements by doubling; a window of w is those of w's binary digits, end to end.
//  3. The strides as a slice, the initial value once more.
// Windows of few elements are walked in order instead. Before all that, a window whose initial value is no constant becomes one that starts
// from the neutral element, where that has a kernel.
#include "passes/expand/build.h"
#include "dialects/diagnostics/diagnose.h"
#include "passes/expand/convolution_form.h"
#include "passes/expand/inline_region.h"
#include "passes/expand/neutral.h"
#include "passes/expand/passes.h"

using namespace mlir;

namespace tpuc::expand {
#define GEN_PASS_DEF_EXPANDREDUCEWINDOWPASS
#include "passes/expand/passes.h.inc"
namespace {

SmallVector<int64_t> valuesOf(std::optional<ArrayRef<int64_t>> values, int64_t n) {
  return values ? llvm::to_vector(*values) : SmallVector<int64_t>(n, 1);
}

constexpr int64_t kMostInOrder = 16;

class Window {
 public:
  Window(stablehlo::ReduceWindowOp op, OpBuilder &b) : op_(op), build_{b, op.getLoc()}, b_(b) {}
  LogicalResult run();

 private:
  using Values = SmallVector<Value>;
  Values combine(const Values &x, const Values &y) {
    Values arguments(x);
    llvm::append_range(arguments, y);
    return inlineElementwise(b_, op_.getBody().front(), arguments);
  }
  // Elements [from, from + count) along dim d.
  Values part(const Values &vs, int64_t d, int64_t from, int64_t count) {
    return llvm::map_to_vector(vs, [&](Value v) { return part(v, d, from, count); });
  }
  Value part(Value v, int64_t d, int64_t from, int64_t count) {
    SmallVector<int64_t> start(typeOf(v).getRank(), 0), limit(typeOf(v).getShape()), stride(start.size(), 1);
    start[d] = from;
    limit[d] = from + count;
    return build_.slice(v, start, limit, stride);
  }
  Values along(const Values &v, int64_t d, int64_t window, int64_t dilation);
  Values inOrder(const Values &v);

  stablehlo::ReduceWindowOp op_;
  Build build_;
  OpBuilder &b_;
  SmallVector<int64_t> strides_, dilations_, out_;
};

// Every window of `window` elements, `dilation` apart, at stride 1.
Window::Values Window::along(const Values &v, int64_t d, int64_t window, int64_t dilation) {
  int64_t out = typeOf(v[0]).getDimSize(d) - (window - 1) * dilation;
  Values power = v, total;
  int64_t covered = 0;
  for (int64_t length = 1; length <= window; length *= 2) {
    if (window & length) {
      Values piece = part(power, d, covered * dilation, out);
      total = total.empty() ? piece : combine(total, piece);
      covered += length;
    }
    if (length * 2 > window) break;
    int64_t next = typeOf(power[0]).getDimSize(d) - length * dilation;
    power = combine(part(power, d, 0, next), part(power, d, length * dilation, next));
  }
  return total;
}

// A small window one element after the other: the order of a plain loop, which matters where sums cancel.
Window::Values Window::inOrder(const Values &v) {
  ArrayRef<int64_t> window = op_.getWindowDimensions();
  int64_t rank = window.size();
  SmallVector<int64_t> at(rank, 0);
  Values total = llvm::map_to_vector(op_.getInitValues(), [&](Value init) { return build_.broadcast(init, out_, {}); });
  while (true) {
    SmallVector<int64_t> start, limit;
    for (int64_t d = 0; d < rank; ++d) {
      start.push_back(at[d] * dilations_[d]);
      limit.push_back(start[d] + (out_[d] - 1) * strides_[d] + 1);
    }
    total = combine(total, llvm::map_to_vector(v, [&](Value x) { return build_.slice(x, start, limit, strides_); }));
    int64_t d = rank - 1;
    while (d >= 0 && ++at[d] == window[d]) at[d--] = 0;
    if (d < 0) return total;
  }
}

LogicalResult Window::run() {
  if (!isElementwiseRegion(op_.getBody().front())) return diagnose(op_, codes::kRegionOfArrays) << "expects a computation on single elements in 'stablehlo.reduce_window', but got one on arrays; write it elementwise";
  Values v(op_.getInputs());
  int64_t rank = typeOf(v[0]).getRank(), elements = 1;
  SmallVector<int64_t> base = valuesOf(op_.getBaseDilations(), rank);
  strides_ = valuesOf(op_.getWindowStrides(), rank);
  dilations_ = valuesOf(op_.getWindowDilations(), rank);
  out_ = SmallVector<int64_t>(cast<RankedTensorType>(op_.getResult(0).getType()).getShape());
  SmallVector<int64_t> low(rank, 0), high(rank, 0), interior;
  if (auto padding = op_.getPadding()) {
    auto values = llvm::to_vector(padding->getValues<int64_t>());
    for (int64_t d = 0; d < rank; ++d) {
      low[d] = values[2 * d];
      high[d] = values[2 * d + 1];
    }
  }
  for (int64_t d : base) interior.push_back(d - 1);
  for (int64_t w : op_.getWindowDimensions()) elements *= w;
  for (auto [x, init] : llvm::zip(v, op_.getInitValues())) x = build_.pad(x, init, low, high, interior);
  if (elements <= kMostInOrder) {
    v = inOrder(v);
  } else {
    // Rows first, then rows of rows: the order of the elements, which matters where the computation does not commute.
    for (int64_t d = rank - 1; d >= 0; --d) v = along(v, d, op_.getWindowDimensions()[d], dilations_[d]);
    SmallVector<int64_t> start(rank, 0), limit;
    for (int64_t d = 0; d < rank; ++d) limit.push_back((out_[d] - 1) * strides_[d] + 1);
    for (Value &x : v) x = build_.slice(x, start, limit, strides_);
    v = combine(llvm::map_to_vector(op_.getInitValues(), [&](Value init) { return build_.broadcast(init, out_, {}); }), v);
  }
  op_->replaceAllUsesWith(v);
  op_.erase();
  return success();
}

// A window that starts from a value which only the run knows has no kernel. From the neutral element it has one, over an operand with the
// value in its padding; the value itself comes in once at the end. Nothing is left behind where that has none either.
bool startFromNeutral(stablehlo::ReduceWindowOp op, int64_t vmemBytes) {
  Block &body = op.getBody().front();
  if (op.getInputs().size() != 1 || body.getOperations().size() != 2 || op.getInitValues()[0].getDefiningOp<stablehlo::ConstantOp>()) return false;
  Operation &combines = body.front();
  Value x = op.getInputs()[0], init = op.getInitValues()[0];
  auto scalar = typeOf(init);
  Attribute neutral = combines.getNumOperands() == 2 && combines.getNumResults() == 1 && combines.getResult(0).getType() == scalar ? neutralOf(&combines, scalar.getElementType()) : Attribute();
  if (!neutral || typeOf(op.getResult(0)).getElementType() != scalar.getElementType()) return false;
  OpBuilder b(op);
  Build build{b, op.getLoc()};
  SmallVector<Operation *> built;
  const int64_t rank = typeOf(x).getRank();
  SmallVector<int64_t> low(rank, 0), high(rank, 0), interior;
  for (int64_t d : valuesOf(op.getBaseDilations(), rank)) interior.push_back(d - 1);
  if (auto padding = op.getPadding())
    for (int64_t d = 0; d < rank; ++d) {
      low[d] = padding->getValues<int64_t>()[2 * d];
      high[d] = padding->getValues<int64_t>()[2 * d + 1];
    }
  auto isZero = [](int64_t n) { return n == 0; };
  if (!llvm::all_of(low, isZero) || !llvm::all_of(high, isZero) || !llvm::all_of(interior, isZero)) {
    x = build.pad(x, init, low, high, interior);
    built.push_back(x.getDefiningOp());
  }
  Value start = build.splat(scalar, neutral);
  built.push_back(start.getDefiningOp());
  auto made = mlir::cast<stablehlo::ReduceWindowOp>(b.clone(*op));
  built.push_back(made);
  made->setOperands({x, start});
  made.removePaddingAttr();
  made.removeBaseDilationsAttr();
  if (!hasKernel(made, vmemBytes)) {
    for (Operation *one : llvm::reverse(built)) one->erase();
    return false;
  }
  Value first = build.broadcast(init, typeOf(made.getResult(0)).getShape(), {});
  op->replaceAllUsesWith(inlineElementwise(b, body, {first, made.getResult(0)}));
  op.erase();
  return true;
}

struct ExpandReduceWindow : impl::ExpandReduceWindowPassBase<ExpandReduceWindow> {
  using ExpandReduceWindowPassBase::ExpandReduceWindowPassBase;
  void runOnOperation() override {
    SmallVector<stablehlo::ReduceWindowOp> ops;
    getOperation().walk([&](stablehlo::ReduceWindowOp op) { ops.push_back(op); });
    for (auto op : ops) {
      if (hasKernel(op, vmemBytes)) continue;
      if (typeOf(op.getResult(0)).getNumElements() == 0) continue;
      if (startFromNeutral(op, vmemBytes)) continue;
      OpBuilder b(op);
      if (failed(Window(op, b).run())) return signalPassFailure();
    }
  }
};

}  // namespace
}  // namespace tpuc::expand
