// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How products of two element types run on the matrix unit.
#pragma once
#include <optional>

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "passes/lowering/code.h"
#include "runtime/target/target.h"

namespace tpuc::lowering {

struct MxuMode {
  llvm::StringRef suffix;  // of mxu.ldw and mxu.push
  int64_t pack = 1;        // rows a vreg of it holds / 8
  int64_t passes = 1;      // 3: hi hi, hi lo, lo hi
  bool intFromBf16 = false;
};

// Null when the matrix unit has no mode for these types. `precision`: what the user asks for, "" as `config` says.
std::optional<MxuMode> chooseMxuMode(const target::Target &target, mlir::Type a, mlir::Type b, mlir::Type out,
                                     std::optional<mlir::ArrayAttr> config, llvm::StringRef precision);

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
