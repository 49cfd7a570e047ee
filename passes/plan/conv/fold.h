// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies whose window's last axis is folded into lanes: k = (tap, feature) side by side, for inputs of few features.
#pragma once
#include "passes/plan/conv/padded_input.h"

namespace tpuc::plan {

struct TurnedTaps;

// Rows of 32-bit lanes in VMEM: [lead axes.., tile of 128 k, result position].
struct FoldedArray {
  int64_t multiple = 1;  // tiles
  int64_t word = 0, words = 0, region = -1;
  int64_t tiles = 1, rows = 0, tileWords = 0, slack = 0;  // slack: words behind the last row, which are read with it
  llvm::SmallVector<int64_t> leadWords, held;             // per lead axis

  Linear wordOf(llvm::ArrayRef<Linear> lead, const Linear &tile, const Linear &x) const;
  // Of a row of one tile, what stores write and loads take.
  int64_t heldLanes() const { return heldLanes_; }

 protected:
  // For `rows` result positions and `k` of k, with `held` of each lead axis.
  void layOut(int64_t k);

 private:
  int64_t heldLanes_ = 128;
};

// The folded input.
struct Fold : FoldedArray {
  int64_t unitRows = 8;  // result positions are padded to these

  void layOut(const PaddedInput &input);
};

// The folded input once more, with the other axes of the window beside the last; lead axes are result positions.
struct FoldRows : FoldedArray {
  void layOut(const PaddedInput &input, const Fold &fold);
  // From taps of turned images.
  void layOut(const PaddedInput &input, const TurnedTaps &taps, int64_t unitRows);

 private:
  void holdResults(const PaddedInput &input);
};

// The weights that go with them, unpacked: [window axes that are not folded.., lane tile, row]; rows are k and lanes n,
// or the reverse.
struct FoldedWeights {
  bool transposed = false;
  bool allAxes = false;  // folded, else only the last
  int64_t side = 128;
  int64_t word = 0, words = 0, region = -1;
  int64_t features = 0, outputs = 0, tiles = 1, rows = 0;
  llvm::SmallVector<int64_t> leadWords, windows;
  llvm::SmallVector<Axis> axes;

  const TurnedTaps *turned = nullptr;  // how taps lie along k; null: side by side

  // `features`, `outputs`: of a block.
  void layOut(const PaddedInput &input, int64_t features, int64_t outputs);
  Linear wordOf(llvm::ArrayRef<Linear> lead, const Linear &row, const Linear &tile) const;
  int64_t taps() const;              // that lie in lanes
  int64_t rowOf(int64_t tap) const;  // where a tap's features begin along k
  int64_t extent() const;            // of k
};

}  // namespace tpuc::plan
