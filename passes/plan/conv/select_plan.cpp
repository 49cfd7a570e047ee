// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks of a select_and_scatter. The window lies over the leading dims and the one along sublanes; blocks are cut
// along lanes and leading dims. A block has the windows that any of its elements lies under, and the operand's rows
// under these windows.
#include "passes/plan/conv/select_plan.h"

using namespace mlir;

namespace tpuc::plan {

void SelectPlan::takePadding() {
  root_ = op_;
  pad_ = op_.getOperand().getDefiningOp<stablehlo::PadOp>();
  if (!pad_) return;
  root_ = *op_.getResult().user_begin();
  within_.insert(pad_);
  within_.insert(op_);
}

void SelectPlan::analyse() {
  takePadding();
  auto in = typeOf(pad_ ? pad_.getOperand() : op_.getOperand()), out = typeOf(op_.getSource());
  reducer_ = *reducerOf(&op_.getScatter().front().front());
  auto constant = op_.getInitValue().getDefiningOp<stablehlo::ConstantOp>();
  initial_ = cast<DenseElementsAttr>(constant.getValue()).getSplatValue<Attribute>();
  for (int64_t d = 0; d + 1 < in.getRank(); ++d) {
    Axis a;
    a.in = in.getDimSize(d);
    a.out = out.getDimSize(d);
    a.window = op_.getWindowDimensions() ? (*op_.getWindowDimensions())[d] : 1;
    a.stride = op_.getWindowStrides() ? (*op_.getWindowStrides())[d] : 1;
    if (auto padding = op_.getPadding()) a.low = padding->getValues<int64_t>()[2 * d];
    range_.push_back({0, a.in});
    if (pad_) {
      range_.back() = {-pad_.getEdgePaddingLow()[d], a.in + pad_.getEdgePaddingHigh()[d]};
      a.low += pad_.getEdgePaddingLow()[d];
    }
    axes_.push_back(a);
  }
  for (int64_t d = 0; d < in.getRank(); ++d) domain_.dims.push_back(in.getDimSize(d));
  r_ = axes_.size() - 1;
  lanes_ = r_ + 1;
  for (int64_t d = 0; d < r_; ++d) lead_.push_back(d);
  for (const Axis &a : axes_) {
    // The values seen from the elements: dilated by the stride, the window turned around.
    Axis back;
    back.in = a.out;
    back.out = a.in;
    back.window = a.window;
    back.baseDilation = a.stride;
    back.low = a.window - 1 - a.low;
    apart_.lead.push_back(back);
    padded_.lead.push_back(a);
  }
  padded_.last = padded_.lead.pop_back_val();
  apart_.last = apart_.lead.pop_back_val();
  apart_.leadDims = padded_.leadDims = lead_;
  apart_.hasGaps = false;
  domain_.block = domain_.dims;
  domain_.rDim = r_;
  domain_.cDim = lanes_;
  SmallVector<int64_t> window;
  for (const Axis &a : axes_) window.push_back(a.window);
  taps_ = windowPositions(window);
}

void SelectPlan::makeBlocks() {
  bindRoot(root_, llvm::to_vector(llvm::seq<int64_t>(0, lanes_ + 1)));
  auto operand = [&](Value v, ArrayRef<int64_t> lead, const Domain *view) {
    DimMap map(lead.begin(), lead.end());
    map.append({kUnit, lanes_});
    return operandBlock(v, map, view);
  };
  operand_ = operand(pad_ ? pad_.getOperand() : op_.getOperand(), padded_.leadDims, &operandView_);
  values_ = operand(op_.getSource(), apart_.leadDims, &valueView_);
  makeEpilogueBlocks();
  operandView_ = valueView_ = domain_;
  padded_.bind(*operand_, domain_, lanes_, kOperandRegion);
  if (pad_) {
    auto value = cast<DenseElementsAttr>(pad_.getPaddingValue().getDefiningOp<stablehlo::ConstantOp>().getValue());
    padded_.fill = laneBits(value.getSplatValue<Attribute>(), value.getElementType());
  }
  apart_.bind(*values_, domain_, lanes_, kValueRegion);
}

SelectPlan::Windows SelectPlan::windowsOf(int64_t d) const {
  const Axis &a = axes_[d];
  const PaddedInput::Rows rows = apart_.rowsOf(d);
  if (domain_.steps(d) <= 1) {
    const int64_t count = std::min(a.out, rows.held - rows.low);
    return {-rows.low, 0, rows.low, count, 0, count - 1};
  }
  const int64_t last = (domain_.steps(d) - 1) * rows.step - rows.low + rows.held - 1;
  return {-rows.low, rows.step, 0, rows.held, -rows.low, a.isTrivial() ? a.out - 1 : last};
}

// The operand's rows under the windows of a block, as a window over the block's elements.
void SelectPlan::coverWindows() {
  for (int64_t d : lead_) {
    const Axis &a = axes_[d];
    const PaddedInput::Rows rows = apart_.rowsOf(d);
    Axis &over = padded_.lead[d];
    over = Axis();
    over.in = over.out = a.in;
    over.low = a.low + rows.low * a.stride;
    over.window = std::max<int64_t>((rows.held - 1) * a.stride + a.window - domain_.block[d] + 1, 1);
  }
}

int64_t SelectPlan::place() {
  for (Domain *view : {&operandView_, &valueView_, &space_.domain}) view->block = domain_.block;
  coverWindows();
  padded_.setHalos();
  apart_.setHalos();
  padded_.word = grid_->placeBlocks(context_.firstWord);
  padded_.layOut();
  apart_.word = padded_.word + padded_.words;
  apart_.layOut();
  chosen_ = apart_.words;
  return apart_.word + 2 * apart_.words;
}

LogicalResult SelectPlan::chooseBlocks() {
  makeGrid({operand_.get(), values_.get()});
  grid_->parallel = {lanes_};
  SmallVector<int64_t> granules;
  for (int64_t d : lead_) granules.push_back(axes_[d].stride);
  // Rows under a window are cut last: those of the window before come again.
  for (bool free : {true, false})
    for (int64_t d : lead_)
      if (axes_[d].isTrivial() == free) grid_->parallel.push_back(d);
  return fitBlocks(*operand_, "a block of this select_and_scatter", [&] { return place(); }, granules);
}

LogicalResult SelectPlan::plan() {
  analyse();
  makeBlocks();
  return chooseBlocks();
}

}  // namespace tpuc::plan
