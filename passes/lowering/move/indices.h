// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What kernels share whose positions are values: sides of a copy, index arrays in SMEM, loops over points.
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
  // `parts`: of the kernel's plan.
  IndexArray(KernelContext &context, Code &c, mlir::Value indices, int64_t vectorDim, int64_t parts);
  // Component `k` of the index vector at a point of the other dims. Semaphore 0 is left to the caller.
  mlir::Value at(llvm::ArrayRef<Linear> batch, int64_t k);
  // The same for neighbours along the last of those dims: at most eight, the first one's position a multiple of eight.
  llvm::SmallVector<mlir::Value> ofEach(llvm::ArrayRef<llvm::SmallVector<Linear>> points, int64_t k);

 private:
  static constexpr int64_t kPart = plan::kIndexPart, kPrefix = plan::kIndexPartPrefix;  // bytes
  void keepParts(KernelContext &context);
  Linear byteOf(llvm::ArrayRef<Linear> batch, int64_t k);
  llvm::SmallVector<mlir::Value> fromPart(mlir::Value address, int64_t count);
  mlir::Value extended(mlir::Value word);

  Code &c_;
  Side from_;
  int64_t vectorDim_;
  llvm::SmallVector<int64_t> dims_;
  bool isUnsigned_;
  int64_t parts_;  // places for parts in SMEM; before them lie the numbers of the parts that are there. 0: all is there
};

// How many of `all` points a part of `each` has that begins at `first`.
mlir::Value endOfPart(Code &c, mlir::Value first, mlir::Value all, int64_t each);
// Scalar loops over all points of `extents`; `body` returns how many transfers it left in flight, which are waited for
// at the end.
void emitBatchLoops(Code &c, llvm::ArrayRef<int64_t> extents, llvm::function_ref<int64_t(llvm::ArrayRef<Linear>)> body);
// The same with up to `most` neighbours along the last dim in a turn, the first one's position a multiple of `most`;
// `body` returns how many transfers a point left.
// `counts`: for a dim that ends before its extent, how many points it has; null for other dims.
void emitGroupLoops(Code &c, llvm::ArrayRef<int64_t> extents, int64_t most,
                    llvm::function_ref<int64_t(llvm::ArrayRef<llvm::SmallVector<Linear>>)> body,
                    llvm::ArrayRef<mlir::Value> counts = {});

}  // namespace tpuc::lowering
