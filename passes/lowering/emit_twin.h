// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Routines that are others' with names of buffers changed.
#pragma once
#include "dialects/tpu/tpu.h"
#include "passes/plan/twins.h"

namespace tpuc::lowering {

// The twin of `original` that is called `name`. `number` is the kernel's, in program order.
tpu::TwinOp emitTwin(mlir::OpBuilder &b, llvm::StringRef name, kernel::FusionOp op, llvm::ArrayRef<std::string> buffers,
                     const plan::Twins::Kernel &original, int64_t number);

}  // namespace tpuc::lowering
