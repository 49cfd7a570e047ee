// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The catalogue of what a diagnostic can say: a stable code, how the command ends, what to do about it.
#pragma once
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace tpuc {

// How the command ends: what is asked is wrong, the program is, or tpuc can't do it, or the target is too small.
enum class Exit { Usage = 2, Invalid = 3, Unsupported = 4, DoesNotFit = 5 };

struct DiagnosticCode {
  llvm::StringLiteral name;
  Exit exit;
  llvm::StringLiteral explanation;
};

namespace codes {
#define TPUC_CODE(identifier, name, exit, explanation) \
  inline constexpr DiagnosticCode identifier = {name, Exit::exit, explanation};
#include "dialects/diagnostics/codes.def"
#undef TPUC_CODE
}  // namespace codes

llvm::ArrayRef<const DiagnosticCode *> allCodes();
// Null for a name that no code has.
const DiagnosticCode *findCode(llvm::StringRef name);
// The code that a message ends in, "... [TPUC-FIT-001]"; null for none.
const DiagnosticCode *codeOf(llvm::StringRef message);

}  // namespace tpuc
