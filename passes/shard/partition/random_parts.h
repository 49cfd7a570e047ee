//===- random_parts.h - any part of what a generator draws --------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TPUC_PASSES_SHARD_PARTITION_RANDOM_PARTS_H
#define TPUC_PASSES_SHARD_PARTITION_RANDOM_PARTS_H

#include "passes/shard/partition/partitioner.h"

namespace tpuc::shard {

// Whether each device draws its part, along whatever dimensions, with less work than the whole.
bool drawParts(stablehlo::RngBitGeneratorOp op, Partitioner &p);

}  // namespace tpuc::shard

#endif  // TPUC_PASSES_SHARD_PARTITION_RANDOM_PARTS_H
