//===- parser_limits.h - texts that MLIR's parser does not survive ---------------------------------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#ifndef TPUC_COMPILER_FRONTEND_PARSER_LIMITS_H
#define TPUC_COMPILER_FRONTEND_PARSER_LIMITS_H

#include <optional>
#include <string>

#include "dialects/diagnostics/codes.h"

namespace tpuc::frontend {

struct ParserLimit {
  const DiagnosticCode &code;
  size_t offset;  // of the place in the text
  std::string message;
};

// The first place, outside of strings and comments, that would end the process: brackets so deep that the parser's
// recursion exhausts the stack, and array<index: ...>, whose element's width it asks of a type that has none.
std::optional<ParserLimit> findParserLimit(llvm::StringRef text);

}  // namespace tpuc::frontend

#endif  // TPUC_COMPILER_FRONTEND_PARSER_LIMITS_H
