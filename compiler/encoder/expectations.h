// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of what a program expects of its results.
#pragma once
#include "mlir/IR/BuiltinOps.h"
#include "runtime/isa/executable.h"

namespace tpuc::encoder {

// From the module's check.expectations.
void encodeExpectations(mlir::ModuleOp module, isa::Executable &exe);

}  // namespace tpuc::encoder
