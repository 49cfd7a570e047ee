// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What kernels whose positions are values share: operands as sides of a copy, index arrays in SMEM, loops over their
// points.
#pragma once
#include "dialects/stablehlo/stablehlo.h"
#include "passes/lowering/kernels.h"
#include "passes/lowering/move/box_copy.h"
#include "passes/plan/memory/pieces.h"
#include "passes/plan/move/index_array.h"

namespace tpuc::lowering {

Side operandSide(KernelContext &context, mlir::Value v);  // v: an argument of the kernel's body
Side resultSide(KernelContext &context, unsigned i);
mlir::Value clampIndex(Code &c, mlir::Value index, int64_t high);

// Where windows begin: constants are known, a kernel's arguments go to SMEM, 4 bytes each, then to registers.
llvm::SmallVector<llvm::SmallVector<Linear>> fetchStarts(KernelContext &context, Code &c,
                                                         llvm::ArrayRef<Window> windows);

// The origins of windows in arrays that begin at `wholes`.
llvm::SmallVector<Origin> fetchOrigins(KernelContext &context, Code &c, llvm::ArrayRef<Window> windows,
                                       llvm::ArrayRef<Origin> wholes);

// An array of 32-bit indices: all of it in SMEM, or, when it is too large, the parts of it that were read last.
class IndexArray {
 public:
  IndexArray(KernelContext &context, Code &c, mlir::Value indices, int64_t vectorDim);
  // Component `k` of the index vector at a point of the other dims. Semaphore 0 is left to the caller.
  mlir::Value at(llvm::ArrayRef<Linear> batch, int64_t k);
  // Of neighbours along the last of those dims: at most eight, the first one's position a multiple of eight.
  llvm::SmallVector<mlir::Value> ofEach(llvm::ArrayRef<llvm::SmallVector<Linear>> points, int64_t k);

 private:
  static constexpr int64_t kPart = plan::kIndexPart, kMostParts = 64;  // bytes, number
  void keepParts(KernelContext &context);
  Linear byteOf(llvm::ArrayRef<Linear> batch, int64_t k);
  llvm::SmallVector<mlir::Value> fromPart(mlir::Value address, int64_t count);
  mlir::Value extended(mlir::Value word);

  Code &c_;
  Side from_;
  int64_t vectorDim_;
  llvm::SmallVector<int64_t> dims_;
  bool isUnsigned_;
  bool held_ = true;
  int64_t parts_ = 0;  // that there is room for, behind the places of those that are there
};

// Scalar loops over all points of `extents`; `body` returns how many transfers it left in flight, which are waited for
// at the end.
void emitBatchLoops(Code &c, llvm::ArrayRef<int64_t> extents, llvm::function_ref<int64_t(llvm::ArrayRef<Linear>)> body);
// Likewise `most` neighbours along the last dim in a turn, the first one's position a multiple of `most`, and those
// that are left; `body` returns how many transfers a point left.
// `counts`: of those dims that end before, how many there are; null for others.
void emitGroupLoops(Code &c, llvm::ArrayRef<int64_t> extents, int64_t most,
                    llvm::function_ref<int64_t(llvm::ArrayRef<llvm::SmallVector<Linear>>)> body,
                    llvm::ArrayRef<mlir::Value> counts = {});

mlir::LogicalResult lowerDynamicSlice(KernelContext &context, Code &c, stablehlo::DynamicSliceOp op);
mlir::LogicalResult lowerDynamicUpdateSlice(KernelContext &context, Code &c, stablehlo::DynamicUpdateSliceOp op);
mlir::LogicalResult lowerGather(KernelContext &context, Code &c, stablehlo::GatherOp op, mlir::Value start,
                                mlir::Value count);
// Gathers whose elements are a vector's, an index for each of the result (lookup_kernel.cpp).
mlir::LogicalResult lowerLookup(KernelContext &context, Code &code, stablehlo::GatherOp op, mlir::Value start,
                                mlir::Value count);
// Of rows that share words (row_gather.cpp).
mlir::LogicalResult lowerRowGather(KernelContext &context, Code &c, stablehlo::GatherOp op, mlir::Value start,
                                   mlir::Value count);
mlir::LogicalResult lowerScatter(KernelContext &context, Code &c, stablehlo::ScatterOp op);
// Of rows in order, with the gather that brings them (row_scatter.cpp).
mlir::LogicalResult lowerRowScatter(KernelContext &context, Code &code, stablehlo::ScatterOp op);
// Of rows into a table that VMEM holds (row_sums.cpp).
mlir::LogicalResult lowerRowSums(KernelContext &context, Code &code, stablehlo::ScatterOp op, mlir::Value start,
                                 mlir::Value count);
// Where another dim comes to lie along lanes.
mlir::LogicalResult lowerTranspose(KernelContext &context, Code &code, stablehlo::TransposeOp op, mlir::Value start,
                                   mlir::Value count);
mlir::LogicalResult lowerSort(KernelContext &context, Code &code, stablehlo::SortOp op, mlir::Value start,
                              mlir::Value count);

}  // namespace tpuc::lowering
