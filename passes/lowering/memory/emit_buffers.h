// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Buffers of a program's arrays, as planned.
#pragma once
#include "passes/plan/memory/buffers.h"

namespace tpuc::lowering {

using plan::BufferPlan;

void emitBuffers(mlir::OpBuilder &b, mlir::func::FuncOp main, const BufferPlan &plan);

}  // namespace tpuc::lowering
