//===- rule_builder.cpp - writes sharding rules -------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "passes/shard/rule_builder.h"

using namespace mlir;

namespace tpuc::shard {

RankedTensorType staticType(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.hasStaticShape() ? type : RankedTensorType();
}

static int64_t rankOfType(Type type) {
  auto shaped = dyn_cast<RankedTensorType>(type);
  return shaped ? shaped.getRank() : 0;
}

RuleBuilder::RuleBuilder(Operation *op) : op(op) {
  for (Type type : op->getOperandTypes()) dims.emplace_back(rankOfType(type));
  for (Type type : op->getResultTypes()) dims.emplace_back(rankOfType(type));
}

int64_t RuleBuilder::rankOf(size_t array) const { return dims[array].size(); }

RuleBuilder &RuleBuilder::add(ArrayRef<int64_t> operandDims, ArrayRef<int64_t> resultDims, int64_t size, Kind kind,
                              bool blocked) {
  int64_t factor = sizes.size();
  sizes.push_back(size);
  if (kind == Kind::Reduction)
    reduction.push_back(factor);
  else if (kind == Kind::NeedReplication)
    replication.push_back(factor);
  else if (kind == Kind::Permutation)
    permutation.push_back(factor);
  if (blocked) blockedOnes.push_back(factor);
  for (auto [i, dim] : llvm::enumerate(operandDims))
    if (dim != kAbsent) dims[i][dim].push_back(factor);
  for (auto [i, dim] : llvm::enumerate(resultDims))
    if (dim != kAbsent) dims[op->getNumOperands() + i][dim].push_back(factor);
  return *this;
}

RuleBuilder &RuleBuilder::addEverywhere(int64_t dim, int64_t size, Kind kind, bool blocked) {
  SmallVector<int64_t> operandDims, resultDims;
  for (size_t array = 0; array < dims.size(); ++array)
    (array < op->getNumOperands() ? operandDims : resultDims).push_back(dim < rankOf(array) ? dim : kAbsent);
  return add(operandDims, resultDims, size, kind, blocked);
}

RuleBuilder &RuleBuilder::pointwise(ArrayRef<int64_t> shape) {
  return pointwise(shape, [](int64_t) { return Kind::PassThrough; });
}

RuleBuilder &RuleBuilder::pointwise(ArrayRef<int64_t> shape, llvm::function_ref<Kind(int64_t)> kindOf) {
  for (auto [dim, size] : llvm::enumerate(shape)) addEverywhere(dim, size, kindOf(dim));
  return *this;
}

RuleBuilder &RuleBuilder::pointwise(ArrayRef<int64_t> in, ArrayRef<int64_t> out, Kind kind, bool blocked) {
  for (auto [dim, a, b] : llvm::enumerate(in, out))
    a == b ? addEverywhere(dim, a) : addEverywhere(dim, a, kind, blocked);
  return *this;
}

sdy::OpShardingRuleAttr RuleBuilder::build() {
  for (auto &array : dims)
    for (auto &factors : array)
      if (factors.empty()) {
        factors.push_back(sizes.size());
        sizes.push_back(1);
      }
  MLIRContext *context = op->getContext();
  SmallVector<sdy::TensorMappingAttr> operands, results;
  for (auto [i, array] : llvm::enumerate(dims)) {
    SmallVector<sdy::DimMappingAttr> mapped =
        llvm::map_to_vector(array, [&](auto &factors) { return sdy::DimMappingAttr::get(context, factors); });
    (i < op->getNumOperands() ? operands : results).push_back(sdy::TensorMappingAttr::get(context, mapped));
  }
  for (auto *list : {&reduction, &replication, &permutation, &blockedOnes}) llvm::sort(*list);
  return sdy::OpShardingRuleAttr::get(context, sizes, operands, results, reduction, replication, permutation,
                                      blockedOnes,
                                      /*is_custom=*/false);
}

}  // namespace tpuc::shard
