// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks of gradients whose input is a turned image.
#include "passes/plan/conv/taps_gradient.h"

#include "passes/analysis/convolution_form.h"

using namespace mlir;

namespace tpuc::plan {

bool TapsGradientPlan::takes(const target::Target &target, stablehlo::ConvolutionOp conv) {
  constexpr int64_t kMostColumns = 160;  // each is straight code
  if (conv.getDimensionNumbers().getInputBatchDimension() == 0 || !analysis::hasTurnedInput(conv)) return false;
  if (analysis::hasPlanesInput(conv)) return true;
  const int64_t features = typeOf(conv.getLhs()).getDimSize(conv.getDimensionNumbers().getInputBatchDimension());
  if (features > analysis::kMostTurned) return false;
  const int64_t slots = 8 / static_cast<int64_t>(llvm::PowerOf2Ceil(features));
  const SmallVector<Axis> axes = axesOf(conv);
  int64_t groups = llvm::divideCeil(axes.back().out, slots), columns = groups;
  for (const Axis &a : ArrayRef(axes).drop_back()) columns *= a.out;
  const int64_t out = typeOf(conv.getRhs()).getShape().back(), side = target.core().mxu_side(),
                rows = llvm::alignTo(8 * columns, 32) *
                       static_cast<int64_t>(llvm::divideCeil(std::min<int64_t>(out, 128), side));
  return llvm::none_of(axes, [](const Axis &a) { return a.baseDilation > 1; }) && columns <= kMostColumns &&
         groups * static_cast<int64_t>(llvm::divideCeil(axes.back().in, 128)) <= kMostColumns &&
         rows <= target.core().mxu_accumulator_rows();
}

int64_t TapsGradientPlan::rowsAtOnce() const {
  const int64_t halves = side_ / 128, last = lead_.size() - 1,
                rows = last ? domain_.block[lead_[last]] : domain_.block[lead_[0]] / turnedTaps_.images;
  return rows % halves ? 1 : halves;
}

SmallVector<int64_t> TapsGradientPlan::extents() const {
  SmallVector<int64_t> extents;
  for (int64_t d : lead_) extents.push_back(domain_.block[d]);
  extents[0] /= turnedTaps_.images;
  extents.back() /= rowsAtOnce();
  extents.push_back(turnedTaps_.tiles);
  return extents;
}

int64_t TapsGradientPlan::parts() const {
  int64_t n = 1;
  for (int64_t p : split_) n *= p;
  return n;
}

int64_t TapsGradientPlan::place() {
  for (Domain *view : {&xView_, &dyView_, &space_.domain}) view->block = domain_.block;
  turnedTaps_.region = kPaddedRegion;
  turnedTaps_.rowsRegion = kPlanesRegion;
  turnedTaps_.fold(padded_, domain_.dims[ci_]);
  padded_.setHalos();
  padded_.word = grid_->placeBlocks(context_.firstWord);
  padded_.layOut();
  turnedTaps_.word = padded_.word;
  turnedTaps_.layOut(padded_);
  turnedTaps_.rowsWord = turnedTaps_.word + turnedTaps_.words;
  sums_ = turnedTaps_.rowsWord + turnedTaps_.rowsWords;
  sumWords_ = outTiles() * rowsOfSums() + 64;
  const SmallVector<int64_t> all = extents();
  split_.assign(all.size(), 1);
  for (size_t i = all.size(); i-- > 0;)
    for (int64_t count = arrays_ / parts(); count > 1; --count)
      if (all[i] % count == 0) {
        split_[i] = count;
        break;
      }
  return sums_ + sumWords_;
}

double TapsGradientPlan::stepCycles() const {
  constexpr double kTile = 24;  // that a tile of positions takes besides
  double tiles = static_cast<double>(outGroups());
  for (auto [extent, part] : llvm::zip(extents(), split_)) tiles *= static_cast<double>(extent / part);
  const double pushes = tiles * (static_cast<double>(mode_.passes * std::max(side_, rowsOfSums())) + kTile);
  return pushes + static_cast<double>(turnedTaps_.words + turnedTaps_.rowsWords) / 8;
}

}  // namespace tpuc::plan
