// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Diagnostics for people: a place, the words, and the part of the source line that they are about.
#pragma once
#include <memory>
#include <string>

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include "mlir/IR/Diagnostics.h"

namespace tpuc {

// Prints the context's diagnostics while it lives. A line is cut around the column; control characters of the user's
// are escaped; what has no place of its own is at `file`.
class DiagnosticPrinter {
 public:
  DiagnosticPrinter(llvm::SourceMgr &sources, mlir::MLIRContext &context, llvm::raw_ostream &err, llvm::StringRef file);

 private:
  void print(mlir::Diagnostic &diagnostic);
  void print(mlir::Location location, mlir::DiagnosticSeverity severity, const std::string &message, bool showLine);
  void printHead(const std::string &place, mlir::DiagnosticSeverity severity, const std::string &message);
  void printLine(llvm::StringRef line, size_t column);
  llvm::StringRef lineOf(mlir::FileLineColLoc location);

  llvm::SourceMgr &sources_;
  llvm::raw_ostream &err_;
  const std::string file_;
  llvm::StringMap<std::unique_ptr<llvm::MemoryBuffer>>
      files_;  // that locations name; null for those that cannot be read
  mlir::ScopedDiagnosticHandler handler_;
};

}  // namespace tpuc
