// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A convolution with its batch along lanes: its index space, [space.., out, batch], the copies of its operands, its
// blocks, and what its arrays take side by side.
#include "passes/plan/conv/batch_lanes_plan.h"

#include "passes/plan/grid/grid_plan.h"

using namespace mlir;

namespace tpuc::plan {

constexpr char kWhat[] = "a block of this convolution";

// ---- a window's rows ------------------------------------------------------------------------------------------------

WindowRuns WindowRuns::of(const PaddedInput &copy) {
  WindowRuns runs;
  const Axis &last = copy.last;
  runs.joins = copy.features == 1 || last.dilation == 1;
  runs.rows = copy.features * (runs.joins ? last.window : 1);
  runs.stride = copy.features == 1 ? last.dilation : 1;
  SmallVector<int64_t> windows, distances;
  for (auto [i, a] : llvm::enumerate(copy.lead)) {
    windows.push_back(a.window);
    distances.push_back(a.dilation * copy.leadWords[i]);
  }
  if (!runs.joins) {
    windows.push_back(last.window);
    distances.push_back(last.dilation * copy.features);
  }
  int64_t count = 1;
  runs.apart.assign(copy.lead.size() + 1, 0);
  for (size_t i = windows.size(); i-- > 0; count *= windows[i]) runs.apart[i] = count;
  for (int64_t r = 0; r < count; ++r) {
    int64_t word = 0;
    for (auto [i, window] : llvm::enumerate(windows)) word += r / runs.apart[i] % window * distances[i];
    runs.words.push_back(word);
  }
  return runs;
}

Linear WindowRuns::rowOf(ArrayRef<Linear> tap, int64_t features) const {
  Linear row = joins ? tap.back() * features : Linear(0);
  for (auto [i, step] : llvm::enumerate(apart)) row = row + tap[i] * (step * held());
  return row;
}

// ---- setup ----------------------------------------------------------------------------------------------------------

void BatchLanesPlan::chooseDims() {
  llvm::append_range(padded_.lead, axesOf(conv_));
  padded_.last = padded_.lead.pop_back_val();
  for (const Axis &a : padded_.lead) lead_.push_back(addDim(a.out));
  ow_ = addDim(padded_.last.out);
  ArrayRef<int64_t> shape = typeOf(conv_).getShape();
  co_ = addDim(shape[shape.size() - 2]);
  b_ = addDim(shape.back());
  domain_.block = domain_.dims;
  domain_.heldTiles = halves();
}

void BatchLanesPlan::makeBlocks() {
  SmallVector<int64_t> outDims(lead_);
  outDims.append({ow_, co_, b_});
  bindRoot(conv_, outDims);
  DimMap map(lead_.begin(), lead_.end());
  map.append({kUnit, kUnit, b_});
  input_ = operandBlock(conv_.getLhs(), map, &domain_);
  weights_ = operandBlock(conv_.getRhs(), DimMap(typeOf(conv_.getRhs()).getRank(), kUnit), &domain_);
  makeEpilogueBlocks();
  padded_.leadDims = lead_;
  padded_.bind(*input_, domain_, b_, kPaddedRegion);
  padded_.tilesMultiple = halves();
  padded_.features = typeOf(conv_.getLhs()).getDimSize(conv_.getDimensionNumbers().getInputFeatureDimension());
}

// Lays blocks and copies out in VMEM; the words they take.
int64_t BatchLanesPlan::place() {
  space_.domain.block = domain_.block;
  padded_.setHalos();
  padded_.word = grid_->placeBlocks(context_.firstWord);
  padded_.layOut();
  padded_.words += llvm::alignTo(8 * padded_.last.dilation, 8);  // the last run's group of rows may run over its end
  runs_ = WindowRuns::of(padded_);
  rows_ = padded_.word + padded_.words;
  turned_ = rows_ + kTiles() * side_;
  return turned_ + (mode_.passes > 1 ? 2 : 1) * outUnits() * kTiles() * halves() * 8;
}

// ---- arrays ---------------------------------------------------------------------------------------------------------

SmallVector<int64_t> BatchLanesPlan::extents() const {
  SmallVector<int64_t> extents;
  for (int64_t d : lead_) extents.push_back(domain_.block[d]);
  extents.push_back(domain_.block[ow_]);
  return extents;
}

SmallVector<int64_t> BatchLanesPlan::shares() const {
  SmallVector<int64_t> all = extents();
  if (split_ >= 0) all[split_] = llvm::divideCeil(all[split_], parts_);
  return all;
}

int64_t BatchLanesPlan::partStart(size_t dim, int64_t part) const {
  if (split_ != static_cast<int64_t>(dim)) return 0;
  return std::min(part * shares()[dim], extents()[dim] - shares()[dim]);
}

// The parts along the dim that leaves the least to each array.
void BatchLanesPlan::chooseParts() {
  parts_ = 1;
  split_ = -1;
  double best = 1;
  for (int64_t parts = arrays_; parts > 1; --parts)
    for (auto [i, extent] : llvm::enumerate(extents())) {
      double share = static_cast<double>(llvm::divideCeil(extent, parts)) / static_cast<double>(extent);
      if (extent < parts || share >= best) continue;
      best = share;
      parts_ = parts;
      split_ = static_cast<int64_t>(i);
    }
}

// Whether the accumulators hold the sums of a position of the last dim, and of as many at once as they do.
bool BatchLanesPlan::choosesChunk() {
  SmallVector<int64_t> all = shares();
  int64_t rows = 8 * outGroups(), last = all.pop_back_val();
  for (int64_t e : all) rows *= e;
  int64_t most = context_.target.core().mxu_accumulator_rows() / rows;
  if (most == 0) return false;
  chunk_ = llvm::divideCeil(last, llvm::divideCeil(last, std::min(most, last)));
  return true;
}

// ---- blocks ---------------------------------------------------------------------------------------------------------

// The dim to cut next; -1: none is left. Images cost nothing to part, positions the rows that their windows share.
int64_t BatchLanesPlan::chooseCut() const {
  if (domain_.block[b_] > side_) return b_;
  for (int64_t d : lead_)
    if (domain_.block[d] > 1 && !resultsHoldWhole(d)) return d;
  return -1;
}

LogicalResult BatchLanesPlan::chooseBlocks() {
  makeGrid({input_.get(), weights_.get()});
  grid_->parallel = {b_};
  llvm::append_range(grid_->parallel, lead_);
  if (context_.plan) return followBlocks();
  while (true) {
    int64_t words = place();
    chooseParts();
    bool tooBig = words > vmemBudgetWords(context_.target), overflow = !choosesChunk();
    bool tooFew = grid_->parallelSteps() < 8 && input_->slotWords + space_.results[0]->slotWords > 2048;
    if (!tooBig && !overflow && !tooFew) break;
    int64_t next = chooseCut();
    if (overflow)
      for (int64_t d : llvm::reverse(lead_))
        if (domain_.block[d] > 1 && !resultsHoldWhole(d)) next = d;
    if (next < 0 && !tooBig && !overflow) break;
    if (next < 0) return overVmem(context_, conv_, kWhat, words);
    halve(next, next == b_ ? side_ : 1);
  }
  context_.vmemWords = place();
  Choices choices(context_.op->getContext());
  choices.set("arrays", {parts_, split_});
  choices.set("chunk", chunk_);
  context_.plan = planOf(context_, *grid_, choices);
  return success();
}

LogicalResult BatchLanesPlan::followBlocks() {
  GivenPlan given(context_);
  SmallVector<int64_t> granules(domain_.dims.size(), 0);
  for (int64_t d : lead_) granules[d] = resultsHoldWhole(d) ? 0 : 1;
  granules[b_] = side_;
  if (failed(follow(granules, kWhat, [&] { return place(); }))) return failure();
  SmallVector<int64_t> arrays = given.numbers("arrays"), all = extents();
  auto refuse = [&] { return given.refuse("arrays of parts of the positions, and the dim that they share"); };
  if (arrays.size() != 2) return refuse();
  parts_ = arrays[0], split_ = arrays[1];
  if (parts_ < 1 || parts_ > arrays_ || split_ < -1 || split_ >= static_cast<int64_t>(all.size()) ||
      (split_ < 0) != (parts_ == 1) || (split_ >= 0 && all[split_] < parts_))
    return refuse();
  chunk_ = given.number("chunk", 0);
  int64_t rows = 8 * outGroups() * chunk_;
  for (int64_t e : ArrayRef<int64_t>(shares()).drop_back()) rows *= e;
  if (chunk_ < 1 || chunk_ > shares().back() || rows > context_.target.core().mxu_accumulator_rows())
    return given.refuse("a chunk of positions whose sums the accumulators hold");
  return success();
}

LogicalResult BatchLanesPlan::plan() {
  if (failed(chooseArraysMode(/*isFloat=*/true))) return failure();
  chooseDims();
  makeBlocks();
  return chooseBlocks();
}

}  // namespace tpuc::plan
