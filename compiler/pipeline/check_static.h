// What no later stage has a place for: sizes that are known only when the program runs.
#pragma once
#include "mlir/IR/BuiltinOps.h"

namespace tpuc {

// Every array of `module` has a known size; else an error at the first that has none.
mlir::LogicalResult checkStatic(mlir::ModuleOp module);

}  // namespace tpuc
