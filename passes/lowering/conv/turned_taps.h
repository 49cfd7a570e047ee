// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The code of folds before the transpose buffer (plan/conv/turned_taps.h).
#pragma once
#include "passes/lowering/conv/window.h"
#include "passes/plan/conv/turned_taps.h"

namespace tpuc::lowering {

// Padding, once before the grid's steps: of taps, and behind rows.
void emitTurnedFill(Code &code, const TurnedTaps &taps);
void emitRowsFill(Code &code, const FoldRows &rows);
// A step's block, of grid position `index`, to taps along sublanes.
void emitTurnedTaps(Code &code, const TurnedTaps &taps, const PaddedInput &input, llvm::ArrayRef<Linear> index);
// And these to rows with all taps along lanes.
void emitTurnedRows(Code &code, const FoldRows &rows, const TurnedTaps &taps, const PaddedInput &input);

}  // namespace tpuc::lowering
