//===- bytes.h - what kind of file bytes are ------------------------------------------------------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#ifndef TPUC_COMPILER_FRONTEND_BYTES_H
#define TPUC_COMPILER_FRONTEND_BYTES_H

#include "llvm/ADT/StringRef.h"

namespace tpuc::frontend {

// The first bytes of MLIR bytecode.
bool isBytecode(llvm::StringRef bytes);
// A flatbuffer, as jax.export(...).serialize() writes.
bool isFlatbuffer(llvm::StringRef bytes);
// The bytecode within a flatbuffer; empty when there is none.
llvm::StringRef bytecodeWithin(llvm::StringRef flatbuffer);

}  // namespace tpuc::frontend

#endif  // TPUC_COMPILER_FRONTEND_BYTES_H
