// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A line of the program's source as text.
#pragma once
#include <string>

#include "mlir/IR/Location.h"

namespace tpuc {

// FILE:LINE; the innermost name where nothing has a file; empty where there is neither.
std::string describeLocation(mlir::Location loc);

}  // namespace tpuc
