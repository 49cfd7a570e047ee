// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How many devices a program is for: mhlo.num_replicas and mhlo.num_partitions of its module.
#pragma once
#include "mlir/IR/BuiltinOps.h"

namespace tpuc::stablehlo {

// Device replica * partitions + partition.
struct DeviceGrid {
  int64_t replicas = 1, partitions = 1;
  // The largest number there is where the product has none.
  int64_t devices() const;
};
// What the module of `op` says, which may be `op` itself: one of what it doesn't name.
DeviceGrid gridOf(mlir::Operation *op);
bool namesGrid(mlir::ModuleOp module);
void setGrid(mlir::ModuleOp module, DeviceGrid grid);

}  // namespace tpuc::stablehlo
