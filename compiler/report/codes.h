// The catalogue of every diagnostic's code: what `tpuc explain` prints, and how the command ends.
#pragma once
#include "compiler/frontend/codes.h"

namespace tpuc::report {

using frontend::Code;
using frontend::Exit;

// The import's codes, then the later stages', then the machine's and the command's.
llvm::ArrayRef<const Code *> allCodes();
const Code *findCode(llvm::StringRef name);

// The code that a message carries ("[TPUC-FIT-001]" at its end, or in front); empty for none.
llvm::StringRef codeIn(llvm::StringRef message);
// How the command ends after this error of the compiler: a message without a code is about something not supported.
Exit exitOf(llvm::StringRef message);

}  // namespace tpuc::report
