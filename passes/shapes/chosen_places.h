// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Selects by position that leave padding out by themselves, as causal masks do: of a true row the places behind the
// diagonal lie behind it too.
#pragma once
#include "passes/shapes/padder.h"

namespace tpuc::shapes {

// Does what Padder::masked does along one dimension, for an op that reads rows along it. What is padding along another
// dimension too may hold anything still. A select that gives one number in all of the padding needs no mask where that
// number is `fill`, and a mask of a row's length elsewhere.
mlir::Value maskedInRows(mlir::Operation *op, mlir::Value value, int64_t dim, mlir::Value fill, llvm::StringRef why,
                         Padder &padder);

}  // namespace tpuc::shapes
