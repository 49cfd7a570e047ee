// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Codes that few files say: of files, runs, and programs for more than one chip.
#pragma once
#include "dialects/diagnostics/codes.h"

namespace tpuc {

// How the command ends, beyond Exit: a result is wrong, chips wait for one another, tpuc itself failed, a result could
// not be written, somebody interrupted it.
struct OuterExit {
  static constexpr Exit Differs{1}, Usage = Exit::Usage, Invalid = Exit::Invalid, Unsupported = Exit::Unsupported,
                                    Deadlock{6}, Defect{70}, Output{74}, Interrupted{130};
};

namespace codes {
#define TPUC_CODE(identifier, name, exit, explanation) \
  inline constexpr DiagnosticCode identifier = {name, OuterExit::exit, explanation};
#include "dialects/diagnostics/outer_codes.def"
#undef TPUC_CODE
}  // namespace codes

}  // namespace tpuc
