// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Remarks of passes as diagnostics.
#pragma once
#include "mlir/IR/MLIRContext.h"

namespace tpuc {

// While it lives, remarks of the categories that `filter`, a regular expression, names are diagnostics of the context;
// an empty filter names none.
class RemarkPrinter {
 public:
  RemarkPrinter(mlir::MLIRContext &context, llvm::StringRef filter);
  ~RemarkPrinter();
  RemarkPrinter(const RemarkPrinter &) = delete;
  RemarkPrinter &operator=(const RemarkPrinter &) = delete;

 private:
  mlir::MLIRContext &context_;
  bool prints_;
};

}  // namespace tpuc
