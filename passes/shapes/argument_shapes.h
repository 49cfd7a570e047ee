// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The arguments' shapes from what is known of them: sizes of symbols, shapes of inputs.
#pragma once
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tpuc::shapes {

// The sizes of main's arguments, in order.
struct ArgumentSizes {
  llvm::SmallVector<mlir::Type> types;               // every size known
  llvm::SmallVector<std::optional<int64_t>> values;  // of those that hold a size, where it is known
};

// `dims`: "b=17". `arguments`: "17x300", "scalar", "?" for one that is not given; may be fewer than main has. Failure
// after an error that says which size is missing or contradicts what.
mlir::FailureOr<ArgumentSizes> argumentSizes(mlir::func::FuncOp main, llvm::ArrayRef<std::string> dims,
                                             llvm::ArrayRef<std::string> arguments);

}  // namespace tpuc::shapes
