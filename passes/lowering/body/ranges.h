// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is known of values before they are computed.
#pragma once
#include "mlir/IR/Value.h"

namespace tpuc::lowering {

// Whether no element of `v` is above zero: x minus its own maximum along some dims, as a softmax takes it.
bool isAtMostZero(mlir::Value v);
// Whether each element of `v`, or of what it is broadcast from, is 1 at least and the number of its terms at most, or
// NaN: the sum of such differences' exponentials, one of which is exp(0).
bool isSumFromOne(mlir::Value v);

}  // namespace tpuc::lowering
