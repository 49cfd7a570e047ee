//===- hlo_sharding.h - shardings as HLO writes them --------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TPUC_PASSES_SHARD_PARTITION_HLO_SHARDING_H
#define TPUC_PASSES_SHARD_PARTITION_HLO_SHARDING_H

#include <optional>
#include <vector>

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace tpuc::shard {

// {replicated}, {manual}, {maximal device=0}, {devices=[2,1,2]0,1,2,3 last_tile_dim_replicate},
// {devices=[2,1,2]<=[2,2]T(1,0) last_tile_dims={manual}}, and {{..}, {..}} of a tuple.
struct HloSharding {
  enum class Kind { Replicated, Manual, Maximal, Tiled, Unknown, Tuple } kind = Kind::Replicated;
  enum class Subgroup { Replicated, Manual, Unreduced };

  llvm::SmallVector<int64_t> tile;     // parts of each dimension, then of each subgroup
  llvm::SmallVector<int64_t> devices;  // in the order of the tile
  llvm::SmallVector<Subgroup> subgroups;
  std::vector<HloSharding> elements;  // of a tuple

  size_t rank() const { return tile.size() - subgroups.size(); }
};

// Nothing where the text is none of these, or names a device twice or not at all.
std::optional<HloSharding> parseHloSharding(llvm::StringRef text);

}  // namespace tpuc::shard

#endif  // TPUC_PASSES_SHARD_PARTITION_HLO_SHARDING_H
