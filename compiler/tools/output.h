// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where results go: files and standard output, with an error when they do not get there.
#pragma once
#include <string>

#include "llvm/ADT/StringRef.h"

namespace tpuc::tools {

// To the file, or to standard output where the path is empty or "-". Prints what is wrong and gives the exit code, 0
// for none.
int writeOutput(const std::string &path, llvm::StringRef bytes);

// At a command's end: `exit`, or that of codes::kCannotWrite when standard output did not take everything.
int finishOutput(int exit);

// The code of the first diagnostic of a text, for JSON; empty for none.
std::string codeWithin(llvm::StringRef text);

// A user's name or line as a terminal may show it.
std::string printable(llvm::StringRef text);

}  // namespace tpuc::tools
