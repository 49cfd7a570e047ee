// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs for several devices: what one device runs is taken, what is still to be partitioned is not.
#pragma once
#include "mlir/IR/BuiltinOps.h"

namespace tpuc {

// `asked`: of how many devices, 0 for as many as the program says; a program that says nothing becomes one for so many
// partitions. A located diagnostic at what is not one device's program.
mlir::LogicalResult checkDevices(mlir::ModuleOp module, int64_t asked);

// A mesh or a sharding of several devices says how to partition the program: the stage `shard` has something to do.
bool isSharded(mlir::ModuleOp module);
// A program whose meshes alone say of how many devices it is says so from here on: no stage takes it as one device's.
void nameDevices(mlir::ModuleOp module);
// Replicas times partitions, as the program says.
int64_t devicesOf(mlir::ModuleOp module);

}  // namespace tpuc
