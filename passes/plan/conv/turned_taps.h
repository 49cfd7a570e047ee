// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Windows over turned images (PaddedInput::isTurned), folded before the transpose buffer brings features to lanes: 8
// sublanes have the features of a tap, or of several taps where they are few, and up to 16 such groups are the columns
// of one transposition. k = (leading taps, group, tap of the group, feature).
#pragma once
#include "passes/plan/conv/fold.h"

namespace tpuc::plan {

// The copy of the input with the last axis' taps along sublanes: [leading axes.., tile of 128 positions, group], 8
// words each. Rows of several images lie side by side along lanes where they are short.
struct TurnedTaps {
  int64_t word = 0, words = 0, region = -1;
  int64_t slots = 1, groups = 1;  // taps of a group; groups of the last axis' taps
  int64_t leadTaps = 1;           // positions of the window along the leading axes
  int64_t images = 1, tiles = 1;  // side by side along lanes; tiles of 128 positions
  int64_t positions = 0;          // of a row from the first result's on, those that strides pass over too
  llvm::SmallVector<int64_t> held, leadWords;

  // What follows from the window.
  void fold(const PaddedInput &input, int64_t features);
  // For the domain's current blocks.
  void layOut(const PaddedInput &input);

  int64_t columns() const { return leadTaps * groups; }
  // Where a tap's features begin along k.
  int64_t rowOf(int64_t leadTap, int64_t lastTap) const {
    return (leadTap * groups + lastTap / slots) * 8 + lastTap % slots * (8 / slots);
  }
  // Images that lanes have room for.
  int64_t mostImages() const { return std::max<int64_t>(128 / positions, 1); }
  Linear wordOf(llvm::ArrayRef<Linear> lead, int64_t tile, int64_t group) const;
};

}  // namespace tpuc::plan
