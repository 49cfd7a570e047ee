// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Batches of products whose result is transposed behind them, with their operands swapped.
//
//  1. A result has the left operand's dims before the right one's. What reads it may have them the other way around, as
//     einsums of arrays with their sequence first.
//  2. With the operands swapped, the dim that lies last behind the transpose is last before it: the transpose moves
//     rows, or nothing.
#include "passes/analysis/dot_roles.h"
#include "passes/builders/build.h"
#include "passes/layout/passes.h"

using namespace mlir;

namespace tpuc::layout {
using namespace builders;
#define GEN_PASS_DEF_SWAPDOTOPERANDSPASS
#include "passes/layout/passes.h.inc"
namespace {

struct Swap {
  stablehlo::DotGeneralOp dot;
  stablehlo::TransposeOp transpose;
  int64_t batch, left, right;  // dims of the result

  explicit Swap(stablehlo::TransposeOp op)
      : dot(op.getOperand().getDefiningOp<stablehlo::DotGeneralOp>()),
        transpose(op),
        batch(dot ? dot.getDotDimensionNumbers().getLhsBatchingDimensions().size() : 0),
        left(dot ? analysis::freeDims(dot, /*rhs=*/false).size() : 0),
        right(dot ? analysis::freeDims(dot, /*rhs=*/true).size() : 0) {}

  // The right operand will be streamed, which it has to be with a dim that is summed last: else it would be transposed
  // in place of the result. Where the left one has its batch first, the result's transpose is the kernel's own.
  bool pays() {
    if (!dot || !dot->hasOneUse() || batch == 0 || left == 0 || right == 0) return false;
    auto n = dot.getDotDimensionNumbers();
    return llvm::is_contained(n.getLhsContractingDimensions(), 0) &&
           llvm::is_contained(n.getRhsContractingDimensions(), typeOf(dot.getRhs()).getRank() - 1) &&
           transpose.getPermutation().back() == batch + left - 1 && analysis::takesEitherWay(dot.getAlgorithmAttr());
  }

  void rewrite() {
    OpBuilder b(dot);
    auto n = dot.getDotDimensionNumbers();
    auto numbers = stablehlo::DotDimensionNumbersAttr::get(
        b.getContext(), n.getRhsBatchingDimensions(), n.getLhsBatchingDimensions(), n.getRhsContractingDimensions(),
        n.getLhsContractingDimensions());
    const ArrayRef<int64_t> shape = typeOf(dot).getShape();
    SmallVector<int64_t> swapped(shape.take_front(batch));
    llvm::append_range(swapped, shape.take_back(right));
    llvm::append_range(swapped, shape.slice(batch, left));
    Value made =
        stablehlo::DotGeneralOp::create(b, dot.getLoc(), typeOf(dot).clone(swapped), dot.getRhs(), dot.getLhs(),
                                        numbers, analysis::precisionOf(dot, /*swaps=*/true), dot.getAlgorithmAttr());
    auto order = llvm::map_to_vector(transpose.getPermutation(), [&](int64_t d) {
      return d < batch ? d : d < batch + left ? d + right : d - left;
    });
    b.setInsertionPoint(transpose);
    transpose.replaceAllUsesWith(Build{b, transpose.getLoc()}.transpose(made, order));
    transpose.erase();
    dot.erase();
  }
};

struct SwapDotOperands : impl::SwapDotOperandsPassBase<SwapDotOperands> {
  void runOnOperation() override {
    SmallVector<stablehlo::TransposeOp> ops;
    getOperation().walk([&](stablehlo::TransposeOp op) { ops.push_back(op); });
    for (stablehlo::TransposeOp op : ops)
      if (Swap swap(op); swap.pays()) swap.rewrite();
  }
};

}  // namespace
}  // namespace tpuc::layout
