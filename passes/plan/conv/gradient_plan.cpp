// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The gradient of weights: its index space, [taps.., batch, positions.., in, out], the copies of its operands, its
// blocks.
#include "passes/plan/conv/gradient_plan.h"

#include "passes/analysis/convolution_form.h"
#include "passes/plan/grid/grid_plan.h"

using namespace mlir;

namespace tpuc::plan {

constexpr char kWhat[] = "a block of this convolution's gradient";

void GradientPlan::chooseDims() {
  Axis batch;
  batch.in = batch.out = typeOf(conv_.getLhs()).getDimSize(0);
  padded_.lead.push_back(batch);
  for (Axis a : axesOf(conv_)) {
    std::swap(a.out, a.window);
    std::swap(a.stride, a.dilation);
    padded_.lead.push_back(a);
  }
  padded_.last = padded_.lead.pop_back_val();
  for (const Axis &a : ArrayRef<Axis>(padded_.lead).drop_front()) taps_.push_back(addDim(a.window));
  taps_.push_back(addDim(padded_.last.window));
  for (const Axis &a : padded_.lead) lead_.push_back(addDim(a.out));
  ci_ = addDim(typeOf(conv_.getLhs()).getDimSize(conv_.getDimensionNumbers().getInputBatchDimension()));
  co_ = addDim(typeOf(conv_.getRhs()).getShape().back());
  domain_.block = domain_.dims;
  domain_.rDim = ci_;
  domain_.cDim = co_;
  int64_t in = domain_.dims[ci_], window = padded_.last.window;
  folds_ = window > 1 && window <= 64 && llvm::divideCeil(in * window, side_) < window * llvm::divideCeil(in, side_);
}

void GradientPlan::makeBlocks() {
  SmallVector<int64_t> outDims(taps_);
  outDims.append({ci_, co_});
  bindRoot(conv_, outDims);
  padded_.isTurned = analysis::hasTurnedInput(conv_);
  padded_.isPlanes = analysis::hasPlanesInput(conv_);
  x_ = operandBlock(conv_.getLhs(), padded_.mapOf(lead_, ci_), &xView_);
  DimMap map(lead_.begin(), lead_.end());
  map.append({kUnit, co_});
  dy_ = operandBlock(conv_.getRhs(), map, &dyView_);
  makeEpilogueBlocks();
  xView_ = dyView_ = domain_;
  xView_.rDim = dyView_.rDim = -1;
  padded_.setView(xView_, ci_, co_);
  dyView_.cDim = co_;
  padded_.leadDims = lead_;
  padded_.bind(*x_, domain_, ci_, kPaddedRegion);
  padded_.tilesMultiple = folds_ ? 1 : side_ / 128;
  // Folding joins lanes by or: two numbers of other rows could make one that is none.
  padded_.reach = llvm::alignTo(padded_.last.out, 8);
  fold_.region = kFoldRegion;
  fold_.multiple = side_ / 128;
}

// Fills a tile's groups of 8 positions: along a row, then over rows, then over images.
void GradientPlan::chooseTiles() {
  int64_t capacity = side_ / 8, alongRow = llvm::divideCeil(padded_.last.out, 8);
  perRow_ = llvm::divideCeil(alongRow, capacity);
  groups_ = llvm::divideCeil(alongRow, perRow_);
  images_ = rows_ = 1;
  bool hasRows = lead_.size() > 1;
  int64_t height = hasRows ? domain_.block[lead_.back()] : 1, batch = domain_.block[lead_[0]], best = 0;
  if (perRow_ > 1) return;
  for (int64_t r = 1; r <= height && r * groups_ <= capacity; ++r) {
    if (height % r) continue;
    for (int64_t n = 1; n <= batch && n * r * groups_ <= capacity; ++n)
      if (batch % n == 0 && n * r > best) {
        best = n * r;
        images_ = n;
        rows_ = r;
      }
  }
}

// Tiles along each lead dim, and along a row.
SmallVector<int64_t> GradientPlan::tileExtents() const {
  SmallVector<int64_t> extents;
  for (int64_t d : lead_) extents.push_back(domain_.block[d]);
  extents[0] /= images_;
  if (extents.size() > 1) extents.back() /= rows_;
  extents.push_back(perRow_);
  return extents;
}

int64_t GradientPlan::tilesOfPositions() const {
  int64_t n = 1;
  for (int64_t e : tileExtents()) n *= e;
  return n;
}

int64_t GradientPlan::tapsApart() const {
  int64_t n = folds_ ? 1 : padded_.last.window;
  for (const Axis &a : padded_.lead) n *= a.window;
  return n;
}

int64_t GradientPlan::place() {
  for (Domain *view : {&xView_, &dyView_, &space_.domain}) view->block = domain_.block;
  padded_.setHalos();
  int64_t word = grid_->placeBlocks(context_.firstWord);
  chooseTiles();
  // Tiles may read past a row's end.
  int64_t slack = llvm::alignTo((perRow_ * groups_ * 8 + 8) * padded_.last.stride + padded_.last.span(1), 8);
  padded_.word = word;
  padded_.layOut();
  padded_.words += slack;
  word += padded_.words;
  if (folds_) {
    fold_.word = word;
    fold_.layOut(padded_);
    fold_.words += slack;
    word += fold_.words;
  }
  turned_ = word;
  turnedWords_ = tilesOfPositions() * (side_ / 128) * outTiles() * 128;
  word += turnedWords_;
  sums_ = word;
  sumWords_ = tapsApart() * outTiles() * sumRows() + 64;
  return word + sumWords_;
}

int64_t GradientPlan::accumulatorRows() const {
  return static_cast<int64_t>(llvm::divideCeil(tapsApart() * xTiles(), arrays_)) * outRows();
}

bool GradientPlan::overflows() const { return accumulatorRows() > context_.target.core().mxu_accumulator_rows(); }

// Halves the batch, then positions, until blocks fit VMEM and there are steps to overlap; whether they fit.
bool GradientPlan::fitLeads() {
  for (int64_t d : lead_) domain_.block[d] = domain_.dims[d];
  while (true) {
    const bool isTooBig = place() > vmemBudgetWords(context_.target),
               isTooFew = grid_->sequentialSteps() < 4 && x_->slotWords + dy_->slotWords > 2048;
    auto *cut = llvm::find_if(lead_, [&](int64_t d) { return domain_.block[d] > 1; });
    if ((!isTooBig && !isTooFew) || cut == lead_.end()) return !isTooBig;
    halve(*cut, 1);
  }
}

double GradientPlan::stepCycles() const {
  constexpr double kTile = 24;  // that a tile of positions for a set of taps takes besides
  const auto tiles = static_cast<double>(tilesOfPositions()),
             sets = static_cast<double>(llvm::divideCeil(tapsApart() * xTiles(), arrays_));
  const double pushes = tiles * sets * (static_cast<double>(std::max(side_, outRows())) + kTile),
               turns = tiles * static_cast<double>(outTiles() * side_), pads = static_cast<double>(padded_.words) / 4;
  return pushes + turns + pads;
}

// Estimated cycles of the blocks that are placed: of each step the slower of computing and moving, and what the
// epilogue moves for each part of the features.
double GradientPlan::cost() const {
  constexpr double kStep = 400;  // that a step takes besides
  const int cores = static_cast<int>(std::min<int64_t>(grid_->parallelSteps(), context_.target.cores()));
  Moves moved, ending;
  for (const ArrayBlock *block : llvm::concat<ArrayBlock *const>(grid_->inputs(), grid_->results()))
    (block == x_.get() || block == dy_.get() ? moved : ending).add(*block);
  const double step = std::max(stepCycles(), moved.cycles(*context_.model, cores));
  const double parts = std::ceil(static_cast<double>(grid_->parallelSteps()) / cores);
  return parts *
         (static_cast<double>(grid_->sequentialSteps()) * (kStep + step) + ending.cycles(*context_.model, cores));
}

LogicalResult GradientPlan::chooseBlocks() {
  makeGrid({x_.get(), dy_.get()});
  grid_->parallel = {ci_, co_};
  grid_->sequential = lead_;
  auto lay = [&] { return place(); };
  if (context_.plan) {
    SmallVector<int64_t> granules(domain_.dims.size(), 1);
    granules[ci_] = folds_ ? 0 : side_;
    granules[co_] = 128;
    if (failed(follow(granules, kWhat, lay))) return failure();
    return overflows() ? GivenPlan(context_).refuse("sums that the accumulators hold") : success();
  }
  // Parts of the features, each with the blocks of positions that fit: the cheapest.
  double best = -1;
  SmallVector<int64_t> bestBlock;
  const auto cores = static_cast<int64_t>(context_.target.cores());
  auto parts = [&](int64_t d, int64_t granule, bool isCut) {
    SmallVector<int64_t> sizes{domain_.dims[d]};
    while (isCut && sizes.back() > granule) sizes.push_back(llvm::alignTo(llvm::divideCeil(sizes.back(), 2), granule));
    return sizes;
  };
  for (int64_t in : parts(ci_, side_, !folds_))
    for (int64_t out : parts(co_, 128, true)) {
      domain_.block[ci_] = in;
      domain_.block[co_] = out;
      if (!fitLeads() || overflows()) continue;
      const double cycles = cost() * (grid_->parallelSteps() < cores ? 2 : 1);
      if (best >= 0 && cycles >= best) continue;
      best = cycles;
      bestBlock = domain_.block;
    }
  // What is left is the smallest: the last that was tried.
  if (best < 0 && place() > vmemBudgetWords(context_.target)) return overVmem(context_, conv_, kWhat, place());
  if (best < 0)
    return overAccumulators(context_, conv_, "the sums of all taps of this convolution's gradient", accumulatorRows());
  domain_.block = bestBlock;
  notePlan(lay);
  return success();
}

LogicalResult GradientPlan::plan() {
  if (failed(chooseArraysMode(/*isFloat=*/true))) return failure();
  chooseDims();
  makeBlocks();
  return chooseBlocks();
}

}  // namespace tpuc::plan
