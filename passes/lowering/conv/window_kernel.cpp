// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Windows on the vector unit: pooling (reduce_window) and depthwise convolutions, with an elementwise epilogue.
//
// The window lies over the leading dims and the one along sublanes; lanes go along. A grid step makes a padded copy of
// its input block (window.h), then each vreg of the result is a chain over the window's positions: loads at constant
// distances.
#include "passes/lowering/body/vector_ops.h"
#include "passes/lowering/conv/select_kernel.h"
#include "passes/lowering/conv/window.h"
#include "passes/lowering/grid/root_kernel.h"
#include "passes/lowering/loop/scan_kernel.h"

using namespace mlir;

namespace tpuc::lowering {
namespace {

constexpr int64_t kPaddedRegion = 1000;

class WindowKernel : RootKernel<RootPlan> {
 public:
  WindowKernel(KernelContext &context, Code &code) : RootKernel(context, code) {}
  LogicalResult run(Value start, Value count);

 private:
  void analyse();
  void makeBlocks();
  int64_t place();
  LogicalResult chooseBlocks();
  void emitStep(const Step &step);
  Value weight(int64_t tap, const Linear &tile);
  Value combine(Type t, Value sum, Value v);
  Value chain(ArrayRef<Value> weights, ArrayRef<Linear> lead, const Linear &tile, const Linear &row, int64_t stride);
  int64_t taps() const { return taps_.size(); }

  stablehlo::ConvolutionOp conv_;     // depthwise, or
  stablehlo::ReduceWindowOp window_;  // a reduction by `reducer_` from `initial_`
  Reducer reducer_ = Reducer::Add;
  Attribute initial_;
  Domain inputView_, weightView_;
  std::unique_ptr<ArrayBlock> input_, weights_;
  PaddedInput padded_;
  SmallVector<int64_t> lead_;
  int64_t r_ = 0, lanes_ = 0;
  SmallVector<SmallVector<int64_t>> taps_;  // positions of the window, per axis
};

SmallVector<Axis> windowAxes(stablehlo::ReduceWindowOp op) {
  auto in = typeOf(op.getInputs()[0]), out = typeOf(op.getResult(0));
  auto at = [](std::optional<ArrayRef<int64_t>> values, size_t i) { return values ? (*values)[i] : 1; };
  SmallVector<Axis> axes(in.getRank());
  for (auto [i, a] : llvm::enumerate(axes)) {
    a.in = in.getDimSize(i);
    a.out = out.getDimSize(i);
    a.window = op.getWindowDimensions()[i];
    a.stride = at(op.getWindowStrides(), i);
    a.baseDilation = at(op.getBaseDilations(), i);
    a.dilation = at(op.getWindowDilations(), i);
    if (auto padding = op.getPadding()) a.low = padding->getValues<int64_t>()[2 * i];
  }
  axes.pop_back();  // lanes: the window is one element there
  return axes;
}

void WindowKernel::analyse() {
  for (Operation &op : context_.op.getBlock().without_terminator()) {
    if (auto conv = dyn_cast<stablehlo::ConvolutionOp>(op)) conv_ = conv;
    if (auto window = dyn_cast<stablehlo::ReduceWindowOp>(op)) window_ = window;
  }
  root_ = conv_ ? conv_.getOperation() : window_.getOperation();
  SmallVector<Axis> axes;
  if (conv_) {
    Axis batch;
    batch.in = batch.out = typeOf(conv_.getLhs()).getDimSize(0);
    axes.push_back(batch);
    llvm::append_range(axes, plan::axesOf(conv_));
  } else {
    axes = windowAxes(window_);
    reducer_ = *reducerOf(&window_.getBody().front().front());
    auto constant = window_.getInitValues()[0].getDefiningOp<stablehlo::ConstantOp>();
    initial_ = cast<DenseElementsAttr>(constant.getValue()).getSplatValue<Attribute>();
  }
  auto out = typeOf(root_->getResult(0));
  padded_.last = axes.pop_back_val();
  padded_.lead = axes;
  for (int64_t d = 0; d < out.getRank(); ++d) domain_.dims.push_back(out.getDimSize(d));
  domain_.block = domain_.dims;
  for (size_t d = 0; d < axes.size(); ++d) lead_.push_back(d);
  r_ = lead_.size();
  lanes_ = r_ + 1;
  SmallVector<int64_t> window;
  for (const Axis &a : padded_.lead) window.push_back(a.window);
  window.push_back(padded_.last.window);
  taps_ = windowPositions(window);
}

void WindowKernel::makeBlocks() {
  bindRoot(root_, llvm::to_vector(llvm::seq<int64_t>(0, lanes_ + 1)));
  DimMap inputMap(lead_.begin(), lead_.end());
  inputMap.append({kUnit, lanes_});
  input_ = operandBlock(root_->getOperand(0), inputMap, &inputView_);
  if (conv_) {
    DimMap weightMap(typeOf(conv_.getRhs()).getRank() - 1, kUnit);
    weightMap.push_back(lanes_);
    weights_ = operandBlock(conv_.getRhs(), weightMap, &weightView_);
  }
  makeEpilogueBlocks();
  inputView_ = weightView_ = domain_;
  padded_.leadDims = lead_;
  padded_.bind(*input_, domain_, lanes_, kPaddedRegion);
  if (!window_) return;
  Type t = elementOf(window_.getResult(0));
  if (auto f = dyn_cast<FloatAttr>(initial_)) {
    APFloat value = f.getValue();
    bool lost;
    value.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven, &lost);
    padded_.fill = static_cast<uint32_t>(value.bitcastToAPInt().getZExtValue());
  } else {
    APInt value = cast<IntegerAttr>(initial_).getValue();
    padded_.fill = static_cast<uint32_t>(t.isUnsignedInteger() ? value.getZExtValue()
                                                               : static_cast<uint64_t>(value.getSExtValue()));
  }
}

int64_t WindowKernel::place() {
  for (Domain *view : {&inputView_, &weightView_, &space_.domain}) view->block = domain_.block;
  padded_.setHalos();
  padded_.word = grid_->placeBlocks(context_.firstWord);
  padded_.layOut();
  return padded_.word + padded_.words;
}

LogicalResult WindowKernel::chooseBlocks() {
  SmallVector<ArrayBlock *> operands{input_.get()};
  if (weights_) operands.push_back(weights_.get());
  makeGrid(operands);
  grid_->parallel = {lanes_};
  llvm::append_range(grid_->parallel, lead_);
  return fitBlocks(*input_, "a block of this window", [&] { return place(); });
}

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
                      padded_.region);
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
  emitStage(c_, padded_, step.index);
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
  analyse();
  makeBlocks();
  if (failed(chooseBlocks())) return failure();
  if (context_.onlyPlans) return success();
  makeBody((conv_ ? 2 : 1) * taps() * positions());
  emitFill(c_, padded_);
  emitGrid(*grid_, c_, start, count, [&](const Step &step) { emitStep(step); });
  return success();
}

}  // namespace

LogicalResult lowerWindowKernel(KernelContext &context, Code &code, Value start, Value count) {
  for (auto select : context.op.getBlock().getOps<stablehlo::SelectAndScatterOp>())
    return lowerSelectKernel(context, code, select, start, count);
  for (auto window : context.op.getBlock().getOps<stablehlo::ReduceWindowOp>())
    if (auto scan = analysis::scanOf(window)) return lowerScanKernel(context, code, window, *scan, start, count);
  return WindowKernel(context, code).run(start, count);
}

}  // namespace tpuc::lowering
