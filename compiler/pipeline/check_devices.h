// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs for several devices.
#pragma once
#include "mlir/IR/BuiltinOps.h"

namespace tpuc {

// The program runs on one device: a located diagnostic at what asks for more.
mlir::LogicalResult checkDevices(mlir::ModuleOp module);
// The program names partitions, or meshes or shardings of several devices: the stage `shard` has something to do.
bool isForSeveralDevices(mlir::ModuleOp module);

}  // namespace tpuc
