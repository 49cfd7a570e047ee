//===- narrow.h - element types that hold what was widened --------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#ifndef TPUC_PASSES_SHARD_PARTITION_NARROW_H
#define TPUC_PASSES_SHARD_PARTITION_NARROW_H

#include "mlir/IR/Types.h"
#include "mlir/IR/Value.h"

namespace tpuc::shard {

// The smallest element type that a local value had before it was widened, and that holds each of its elements still;
// null where there is none smaller. Moves between devices and largest and smallest elements are the same in it.
mlir::Type narrowElement(mlir::Value value);

}  // namespace tpuc::shard

#endif  // TPUC_PASSES_SHARD_PARTITION_NARROW_H
