// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gathers and scatters of one element a row.
//
//  1. Every dim of the operand but one is a batching dim, and each batch has one index: take_along_axis, the picks of a
//     cross entropy.
//  2. The row's positions are compared with the index. A gather joins the bits of what was picked, so that zeros keep
//     their sign; a scatter selects between the element and its update. An index out of range is clamped, or matches
//     nothing.
#include "passes/builders/build.h"
#include "passes/decompose/passes.h"

using namespace mlir;

namespace tpuc::decompose {
using namespace builders;
#define GEN_PASS_DEF_EXPANDPICKSPASS
#include "passes/decompose/passes.h.inc"
namespace {

// A longer row takes longer to walk than one element to fetch (its transfer's latency, about a microsecond).
constexpr int64_t kLongestRowBytes = 256 * 1024;

struct Pick {
  int64_t dim;                 // of the operand, which the index is along
  SmallVector<int64_t> batch;  // dims of the operand, in the order of the indices' dims
};

// `indexed`, `removed`: dims that an index addresses, dims of the operand that the result or the updates do not have.
std::optional<Pick> pickOf(RankedTensorType type, RankedTensorType indices, ArrayRef<int64_t> indexed,
                           ArrayRef<int64_t> removed, ArrayRef<int64_t> operandBatch, ArrayRef<int64_t> indexBatch) {
  Type element = type.getElementType(), indexElement = indices.getElementType();
  if (indexed.size() != 1 || removed != indexed || static_cast<int64_t>(operandBatch.size()) != type.getRank() - 1)
    return std::nullopt;
  if (!element.isIntOrFloat() || (!element.isInteger(1) && element.getIntOrFloatBitWidth() < 8) ||
      element.getIntOrFloatBitWidth() > 32)
    return std::nullopt;
  if (indexElement.getIntOrFloatBitWidth() < 32) return std::nullopt;
  Pick pick{indexed[0], {}};
  if (type.getDimSize(pick.dim) == 0 ||
      type.getDimSize(pick.dim) * llvm::divideCeil(element.getIntOrFloatBitWidth(), 8) > kLongestRowBytes)
    return std::nullopt;
  for (int64_t d = 0; d < indices.getRank(); ++d) {
    auto *it = llvm::find(indexBatch, d);
    if (it != indexBatch.end())
      pick.batch.push_back(operandBatch[it - indexBatch.begin()]);
    else if (indices.getDimSize(d) != 1)
      return std::nullopt;  // several picks a row, or an index of several components
  }
  return llvm::is_sorted(pick.batch) ? std::optional(pick) : std::nullopt;
}

struct Row {
  OpBuilder &b;
  Location loc;
  RankedTensorType type;
  const Pick &pick;
  Build build{b, loc};

  Value splat(Type element, int64_t value) { return build.splat(type.clone(element), value); }
  SmallVector<int64_t> rows() {
    SmallVector<int64_t> shape;
    for (int64_t d : pick.batch) shape.push_back(type.getDimSize(d));
    return shape;
  }
  // One value a row, in all of its places.
  Value spread(Value v) { return build.broadcast(build.reshape(v, rows()), type.getShape(), pick.batch); }
  Value isAt(Value index) {
    auto positions = stablehlo::IotaOp::create(b, loc, type.clone(typeOf(index).getElementType()), pick.dim);
    return stablehlo::CompareOp::create(b, loc, positions, index, stablehlo::ComparisonDirection::EQ);
  }
};

// The op that the update computation is: null for one that takes the update.
struct Update {
  Operation *op = nullptr;
};
std::optional<Update> updateOf(Block &body) {
  Value result = body.getTerminator()->getOperand(0);
  if (result == body.getArgument(1)) return Update{};
  Operation *op = result.getDefiningOp();
  if (!op || body.getOperations().size() != 2 ||
      !mlir::isa<stablehlo::AddOp, stablehlo::MulOp, stablehlo::MinOp, stablehlo::MaxOp>(op))
    return std::nullopt;
  bool direct = op->getOperand(0) == body.getArgument(0) && op->getOperand(1) == body.getArgument(1);
  return direct ? std::optional(Update{op}) : std::nullopt;
}

struct ExpandPicks : impl::ExpandPicksPassBase<ExpandPicks> {
  void gather(stablehlo::GatherOp op) {
    auto numbers = op.getDimensionNumbers();
    auto type = typeOf(op.getOperand());
    if (!numbers.getOffsetDims().empty() || llvm::any_of(op.getSliceSizes(), [](int64_t n) { return n != 1; })) return;
    auto pick = pickOf(type, typeOf(op.getStartIndices()), numbers.getStartIndexMap(), numbers.getCollapsedSliceDims(),
                       numbers.getOperandBatchingDims(), numbers.getStartIndicesBatchingDims());
    if (!pick) return;
    OpBuilder b(op);
    Row row{b, op.getLoc(), type, *pick};
    Value index = row.spread(op.getStartIndices());
    Type element = type.getElementType(), indexElement = typeOf(index).getElementType();
    index = stablehlo::ClampOp::create(b, op.getLoc(), row.splat(indexElement, 0), index,
                                       row.splat(indexElement, type.getDimSize(pick->dim) - 1));
    Value bits = op.getOperand();
    Type word = mlir::isa<FloatType>(element) ? b.getIntegerType(element.getIntOrFloatBitWidth()) : element;
    if (word != element) bits = stablehlo::BitcastConvertOp::create(b, op.getLoc(), type.clone(word), bits);
    Value picked = stablehlo::SelectOp::create(b, op.getLoc(), row.isAt(index), bits, row.splat(word, 0));
    Value joined = reduceOr(b, op.getLoc(), picked, pick->dim, row);
    if (word != element)
      joined = stablehlo::BitcastConvertOp::create(b, op.getLoc(), typeOf(joined).clone(element), joined);
    op.replaceAllUsesWith(row.build.reshape(joined, typeOf(op.getResult()).getShape()));
    op.erase();
  }

  Value reduceOr(OpBuilder &b, Location loc, Value v, int64_t dim, Row &row) {
    Type element = typeOf(v).getElementType();
    auto scalar = RankedTensorType::get({}, element);
    Value zero = row.build.zero(element);
    auto reduce = stablehlo::ReduceOp::create(b, loc, TypeRange(RankedTensorType::get(row.rows(), element)),
                                              ValueRange(v), ValueRange(zero), b.getDenseI64ArrayAttr({dim}));
    OpBuilder::InsertionGuard guard(b);
    Block *body = b.createBlock(&reduce.getBody(), {}, {scalar, scalar}, {loc, loc});
    Value either = stablehlo::OrOp::create(b, loc, body->getArgument(0), body->getArgument(1));
    stablehlo::ReturnOp::create(b, loc, either);
    return reduce.getResult(0);
  }

  void scatter(stablehlo::ScatterOp op) {
    if (op.getInputs().size() != 1) return;
    auto numbers = op.getScatterDimensionNumbers();
    auto type = typeOf(op.getInputs()[0]);
    auto update = updateOf(op.getUpdateComputation().front());
    if (!update || !numbers.getUpdateWindowDims().empty()) return;
    auto pick = pickOf(type, typeOf(op.getScatterIndices()), numbers.getScatterDimsToOperandDims(),
                       numbers.getInsertedWindowDims(), numbers.getInputBatchingDims(),
                       numbers.getScatterIndicesBatchingDims());
    if (!pick || typeOf(op.getUpdates()[0]).getElementType() != type.getElementType()) return;
    OpBuilder b(op);
    Row row{b, op.getLoc(), type, *pick};
    Value value = row.spread(op.getUpdates()[0]), input = op.getInputs()[0];
    if (update->op) {
      OperationState state(op.getLoc(), update->op->getName(), ValueRange{input, value}, TypeRange(type));
      value = b.create(state)->getResult(0);
    }
    Value result =
        stablehlo::SelectOp::create(b, op.getLoc(), row.isAt(row.spread(op.getScatterIndices())), value, input);
    op.getResult(0).replaceAllUsesWith(result);
    op.erase();
  }

  void runOnOperation() override {
    getOperation().walk([&](stablehlo::GatherOp op) { gather(op); });
    getOperation().walk([&](stablehlo::ScatterOp op) { scatter(op); });
  }
};

}  // namespace
}  // namespace tpuc::decompose
