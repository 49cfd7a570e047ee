//===- rule_builder.h - writes sharding rules ---------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TPUC_PASSES_SHARD_RULE_BUILDER_H
#define TPUC_PASSES_SHARD_RULE_BUILDER_H

#include "dialects/sdy/sdy.h"

namespace tpuc::shard {

// What a factor asks for where it is sharded.
enum class Kind { PassThrough, Reduction, NeedReplication, Permutation };

constexpr int64_t kAbsent = -1;  // an array that lacks the factor

class RuleBuilder {
 public:
  explicit RuleBuilder(mlir::Operation *op);

  // A factor of `size`, which dimension operandDims[i] of operand i has, and resultDims[i] of result i.
  RuleBuilder &add(llvm::ArrayRef<int64_t> operandDims, llvm::ArrayRef<int64_t> resultDims, int64_t size,
                   Kind kind = Kind::PassThrough, bool blocked = false);
  // The same dimension of every array that has dimensions.
  RuleBuilder &addEverywhere(int64_t dim, int64_t size, Kind kind = Kind::PassThrough, bool blocked = false);
  // One factor a dimension. Arrays have this shape or no dimensions.
  RuleBuilder &pointwise(llvm::ArrayRef<int64_t> shape);
  RuleBuilder &pointwise(llvm::ArrayRef<int64_t> shape, llvm::function_ref<Kind(int64_t)> kindOf);
  // A dimension that two sides may have in different sizes: where they agree one factor of both. `kind` and `blocked`
  // are of one that they do not agree on; it has the first side's size then.
  RuleBuilder &pointwise(llvm::ArrayRef<int64_t> in, llvm::ArrayRef<int64_t> out, Kind kind, bool blocked);

  // Dimensions without a factor get one of size 1 each.
  sdy::OpShardingRuleAttr build();

 private:
  int64_t rankOf(size_t array) const;
  mlir::Operation *op;
  llvm::SmallVector<int64_t> sizes, reduction, replication, permutation, blockedOnes;
  llvm::SmallVector<llvm::SmallVector<llvm::SmallVector<int64_t>>> dims;  // operands first
};

// Null where the type is no array of known sizes.
mlir::RankedTensorType staticType(mlir::Value value);
inline llvm::ArrayRef<int64_t> shapeOf(mlir::Value value) {
  return mlir::cast<mlir::RankedTensorType>(value.getType()).getShape();
}

}  // namespace tpuc::shard

#endif  // TPUC_PASSES_SHARD_RULE_BUILDER_H
