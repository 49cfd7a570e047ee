// reduce_window as shifted slices combined elementwise, one dim after the other.
//
//  1. The operand padded (and dilated) with the initial value.
//  2. Along each dim, windows of 1, 2, 4, ... elements by doubling; a window of w is those of w's binary digits, end to end.
//  3. The strides as a slice, the initial value once more.
#include "passes/expand/build.h"
#include "passes/expand/convolution_form.h"
#include "passes/expand/passes.h"

using namespace mlir;

namespace tpuc::expand {
#define GEN_PASS_DEF_EXPANDREDUCEWINDOWPASS
#include "passes/expand/passes.h.inc"
namespace {

SmallVector<int64_t> valuesOf(std::optional<ArrayRef<int64_t>> values, int64_t n) {
  return values ? llvm::to_vector(*values) : SmallVector<int64_t>(n, 1);
}

class Window {
 public:
  Window(stablehlo::ReduceWindowOp op, OpBuilder &b) : op_(op), build_{b, op.getLoc()}, b_(b) {}
  LogicalResult run();

 private:
  Value combine(Value x, Value y) {
    IRMapping mapping;
    mapping.map(reducer_->getOperand(0), x);
    mapping.map(reducer_->getOperand(1), y);
    OperationState state(build_.loc, reducer_->getName(), {x, y}, {x.getType()}, reducer_->getAttrs());
    return b_.create(state)->getResult(0);
  }
  // Elements [from, from + count) along dim d.
  Value part(Value v, int64_t d, int64_t from, int64_t count) {
    SmallVector<int64_t> start(typeOf(v).getRank(), 0), limit(typeOf(v).getShape()), stride(start.size(), 1);
    start[d] = from;
    limit[d] = from + count;
    return build_.slice(v, start, limit, stride);
  }
  Value along(Value v, int64_t d, int64_t window, int64_t dilation);

  stablehlo::ReduceWindowOp op_;
  Build build_;
  OpBuilder &b_;
  Operation *reducer_ = nullptr;
};

// Every window of `window` elements, `dilation` apart, at stride 1.
Value Window::along(Value v, int64_t d, int64_t window, int64_t dilation) {
  int64_t out = typeOf(v).getDimSize(d) - (window - 1) * dilation;
  Value power = v, total;
  int64_t covered = 0;
  for (int64_t length = 1; length <= window; length *= 2) {
    if (window & length) {
      Value piece = part(power, d, covered * dilation, out);
      total = total ? combine(total, piece) : piece;
      covered += length;
    }
    if (length * 2 > window) break;
    int64_t next = typeOf(power).getDimSize(d) - length * dilation;
    power = combine(part(power, d, 0, next), part(power, d, length * dilation, next));
  }
  return total;
}

LogicalResult Window::run() {
  Block &body = op_.getBody().front();
  bool simple = op_.getInputs().size() == 1 && body.getOperations().size() == 2 && body.front().getNumOperands() == 2 &&
                body.getTerminator()->getOperand(0) == body.front().getResult(0);
  if (simple)
    for (Value v : body.front().getOperands()) simple &= mlir::isa<BlockArgument>(v);
  if (!simple) return op_.emitError("TPUC-LOWER-003: reduce_window expects one operand and a body of one operation on both arguments");
  reducer_ = &body.front();
  Value v = op_.getInputs()[0], init = op_.getInitValues()[0];
  int64_t rank = typeOf(v).getRank();
  SmallVector<int64_t> strides = valuesOf(op_.getWindowStrides(), rank), base = valuesOf(op_.getBaseDilations(), rank), dilations = valuesOf(op_.getWindowDilations(), rank);
  SmallVector<int64_t> low(rank, 0), high(rank, 0), interior;
  if (auto padding = op_.getPadding()) {
    auto values = llvm::to_vector(padding->getValues<int64_t>());
    for (int64_t d = 0; d < rank; ++d) {
      low[d] = values[2 * d];
      high[d] = values[2 * d + 1];
    }
  }
  for (int64_t d : base) interior.push_back(d - 1);
  v = build_.pad(v, init, low, high, interior);
  for (int64_t d = 0; d < rank; ++d) v = along(v, d, op_.getWindowDimensions()[d], dilations[d]);
  SmallVector<int64_t> start(rank, 0), limit, out(cast<RankedTensorType>(op_.getResult(0).getType()).getShape());
  for (int64_t d = 0; d < rank; ++d) limit.push_back((out[d] - 1) * strides[d] + 1);
  v = build_.slice(v, start, limit, strides);
  v = combine(build_.broadcast(init, typeOf(v).getShape(), {}), v);
  op_.getResult(0).replaceAllUsesWith(v);
  op_.erase();
  return success();
}

struct ExpandReduceWindow : impl::ExpandReduceWindowPassBase<ExpandReduceWindow> {
  using ExpandReduceWindowPassBase::ExpandReduceWindowPassBase;
  void runOnOperation() override {
    SmallVector<stablehlo::ReduceWindowOp> ops;
    getOperation().walk([&](stablehlo::ReduceWindowOp op) { ops.push_back(op); });
    for (auto op : ops) {
      if (hasKernel(op, vmemBytes)) continue;
      OpBuilder b(op);
      if (failed(Window(op, b).run())) return signalPassFailure();
    }
  }
};

}  // namespace
}  // namespace tpuc::expand
