// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The arguments' shapes from what is known of them: sizes of symbols, shapes of inputs.
#pragma once
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tpuc::shapes {

// `dims`: "b=17". `arguments`: "17x300", "scalar", "?" for one that is not given; may be fewer than main has. The types
// of main's arguments, in order, with every size known; failure after an error that says which size is missing or
// contradicts what.
mlir::FailureOr<llvm::SmallVector<mlir::Type>> argumentTypes(mlir::func::FuncOp main, llvm::ArrayRef<std::string> dims,
                                                             llvm::ArrayRef<std::string> arguments);

}  // namespace tpuc::shapes
