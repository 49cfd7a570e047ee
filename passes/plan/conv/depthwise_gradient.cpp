// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks of a depthwise convolution's gradient. Steps along the batch and leading positions add to the same sums; lanes
// are cut.
#include "passes/plan/conv/depthwise_gradient.h"

#include "passes/plan/grid/grid_plan.h"

using namespace mlir;

namespace tpuc::plan {

constexpr char kWhat[] = "a block of this depthwise convolution's gradient";

int64_t DepthwiseGradientPlan::addDim(int64_t extent) {
  domain_.dims.push_back(extent);
  return static_cast<int64_t>(domain_.dims.size()) - 1;
}

void DepthwiseGradientPlan::analyse() {
  Axis batch;
  batch.in = batch.out = typeOf(conv_.getLhs()).getDimSize(0);
  padded_.lead.push_back(batch);
  SmallVector<int64_t> window;
  for (Axis a : axesOf(conv_)) {
    std::swap(a.out, a.window);
    std::swap(a.stride, a.dilation);
    padded_.lead.push_back(a);
    window.push_back(a.window);
    tapDims_.push_back(addDim(a.window));
  }
  padded_.last = padded_.lead.pop_back_val();
  taps_ = windowPositions(window);
  for (const Axis &a : padded_.lead) lead_.push_back(addDim(a.out));
  row_ = addDim(1);
  lanes_ = addDim(typeOf(conv_.getRhs()).getShape().back());
  domain_.block = domain_.dims;
}

void DepthwiseGradientPlan::makeBlocks() {
  SmallVector<int64_t> outDims(tapDims_);
  outDims.append({row_, lanes_});
  bindRoot(conv_, outDims);
  x_ = operandBlock(conv_.getLhs(), padded_.mapOf(lead_, lanes_), &xView_);
  dy_ = operandBlock(conv_.getRhs(), padded_.mapOf(lead_, lanes_), &dyView_);
  makeEpilogueBlocks();
  xView_ = dyView_ = domain_;
  padded_.leadDims = lead_;
  padded_.bind(*x_, domain_, lanes_, kPaddedRegion);
  padded_.reach = llvm::alignTo(padded_.last.out, 8);
}

int64_t DepthwiseGradientPlan::place() {
  for (Domain *view : {&xView_, &dyView_, &space_.domain}) view->block = domain_.block;
  padded_.setHalos();
  padded_.word = grid_->placeBlocks(context_.firstWord);
  padded_.layOut();
  sums_ = padded_.word + padded_.words;
  return sums_ + static_cast<int64_t>(taps_.size()) * tiles() * 8;
}

// Cuts the batch, then positions, until blocks fit VMEM and there are steps to overlap; whether they fit. All blocks
// are full, for what lies behind the last row is no number to multiply. Rows under a window come with both of two
// blocks: they are cut only where blocks don't fit.
bool DepthwiseGradientPlan::fitLeads() {
  for (int64_t d : lead_) domain_.block[d] = domain_.dims[d];
  while (true) {
    const bool isTooBig = place() > vmemBudgetWords(context_.target),
               isTooFew = grid_->sequentialSteps() < 8 && x_->slotWords + dy_->slotWords > 2048;
    const auto *cut = llvm::find_if(ArrayRef(lead_).take_front(isTooBig ? lead_.size() : 1),
                                    [&](int64_t d) { return domain_.block[d] > 1; });
    if ((!isTooBig && !isTooFew) || cut == lead_.end() || domain_.block[*cut] == 1) return !isTooBig;
    int64_t parts = 2;
    while (domain_.block[*cut] % parts) ++parts;
    domain_.block[*cut] /= parts;
  }
}

LogicalResult DepthwiseGradientPlan::chooseBlocks() {
  makeGrid({x_.get(), dy_.get()});
  grid_->parallel = {lanes_};
  grid_->sequential = lead_;
  auto lay = [&] { return place(); };
  if (context_.plan) {
    SmallVector<int64_t> granules(domain_.dims.size(), 1);
    granules[lanes_] = 128;
    if (failed(follow(granules, kWhat, lay))) return failure();
    const bool hasRest = llvm::any_of(lead_, [&](int64_t d) { return domain_.hasTail(d); });
    return hasRest ? GivenPlan(context_).refuse("blocks of images and positions without a rest") : success();
  }
  // A part of the features for each core.
  const int64_t cores = context_.target.cores(), parts = std::min<int64_t>(cores, tiles());
  if (parts > 1) domain_.block[lanes_] = llvm::alignTo(llvm::divideCeil(domain_.dims[lanes_], parts), 128);
  while (!fitLeads()) {
    if (domain_.block[lanes_] <= 128) return overVmem(context_, conv_, kWhat, place());
    halve(lanes_, 128);
  }
  notePlan(lay);
  return success();
}

LogicalResult DepthwiseGradientPlan::plan() {
  analyse();
  makeBlocks();
  return chooseBlocks();
}

}  // namespace tpuc::plan
