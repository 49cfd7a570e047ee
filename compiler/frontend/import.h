//===- import.h - files and bytes to a module --------------------------------------------------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#ifndef TPUC_COMPILER_FRONTEND_IMPORT_H
#define TPUC_COMPILER_FRONTEND_IMPORT_H

#include <memory>

#include "dialects/diagnostics/codes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace llvm {
class MemoryBuffer;
class SourceMgr;
}  // namespace llvm

namespace tpuc::frontend {

// What is asked of a module: that it is valid StableHLO, or that it is a program besides, with one entry function and
// shapes static or bounded.
enum class Need { Valid, Program };

// A module that holds what the later stages count on: verified, with one entry function, calls without cycles, ops
// and types of StableHLO, shapes static or bounded, sizes that an address can count. Or no module, and the code of
// the first error, which has been emitted.
struct Imported {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  const DiagnosticCode *failure = nullptr;

  explicit operator bool() const { return static_cast<bool>(module); }
};

// The text becomes a buffer of `sources`, so that a SourceMgrDiagnosticHandler of the caller's can show its lines.
// The context has the dialects of registerAllDialects.
Imported importFile(llvm::StringRef path, llvm::SourceMgr &sources, mlir::MLIRContext &context);
Imported importBuffer(std::unique_ptr<llvm::MemoryBuffer> buffer, llvm::SourceMgr &sources, mlir::MLIRContext &context,
                      Need need = Need::Program);
// A module that another program made.
const DiagnosticCode *checkModule(mlir::ModuleOp module, Need need = Need::Program);

}  // namespace tpuc::frontend

#endif  // TPUC_COMPILER_FRONTEND_IMPORT_H
