//===- infer.h - result types that follow from operands ---------------------------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each returns failure, after an error through `emit`, where operands contradict a constraint.
//===-----------------------------------------------------------------------------===//
#ifndef TPUC_DIALECTS_STABLEHLO_INFER_H
#define TPUC_DIALECTS_STABLEHLO_INFER_H

#include "dialects/stablehlo/checks.h"

namespace tpuc::stablehlo {

using Types = llvm::SmallVectorImpl<mlir::Type>;

LogicalResult inferSameAsOperands(Emit emit, mlir::ValueRange operands, Types &types);
LogicalResult inferPredicate(Emit emit, mlir::ValueRange operands, Types &types);
LogicalResult inferComplexPart(Emit emit, mlir::ValueRange operands, Types &types);
LogicalResult inferComplex(Emit emit, mlir::ValueRange operands, Types &types);
LogicalResult inferDequantized(Emit emit, mlir::ValueRange operands, Types &types);
LogicalResult inferSelect(Emit emit, mlir::ValueRange operands, Types &types);
LogicalResult inferClamp(Emit emit, mlir::ValueRange operands, Types &types);

LogicalResult inferTranspose(Emit emit, mlir::Type operand, llvm::ArrayRef<int64_t> permutation, Types &types);
LogicalResult inferSlice(Emit emit, mlir::Type operand, llvm::ArrayRef<int64_t> starts, llvm::ArrayRef<int64_t> limits,
                         llvm::ArrayRef<int64_t> strides, Types &types);
LogicalResult inferPad(Emit emit, mlir::Type operand, llvm::ArrayRef<int64_t> low, llvm::ArrayRef<int64_t> high,
                       llvm::ArrayRef<int64_t> interior, Types &types);
LogicalResult inferConcatenate(Emit emit, mlir::TypeRange inputs, int64_t dimension, Types &types);
LogicalResult inferDynamicSlice(Emit emit, mlir::Type operand, llvm::ArrayRef<int64_t> sizes, Types &types);
LogicalResult inferTuple(mlir::MLIRContext *context, mlir::ValueRange operands, Types &types);
LogicalResult inferTupleElement(Emit emit, mlir::ValueRange operands, int64_t index, Types &types);

// broadcast_in_dim_c1..c6, dynamic_broadcast_in_dim_c1..c6; reshape_c1..c3
LogicalResult checkBroadcast(Emit emit, mlir::RankedTensorType operand, mlir::RankedTensorType result,
                             llvm::ArrayRef<int64_t> dims);
LogicalResult checkReshape(Emit emit, mlir::RankedTensorType operand, mlir::RankedTensorType result);

}  // namespace tpuc::stablehlo

#endif  // TPUC_DIALECTS_STABLEHLO_INFER_H
