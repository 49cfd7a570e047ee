// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Remarks of passes as diagnostics, and for whoever wants to hear them.
#pragma once
#include "compiler/pipeline/compile.h"
#include "mlir/IR/MLIRContext.h"

namespace tpuc {

// While it lives, remarks of the categories that `options.remarks`, a regular expression, names are diagnostics of the
// context, an empty one names none; and `options.onRemark` hears all.
class RemarkPrinter {
 public:
  RemarkPrinter(mlir::MLIRContext &context, const CompileOptions &options);
  ~RemarkPrinter();
  RemarkPrinter(const RemarkPrinter &) = delete;
  RemarkPrinter &operator=(const RemarkPrinter &) = delete;

 private:
  mlir::MLIRContext &context_;
  bool listens_;
};

}  // namespace tpuc
