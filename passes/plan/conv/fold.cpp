// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where copies with window positions side by side along lanes lie, of the input and of the weights.
#include "passes/plan/conv/turned_taps.h"

using namespace mlir;

namespace tpuc::plan {

// Words of all, `one` being those of one; and of each axis those between its positions, the last axis innermost.
static int64_t stack(int64_t one, ArrayRef<int64_t> sizes, SmallVectorImpl<int64_t> &between) {
  between.assign(sizes.size(), 0);
  for (size_t i = sizes.size(); i-- > 0; one *= sizes[i]) between[i] = one;
  return one;
}

void FoldedArray::layOut(int64_t k) {
  tiles = llvm::alignTo(llvm::divideCeil(k, 128), multiple);
  tileWords = rows;
  heldLanes_ = std::min<int64_t>(k, 128);
  words = llvm::alignTo(stack(tiles * tileWords, held, leadWords), 8);
}

Linear FoldedArray::wordOf(ArrayRef<Linear> lead, const Linear &tile, const Linear &x) const {
  Linear at = Linear(word) + tile * tileWords + x;
  for (auto [i, row] : llvm::enumerate(lead)) at = at + row * leadWords[i];
  return at;
}

// ---- input ----------------------------------------------------------------------------------------------------------

void Fold::layOut(const PaddedInput &in) {
  rows = llvm::alignTo(in.last.out, unitRows);
  held = in.held;
  FoldedArray::layOut(in.last.window * in.lanes);
}

void FoldRows::holdResults(const PaddedInput &in) {
  held.clear();
  for (int64_t d : in.leadDims) held.push_back(in.domain->block[d]);
}

void FoldRows::layOut(const PaddedInput &in, const Fold &fold) {
  int64_t taps = in.last.window;
  for (const Axis &a : in.lead) taps *= a.window;
  rows = fold.rows;
  holdResults(in);
  FoldedArray::layOut(taps * in.lanes);
}

void FoldRows::layOut(const PaddedInput &in, const TurnedTaps &taps, int64_t unitRows) {
  rows = taps.positions;
  holdResults(in);
  FoldedArray::layOut(8 * taps.columns());
  slack = static_cast<int64_t>(llvm::alignTo(in.last.out, unitRows)) - rows;
  words += slack;
}

// ---- weights --------------------------------------------------------------------------------------------------------

int64_t FoldedWeights::taps() const {
  int64_t n = 1;
  for (const Axis &a : ArrayRef<Axis>(axes).drop_front(windows.size())) n *= a.window;
  return n;
}

int64_t FoldedWeights::rowOf(int64_t tap) const {
  if (!turned) return tap * features;
  return turned->rowOf(tap / axes.back().window, tap % axes.back().window);
}

int64_t FoldedWeights::extent() const { return turned ? 8 * turned->columns() : taps() * features; }

void FoldedWeights::layOut(const PaddedInput &in, int64_t inputs, int64_t results) {
  features = inputs;
  outputs = results;
  axes.assign(in.lead.begin() + 1, in.lead.end());  // the batch has no place in the weights
  axes.push_back(in.last);
  windows.clear();
  for (const Axis &a : ArrayRef<Axis>(axes).drop_back())
    if (!allAxes) windows.push_back(a.window);
  const int64_t k = extent();
  tiles = llvm::alignTo(llvm::divideCeil(transposed ? k : outputs, 128), side / 128);
  // A vreg's rows, 32 of bytes, may run over: the last tap's rest.
  rows = transposed ? llvm::alignTo(outputs, side) : llvm::alignTo(k, side) + 32;
  words = llvm::alignTo(stack(tiles * rows, windows, leadWords), 8);
}

Linear FoldedWeights::wordOf(ArrayRef<Linear> lead, const Linear &row, const Linear &tile) const {
  Linear at = Linear(word) + tile * rows + row;
  for (auto [i, position] : llvm::enumerate(lead)) at = at + position * leadWords[i];
  return at;
}

}  // namespace tpuc::plan
