// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The code of padded copies of input blocks (plan/conv/padded_input.h).
#pragma once
#include "passes/lowering/grid/emit_grid.h"
#include "passes/plan/conv/padded_input.h"

namespace tpuc::lowering {

// Stores `bits` to every lane of `words` words from `word` on, rounded up to 8.
void fillWords(Code &code, uint32_t bits, int64_t word, int64_t words, int64_t region, int64_t lanes = 128);
// Fills the whole copy with padding, once before the grid's steps.
void emitFill(Code &code, const PaddedInput &copy);
// Fills what emitStage leaves of it.
void emitBorders(Code &code, const PaddedInput &copy);
// A step's block, of grid position `index`, goes to its places in the copy.
void emitStage(Code &code, const PaddedInput &copy, llvm::ArrayRef<Linear> index);

// 8 rows of a packed vreg in lane form (f16 and i1 as f32 and 0 / 1).
mlir::Value unpackGroup(Code &code, mlir::Type element, mlir::Value packed, int64_t group);

}  // namespace tpuc::lowering
