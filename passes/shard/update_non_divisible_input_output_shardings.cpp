//===- update_non_divisible_input_output_shardings.cpp - arguments and results of functions in equal parts ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include <numeric>

#include "dialects/sdy/axes.h"
#include "passes/shard/passes.h"

using namespace mlir;

namespace tpuc::shard {
#define GEN_PASS_DEF_UPDATENONDIVISIBLEINPUTOUTPUTSHARDINGSPASS
#include "passes/shard/passes.h.inc"

namespace {

struct UpdateNonDivisibleInputOutputShardings
    : impl::UpdateNonDivisibleInputOutputShardingsPassBase<UpdateNonDivisibleInputOutputShardings> {
  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      if (function.isPrivate()) continue;
      for (auto [i, type] : llvm::enumerate(function.getArgumentTypes()))
        if (auto sharding = function.getArgAttrOfType<sdy::TensorShardingAttr>(i, "sdy.sharding"))
          function.setArgAttr(i, "sdy.sharding", even(function, type, sharding));
      for (auto [i, type] : llvm::enumerate(function.getResultTypes()))
        if (auto sharding = function.getResultAttrOfType<sdy::TensorShardingAttr>(i, "sdy.sharding"))
          function.setResultAttr(i, "sdy.sharding", even(function, type, sharding));
    }
  }

  // The axes of each dimension up to the first that leaves no equal parts.
  static sdy::TensorShardingAttr even(Operation *op, Type type, sdy::TensorShardingAttr sharding) {
    auto shaped = dyn_cast<RankedTensorType>(type);
    sdy::MeshAttr mesh = sdy::meshOf(op, sharding.getMeshOrRef());
    if (!shaped || !shaped.hasStaticShape() || !mesh ||
        sharding.getDimShardings().size() != static_cast<size_t>(shaped.getRank()))
      return sharding;
    SmallVector<sdy::DimensionShardingAttr> dims;
    for (auto [size, dim] : llvm::zip_equal(shaped.getShape(), sharding.getDimShardings())) {
      sdy::Axes kept;
      int64_t left = size;
      for (sdy::Axis axis : sdy::decode(mesh, dim.getAxes())) {
        int64_t part = std::gcd(left, axis.size);
        if (part == axis.size) {
          kept.push_back(axis);
          left /= part;
          continue;
        }
        if (part > 1) kept.push_back({axis.index, axis.pre, part});
        break;
      }
      dims.push_back(sdy::DimensionShardingAttr::get(op->getContext(), sdy::encode(mesh, kept), dim.getIsClosed(),
                                                     dim.getPriority()));
    }
    return sdy::TensorShardingAttr::get(op->getContext(), sharding.getMeshOrRef(), dims, sharding.getReplicatedAxes(),
                                        sharding.getUnreducedAxes(), sharding.getReductionOp());
  }
};

}  // namespace
}  // namespace tpuc::shard
