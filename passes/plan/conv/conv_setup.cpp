// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A convolution's index space, [batch, space.., in, last space, out], and the copies of its operands in VMEM.
#include "passes/analysis/convolution_form.h"
#include "passes/plan/conv/conv_plan.h"

using namespace mlir;

namespace tpuc::plan {

constexpr int64_t kPaddedRegion = 1000, kFoldRegion = 1001, kWeightRegion = 1002, kRowsRegion = 1003,
                  kPlanesRegion = 1005;

LogicalResult ConvPlan::chooseMode() {
  if (failed(chooseArraysMode(/*isFloat=*/false))) return failure();
  RankedTensorType weights = typeOf(conv_.getRhs());
  int64_t products =
      weights.getNumElements() /
      std::max<int64_t>(1, weights.getDimSize(conv_.getDimensionNumbers().getKernelOutputFeatureDimension()));
  if (mode_.intFromBf16 && products > 1024 && context_.isQuestion) return failure();
  if (mode_.intFromBf16 && products > 1024)
    return diagnose(conv_, codes::kNoMatrixMode)
           << "expects sums of 1024 products of i8 at most on the float arrays of " << context_.target.name()
           << ", but got " << products << "; choose a target with int8 arrays";
  return success();
}

void ConvPlan::chooseDims() {
  auto numbers = conv_.getDimensionNumbers();
  transposed_ = numbers.getKernelInputFeatureDimension() > numbers.getKernelOutputFeatureDimension();
  Axis batch;
  batch.in = batch.out = typeOf(conv_.getLhs()).getDimSize(0);
  padded_.lead.push_back(batch);
  llvm::append_range(padded_.lead, axesOf(conv_));
  padded_.last = padded_.lead.pop_back_val();
  for (const Axis &a : padded_.lead) lead_.push_back(addDim(a.out));
  ci_ = addDim(typeOf(conv_.getLhs()).getDimSize(conv_.getDimensionNumbers().getInputFeatureDimension()));
  ow_ = addDim(padded_.last.out);
  co_ = addDim(typeOf(conv_).getShape().back());
  domain_.block = domain_.dims;
  domain_.rDim = ow_;
  domain_.cDim = co_;
  domain_.pack = mode_.pack;
  domain_.heldTiles = side_ / 128;
  int64_t in = domain_.dims[ci_], taps = padded_.last.window;
  // Taps side by side take the rows of all phases.
  folds_ = taps > 1 && taps <= analysis::kMostFolded &&
           llvm::divideCeil(in * taps, side_) * lastPhases() < taps * llvm::divideCeil(in, side_);
  foldsRows_ = folds_ && foldsRows();
  padded_.isTurned = analysis::hasTurnedInput(conv_);
  padded_.isPlanes = analysis::hasPlanesInput(conv_);
  turnsTaps_ = turnsTaps();
  if (turnsTaps_) folds_ = foldsRows_ = true;
}

int64_t ConvPlan::taps() const {
  int64_t n = padded_.last.window;
  for (const Axis &a : padded_.lead) n *= a.window;
  return n;
}

int64_t ConvPlan::kExtent() const {
  if (turnsTaps_) return 8 * turnedTaps_.columns();
  return domain_.block[ci_] * (foldsRows_ ? taps() : folds_ ? padded_.last.window : 1);
}

void ConvPlan::makeBlocks() {
  SmallVector<int64_t> outDims(lead_);
  outDims.append({ow_, co_});
  bindRoot(conv_, outDims);
  input_ = operandBlock(conv_.getLhs(), padded_.mapOf(lead_, ci_), &inputView_);
  DimMap weightMap(padded_.lead.size(), kUnit);  // the window's axes: one fewer lead axis than the input, and the last
  if (transposed_)
    weightMap.append({co_, ci_});
  else
    weightMap.append({ci_, co_});
  weights_ = operandBlock(conv_.getRhs(), weightMap, &weightView_);
  makeEpilogueBlocks();
  makeViews();
  makeCopies();
}

// The space as the operands see it.
void ConvPlan::makeViews() {
  inputView_ = weightView_ = domain_;
  padded_.setView(inputView_, ci_, ow_);
  inputView_.heldTiles = 1;
  weightView_.rDim = transposed_ ? co_ : ci_;
  weightView_.cDim = transposed_ ? ci_ : co_;
  weightView_.pack = std::max(mode_.pack, weights_->array.pack);
  // A k tile is loaded whole, unless there is only one; rows along n always.
  weightView_.heldRows = folds_ || (!transposed_ && domain_.dims[ci_] <= side_) ? 1 : side_;
  weightView_.heldTiles = side_ / 128;
}

void ConvPlan::makeCopies() {
  padded_.leadDims = lead_;
  padded_.bind(*input_, domain_, ci_, kPaddedRegion);
  padded_.tilesMultiple = folds_ ? 1 : side_ / 128;
  padded_.intToFloat = mode_.intFromBf16;
  fold_.region = kFoldRegion;
  fold_.multiple = foldsRows_ ? 1 : side_ / 128;
  fold_.unitRows = domain_.unitRows();
  foldRows_.region = kRowsRegion;
  foldRows_.multiple = side_ / 128;
  foldedWeights_.region = kWeightRegion;
  foldedWeights_.side = side_;
  foldedWeights_.transposed = transposed_;
  foldedWeights_.allAxes = foldsRows_;
  if (turnsTaps_) foldedWeights_.turned = &turnedTaps_;
  turnedTaps_.region = kPaddedRegion;
  turnedTaps_.rowsRegion = kPlanesRegion;
}

int64_t ConvPlan::phaseWords() const {
  int64_t n = phases(lead_.size());
  return n > 1 ? arrays_ * (side_ / 128) * n * domain_.unitRows() : 0;
}

// Lays blocks and copies out in VMEM; the words they take.
int64_t ConvPlan::place() {
  for (Domain *view : {&inputView_, &weightView_, &space_.domain}) view->block = domain_.block;
  padded_.setHalos();
  padded_.word = grid_->placeBlocks(context_.firstWord);
  padded_.layOut();
  if (turnsTaps_) return placeTurned();
  int64_t word = padded_.word + padded_.words;
  phaseWord_ = word;
  word += phaseWords();
  if (!folds_) return word;
  fold_.word = word;
  fold_.layOut(padded_);
  word += fold_.words;
  if (foldsRows_) {
    foldRows_.word = word;
    foldRows_.layOut(padded_, fold_);
    word += foldRows_.words;
  }
  return placeWeights(word);
}

// Places taps, and the rows that are made of them, where there is no padded copy.
int64_t ConvPlan::placeTurned() {
  turnedTaps_.word = padded_.word;
  turnedTaps_.layOut(padded_);
  foldRows_.word = turnedTaps_.word + turnedTaps_.words;
  foldRows_.layOut(padded_, turnedTaps_, domain_.unitRows());
  turnedTaps_.rowsWord = foldRows_.word + foldRows_.words;
  return placeWeights(turnedTaps_.rowsWord + turnedTaps_.rowsWords);
}

int64_t ConvPlan::placeWeights(int64_t word) {
  foldedWeights_.word = word;
  foldedWeights_.layOut(padded_, domain_.block[ci_], domain_.block[co_]);
  return word + foldedWeights_.words;
}

}  // namespace tpuc::plan
