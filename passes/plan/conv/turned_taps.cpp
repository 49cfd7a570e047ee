// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where taps of turned images lie.
#include "passes/plan/conv/turned_taps.h"

using namespace mlir;

namespace tpuc::plan {

void TurnedTaps::fold(const PaddedInput &in, int64_t features) {
  slots = 8 / static_cast<int64_t>(llvm::PowerOf2Ceil(features));
  groups = llvm::divideCeil(in.last.window, slots);
  leadTaps = 1;
  for (const Axis &a : in.lead) leadTaps *= a.window;
  positions = llvm::alignTo(in.last.out, 8);
  pitch = llvm::alignTo(in.last.in, 8);
  tiles = llvm::divideCeil(positions, 128);
  rowTiles = llvm::divideCeil(in.last.in, 128);
}

void TurnedTaps::layOut(const PaddedInput &in) {
  const int64_t batch = in.leadDims[0], block = in.domain->block[batch];
  images = mostImages();
  while (block % images || (in.domain->steps(batch) <= 1 && in.lead[0].in % images)) --images;
  held = in.held;
  held[0] /= images;
  int64_t rows = 8 * groups * tiles;
  leadWords.assign(held.size(), 0);
  for (size_t i = held.size(); i-- > 0; rows *= held[i]) leadWords[i] = rows;
  words = rows;
  if (!in.isPlanes) return;
  unit = 8 * in.block->array.pack;
  rowUnits = (in.held[1] - 2 + unit) / unit + 1;
  rowsWords = llvm::alignTo(block * rowUnits * unit * rowDistance(), 8);
}

Linear TurnedTaps::wordOf(ArrayRef<Linear> lead, int64_t tile, int64_t group) const {
  Linear at(word + 8 * (tile * groups + group));
  for (auto [i, row] : llvm::enumerate(lead)) at = at + row * leadWords[i];
  return at;
}

}  // namespace tpuc::plan
