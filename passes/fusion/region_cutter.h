// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A region of ops as a loop over its blocks.
#pragma once
#include <map>

#include "passes/fusion/block_stacks.h"

namespace tpuc::fusion {

class RegionCutter {
 public:
  // `orders`: of each result's dims, in which they follow one another in its stack.
  RegionCutter(const BlockedDims &blocks, const CutRegion &region, llvm::ArrayRef<llvm::SmallVector<int64_t>> orders)
      : blocks_(blocks), r_(region), orders_(orders) {}
  // Puts the loop behind the region's last op, whose results its stacks become, and erases what has no users then.
  // `overCores`: cores share its iterations.
  void rewrite(bool overCores);

 private:
  struct DotBlock;
  llvm::SmallVector<mlir::Value> loop(builders::Build &build);
  BlockStack stackFor(builders::Build &build, mlir::OpOperand &use, const CommonDims &dims);
  void makeBlock(builders::Build &build);
  mlir::Value pieceOfResult(builders::Build &build, mlir::Value result);
  const CommonDims &dimsOf(mlir::OpOperand &use) const;
  llvm::SmallVector<int64_t> placesOf(mlir::OpOperand &use) const;
  mlir::Value operand(mlir::OpOperand &use) const;
  mlir::Value clone(builders::Build &build, mlir::Operation *op);
  mlir::Value cloneDot(builders::Build &build, stablehlo::DotGeneralOp dot);
  mlir::Value cloneIota(builders::Build &build, stablehlo::IotaOp iota);
  mlir::Value cloneTranspose(builders::Build &build, stablehlo::TransposeOp transpose);
  mlir::Value cloneBroadcast(builders::Build &build, stablehlo::BroadcastInDimOp spread);
  DotBlock dotBlock(stablehlo::DotGeneralOp dot) const;
  llvm::SmallVector<int64_t> stackDims(mlir::Value v) const;
  mlir::Value stackedAs(mlir::Value v) const;
  llvm::SmallVector<int64_t> blockDims(mlir::Value v) const;
  mlir::RankedTensorType blockType(mlir::Value v) const;
  bool swapsOperands(stablehlo::DotGeneralOp dot, const DotBlock &block) const;

  const BlockedDims &blocks_;
  const CutRegion &r_;
  llvm::ArrayRef<llvm::SmallVector<int64_t>> orders_;
  llvm::MapVector<mlir::OpOperand *, BlockStack> stacks_;  // in the order of the ops: text does not depend on addresses
  std::map<mlir::OpOperand *, mlir::Value> pieces_;        // of the stacks, in a block
  llvm::DenseMap<mlir::Value, mlir::Value> made_;          // likewise, of what the region computes
  mlir::Value iteration_;
};

}  // namespace tpuc::fusion
