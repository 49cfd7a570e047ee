// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What 32-bit lanes hold.
#pragma once
#include "mlir/IR/Block.h"
#include "mlir/IR/BuiltinTypes.h"

namespace tpuc::plan {

// Element types that lanes can hold now.
bool isLaneType(mlir::Type element);
// Whether all values of a region's block are single elements that lanes can hold, made in the block.
bool isOfLanes(mlir::Block &block);

}  // namespace tpuc::plan
