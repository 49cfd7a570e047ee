// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks of a select_and_scatter. The window lies over the leading dims and the one along sublanes; blocks are cut
// along the others.
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
  SmallVector<Axis> axes;
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
    axes.push_back(a);
  }
  for (int64_t d = 0; d < in.getRank(); ++d) domain_.dims.push_back(in.getDimSize(d));
  r_ = axes.size() - 1;
  lanes_ = r_ + 1;
  for (int64_t d = 0; d < r_; ++d) lead_.push_back(d);
  for (const Axis &a : axes) {
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
  // Windows of a dim that is not trivial are a dim of their own.
  for (int64_t d = 0; d < r_; ++d) {
    apart_.leadDims.push_back(d);
    padded_.leadDims.push_back(d);
    if (padded_.lead[d].isTrivial()) continue;
    padded_.leadDims[d] = domain_.dims.size();
    domain_.dims.push_back(padded_.lead[d].out);
  }
  domain_.block = domain_.dims;
  domain_.rDim = r_;
  domain_.cDim = lanes_;
  SmallVector<int64_t> window;
  for (const Axis &a : axes) window.push_back(a.window);
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

int64_t SelectPlan::place() {
  for (Domain *view : {&operandView_, &valueView_, &space_.domain}) view->block = domain_.block;
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
  for (int64_t d : lead_)
    if (padded_.lead[d].isTrivial()) grid_->parallel.push_back(d);
  return fitBlocks(*operand_, "a block of this select_and_scatter", [&] { return place(); });
}

LogicalResult SelectPlan::plan() {
  analyse();
  makeBlocks();
  return chooseBlocks();
}

}  // namespace tpuc::plan
