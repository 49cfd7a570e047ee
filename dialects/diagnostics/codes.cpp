// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The catalogue as a list, and codes by their names.
#include "dialects/diagnostics/codes.h"

#include "dialects/diagnostics/outer_codes.h"
#include "llvm/ADT/STLExtras.h"

namespace tpuc {

llvm::ArrayRef<const DiagnosticCode *> allCodes() {
  static constexpr const DiagnosticCode *kAll[] = {
#define TPUC_CODE(identifier, name, exit, explanation) &codes::identifier,
#include "dialects/diagnostics/codes.def"
#include "dialects/diagnostics/outer_codes.def"
#undef TPUC_CODE
  };
  return kAll;
}

const DiagnosticCode *findCode(llvm::StringRef name) {
  auto found = llvm::find_if(allCodes(), [&](const DiagnosticCode *code) { return code->name == name; });
  return found == allCodes().end() ? nullptr : *found;
}

const DiagnosticCode *codeOf(llvm::StringRef message) {
  if (!message.consume_back("]")) return nullptr;
  return findCode(message.substr(message.rfind('[') + 1));
}

}  // namespace tpuc
