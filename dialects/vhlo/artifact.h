//===- artifact.h - portable artifacts of StableHLO -------------------------------------------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#ifndef TPUC_DIALECTS_VHLO_ARTIFACT_H
#define TPUC_DIALECTS_VHLO_ARTIFACT_H

#include "dialects/vhlo/version.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/MemoryBufferRef.h"

namespace tpuc::vhlo {

// The version that the artifact says it was written for; nothing when it says none.
std::optional<Version> artifactVersion(llvm::StringRef bytes);
// The module in ops of stablehlo, not verified; null after an error.
mlir::OwningOpRef<mlir::ModuleOp> readArtifact(llvm::MemoryBufferRef bytes, mlir::MLIRContext &context);

} // namespace tpuc::vhlo

#endif // TPUC_DIALECTS_VHLO_ARTIFACT_H
