//===- rules_calls.cpp - sharding rules of custom calls by their names ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "llvm/Support/JSON.h"
#include "passes/shard/models.h"
#include "passes/shard/rule_builder.h"

using namespace mlir;

namespace tpuc::shard {
namespace {

namespace hlo = tpuc::stablehlo;
using Maker = sdy::OpShardingRuleAttr (*)(hlo::CustomCallOp);

bool hasShapes(hlo::CustomCallOp op, unsigned operands, unsigned results) {
  return op->getNumOperands() >= operands && op->getNumResults() >= results &&
         llvm::all_of(op->getOperands(), staticType) && llvm::all_of(op->getResults(), staticType);
}

sdy::OpShardingRuleAttr elementwise(hlo::CustomCallOp op) {
  if (!hasShapes(op, 1, 1)) return {};
  ArrayRef<int64_t> shape = shapeOf(op->getResult(0));
  for (Value operand : op->getOperands())
    if (shapeOf(operand) != shape) return {};
  return RuleBuilder(op).pointwise(shape).build();
}

// Two halves of a number. Where it is the state of a generator of random numbers, it stays whole.
sdy::OpShardingRuleAttr combine(hlo::CustomCallOp op) {
  bool seeds = llvm::any_of(op->getUsers(), [](Operation *user) { return isa<hlo::RngBitGeneratorOp>(user); });
  if (!seeds || !hasShapes(op, 1, 1)) return elementwise(op);
  RuleBuilder builder(op);
  for (auto [dim, size] : llvm::enumerate(shapeOf(op->getResult(0))))
    builder.addEverywhere(dim, size, Kind::NeedReplication, /*blocked=*/true);
  return builder.build();
}

// Matrices and vectors: the last two dimensions of the first operand, the last of a result of one dimension less.
sdy::OpShardingRuleAttr eigh(hlo::CustomCallOp op) {
  if (!hasShapes(op, 1, 2)) return {};
  RuleBuilder builder(op);
  ArrayRef<int64_t> shape = shapeOf(op->getOperand(0));
  int64_t rank = shape.size();
  for (int64_t dim = 0; dim < rank; ++dim)
    builder.add({dim}, {dim, dim == rank - 2 ? kAbsent : std::min(dim, rank - 2)}, shape[dim]);
  return builder.build();
}

sdy::OpShardingRuleAttr qr(hlo::CustomCallOp op) {
  if (!hasShapes(op, 1, 2)) return {};
  RuleBuilder builder(op);
  ArrayRef<int64_t> shape = shapeOf(op->getOperand(0));
  int64_t rank = shape.size();
  for (int64_t dim = 0; dim < rank; ++dim)
    dim < rank - 2 ? builder.add({dim}, {dim, dim}, shape[dim])
                   : builder.add({dim}, {dim, kAbsent}, shape[dim], Kind::NeedReplication);
  builder.add({kAbsent}, {kAbsent, rank - 2}, shapeOf(op->getResult(1)).back(), Kind::NeedReplication);
  return builder.build();
}

// Both factors in one matrix, the exchanges of rows one by one, and the order of rows that they make.
sdy::OpShardingRuleAttr lu(hlo::CustomCallOp op) {
  if (!hasShapes(op, 1, 3)) return {};
  RuleBuilder builder(op);
  ArrayRef<int64_t> shape = shapeOf(op->getOperand(0));
  const int64_t rank = shape.size(), last = rank - 2;
  for (int64_t dim = 0; dim < last; ++dim) builder.add({dim}, {dim, dim, dim}, shape[dim]);
  builder.add({last}, {last, kAbsent, last}, shape[last], Kind::NeedReplication);
  builder.add({last + 1}, {last + 1, kAbsent, kAbsent}, shape[last + 1], Kind::NeedReplication);
  builder.add({kAbsent}, {kAbsent, last, kAbsent}, shapeOf(op->getResult(1)).back(), Kind::NeedReplication);
  return builder.build();
}

sdy::OpShardingRuleAttr householder(hlo::CustomCallOp op) {
  if (!hasShapes(op, 2, 1)) return {};
  RuleBuilder builder(op);
  ArrayRef<int64_t> shape = shapeOf(op->getOperand(0));
  int64_t rank = shape.size();
  for (int64_t dim = 0; dim < rank; ++dim)
    dim < rank - 2 ? builder.add({dim, dim}, {dim}, shape[dim])
                   : builder.add({dim, kAbsent}, {dim}, shape[dim], Kind::NeedReplication);
  builder.add({kAbsent, rank - 2}, {kAbsent}, shapeOf(op->getOperand(1)).back(), Kind::NeedReplication);
  return builder.build();
}

sdy::OpShardingRuleAttr topKOf(Operation *op) {
  RuleBuilder builder(op);
  ArrayRef<int64_t> shape = shapeOf(op->getOperand(0));
  for (auto [dim, size] : llvm::enumerate(shape))
    dim + 1 == shape.size() ? builder.addEverywhere(dim, size, Kind::NeedReplication, /*blocked=*/true)
                            : builder.addEverywhere(dim, size);
  return builder.build();
}
sdy::OpShardingRuleAttr topK(hlo::CustomCallOp op) {
  return hasShapes(op, 1, 2) ? topKOf(op) : sdy::OpShardingRuleAttr();
}

// The dimension that a call reduces: a number of its configuration, which is a dictionary or JSON.
std::optional<int64_t> reducedDim(hlo::CustomCallOp op) {
  if (auto dictionary = op->getAttrOfType<DictionaryAttr>("mhlo.backend_config"))
    if (auto dim = dictionary.getAs<IntegerAttr>("reduction_dim")) return dim.getInt();
  if (auto text = dyn_cast_or_null<StringAttr>(op.getBackendConfigAttr())) {
    llvm::Expected<llvm::json::Value> parsed = llvm::json::parse(text.getValue());
    if (!parsed) {
      llvm::consumeError(parsed.takeError());
      return std::nullopt;
    }
    if (auto *object = parsed->getAsObject()) return object->getInteger("reduction_dim");
  }
  return std::nullopt;
}

sdy::OpShardingRuleAttr approximateTopK(hlo::CustomCallOp op) {
  std::optional<int64_t> reduced = reducedDim(op);
  if (!reduced || !hasShapes(op, 2, 1)) return {};
  RuleBuilder builder(op);
  size_t count = op->getNumResults();
  for (auto [dim, size] : llvm::enumerate(shapeOf(op->getOperand(0)))) {
    SmallVector<int64_t> places(count, dim);
    int64_t out = shapeOf(op->getResult(0))[dim];
    if (static_cast<int64_t>(dim) != *reduced || size == out) {
      builder.add(places, places, size);
      continue;
    }
    builder.add(places, {}, size);
    builder.add({}, places, out, Kind::NeedReplication, /*blocked=*/true);
  }
  return builder.build();
}

Maker makerOf(StringRef name) {
  return llvm::StringSwitch<Maker>(name)
      .Cases({"CompactWyHelper", "InspectSharding", "X64SplitHigh", "X64SplitLow", "xla.megascale.provide_metadata"},
             elementwise)
      .Cases({"MoveToDevice", "MoveToHost", "LayoutConstraint", "annotate_device_placement", "mhlo.erf", "Sharding"},
             elementwise)
      .Case("X64Combine", combine)
      .Case("Eigh", eigh)
      .Cases({"Qr", "QrDecompositionBlock"}, qr)
      .Case("LuDecomposition", lu)
      .Case("ProductOfElementaryHouseholderReflectors", householder)
      .Cases({"mhlo.topk", "TopK"}, topK)
      .Cases({"ApproxTopK", "PartialReduce"}, approximateTopK)
      .Default(nullptr);
}

struct Calls {
  static sdy::OpShardingRuleAttr of(hlo::CustomCallOp op, bool) {
    Maker maker = makerOf(op.getCallTargetName());
    return maker ? maker(op) : sdy::OpShardingRuleAttr();
  }
  static sdy::OpShardingRuleAttr of(chlo::TopKOp op, bool) { return topKOf(op); }
};

}  // namespace

bool isKnownCall(hlo::CustomCallOp op) { return makerOf(op.getCallTargetName()) != nullptr; }

void attachCalls(MLIRContext *context) { attachRules<Calls, hlo::CustomCallOp>(context); }
void attachChloCalls(MLIRContext *context) { attachRules<Calls, chlo::TopKOp>(context); }

}  // namespace tpuc::shard
