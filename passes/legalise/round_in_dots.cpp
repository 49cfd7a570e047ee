// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A matmul of one bf16 pass rounds f32 operands on their way into the array: weights that lie in memory as f32, and
// that nothing else needs as bf16, go there as they are.
#include "passes/builders/build.h"
#include "passes/legalise/one_pass.h"
#include "passes/legalise/passes.h"

using namespace mlir;

namespace tpuc::legalise {
using namespace builders;
#define GEN_PASS_DEF_ROUNDINDOTSPASS
#include "passes/legalise/passes.h.inc"
namespace {

// Whether it lies in memory before the program, or the loop's iteration, begins: arguments and slices of them.
bool isGiven(Value v) {
  while (Operation *op = v.getDefiningOp()) {
    if (!mlir::isa<stablehlo::ReshapeOp, stablehlo::SliceOp, stablehlo::DynamicSliceOp>(op)) return false;
    v = op->getOperand(0);
  }
  return true;
}

// Whether the other operand's rows pass by in one go, or in blocks so long that the weights are read again meanwhile.
// Rows of several dims, which have not become one, come in blocks of the last.
bool isReadSeldom(stablehlo::DotGeneralOp dot, bool isRight, int64_t longRows) {
  auto of = dot.getDotDimensionNumbers();
  ArrayRef<int64_t> batching = isRight ? of.getLhsBatchingDimensions() : of.getRhsBatchingDimensions(),
                    contracting = isRight ? of.getLhsContractingDimensions() : of.getRhsContractingDimensions();
  int64_t blocks = 1, rows = 1;
  for (auto [d, size] : llvm::enumerate(typeOf(isRight ? dot.getLhs() : dot.getRhs()).getShape())) {
    auto dim = static_cast<int64_t>(d);
    if (llvm::is_contained(batching, dim) || llvm::is_contained(contracting, dim)) continue;
    blocks *= rows;
    rows = size;
  }
  return blocks == 1 || rows >= longRows;
}

struct RoundInDots : impl::RoundInDotsPassBase<RoundInDots> {
  using RoundInDotsPassBase::RoundInDotsPassBase;

  void runOnOperation() override {
    if (!precision.empty() && precision != "default") return;
    getOperation().walk([&](stablehlo::DotGeneralOp dot) {
      for (OpOperand &operand : dot->getOpOperands()) read(dot, operand);
    });
  }

  void read(stablehlo::DotGeneralOp dot, OpOperand &operand) {
    auto convert = operand.get().getDefiningOp<stablehlo::ConvertOp>();
    if (!convert || !convert->hasOneUse() || !typeOf(convert).getElementType().isBF16() ||
        !typeOf(convert.getOperand()).getElementType().isF32() || convert->getBlock() != dot->getBlock())
      return;
    if (!takesOnePass(dot, precision) || !isGiven(convert.getOperand()) ||
        !isReadSeldom(dot, operand.getOperandNumber() == 1, longRows))
      return;
    operand.set(convert.getOperand());
    convert->erase();
  }
};

}  // namespace
}  // namespace tpuc::legalise
