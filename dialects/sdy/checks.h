//===- checks.h - constraints that several ops and attributes share -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TPUC_DIALECTS_SDY_CHECKS_H
#define TPUC_DIALECTS_SDY_CHECKS_H

#include "dialects/sdy/axes.h"

namespace tpuc::sdy {

using EmitError = llvm::function_ref<mlir::InFlightDiagnostic()>;

// Each an axis of the mesh or a part that divides one, none twice, none that continues the one before it.
mlir::LogicalResult checkAxes(MeshAttr mesh, llvm::ArrayRef<AxisRefAttr> axes, EmitError emit);
// Axes of several lists: no two overlap.
mlir::LogicalResult checkApart(MeshAttr mesh, llvm::ArrayRef<AxisRefAttr> axes, EmitError emit);
// Axes in the mesh's order.
mlir::LogicalResult checkSorted(MeshAttr mesh, llvm::ArrayRef<AxisRefAttr> axes, EmitError emit);
// All that a sharding of a value of `type` has to satisfy, seen from `op`.
mlir::LogicalResult checkSharding(mlir::Operation *op, TensorShardingAttr sharding, mlir::Type type, EmitError emit);
// Axes that a manual computation around `op` takes are not there within it.
mlir::LogicalResult checkFree(mlir::Operation *op, TensorShardingAttr sharding, EmitError emit);

}  // namespace tpuc::sdy

#endif  // TPUC_DIALECTS_SDY_CHECKS_H
