// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The code of folded copies (plan/conv/fold.h).
#pragma once
#include "passes/lowering/conv/window.h"
#include "passes/plan/conv/fold.h"

namespace tpuc::lowering {

void emitFold(Code &code, const Fold &fold, const PaddedInput &input);
void emitFoldRows(Code &code, const FoldRows &folded, const PaddedInput &input, const Fold &fold);
void emitFoldedWeights(Code &code, const FoldedWeights &folded, ArrayBlock &weights, bool intToFloat);

}  // namespace tpuc::lowering
