// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One compiler that takes many programs, as the command and the libraries use it: a context, diagnostics, exit codes.
#pragma once
#include <functional>
#include <memory>
#include <string>

#include "compiler/pipeline/compile.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include "mlir/IR/MLIRContext.h"

namespace tpuc {

// What came of a program. `exit` is 0, or how the command ends (Exit).
struct Compiled {
  int exit = 0;
  std::string code;       // of the first error, "TPUC-FIT-001"; empty when it has none
  isa::Executable exe;    // unless stopped before encode
  std::string stageText;  // the module after `stopAfter`, or the bytes of the artifact
};

class Session {
 public:
  Session();
  ~Session();

  // Diagnostics go to `err`, with the source's lines; with `verifyDiagnostics` they are compared with the
  // expected-error comments of the text instead, and the program's exit is 0 when they agree and 1 when not.
  Compiled compileFile(llvm::StringRef path, const CompileOptions &options, llvm::raw_ostream &err,
                       bool verifyDiagnostics = false);
  Compiled compileBuffer(std::unique_ptr<llvm::MemoryBuffer> buffer, const CompileOptions &options,
                         llvm::raw_ostream &err, bool verifyDiagnostics = false);
  // Hands the program over as it was imported, with all calls inlined. An unsound program is not handed over, and gives
  // no diagnostic.
  void look(std::unique_ptr<llvm::MemoryBuffer> buffer, llvm::function_ref<void(mlir::ModuleOp)> see);
  // A module that the caller made in another context; it is rewritten.
  static Compiled compile(mlir::ModuleOp module, const CompileOptions &options, llvm::raw_ostream &err);

 private:
  void renewContext();
  std::unique_ptr<mlir::MLIRContext> context_;
  size_t bytesRead_ = 0;  // in this context
};

}  // namespace tpuc
