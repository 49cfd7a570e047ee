// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the plans of kernels around one op that is not elementwise share (convolution, its gradient, window,
// select_and_scatter, scan, lookup): the blocks of the op's operands and of the epilogue that follows it, the grid over
// them, and how they are cut.
#pragma once
#include "passes/plan/kernels.h"

namespace tpuc::plan {

inline mlir::Type elementOf(mlir::Value v) { return mlir::getElementTypeOrSelf(v.getType()); }
inline mlir::RankedTensorType typeOf(mlir::Value v) { return mlir::cast<mlir::RankedTensorType>(v.getType()); }

class RootPlan {
 protected:
  explicit RootPlan(KernelContext &context) : context_(context) {}

  // In this order:
  // 1. the root, and the domain dims of its result's dims;
  void bindRoot(mlir::Operation *root, llvm::ArrayRef<int64_t> resultDims);
  //    where these are the elements of its first result, a vector's in rows of 128: the map of that result's dims;
  DimMap bindElements(mlir::Operation *root);
  // 2. a block for each of its operands, then those of the epilogue, which widen the domain's packing;
  std::unique_ptr<ArrayBlock> operandBlock(mlir::Value v, DimMap map, const Domain *view);
  void makeEpilogueBlocks();
  // 3. the grid over all of them.
  void makeGrid(llvm::ArrayRef<ArrayBlock *> operands);

  // The kernel's arguments that ops besides the root read, with their blocks.
  llvm::SmallVector<std::pair<mlir::Value, ArrayBlock *>> epilogueBlocks() const;
  uint64_t positions() const;  // of the whole index space

  // Whether a result has a dim other than the rows' and the columns' in its tiles: steps with parts of it would each
  // write all of them.
  bool resultsHoldWhole(int64_t d) const;
  // Halves the block along a domain dim, to a multiple of `granule`.
  void halve(int64_t d, int64_t granule) {
    domain_.block[d] = llvm::alignTo(llvm::divideCeil(domain_.block[d], 2), granule);
  }
  // The plan's blocks, or, where there is none, what is chosen becomes the plan. Dims that the grid does not walk stay
  // whole; `granules`: of the others.
  mlir::LogicalResult follow(llvm::ArrayRef<int64_t> granules, llvm::StringRef what,
                             llvm::function_ref<int64_t()> place);
  void notePlan(llvm::function_ref<int64_t()> place);
  // Halves blocks until they fit VMEM and there are steps to overlap: lanes (the grid's first parallel dim) where
  // blocks are large, then the leading dims. `place` returns the words needed; `input` is the block whose transfers are
  // worth hiding. `granules`: what each dim is cut in multiples of, besides lanes; none: 1.
  mlir::LogicalResult fitBlocks(const ArrayBlock &input, llvm::StringRef what, llvm::function_ref<int64_t()> place,
                                llvm::SmallVector<int64_t> granules = {});
  // The same for kernels that may cut any of the dims `cuts`: the first of them first, and those that results have in
  // tiles by whole tiles. Transfers of more than `fewWords` a step are worth hiding.
  mlir::LogicalResult cutBlocks(const ArrayBlock &input, llvm::ArrayRef<int64_t> cuts, int64_t fewWords,
                                llvm::StringRef what, llvm::function_ref<int64_t()> place);
  // An operand that the matrix unit has no mode for.
  mlir::LogicalResult refuseMode(mlir::Value lhs, mlir::Value rhs, llvm::StringRef modes);

  KernelContext &context_;
  mlir::Operation *root_ = nullptr;
  llvm::SmallPtrSet<mlir::Operation *, 2> within_;  // ops before it that are part of what it does
  Space space_;
  Domain domain_;
  std::unique_ptr<Grid> grid_;

 private:
  std::unique_ptr<ArrayBlock> makeBlock(mlir::Value v, mlir::ArrayAttr orders, unsigned i, const Origin &origin,
                                        DimMap map, const Domain *view);
  bool inEpilogue(mlir::BlockArgument arg) const;
  llvm::SmallVector<int64_t> granulesOf(llvm::ArrayRef<int64_t> cuts) const;
};

}  // namespace tpuc::plan
