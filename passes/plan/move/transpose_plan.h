// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The plan of a transpose that puts another dim along lanes, with the elementwise work before and behind it.
//
// The domain is the result's dims in memory order. What the transpose is computed from sees it with its own last dim
// along lanes and the result's last dim along sublanes, what is computed with it the other way round. As single
// elements through DMA every one of them would cost a whole HBM granule.
#pragma once
#include "dialects/stablehlo/stablehlo.h"
#include "passes/plan/kernels.h"

namespace tpuc::plan {

class TransposePlan {
 public:
  TransposePlan(KernelContext &context, stablehlo::TransposeOp op)
      : context_(context), op_(op), result_(context.op.getBlock().getTerminator()->getOperand(0)) {}
  // Chooses a plan and sets it; false where lanes stay, or no block fits VMEM: then transfers do it, if they can.
  bool choose();
  // Words that the smallest block takes where none fits; else 0.
  int64_t wordsOverVmem() const { return wordsOverVmem_; }
  // Follows context.plan; a located diagnostic on failure.
  mlir::LogicalResult plan();

 protected:
  static constexpr int64_t kTile = 128;
  // An argument of the kernel as one side sees it.
  struct Read {
    mlir::Value argument;
    std::unique_ptr<ArrayBlock> block;
  };

  KernelContext &context_;
  stablehlo::TransposeOp op_;
  mlir::Value result_;
  Domain sourceView_, resultView_;
  std::vector<Read> before_, behind_;
  std::unique_ptr<ArrayBlock> written_;
  DimMap sourceMap_, resultMap_;  // of the transpose's operand and result
  std::unique_ptr<Grid> grid_;

 private:
  using Maps = llvm::DenseMap<mlir::Value, DimMap>;
  bool bind();
  bool addReads(mlir::Value v, const DimMap &map, const Domain &view, std::vector<Read> &reads, Maps &seen);
  void makeGrid();
  bool isWhole(int64_t k) const;
  bool cutTiles();
  int64_t place();
  int64_t stepWords() const;

  llvm::SmallVector<int64_t> granule_;  // what each dim is cut in multiples of
  int64_t wordsOverVmem_ = 0;
};

}  // namespace tpuc::plan
