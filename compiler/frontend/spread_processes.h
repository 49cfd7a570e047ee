// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Test programs of several processes as programs that each device runs.
#pragma once
#include "mlir/IR/BuiltinOps.h"

namespace tpuc::frontend {

// `interpreter.run_parallel`, of one function on all processes, becomes a call with the device's own inputs; of
// different ones each of them in turn, which may send and receive. What is expected of a process's result holds on its
// device; other uses see it on every device. A located diagnostic for what cannot be spread.
mlir::LogicalResult spreadProcesses(mlir::ModuleOp module);

}  // namespace tpuc::frontend
