//===- groups.h - sharding groups --------------------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TPUC_PASSES_SHARD_GROUPS_H
#define TPUC_PASSES_SHARD_GROUPS_H

#include <map>

#include "passes/shard/table.h"

namespace tpuc::shard {

// The members of each group, in the order of the groups' numbers.
std::map<int64_t, llvm::SmallVector<sdy::ShardingGroupOp>> groupsOf(mlir::ModuleOp module);
// Members that state different shardings get a constraint each, which the group is about then; a warning says so.
void reconcileGroups(mlir::ModuleOp module);

}  // namespace tpuc::shard

#endif  // TPUC_PASSES_SHARD_GROUPS_H
