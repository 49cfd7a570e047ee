//===- rules_indexing.cpp - sharding rules of ops that index ----------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "mlir/IR/Matchers.h"
#include "passes/shard/models.h"
#include "passes/shard/rule_builder.h"

using namespace mlir;

namespace tpuc::shard {
namespace {

namespace hlo = tpuc::stablehlo;

bool isConstant(Value value) { return matchPattern(value, m_Constant()) || value.getDefiningOp<sdy::ConstantOp>(); }

// Which element of a list is `dim`; kAbsent where none is.
int64_t placeOf(ArrayRef<int64_t> list, int64_t dim) {
  const int64_t *at = llvm::find(list, dim);
  return at == list.end() ? kAbsent : at - list.begin();
}

// Combines what several indices write to one place; an op that only keeps the last one does not.
bool accumulates(Region &body, size_t inputs) {
  Block &block = body.front();
  Operation *end = block.getTerminator();
  StringRef name;
  for (auto [i, value] : llvm::enumerate(end->getOperands())) {
    Operation *op = value.getDefiningOp();
    if (!isa_and_nonnull<hlo::AddOp, hlo::MulOp, hlo::MaxOp, hlo::MinOp, hlo::AndOp, hlo::OrOp, hlo::XorOp>(op))
      return false;
    if (!name.empty() && name != op->getName().getStringRef()) return false;
    name = op->getName().getStringRef();
    Value a = block.getArgument(i), b = block.getArgument(i + inputs);
    if (!(op->getOperand(0) == a && op->getOperand(1) == b) && !(op->getOperand(0) == b && op->getOperand(1) == a))
      return false;
  }
  return !name.empty();
}

struct Indexing {
  static sdy::OpShardingRuleAttr of(hlo::DynamicSliceOp op, bool) {
    return RuleBuilder(op)
        .pointwise(shapeOf(op.getOperand()), shapeOf(op.getResult()), Kind::NeedReplication, /*blocked=*/true)
        .build();
  }

  static sdy::OpShardingRuleAttr of(hlo::DynamicUpdateSliceOp op, bool) {
    RuleBuilder builder(op);
    bool known = llvm::all_of(op.getStartIndices(), isConstant);
    ArrayRef<int64_t> whole = shapeOf(op.getOperand()), part = shapeOf(op.getUpdate());
    for (int64_t dim = 0, rank = whole.size(); dim < rank; ++dim) {
      if (whole[dim] == part[dim]) {
        builder.addEverywhere(dim, whole[dim]);
        continue;
      }
      builder.add({dim, kAbsent}, {dim}, whole[dim]);
      builder.add({kAbsent, dim}, {kAbsent}, part[dim], known ? Kind::PassThrough : Kind::NeedReplication);
    }
    return builder.build();
  }

  static sdy::OpShardingRuleAttr of(hlo::GatherOp op, bool);
  static sdy::OpShardingRuleAttr of(hlo::ScatterOp op, bool);

  // Indices pick from the operand's dimension `dim`. The dimensions before and behind it stay.
  static sdy::OpShardingRuleAttr of(hlo::TorchIndexSelectOp op, bool) {
    RuleBuilder builder(op);
    int64_t dim = op.getDim(), batch = op.getBatchDims(), indexRank = shapeOf(op.getIndex()).size();
    ArrayRef<int64_t> operand = shapeOf(op.getOperand()), index = shapeOf(op.getIndex());
    for (int64_t i = 0; i < batch; ++i) builder.add({i, i}, {i}, operand[i]);
    for (int64_t i = batch; i < dim; ++i) builder.add({i, kAbsent}, {i}, operand[i]);
    for (int64_t i = batch; i < indexRank; ++i) builder.add({kAbsent, i}, {dim + i - batch}, index[i]);
    for (int64_t i = dim + 1, rank = operand.size(); i < rank; ++i)
      builder.add({i, kAbsent}, {i - 1 + indexRank - batch}, operand[i]);
    builder.add({dim, kAbsent}, {kAbsent}, operand[dim], Kind::Reduction);
    return builder.build();
  }
};

// The dimensions of an array of indices without that of the index vector, and those of the slices.
struct GatherDims {
  SmallVector<int64_t> slices;   // of the operand, in the order of the result's offset dimensions
  SmallVector<int64_t> indices;  // of the indices, in the order of the result's other dimensions

  GatherDims(int64_t operandRank, int64_t indexRank, int64_t indexVector, ArrayRef<int64_t> dropped,
             ArrayRef<int64_t> batching) {
    for (int64_t dim = 0; dim < operandRank; ++dim)
      if (!llvm::is_contained(dropped, dim) && !llvm::is_contained(batching, dim)) slices.push_back(dim);
    for (int64_t dim = 0; dim < indexRank; ++dim)
      if (dim != indexVector) indices.push_back(dim);
  }
};

sdy::OpShardingRuleAttr Indexing::of(hlo::GatherOp op, bool) {
  RuleBuilder builder(op);
  hlo::GatherDimensionNumbersAttr numbers = op.getDimensionNumbers();
  ArrayRef<int64_t> operand = shapeOf(op.getOperand()), indices = shapeOf(op.getStartIndices()),
                    result = shapeOf(op.getResult());
  int64_t vector = numbers.getIndexVectorDim();
  GatherDims dims(operand.size(), indices.size(), vector, numbers.getCollapsedSliceDims(),
                  numbers.getOperandBatchingDims());
  size_t nextSlice = 0, nextIndex = 0;
  for (int64_t dim = 0, rank = result.size(); dim < rank; ++dim) {
    if (!llvm::is_contained(numbers.getOffsetDims(), dim)) {
      int64_t index = dims.indices[nextIndex++], pair = placeOf(numbers.getStartIndicesBatchingDims(), index);
      builder.add({pair == kAbsent ? kAbsent : numbers.getOperandBatchingDims()[pair], index}, {dim}, result[dim]);
      continue;
    }
    int64_t source = dims.slices[nextSlice++], slice = op.getSliceSizes()[source];
    if (slice == operand[source]) {
      builder.add({source, kAbsent}, {dim}, slice);
    } else if (slice == 1) {  // one device has the element
      builder.add({source, kAbsent}, {kAbsent}, operand[source], Kind::Reduction);
      builder.add({kAbsent, kAbsent}, {dim}, 1, Kind::NeedReplication);
    } else {
      builder.add({source, kAbsent}, {dim}, operand[source], Kind::NeedReplication, /*blocked=*/true);
    }
  }
  for (int64_t dim : numbers.getCollapsedSliceDims())
    builder.add({dim, kAbsent}, {kAbsent}, operand[dim], operand[dim] > 1 ? Kind::Reduction : Kind::NeedReplication);
  if (vector < static_cast<int64_t>(indices.size()))
    builder.add({kAbsent, vector}, {kAbsent}, indices[vector], Kind::NeedReplication);
  return builder.build();
}

sdy::OpShardingRuleAttr Indexing::of(hlo::ScatterOp op, bool) {
  RuleBuilder builder(op);
  hlo::ScatterDimensionNumbersAttr numbers = op.getScatterDimensionNumbers();
  size_t count = op.getInputs().size();
  ArrayRef<int64_t> input = shapeOf(op.getInputs()[0]), indices = shapeOf(op.getScatterIndices()),
                    update = shapeOf(op.getUpdates()[0]);
  int64_t vector = numbers.getIndexVectorDim();
  Kind scattered = accumulates(op.getUpdateComputation(), count) ? Kind::Reduction : Kind::NeedReplication;
  auto add = [&](int64_t in, int64_t index, int64_t upd, int64_t size, Kind kind) {
    SmallVector<int64_t> operands(count, in), results(count, in);
    operands.push_back(index);
    operands.append(count, upd);
    builder.add(operands, results, size, kind);
  };
  GatherDims dims(input.size(), indices.size(), vector, numbers.getInsertedWindowDims(),
                  numbers.getInputBatchingDims());
  size_t nextSlice = 0, nextIndex = 0;
  for (int64_t dim = 0, rank = update.size(); dim < rank; ++dim) {
    if (!llvm::is_contained(numbers.getUpdateWindowDims(), dim)) {
      int64_t index = dims.indices[nextIndex++], pair = placeOf(numbers.getScatterIndicesBatchingDims(), index);
      add(pair == kAbsent ? kAbsent : numbers.getInputBatchingDims()[pair], index, dim, update[dim],
          pair == kAbsent ? scattered : Kind::PassThrough);
      continue;
    }
    int64_t target = dims.slices[nextSlice++];
    if (input[target] == update[dim]) {
      add(target, kAbsent, dim, update[dim], Kind::PassThrough);
    } else {
      add(target, kAbsent, kAbsent, input[target], Kind::NeedReplication);
      add(kAbsent, kAbsent, dim, update[dim], Kind::NeedReplication);
    }
  }
  for (int64_t dim : numbers.getInsertedWindowDims()) add(dim, kAbsent, kAbsent, input[dim], Kind::PassThrough);
  if (vector < static_cast<int64_t>(indices.size()))
    add(kAbsent, vector, kAbsent, indices[vector], Kind::NeedReplication);
  return builder.build();
}

}  // namespace

void attachIndexing(MLIRContext *context) {
  attachRules<Indexing, hlo::DynamicSliceOp, hlo::DynamicUpdateSliceOp, hlo::GatherOp, hlo::ScatterOp,
              hlo::TorchIndexSelectOp>(context);
}

}  // namespace tpuc::shard
