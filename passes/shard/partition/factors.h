//===- factors.h - along which axes each factor of an op is computed ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The annotated layouts of an op's arrays ask for axes along its factors. Where they disagree, every array gets to lead
// once, and the choice with the lowest cost is taken: bytes that are moved, and work that is done more than once.
//===-----------------------------------------------------------------------------===//
#ifndef TPUC_PASSES_SHARD_PARTITION_FACTORS_H
#define TPUC_PASSES_SHARD_PARTITION_FACTORS_H

#include "passes/shard/partition/layout.h"
#include "passes/shard/rule.h"

namespace tpuc::shard {

enum class FactorKind { PassThrough, Reduction, NeedReplication, Permutation };

// A rule with what each factor is for.
struct Factors {
  Rule rule;
  llvm::SmallVector<FactorKind> kinds;
  llvm::BitVector allowed;  // may be sharded; at first the factors that operands and results pass on

  explicit Factors(sdy::OpShardingRuleAttr attribute);
  int arrays() const { return rule.dims.size(); }
  bool has(int array, int factor) const;
  bool inOperands(int factor) const;
  bool inResults(int factor) const;
  void allow(FactorKind kind);
};

struct Choice {
  const Mesh *mesh = nullptr;
  llvm::SmallVector<Axes> axes;          // of each factor
  llvm::SmallVector<Layout, 2> layouts;  // of each array, operands first; results without what is unreduced
  Axes reduced;                          // of all factors that are summed over
  double cost = 0;

  llvm::ArrayRef<Layout> operands(const Factors &factors) const {
    return llvm::ArrayRef<Layout>(layouts).take_front(factors.rule.operands);
  }
  llvm::ArrayRef<Layout> results(const Factors &factors) const {
    return llvm::ArrayRef<Layout>(layouts).drop_front(factors.rule.operands);
  }
};

// What an op's arrays are, and what moving them costs.
struct Arrays {
  llvm::SmallVector<llvm::ArrayRef<int64_t>> shapes;
  llvm::SmallVector<Layout, 2> wanted;  // as annotated
  // Bytes to bring operand i into a layout; bytes from a layout of result i (with axes unreduced) to the annotated one.
  std::function<int64_t(int, const Layout &)> costOfOperand, costOfResult;
  std::function<double(const Choice &)> work;  // in bytes moved in the same time
};

Choice choose(const Factors &factors, const Arrays &arrays);
// The layout that an array has where factors lie along `axes`.
Layout layoutFor(const Factors &factors, int array, llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<Axes> axes,
                 const Mesh *mesh);

}  // namespace tpuc::shard

#endif  // TPUC_PASSES_SHARD_PARTITION_FACTORS_H
