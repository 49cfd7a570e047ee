// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays of indices that a program computes from constants and counting alone.
#pragma once
#include <optional>

#include "mlir/IR/Value.h"

namespace tpuc::analysis {

// The elements of an integer array in row-major order; nothing where one depends on data, where there are more than
// `most`, or an op that indices are seldom made of.
std::optional<llvm::SmallVector<int64_t>> knownIntegers(mlir::Value v, int64_t most);

}  // namespace tpuc::analysis
