// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs for several devices, which nothing partitions yet.
#pragma once
#include "mlir/IR/BuiltinOps.h"

namespace tpuc {

// The program runs on one device: a located diagnostic at what asks for more.
mlir::LogicalResult checkDevices(mlir::ModuleOp module);

}  // namespace tpuc
