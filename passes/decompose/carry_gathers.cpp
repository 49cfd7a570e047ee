// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gathers in the order that a sort has found: the sort carries what they gather.
//
//  1. take_along_axis(x, argsort(k)): the sort has a counting operand, whose sorted form the gather's indices are.
//  2. Where x is another operand of the sort, or its negation is, the sorted operand is the result, or its first
//     elements where the indices are. Any other x becomes one more operand: a sort moves it along in less time than
//     its elements take to look up.
#include "passes/builders/build.h"
#include "passes/decompose/passes.h"
#include "passes/decompose/sort_order.h"

using namespace mlir;

namespace tpuc::decompose {
using namespace builders;
#define GEN_PASS_DEF_CARRYGATHERSPASS
#include "passes/decompose/passes.h.inc"
namespace {

constexpr unsigned kMostCarried = 3;  // operands of a sort that gets one more

// A gather of single elements along one dim, every other dim a batch, the result's dims those of the operand in order.
bool isAlongOneDim(stablehlo::GatherOp op) {
  auto numbers = op.getDimensionNumbers();
  const int64_t rank = typeOf(op.getOperand()).getRank(), vectorDim = numbers.getIndexVectorDim();
  if (numbers.getStartIndexMap().size() != 1 || !numbers.getOffsetDims().empty() ||
      numbers.getCollapsedSliceDims() != numbers.getStartIndexMap() || typeOf(op.getResult()).getRank() != rank ||
      static_cast<int64_t>(numbers.getOperandBatchingDims().size()) != rank - 1)
    return false;
  return llvm::all_of(
      llvm::zip(numbers.getOperandBatchingDims(), numbers.getStartIndicesBatchingDims()),
      [&](auto dims) { return std::get<0>(dims) == std::get<1>(dims) - (std::get<1>(dims) > vectorDim); });
}

class CarriedGather {
 public:
  explicit CarriedGather(stablehlo::GatherOp op) : op_(op), b_(op), build_{b_, op.getLoc()} {}

  void rewrite() {
    if (!isAlongOneDim(op_) || !findOrder()) return;
    Value sorted = sortedOperand();
    if (!sorted) sorted = carried();
    if (!sorted) return;
    RankedTensorType type = typeOf(op_.getResult());
    SmallVector<int64_t> start(type.getRank(), 0), stride(type.getRank(), 1);
    b_.setInsertionPoint(op_);
    if (sorted.getType() != type) sorted = build_.slice(sorted, start, type.getShape(), stride);
    if (isNegated_) sorted = stablehlo::NegOp::create(b_, op_.getLoc(), sorted);
    op_.replaceAllUsesWith(sorted);
    op_.erase();
  }

 private:
  bool findOrder() {
    const int64_t dim = op_.getDimensionNumbers().getStartIndexMap()[0];
    RankedTensorType type = typeOf(op_.getOperand()), result = typeOf(op_.getResult());
    std::optional<SortOrder> order = sortOrderOf(op_.getStartIndices(), dim, type.getShape());
    for (int64_t d = 0; d < type.getRank(); ++d)
      if (d != dim && type.getDimSize(d) != result.getDimSize(d)) return false;
    if (order) sort_ = order->sort;
    return order.has_value();
  }

  Value sortedOperand() {
    Value x = op_.getOperand();
    auto negationOf = [](Value v) {
      auto negation = v.getDefiningOp<stablehlo::NegOp>();
      return negation ? negation.getOperand() : Value();
    };
    for (auto [operand, result] : llvm::zip(sort_.getInputs(), sort_.getResults())) {
      if (operand == x) return result;
      isNegated_ = negationOf(operand) == x || negationOf(x) == operand;
      if (isNegated_) return result;
    }
    return {};
  }

  // `x` as one more operand of the sort.
  Value carried() {
    Value x = op_.getOperand();
    Type element = typeOf(x).getElementType();
    Operation *def = x.getDefiningOp();
    const bool isThere = def ? def->getBlock() == sort_->getBlock() && def->isBeforeInBlock(sort_)
                             : x.getParentBlock() == sort_->getBlock();
    if (!isThere || op_->getBlock() != sort_->getBlock() || sort_.getInputs().size() >= kMostCarried ||
        typeOf(op_.getResult()) != typeOf(x) || !element.isIntOrFloat() || element.getIntOrFloatBitWidth() < 8 ||
        element.getIntOrFloatBitWidth() > 32)
      return {};
    b_.setInsertionPoint(sort_);
    SmallVector<Value> operands(sort_.getInputs());
    operands.push_back(x);
    auto made = stablehlo::SortOp::create(b_, sort_.getLoc(), TypeRange(ValueRange(operands)), operands,
                                          sort_.getDimension(), sort_.getIsStable());
    made.getComparator().takeBody(sort_.getComparator());
    auto scalar = RankedTensorType::get({}, element);
    for (int i = 0; i < 2; ++i) made.getComparator().front().addArgument(scalar, op_.getLoc());
    for (auto [before, now] : llvm::zip(sort_.getResults(), made.getResults())) before.replaceAllUsesWith(now);
    sort_.erase();
    return made.getResults().back();
  }

  stablehlo::GatherOp op_;
  OpBuilder b_;
  Build build_;
  stablehlo::SortOp sort_;
  bool isNegated_ = false;
};

struct CarryGathers : impl::CarryGathersPassBase<CarryGathers> {
  void runOnOperation() override {
    SmallVector<stablehlo::GatherOp> ops;
    getOperation().walk([&](stablehlo::GatherOp op) { ops.push_back(op); });
    for (stablehlo::GatherOp op : ops) CarriedGather(op).rewrite();
  }
};

}  // namespace
}  // namespace tpuc::decompose
