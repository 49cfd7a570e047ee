//===- artifact.h - portable artifacts of StableHLO -------------------------------------------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#ifndef TPUC_DIALECTS_VHLO_ARTIFACT_H
#define TPUC_DIALECTS_VHLO_ARTIFACT_H

#include "dialects/vhlo/version.h"
#include "llvm/Support/MemoryBufferRef.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace tpuc::vhlo {

// The version that the artifact says it was written for; nothing when it says none.
std::optional<Version> artifactVersion(llvm::StringRef bytes);
// The module in ops of stablehlo, not verified; null after an error.
mlir::OwningOpRef<mlir::ModuleOp> readArtifact(llvm::MemoryBufferRef bytes, mlir::MLIRContext &context);

// The version that is written when none is asked for: old enough for the readers of two years, new enough for all
// types.
inline constexpr Version kPortable = {1, 13, 0};
// An error for what the version has not.
mlir::LogicalResult writeArtifact(mlir::ModuleOp module, Version version, llvm::raw_ostream &os);

}  // namespace tpuc::vhlo

#endif  // TPUC_DIALECTS_VHLO_ARTIFACT_H
