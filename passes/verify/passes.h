// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Verifiers of what holds between two stages, one a boundary.
#pragma once
#include "dialects/diagnostics/diagnose.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace tpuc::verify {
#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "passes/verify/passes.h.inc"

// The error of a broken boundary.
CodedError broken(mlir::Operation *op, const llvm::Twine &message);

// A mesh that shardings named: what is left of it runs on one device and asks for nothing.
bool isMesh(mlir::Operation *op);

// One function @main with a body and no calls.
mlir::LogicalResult verifyOneFunction(mlir::ModuleOp module);
// In it each op that computes is in a kernel.
mlir::LogicalResult verifyKernels(mlir::ModuleOp module);
}  // namespace tpuc::verify
