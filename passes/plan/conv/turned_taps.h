// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Windows over turned images (PaddedInput::isTurned), folded before the transpose buffer brings features to lanes: 8
// sublanes have the features of a tap, or of several taps where they are few, and such groups are the columns of a
// transposition: 16 of them, or pairs of bf16. k = (leading taps, group, tap of the group, feature).
#pragma once
#include "passes/plan/conv/fold.h"

namespace tpuc::plan {

// The copy of the input with the last axis' taps along sublanes: [leading axes.., tile of 128 results, group], 8 words
// each. Results of several images lie side by side along lanes where they are short.
struct TurnedTaps {
  int64_t word = 0, words = 0, region = -1;
  int64_t slots = 1, groups = 1;  // taps of a group; groups of the last axis' taps
  int64_t leadTaps = 1;           // positions of the window along the leading axes
  int64_t images = 1, tiles = 1;  // side by side along lanes; tiles of 128 results
  int64_t positions = 0;          // results of a row, in whole groups of 8
  int64_t pitch = 0;              // lanes of an image's row where those of several share a vreg
  bool isBf16 = false;            // one pass of bf16: columns beyond 16 are the upper halves of the first
  llvm::SmallVector<int64_t> held, leadWords;
  // A first copy, of images with their rows along sublanes (PaddedInput::isPlanes): rows of 32-bit lanes with all
  // features of a position together, [image, row, tile of 128 positions, slot, feature].
  int64_t rowsWord = 0, rowsWords = 0, rowsRegion = -1;
  int64_t rowTiles = 0, rowUnits = 0, unit = 0;  // tiles of a row; units of rows that a block's may lie in

  // What follows from the window.
  void fold(const PaddedInput &input, int64_t features);
  // For the domain's current blocks.
  void layOut(const PaddedInput &input);

  int64_t columns() const { return leadTaps * groups; }
  // Columns of the transposition that begins with column `first`: 16, or their pairs.
  int64_t columnsFrom(int64_t first) const {
    return std::clamp<int64_t>(columns() - first, 0, isBf16 ? 2 * kColumns : kColumns);
  }
  static constexpr int64_t kColumns = 16;  // of 8, in a transpose buffer
  // Where a tap's features begin along k.
  int64_t rowOf(int64_t leadTap, int64_t lastTap) const {
    return (leadTap * groups + lastTap / slots) * 8 + lastTap % slots * (8 / slots);
  }
  // Images whose results lanes have room for, and those whose rows.
  int64_t mostImages() const { return rowTiles > 1 ? 1 : std::max<int64_t>(128 / positions, 1); }
  int64_t imagesOfRow() const { return std::max<int64_t>(128 / pitch, 1); }
  // Words of a position's features in the rows of planes: of one feature every sublane loads the same.
  int64_t rowWords() const { return slots == 8 ? 1 : 8; }
  int64_t rowDistance() const { return rowTiles * rowWords(); }
  Linear wordOf(llvm::ArrayRef<Linear> lead, int64_t tile, int64_t group) const;
};

}  // namespace tpuc::plan
