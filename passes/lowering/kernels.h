// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowering of one fusion to a routine, by kind.
#pragma once
#include "dialects/diagnostics/diagnose.h"
#include "dialects/kernel/kernel.h"
#include "passes/lowering/body/body.h"
#include "passes/lowering/grid/emit_grid.h"
#include "passes/lowering/grid/stretches.h"
#include "passes/plan/kernels.h"

namespace tpuc::lowering {

// Emits the kernel's body into `code` (at a routine's start, with its two arguments); a located diagnostic on failure.
mlir::LogicalResult lowerLoopKernel(KernelContext &context, Code &code, mlir::Value start, mlir::Value count);
mlir::LogicalResult lowerDotKernel(KernelContext &context, Code &code, mlir::Value start, mlir::Value count);
mlir::LogicalResult lowerWindowKernel(KernelContext &context, Code &code, mlir::Value start, mlir::Value count);
mlir::LogicalResult lowerConvKernel(KernelContext &context, Code &code, mlir::Value start, mlir::Value count);
mlir::LogicalResult lowerRelayoutKernel(KernelContext &context, Code &code, mlir::Value start, mlir::Value count);
// Kernels of one op that is neither a loop nor a dot: slices and updates at values' positions, gathers, scatters, else
// a copy.
mlir::LogicalResult lowerOpKernel(KernelContext &context, Code &code, mlir::Value start, mlir::Value count);
mlir::LogicalResult lowerCopyKernel(KernelContext &context, Code &code, mlir::Value start, mlir::Value count);

// Who lowers a kind of kernel; passes/plan/planner.h has who plans it.
struct Lowering {
  using Lower = mlir::LogicalResult (*)(KernelContext &context, Code &code, mlir::Value start, mlir::Value count);

  llvm::StringRef name;  // of the fusion
  Lower lower;
};

// Null for a name that no kind of routines has.
const Lowering *findLowering(llvm::StringRef name);

// ---- shared by the kinds --------------------------------------------------------------------------------------------

// Extents of the current block along dim d in loop units: units of rows along the domain's dim before the
// last, tiles of columns along its last, elements along the others.
mlir::Value blockTrip(Code &code, const Domain &domain, llvm::ArrayRef<Linear> index, int64_t d);

// A nest of loops over `dims` of the block (in order, last innermost); the innermost is unrolled by `unroll` when its
// trip count is known. `carried` values run through. `stretch`: of one dim, null for all.
using NestBody = llvm::function_ref<llvm::SmallVector<mlir::Value>(const Point &, mlir::ValueRange)>;
llvm::SmallVector<mlir::Value> emitNest(
    Code &code, const Domain &domain, llvm::ArrayRef<Linear> index, llvm::ArrayRef<int64_t> dims, int64_t unroll,
    mlir::ValueRange carried, NestBody body, const Point *outer = nullptr,
    bool independent = true,  // no iteration of the innermost reads what another one stores
    const Stretch *stretch = nullptr);

// Whether the code of one vreg fills the units by itself.
bool isLong(mlir::Block &body);

// Writes the results whose dims are `dims` of the block; values come from `body`.
void emitResults(Code &code, Body &body, Space &space, mlir::ValueRange yielded, llvm::ArrayRef<unsigned> which,
                 llvm::ArrayRef<int64_t> dims);

// Writes the kernel's results at one unit of rows where `root`, an op that is not elementwise, has the value `groups`
// (a vreg for each group of 8 rows, not yet rounded to its type).
void storeThrough(Body &body, Space &space, mlir::Value root, llvm::ArrayRef<mlir::Value> groups,
                  mlir::ValueRange yielded, const Point &point);

}  // namespace tpuc::lowering
