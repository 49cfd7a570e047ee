//===- cumulative.h - windows that reach to one end of a sharded dimension ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TPUC_PASSES_SHARD_PARTITION_CUMULATIVE_H
#define TPUC_PASSES_SHARD_PARTITION_CUMULATIVE_H

#include "passes/shard/partition/partitioner.h"

namespace tpuc::shard {

// Whether the op is cumulative along the one dimension that is sharded among those that its windows move in; then it is
// done, by an exchange of one element a block.
bool cumulative(stablehlo::ReduceWindowOp op, Partitioner &p, const Factors &factors, const Choice &choice);

// Whether an initial value leaves others alone.
bool isNeutral(Value init, Reducer reducer);

}  // namespace tpuc::shard

#endif  // TPUC_PASSES_SHARD_PARTITION_CUMULATIVE_H
