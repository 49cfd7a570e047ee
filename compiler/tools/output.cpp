// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where results go.
#include "compiler/tools/output.h"

#include "compiler/tools/cli.h"
#include "llvm/Support/raw_ostream.h"
#include "runtime/isa/printable.h"
#include "runtime/isa/write_file.h"

namespace tpuc::tools {

int writeOutput(const std::string &path, llvm::StringRef bytes) {
  if (path.empty() || path == "-") {
    llvm::outs() << bytes;
    return kOk;
  }
  std::string error;
  if (isa::writeFile(path, {bytes.data(), bytes.size()}, error)) return kOk;
  return fail(llvm::errs(), error, codes::kCannotWrite);
}

int finishOutput(int exit) {
  llvm::outs().flush();
  // An error that nobody asks for ends the process as a crash of LLVM's.
  if (llvm::errs().has_error()) llvm::errs().clear_error();
  if (!llvm::outs().has_error()) return exit;
  const std::string why = llvm::outs().error().message();
  llvm::outs().clear_error();
  int failed = fail(llvm::errs(), "cannot write standard output: " + why, codes::kCannotWrite);
  llvm::errs().clear_error();
  return failed;
}

std::string codeWithin(llvm::StringRef text) {
  llvm::SmallVector<llvm::StringRef> lines;
  text.split(lines, '\n');
  for (llvm::StringRef line : lines)
    if (const DiagnosticCode *code = codeOf(line)) return code->name.str();
  return "";
}

std::string printable(llvm::StringRef text) { return isa::printable({text.data(), text.size()}); }

}  // namespace tpuc::tools
