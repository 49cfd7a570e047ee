// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowering of one fusion to a routine, by kind.
#pragma once
#include "dialects/diagnostics/diagnose.h"
#include "dialects/kernel/kernel.h"
#include "passes/analysis/domain.h"
#include "passes/lowering/body/body.h"
#include "passes/lowering/grid/grid.h"
#include "runtime/target/target.h"
#include "runtime/timing/machine_model.h"

namespace tpuc::lowering {

struct KernelContext {
  kernel::FusionOp op;
  const target::Target &target;
  const timing::MachineModel *model;
  llvm::SmallVector<Origin> inputs, results;
  const ResidentMap &residents;               // of those that lie in VMEM
  int64_t firstWord;                          // of VMEM that is the kernel's: residents lie below
  llvm::StringRef matmulPrecision;            // "default", "high", "highest"; "" as the program says
  llvm::SmallVector<int64_t> sizeWords = {};  // by input: SMEM's word that has it, of true sizes; -1 of others
  // Set by the lowering.
  int64_t gridSteps = 1;
  int64_t vmemWords = 0;
  int64_t smemBytes = 0;
  uint64_t flops = 0;
};

// Emits the kernel's body into `code` (at a routine's start, with its two arguments); a located diagnostic on failure.
mlir::LogicalResult lowerLoopKernel(KernelContext &context, Code &code, mlir::Value start, mlir::Value count);
mlir::LogicalResult lowerDotKernel(KernelContext &context, Code &code, mlir::Value start, mlir::Value count);
mlir::LogicalResult lowerWindowKernel(KernelContext &context, Code &code, mlir::Value start, mlir::Value count);
mlir::LogicalResult lowerConvKernel(KernelContext &context, Code &code, mlir::Value start, mlir::Value count);
// Kernels of one op that is neither a loop nor a dot: slices and updates at values' positions, gathers, scatters, else
// a copy.
mlir::LogicalResult lowerOpKernel(KernelContext &context, Code &code, mlir::Value start, mlir::Value count);
mlir::LogicalResult lowerCopyKernel(KernelContext &context, Code &code, mlir::Value start, mlir::Value count);

// ---- shared by the kinds --------------------------------------------------------------------------------------------

// A kernel's index space with its arrays as blocks.
struct Space {
  analysis::DimClasses classes;
  Domain domain;
  llvm::DenseMap<int64_t, int64_t> dimOfClass;
  std::vector<std::unique_ptr<ArrayBlock>> inputs, results;

  DimMap mapOf(mlir::Value v);
  llvm::SmallVector<ArrayBlock *> inputPointers() const;
  llvm::SmallVector<ArrayBlock *> resultPointers() const;
};
// What a loop kernel reads: its arguments, and slices of them.
struct Source {
  mlir::Value value;
  unsigned argument;
};
llvm::SmallVector<Source, 8> sourcesOf(kernel::FusionOp op);
llvm::SmallVector<int64_t> orderOf(mlir::ArrayAttr orders, unsigned i, mlir::Value v);
// Makes the blocks of the fusion's sources and results for a domain whose dims are `dims`.
void makeBlocks(KernelContext &context, Space &space, const analysis::DomainDims &dims);

// Extents of the current block along dim d in loop units (leading: elements; r: units of rows; c: column tiles).
mlir::Value blockTrip(Code &code, const Domain &domain, llvm::ArrayRef<Linear> index, int64_t d);

// A nest of loops over `dims` of the block (in order, last innermost); the innermost is unrolled by `unroll` when its
// trip count is known. `carried` values run through.
using NestBody = llvm::function_ref<llvm::SmallVector<mlir::Value>(const Point &, mlir::ValueRange)>;
llvm::SmallVector<mlir::Value> emitNest(
    Code &code, const Domain &domain, llvm::ArrayRef<Linear> index, llvm::ArrayRef<int64_t> dims, int64_t unroll,
    mlir::ValueRange carried, NestBody body, const Point *outer = nullptr,
    bool independent = true);  // no iteration of the innermost reads what another one stores

// Whether stores of a result write whole words: rows of a packed array that come one at a time share theirs with the
// next row, and a loop over them is not one of independent iterations.
bool storesWholeWords(const ArrayBlock &block, const DimMap &map, const Domain &domain);

// Writes the results whose dims are `dims` of the block; values come from `body`.
void emitResults(Code &code, Body &body, Space &space, mlir::ValueRange yielded, llvm::ArrayRef<unsigned> which,
                 llvm::ArrayRef<int64_t> dims);

// Writes the kernel's results at one unit of rows where `root`, an op that is not elementwise, has the value `groups`
// (a vreg for each group of 8 rows, not yet rounded to its type).
void storeThrough(Body &body, Space &space, mlir::Value root, llvm::ArrayRef<mlir::Value> groups,
                  mlir::ValueRange yielded, const Point &point);

// A kernel's share of VMEM: what its moving blocks should take, while arrays lie in the rest.
int64_t kernelVmemWords(const target::Target &target);
// The most VMEM words a kernel may use for blocks and scratch.
int64_t vmemBudgetWords(const target::Target &target);
// The error of a smallest block that is larger: "expects WHAT to fit 14680064 bytes of VMEM, but got 20971520".
CodedError overVmem(const KernelContext &context, mlir::Operation *op, const llvm::Twine &what, int64_t words);

}  // namespace tpuc::lowering
