// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operands and results of the matrix unit as its modes want them.
#pragma once
#include "passes/lowering/code.h"
#include "passes/plan/dot/mxu_mode.h"

namespace tpuc::lowering {

// Rows of 8 in lane form to one operand vreg of the mode. `low`: what rounding to bf16 left, for the passes after the
// first.
mlir::Value packForMxu(Code &code, const MxuMode &mode, llvm::ArrayRef<mlir::Value> groups, bool low);
// An operand vreg with zeros from row `rows` on, or from lane `lanes` on.
mlir::Value keepRows(Code &code, const MxuMode &mode, mlir::Value packed, const Linear &rows);
mlir::Value keepLanes(Code &code, mlir::Value v, const Linear &lanes);

// Pushes one operand vreg (two for arrays of 256) to an array, onto accumulator group `sums`; pops a group's column
// tile and clears it. `part`: what is pushed and what is popped with different ones, -1 none, in one iteration of every
// loop around is not the same.
void emitPush(Code &code, const MxuMode &mode, int64_t array, llvm::ArrayRef<mlir::Value> rows, const Linear &sums,
              int64_t part = -1);
mlir::Value emitPop(Code &code, const MxuMode &mode, int64_t array, int64_t column, const Linear &sums,
                    int64_t part = -1);

}  // namespace tpuc::lowering
