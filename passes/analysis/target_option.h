// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The target that a pass is told of by its options `target` and `set`.
#pragma once
#include "mlir/IR/Operation.h"
#include "runtime/target/target.h"

namespace tpuc::analysis {

// `name`: a bundled target or a textproto's path; `sets`: constants to change, path=value each. TPUC-TARGET-001 at `op`
// where there is none such, or none that programs are compiled for.
mlir::LogicalResult loadTarget(mlir::Operation *op, const std::string &name, llvm::ArrayRef<std::string> sets,
                               target::Target &target);

}  // namespace tpuc::analysis
