// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Folding of a window's last axis into lanes: k = (tap, feature) side by side, for inputs of few features.
#pragma once
#include "passes/lowering/conv/window.h"

namespace tpuc::lowering {

// The folded input: [lead axes.., tile of 128 k, result position], a row of 32-bit lanes each.
struct Fold {
  int64_t multiple = 1;  // tiles
  int64_t unitRows = 8;  // result positions are padded to these
  int64_t word = 0, words = 0, region = -1;
  int64_t tiles = 1, rows = 0, tileWords = 0;
  llvm::SmallVector<int64_t> leadWords, held;

  void layOut(const PaddedInput &input);
  void emit(Code &code, const PaddedInput &input) const;
  Linear wordOf(llvm::ArrayRef<Linear> lead, const Linear &tile, const Linear &x) const;
};

// The folded input once more, with the other axes of the window beside the last: [lead result positions.., tile,
// position].
struct FoldRows {
  int64_t multiple = 1;
  int64_t word = 0, words = 0, region = -1;
  int64_t tiles = 1, rows = 0, tileWords = 0;
  llvm::SmallVector<int64_t> leadWords, blocks;  // per lead axis

  void layOut(const PaddedInput &input, const Fold &fold);
  void emit(Code &code, const PaddedInput &input, const Fold &fold) const;
  Linear wordOf(llvm::ArrayRef<Linear> lead, const Linear &tile, const Linear &x) const;
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

  // `features`, `outputs`: of a block.
  void layOut(const PaddedInput &input, int64_t features, int64_t outputs);
  void emit(Code &code, ArrayBlock &weights, bool intToFloat) const;
  Linear wordOf(llvm::ArrayRef<Linear> lead, const Linear &row, const Linear &tile) const;

 private:
  int64_t taps() const;
};

}  // namespace tpuc::lowering
