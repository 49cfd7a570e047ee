//===- bool_constants.h - boolean constants as newer MLIR writes them --------------------------------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#ifndef TPUC_COMPILER_FRONTEND_BOOL_CONSTANTS_H
#define TPUC_COMPILER_FRONTEND_BOOL_CONSTANTS_H

#include <optional>
#include <string>

#include "llvm/ADT/StringRef.h"

namespace tpuc::frontend {

// A large constant is text as dense<"0x..."> : tensor<30x40xi1>. Newer MLIR, and so JAX, writes a byte an element, this
// one reads a bit. The text with such constants in bits and as many spaces behind them as they got shorter, so that
// every place stays where it is; nothing when there are none.
std::optional<std::string> packBoolConstants(llvm::StringRef text);

}  // namespace tpuc::frontend

#endif  // TPUC_COMPILER_FRONTEND_BOOL_CONSTANTS_H
