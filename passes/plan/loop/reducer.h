// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions by a two-operand op.
#pragma once
#include <optional>

#include "mlir/IR/Operation.h"

namespace tpuc::plan {

enum class Reducer { Add, Mul, Min, Max, And, Or, Xor };
std::optional<Reducer> reducerOf(mlir::Operation *op);

}  // namespace tpuc::plan
