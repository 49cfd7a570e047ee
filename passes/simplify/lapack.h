//===- lapack.h - LAPACK's routines, which JAX calls where it lowers for a CPU ------------------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#ifndef TPUC_PASSES_SIMPLIFY_LAPACK_H
#define TPUC_PASSES_SIMPLIFY_LAPACK_H

#include "dialects/stablehlo/stablehlo.h"

namespace tpuc::simplify {

// Whether it is lapack_spotrf_ffi or the like, or another target of the lowering for a CPU.
bool isLapack(llvm::StringRef target);
// Puts ops and calls that the stage `expand` knows in the place of the call, or says why not.
llvm::LogicalResult legalizeLapack(stablehlo::CustomCallOp op);
// A named argument of a call: from its FFI dictionary, or from the place where older calls have it.
mlir::Attribute configured(stablehlo::CustomCallOp op, llvm::StringRef name);

}  // namespace tpuc::simplify

#endif  // TPUC_PASSES_SIMPLIFY_LAPACK_H
