// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel as the planner and its lowering see it: its arrays as blocks of one index space, and what VMEM it may take.
#pragma once
#include "dialects/diagnostics/diagnose.h"
#include "dialects/kernel/plan.h"
#include "passes/analysis/domain.h"
#include "passes/plan/grid/grid.h"
#include "runtime/target/target.h"
#include "runtime/timing/machine_model.h"

namespace tpuc::plan {

struct KernelContext {
  kernel::FusionOp op;
  const target::Target &target;
  const timing::MachineModel *model;
  llvm::SmallVector<Origin> inputs, results;
  const ResidentMap &residents;                  // of those that lie in VMEM
  int64_t firstWord;                             // of VMEM that is the kernel's: residents lie below
  llvm::StringRef matmulPrecision;               // "default", "high", "highest"; "" as the program says
  llvm::SmallVector<int64_t> sizeWords = {};     // by input: SMEM's word that has it, of true sizes; -1 of others
  llvm::SmallVector<int64_t> counterWords = {};  // by input: SMEM's word that has it, of loops' counters; -1 of others
  llvm::SmallVector<int64_t> leastSizes = {};    // by input: of true sizes the least; -1 of others
  llvm::SmallVector<SizeEnds> ends = {};         // by result: behind which nobody asks for its elements
  // Along a dim of a reduction's operands: behind which they change nothing.
  std::function<std::optional<SizeEnd>(mlir::Operation *, int64_t)> reducedEnd = {};
  kernel::PlanAttr plan = {};  // what was decided; null: nothing yet
  bool isTrial = false;        // a kernel that is over VMEM says nothing but that
  bool isQuestion = false;     // before there is a plan to make (question.h): a refusal says nothing
  // Set by the planner and the lowering.
  bool isOverVmem = false;
  int64_t gridSteps = 1;
  int64_t vmemWords = 0;
  int64_t smemBytes = 0;
  uint64_t flops = 0;
  double cycles = 0;  // of a plan that was chosen by estimates of them; 0: there are none
};

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
// An argument of the kernel's body as it lies in HBM, and where; a result.
Array operandArray(const KernelContext &context, mlir::Value v);
const Origin &operandOrigin(const KernelContext &context, mlir::Value v);
Array resultArray(const KernelContext &context, unsigned i);
// Makes the blocks of the fusion's sources and results for a domain whose dims are `dims`.
void makeBlocks(KernelContext &context, Space &space, const analysis::DomainDims &dims);

// The map of operand `i` of `op` when the op's result has `map`; fails (nullopt) for ops whose operands are not the
// domain's points (reshapes that mix dims, slices).
std::optional<DimMap> operandMap(mlir::Operation *op, unsigned i, const DimMap &map);

// Whether a block of this array can be read (or written) at vregs of the domain under `map`: nothing but its last
// physical dim may lie along lanes.
bool isAccessible(const Domain &domain, mlir::RankedTensorType type, llvm::ArrayRef<int64_t> order, const DimMap &map);

// Whether the array's rows and lanes are the domain's: packed vregs are as they lie in VMEM.
bool isPackedAlike(const Domain &domain, const ArrayBlock &block, const DimMap &map);

// Whether stores of a result write whole words: rows of a packed array that come one at a time share theirs with the
// next row, and a loop over them is not one of independent iterations.
bool storesWholeWords(const ArrayBlock &block, const DimMap &map, const Domain &domain);

// Checks the fusion's constants: the fuse stage makes kernels of splats alone, but an edited dump may have others.
mlir::LogicalResult checkConstants(kernel::FusionOp op);

// A kernel's share of VMEM: what its moving blocks should take, while arrays lie in the rest.
int64_t kernelVmemWords(const target::Target &target);
// The most VMEM words a kernel may use for blocks and scratch.
int64_t vmemBudgetWords(const target::Target &target);
// How far apart a load's or a store's sublanes may be, in words.
inline constexpr int64_t kFarthestSublane = INT16_MAX;
// A smallest block is larger than the room, the budget if not given: "expects WHAT to fit 14680064 bytes of VMEM, but
// got 20971520".
mlir::LogicalResult overVmem(KernelContext &context, mlir::Operation *op, const llvm::Twine &what, int64_t words,
                             int64_t room = 0);
// Its sums are more rows than each systolic array's accumulators have.
mlir::LogicalResult overAccumulators(KernelContext &context, mlir::Operation *op, const llvm::Twine &what,
                                     int64_t rows);

}  // namespace tpuc::plan
