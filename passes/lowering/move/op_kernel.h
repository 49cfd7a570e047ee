// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Who lowers a kernel of one op that moves elements, by that op. op_kernel.cpp chooses.
#pragma once
#include "dialects/stablehlo/stablehlo.h"
#include "passes/lowering/kernels.h"

namespace tpuc::lowering {

// Slices and updates at values' positions, and gathers of windows by transfers (index_kernel.cpp).
mlir::LogicalResult lowerDynamicSlice(KernelContext &context, Code &c, stablehlo::DynamicSliceOp op);
mlir::LogicalResult lowerDynamicUpdateSlice(KernelContext &context, Code &c, stablehlo::DynamicUpdateSliceOp op);
mlir::LogicalResult lowerGather(KernelContext &context, Code &c, stablehlo::GatherOp op, mlir::Value start,
                                mlir::Value count);
// A gather whose elements are a vector's, with an index for each element of the result (lookup_kernel.cpp).
mlir::LogicalResult lowerLookup(KernelContext &context, Code &code, stablehlo::GatherOp op, mlir::Value start,
                                mlir::Value count);
// A gather of rows from a table that VMEM holds (held_rows.cpp).
mlir::LogicalResult lowerHeldRows(KernelContext &context, Code &code, stablehlo::GatherOp op, mlir::Value start,
                                  mlir::Value count);
// A gather of rows that share words (row_gather.cpp).
mlir::LogicalResult lowerRowGather(KernelContext &context, Code &c, stablehlo::GatherOp op, mlir::Value start,
                                   mlir::Value count);
// Any other scatter than the next two (scatter_kernel.cpp).
mlir::LogicalResult lowerScatter(KernelContext &context, Code &c, stablehlo::ScatterOp op);
// A scatter of rows in order, with the gather that brings them (row_scatter.cpp).
mlir::LogicalResult lowerRowScatter(KernelContext &context, Code &code, stablehlo::ScatterOp op);
// A scatter of rows into a table that VMEM holds (row_sums.cpp).
mlir::LogicalResult lowerRowSums(KernelContext &context, Code &code, stablehlo::ScatterOp op, mlir::Value start,
                                 mlir::Value count);
// A transpose that brings another dim to lanes (transpose_kernel.cpp).
mlir::LogicalResult lowerTranspose(KernelContext &context, Code &code, stablehlo::TransposeOp op, mlir::Value start,
                                   mlir::Value count);
// passes/lowering/sort/sort_kernel.cpp.
mlir::LogicalResult lowerSort(KernelContext &context, Code &code, stablehlo::SortOp op, mlir::Value start,
                              mlir::Value count);

}  // namespace tpuc::lowering
