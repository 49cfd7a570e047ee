// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of what a program expects of its results.
#pragma once
#include "mlir/IR/BuiltinOps.h"
#include "runtime/isa/executable.h"

namespace tpuc::encoder {

// FILE:LINE:COLUMN of where an op or value stands: in the called function, when it stands in one.
std::string placeText(mlir::Location location);
// From the module's check.expectations.
void encodeExpectations(mlir::ModuleOp module, isa::Executable &exe);

}  // namespace tpuc::encoder
