//===- report.h - diagnostics with a code -------------------------------------------------------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#ifndef TPUC_COMPILER_FRONTEND_REPORT_H
#define TPUC_COMPILER_FRONTEND_REPORT_H

#include "compiler/frontend/codes.h"

#include "mlir/IR/Diagnostics.h"

namespace tpuc::frontend {

// Emits an error that ends in its code. Notes can follow.
inline mlir::InFlightDiagnostic report(mlir::Location location, const Code &code, const llvm::Twine &message) {
  return mlir::emitError(location) << message << " [" << code.name << "]";
}

} // namespace tpuc::frontend

#endif // TPUC_COMPILER_FRONTEND_REPORT_H
