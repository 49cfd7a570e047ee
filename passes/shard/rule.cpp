//===- rule.cpp - a sharding rule as numbers, and shardings seen by its factors -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "passes/shard/rule.h"

#include <numeric>

using namespace mlir;

namespace tpuc::shard {

Rule Rule::decode(sdy::OpShardingRuleAttr attribute) {
  Rule rule;
  rule.sizes.assign(attribute.getFactorSizes().begin(), attribute.getFactorSizes().end());
  rule.operands = attribute.getOperands().size();
  rule.blocked.resize(rule.sizes.size());
  for (int64_t factor : attribute.getBlockedPropagation()) rule.blocked.set(factor);
  for (ArrayRef<sdy::TensorMappingAttr> side : {attribute.getOperands(), attribute.getResults()})
    for (sdy::TensorMappingAttr mapping : side) {
      auto &dims = rule.dims.emplace_back();
      for (sdy::DimMappingAttr dim : mapping.getDims())
        dims.emplace_back(dim.getFactors().begin(), dim.getFactors().end());
    }
  return rule;
}

Rule Rule::identity(ArrayRef<int64_t> shape, int operands, int results) {
  Rule rule;
  rule.sizes.assign(shape.begin(), shape.end());
  rule.operands = operands;
  rule.blocked.resize(shape.size());
  for (int array = 0; array < operands + results; ++array) {
    auto &dims = rule.dims.emplace_back();
    for (int dim = 0, rank = shape.size(); dim < rank; ++dim) dims.push_back({dim});
  }
  return rule;
}

Factor *View::find(int id) {
  for (Factor &factor : factors)
    if (factor.id == id) return &factor;
  return nullptr;
}

namespace {

// Takes from the front of `axes` what fits into a factor of `size`. What does not, and no later factor can have,
// overflows.
void fill(Factor &factor, int64_t size, Axes &axes, bool conservative) {
  while (!axes.empty() && (size > 1 || axes.front().size == 1)) {
    Axis &first = axes.front();
    int64_t part = std::gcd(first.size, size);
    if (first.size == part) {
      factor.axes.push_back(first);
      axes.erase(axes.begin());
      size /= part;
      continue;
    }
    if (part > 1 && !conservative) {
      factor.axes.push_back({first.index, first.pre, part});
      first = {first.index, first.pre * part, first.size / part};
      size /= part;
    }
    if (size > 1) {
      factor.overflow = std::move(axes);
      axes.clear();
    }
  }
}

}  // namespace

View project(const Rule &rule, int array, const std::optional<Sharding> &sharding, ArrayRef<int64_t> shape,
             bool conservative) {
  View view;
  view.present = true;
  view.elements = 1;
  for (int64_t size : shape) view.elements *= size;
  for (auto [number, factors] : llvm::enumerate(rule.dims[array])) {
    Axes axes = sharding ? sharding->dims[number].axes : Axes();
    bool closed = sharding && sharding->dims[number].closed;
    bool overflown = false;
    for (int id : factors) {
      Factor factor;
      factor.id = id;
      factor.minorMost = id == factors.back();
      factor.closed = closed || overflown;
      if (factor.minorMost)
        factor.axes = std::exchange(axes, {});
      else
        fill(factor, rule.sizes[id], axes, conservative);
      overflown |= !factor.overflow.empty();
      factor.closed |= overflown;
      view.factors.push_back(std::move(factor));
    }
  }
  if (sharding)
    for (const Axes *list : {&sharding->replicated, &sharding->unreduced, &sharding->hidden})
      llvm::append_range(view.taken, *list);
  return view;
}

void unproject(const Rule &rule, int array, const View &view, Sharding &sharding) {
  for (auto [number, factors] : llvm::enumerate(rule.dims[array])) {
    Axes axes;
    for (int id : factors) {
      const Factor &factor = *view.find(id);
      for (Axis axis : factor.axes) sdy::appendAxis(axes, axis);
      for (Axis axis : factor.overflow) sdy::appendAxis(axes, axis);
      // A later factor is sharded only where this one is so in full.
      if (!factor.overflow.empty() || sdy::shardedSize(factor.axes) != rule.sizes[id]) break;
    }
    if (!factors.empty()) sharding.dims[number].axes = std::move(axes);
  }
}

}  // namespace tpuc::shard
