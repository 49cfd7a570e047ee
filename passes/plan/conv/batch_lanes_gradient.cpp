// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The gradient of weights with the batch along lanes: its index space, [taps.., positions.., batch, in, out], its
// copies and blocks.
#include "passes/plan/conv/batch_lanes_plan.h"
#include "passes/plan/grid/grid_plan.h"

using namespace mlir;

namespace tpuc::plan {

constexpr char kWhat[] = "a block of this convolution's gradient";

// The largest divisor of `n` that is at most `most`.
static int64_t divisorUpTo(int64_t n, int64_t most) {
  for (int64_t d = std::min(n, most); d > 1; --d)
    if (n % d == 0) return d;
  return 1;
}

// The op's window is all positions, its result the taps: here the taps are the window.
void BatchLanesGradientPlan::chooseDims() {
  for (Axis a : axesOf(conv_)) {
    std::swap(a.out, a.window);
    std::swap(a.stride, a.dilation);
    padded_.lead.push_back(a);
  }
  padded_.last = padded_.lead.pop_back_val();
  for (const Axis &a : padded_.lead) taps_.push_back(addDim(a.window));
  taps_.push_back(addDim(padded_.last.window));
  for (const Axis &a : padded_.lead) lead_.push_back(addDim(a.out));
  ArrayRef<int64_t> shape = typeOf(conv_).getShape();
  b_ = addDim(typeOf(conv_.getLhs()).getShape().back());
  ci_ = addDim(shape[shape.size() - 2]);
  co_ = addDim(shape.back());
  domain_.block = domain_.dims;
  domain_.rDim = ci_;
  domain_.cDim = co_;
}

void BatchLanesGradientPlan::makeBlocks() {
  SmallVector<int64_t> outDims(taps_);
  outDims.append({ci_, co_});
  bindRoot(conv_, outDims);
  DimMap map(lead_.begin(), lead_.end()), dyMap(map);
  map.append({kUnit, domain_.dims[ci_] > 1 ? ci_ : kUnit, b_});
  dyMap.append({kUnit, kUnit, b_});
  x_ = operandBlock(conv_.getLhs(), map, &xView_);
  dy_ = operandBlock(conv_.getRhs(), dyMap, &dyView_);
  makeEpilogueBlocks();
  xView_ = dyView_ = domain_;
  for (Domain *view : {&xView_, &dyView_}) {
    view->cDim = b_;
    view->heldTiles = halves();
  }
  padded_.leadDims = lead_;
  padded_.bind(*x_, domain_, b_, kPaddedRegion);
  padded_.tilesMultiple = halves();
}

int64_t BatchLanesGradientPlan::place() {
  for (Domain *view : {&xView_, &dyView_, &space_.domain}) view->block = domain_.block;
  padded_.features = std::min(domain_.block[ci_], domain_.dims[ci_]);
  padded_.setHalos();
  padded_.word = grid_->placeBlocks(context_.firstWord);
  padded_.layOut();
  padded_.words += llvm::alignTo(8 * padded_.last.dilation, 8);  // the last run's group of rows may run over its end
  runs_ = WindowRuns::of(padded_);
  sums_ = padded_.word + padded_.words;
  return sums_ + (rowUnits() + arrays_) * mode_.pack * 8;
}

SmallVector<int64_t> BatchLanesGradientPlan::extents() const {
  SmallVector<int64_t> extents;
  for (int64_t d : lead_) extents.push_back(domain_.block[d]);
  extents.push_back(padded_.last.out);
  return extents;
}

int64_t BatchLanesGradientPlan::parts() const {
  int64_t n = 1;
  for (int64_t p : split_) n *= p;
  return n;
}

// Cuts the positions into as many equal parts as there are systolic arrays, or nearly. Arrays that are left share the
// window's rows.
void BatchLanesGradientPlan::chooseArrays() {
  SmallVector<int64_t> all = extents();
  split_.assign(all.size(), 1);
  int64_t left = arrays_;
  for (size_t i = all.size(); i-- > 0;) {
    split_[i] = divisorUpTo(all[i], left);
    left /= split_[i];
  }
  shares_ = std::min(left, rowUnits());
}

bool BatchLanesGradientPlan::overflowsSums() const {
  int64_t rows = llvm::divideCeil(rowUnits(), shares_) * mode_.pack * 8;
  return rows > context_.target.core().mxu_accumulator_rows();
}

// What blocks of the features are multiples of: rows of a vreg of the sums, and of the packed input.
int64_t BatchLanesGradientPlan::featureUnit() const { return 8 * std::max(domain_.pack, x_->array.pack); }

// Cuts a dim's blocks: features where a core has nothing to do, images where there are many, then positions, into equal
// blocks. Whether there was one.
bool BatchLanesGradientPlan::cut(bool idle, bool tooBig) {
  if (idle && domain_.block[ci_] > featureUnit()) {
    halve(ci_, featureUnit());
    return true;
  }
  if (idle && !tooBig) return false;
  if (domain_.block[b_] > side_) {
    halve(b_, side_);
    return true;
  }
  for (int64_t d : lead_)
    if (int64_t &block = domain_.block[d]; block > 1) {
      block = divisorUpTo(domain_.dims[d], block / 2);
      return true;
    }
  if (!tooBig || domain_.block[ci_] <= featureUnit()) return false;
  halve(ci_, featureUnit());
  return true;
}

LogicalResult BatchLanesGradientPlan::chooseBlocks() {
  makeGrid({x_.get(), dy_.get()});
  grid_->parallel = {ci_, co_};
  grid_->sequential = {b_};
  llvm::append_range(grid_->sequential, lead_);
  if (context_.plan) return followBlocks();
  bool mayShare = domain_.dims[ci_] > featureUnit();
  while (true) {
    int64_t words = place();
    chooseArrays();
    bool tooBig = words > vmemBudgetWords(context_.target) || overflowsSums();
    bool tooFew = grid_->sequentialSteps() < 4 && x_->slotWords + dy_->slotWords > 2048;
    bool idle = mayShare && grid_->parallelSteps() < context_.target.cores() && domain_.block[ci_] > featureUnit();
    if (!tooBig && !tooFew && !idle) break;
    if (cut(idle, tooBig || tooFew)) continue;
    if (!tooBig) break;
    return overVmem(context_, conv_, kWhat, words);
  }
  context_.vmemWords = place();
  Choices choices(context_.op->getContext());
  choices.set("parts", split_);
  choices.set("shares", shares_);
  context_.plan = planOf(context_, *grid_, choices);
  return success();
}

LogicalResult BatchLanesGradientPlan::followBlocks() {
  GivenPlan given(context_);
  SmallVector<int64_t> granules(domain_.dims.size(), 1);
  granules[co_] = 0;
  granules[ci_] = domain_.dims[ci_] > 1 ? featureUnit() : 0;
  granules[b_] = side_;
  if (failed(follow(granules, kWhat, [&] { return place(); }))) return failure();
  for (int64_t d : lead_)
    if (domain_.hasTail(d)) return given.refuse("equal blocks of positions");
  SmallVector<int64_t> all = extents();
  split_ = given.numbers("parts");
  shares_ = given.number("shares", 0);
  bool fits = split_.size() == all.size() && shares_ >= 1;
  for (size_t i = 0; fits && i < all.size(); ++i) fits = split_[i] >= 1 && all[i] % split_[i] == 0;
  if (!fits || parts() * shares_ > arrays_)
    return given.refuse("equal parts of the positions along each dim, and shares of the rows, on the arrays");
  if (overflowsSums()) return given.refuse("sums that the accumulators hold");
  return success();
}

LogicalResult BatchLanesGradientPlan::plan() {
  if (failed(chooseArraysMode(/*isFloat=*/true))) return failure();
  chooseDims();
  makeBlocks();
  return chooseBlocks();
}

}  // namespace tpuc::plan
