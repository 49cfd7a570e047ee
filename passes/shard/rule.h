//===- rule.h - a sharding rule as numbers, and shardings seen by its factors -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A factor is a part of dimensions that operands and results share. Seen by factors, each array has axes of each of its
// factors instead of axes of each dimension; propagation moves axes between arrays along a factor.
//===-----------------------------------------------------------------------------===//
#ifndef TPUC_PASSES_SHARD_RULE_H
#define TPUC_PASSES_SHARD_RULE_H

#include "passes/shard/table.h"

namespace tpuc::shard {

struct Rule {
  llvm::SmallVector<int64_t> sizes;  // of factors
  // The factors of each dimension of each array, operands first.
  llvm::SmallVector<llvm::SmallVector<llvm::SmallVector<int, 2>>> dims;
  int operands = 0;
  llvm::BitVector blocked;  // nothing propagates along these

  static Rule decode(sdy::OpShardingRuleAttr rule);
  // The rule of arrays of `shape` that are sharded alike.
  static Rule identity(llvm::ArrayRef<int64_t> shape, int operands, int results);
};

struct Factor {
  int id = 0;
  Axes axes, overflow;  // overflow: axes after these that belong to no factor
  bool closed = false, minorMost = true;
};

// One array of an op.
struct View {
  bool present = false;
  int64_t elements = 0;
  llvm::SmallVector<Factor, 4> factors;
  Axes taken;  // axes that shard nothing here and must not: replicated, unreduced or hidden

  Factor *find(int id);
  const Factor *find(int id) const { return const_cast<View *>(this)->find(id); }
};

using Views = llvm::SmallVector<View, 4>;

// `conservative`: no axis is split.
View project(const Rule &rule, int array, const std::optional<Sharding> &sharding, llvm::ArrayRef<int64_t> shape,
             bool conservative);
// The dimensions of `array` from its factors; `sharding` keeps all else.
void unproject(const Rule &rule, int array, const View &view, Sharding &sharding);

}  // namespace tpuc::shard

#endif  // TPUC_PASSES_SHARD_RULE_H
