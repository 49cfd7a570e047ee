// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ops whose operands' and results' dims are related: from those of one of them follow those of the others.
#pragma once
#include "passes/fusion/blocked_dims.h"

namespace tpuc::fusion {

// Static, and laid out as it stands.
bool isPlain(mlir::Value v);

// Whether an op has one result, and a block of it is computed by the same op on blocks of its operands: elementwise
// ops, products, reductions of one operand, broadcasts, transposes, reshapes that have the same dims but those of one
// element, positions and splats.
bool isOfBlocks(mlir::Operation *op);

// The common dims of such an op's operand, where the result has the dims `result`. They are kOwn for what the op
// contracts or reduces.
CommonDims operandDims(mlir::Operation *op, unsigned i, const CommonDims &result);
// The common dims of its result, where operand `i` has the dims `operand`. They are kOwn for what that operand does not
// have.
CommonDims resultDims(mlir::Operation *op, unsigned i, const CommonDims &operand);

}  // namespace tpuc::fusion
