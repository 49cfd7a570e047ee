// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pieces of arrays that a kernel reads and writes where they lie.
#pragma once
#include "passes/lowering/kernels.h"

namespace tpuc::lowering {

// Makes of a kernel that reads slices of its arguments in place, or writes updates of them so, one whose arguments and
// results are the pieces, each with its origin in the whole array's buffer; `code` fetches where they begin. The kernel
// it was stays as it is: `context.op` is another one then, for the caller to erase.
void takePieces(KernelContext &context, Code &code);

}  // namespace tpuc::lowering
