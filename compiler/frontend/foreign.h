// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a file is that is no program, and the way from it to StableHLO.
#pragma once
#include <optional>
#include <string>

#include "llvm/ADT/StringRef.h"

namespace tpuc::frontend {

// "a NumPy archive (.npz); ..." for bytes that are certainly no program: empty files, other tools' formats, texts of
// other languages. A text of nothing but comments is a module without functions where `mayBeBlank`.
std::optional<std::string> foreignFile(llvm::StringRef bytes, bool mayBeBlank);

// For an op that tpuc does not know: where its dialect belongs; empty for dialects that nobody knows.
llvm::StringRef wayFromDialect(llvm::StringRef message);

}  // namespace tpuc::frontend
