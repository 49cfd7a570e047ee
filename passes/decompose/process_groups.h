// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which devices communicate in a collective: its groups of replicas, partitions or devices as groups of device numbers.
#pragma once
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Operation.h"

namespace tpuc::decompose {

using Groups = llvm::SmallVector<llvm::SmallVector<int64_t>>;

// The device numbers of a collective's groups; of collective_permute pairs of source and target. A located diagnostic
// where a number is no device's, or one is twice in them.
mlir::FailureOr<Groups> processGroups(mlir::Operation *op);

}  // namespace tpuc::decompose
