// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Data movement as strided byte copies: an op that only moves elements becomes a list of nested-stride transfers
// between two tiled arrays.
//
//  1. The op is a box of iteration dims; each maps one group of source dims to one group of destination dims.
//  2. For each group, the byte offsets of all its positions on both sides, compressed into nested arithmetic
//     progressions.
//  3. The product over groups, dims merged where one side's stride continues the other's.
#pragma once
#include "dialects/stablehlo/stablehlo.h"
#include "passes/analysis/strides.h"
#include "passes/plan/kernels.h"

namespace tpuc::plan {

using analysis::CopyDim;
using analysis::CopyGroup;
using analysis::Segment;

struct Transfer {
  int64_t src = 0, dst = 0, run = 0;   // bytes
  llvm::SmallVector<CopyDim, 6> dims;  // outermost first
};

// Byte offset that index `i` of a physical dim contributes.
int64_t byteOffset(const Array &array, int64_t phys, int64_t i);

// Nullopt when the copy needs more than `limit` transfers.
std::optional<llvm::SmallVector<Transfer>> planCopy(llvm::ArrayRef<CopyGroup> groups, int64_t elementBytes,
                                                    int64_t limit = 2048);

// The moves of a slice, reverse, transpose, broadcast_in_dim, reshape, pad or concatenate: from operand `operand`, or
// what that is a slice of.
struct Move {
  unsigned operand;
  llvm::SmallVector<CopyGroup> groups;
};
std::optional<llvm::SmallVector<Move>> movesOf(mlir::Operation *op, llvm::function_ref<Array(unsigned)> operand,
                                               const Array &result);

// What a pad fills with its value before it copies: the tiles at the edges of the result, or all of it where elements
// lie apart. From one tile, at 0.
llvm::SmallVector<Transfer> fillsOf(stablehlo::PadOp pad, const Array &result);

// What a kernel of such an op brings to its result.
struct Copy {
  unsigned argument;  // of the kernel, that it comes from
  llvm::SmallVector<Transfer> transfers;
};
// A located diagnostic where one is of more transfers than a kernel holds, or the op is of another kind.
mlir::FailureOr<llvm::SmallVector<Copy>> copiesOf(const KernelContext &context);

}  // namespace tpuc::plan
