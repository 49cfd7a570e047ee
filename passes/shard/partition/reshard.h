//===- reshard.h - from one layout to another ---------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#ifndef TPUC_PASSES_SHARD_PARTITION_RESHARD_H
#define TPUC_PASSES_SHARD_PARTITION_RESHARD_H

#include <map>
#include <vector>

#include "passes/shard/partition/emit.h"

namespace tpuc::shard {

struct Move {
  enum class Kind { Slice, Gather, AllToAll, Permute, ReduceScatter, AllReduce, Spread } kind;
  // Spread: what a device has of the dimension becomes its part of the sum along the axes.
  int dim = 0, to = 0;               // AllToAll: the axes leave `dim` for `to`
  Axes axes;                         // that the move is along
  llvm::SmallVector<Axes, 4> after;  // of each dimension
};

struct Route {
  llvm::SmallVector<Move, 2> moves;
  int64_t bytes = 0;  // that a device receives
};

// The moves of fewest bytes that bring an array of `shape` from one layout to the other, both of one mesh. An axis
// along which `from` is unreduced and `to` is not is reduced; `to` is unreduced along the others or along more.
Route route(llvm::ArrayRef<int64_t> shape, int64_t elementBytes, const Layout &from, const Layout &to);

// What moves cost. Models repeat their layers, so each question is asked often and answered once.
class RouteCosts {
 public:
  int64_t bytes(RankedTensorType type, const Layout &from, const Layout &to);

 private:
  std::map<std::vector<int64_t>, int64_t> known;  // by shape, bytes of an element and axes
};

// Whether the layouts are of meshes that have no part in common: the array goes whole from one to the other.
bool crossesMeshes(const Layout &from, const Layout &to);

Value reshard(Emitter &emit, Value value, llvm::ArrayRef<int64_t> shape, const Layout &from, const Layout &to);

int64_t bytesOf(Type element);

}  // namespace tpuc::shard

#endif  // TPUC_PASSES_SHARD_PARTITION_RESHARD_H
