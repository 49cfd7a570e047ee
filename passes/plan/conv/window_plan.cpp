// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks of windows. The window lies over the leading dims and the one along sublanes; lanes go along. Blocks are cut
// along lanes and leading dims.
#include "passes/plan/conv/window_plan.h"

#include "passes/plan/conv/select_plan.h"
#include "passes/plan/loop/scan_plan.h"

using namespace mlir;

namespace tpuc::plan {

constexpr int64_t kPaddedRegion = 1000;

static SmallVector<Axis> windowAxes(stablehlo::ReduceWindowOp op) {
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

void WindowPlan::analyse() {
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
    llvm::append_range(axes, axesOf(conv_));
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

void WindowPlan::makeBlocks() {
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
  // Padding is the value that the window starts from.
  if (window_) padded_.fill = laneBits(initial_, elementOf(window_.getResult(0)));
}

int64_t WindowPlan::place() {
  for (Domain *view : {&inputView_, &weightView_, &space_.domain}) view->block = domain_.block;
  padded_.setHalos();
  padded_.word = grid_->placeBlocks(context_.firstWord);
  padded_.isBlock = padded_.meetsBlockOnly();
  padded_.region = padded_.isBlock ? input_->region : kPaddedRegion;
  padded_.layOut();
  return padded_.word + (padded_.isBlock ? 0 : padded_.words);
}

LogicalResult WindowPlan::chooseBlocks() {
  SmallVector<ArrayBlock *> operands{input_.get()};
  if (weights_) operands.push_back(weights_.get());
  makeGrid(operands);
  grid_->parallel = {lanes_};
  llvm::append_range(grid_->parallel, lead_);
  return fitBlocks(*input_, "a block of this window", [&] { return place(); });
}

LogicalResult WindowPlan::plan() {
  analyse();
  makeBlocks();
  return chooseBlocks();
}

WindowRoot windowRootOf(kernel::FusionOp op) {
  WindowRoot root;
  for (auto select : op.getBlock().getOps<stablehlo::SelectAndScatterOp>()) {
    root.select = select;
    return root;
  }
  for (auto window : op.getBlock().getOps<stablehlo::ReduceWindowOp>())
    if (auto scan = analysis::scanOf(window)) {
      root.window = window;
      root.scan = scan;
      return root;
    }
  return root;
}

LogicalResult planWindow(KernelContext &context) {
  const WindowRoot root = windowRootOf(context.op);
  if (root.select) return SelectPlan(context, root.select).plan();
  if (root.scan) return ScanPlan(context, root.window, *root.scan).plan();
  return WindowPlan(context).plan();
}

}  // namespace tpuc::plan
