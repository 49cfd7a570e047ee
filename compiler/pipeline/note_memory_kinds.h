// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which arguments and results callers have in the host's memory.
#pragma once
#include "mlir/IR/BuiltinOps.h"

namespace tpuc {

// Those whose mhlo.memory_kind is pinned_host: the module's attributes encoder::kHostArgumentsAttr and kHostResultsAttr
// list them. A run has them in the device's memory; who runs it moves them.
void noteMemoryKinds(mlir::ModuleOp module);

}  // namespace tpuc
