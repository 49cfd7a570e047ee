//===- read_ops.h - ops of vhlo as ops of stablehlo --------------------------------------------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#ifndef TPUC_DIALECTS_VHLO_READ_OPS_H
#define TPUC_DIALECTS_VHLO_READ_OPS_H

#include "dialects/vhlo/reader.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace tpuc::vhlo {

// The module of a file, in ops of stablehlo, not verified; null after an error.
mlir::OwningOpRef<mlir::ModuleOp> readOps(const Source &source, const Container &file, Entries &entries);

// The attributes of an op of stablehlo or func, in the order of its properties; those with a question mark may be
// absent.
llvm::StringRef stablehloAttributes(llvm::StringRef dialect, llvm::StringRef op);

}  // namespace tpuc::vhlo

#endif  // TPUC_DIALECTS_VHLO_READ_OPS_H
