// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 1. An f32 array that a loop hands on unchanged, and that only dots of one bf16 pass read there: each time round they
//    would round it again.
// 2. It is rounded once before the loop, which carries half the bytes.
#include "passes/builders/build.h"
#include "passes/legalise/one_pass.h"
#include "passes/legalise/passes.h"

using namespace mlir;

namespace tpuc::legalise {
using namespace builders;
#define GEN_PASS_DEF_NARROWLOOPOPERANDSPASS
#include "passes/legalise/passes.h.inc"
namespace {

struct NarrowLoopOperands : impl::NarrowLoopOperandsPassBase<NarrowLoopOperands> {
  using NarrowLoopOperandsPassBase::NarrowLoopOperandsPassBase;

  void runOnOperation() override {
    if (!precision.empty() && precision != "default") return;
    getOperation().walk([&](stablehlo::WhileOp loop) {
      for (unsigned i = 0; i < loop->getNumOperands(); ++i)
        if (isOnlyRounded(loop, i)) narrow(loop, i);
    });
  }

  bool isOnlyRounded(stablehlo::WhileOp loop, unsigned i) {
    auto type = dyn_cast<RankedTensorType>(loop->getOperand(i).getType());
    BlockArgument inside = loop.getBody().getArgument(i);
    Operation *end = loop.getBody().front().getTerminator();
    if (!type || !type.getElementType().isF32() || end->getOperand(i) != inside || !loop->getResult(i).use_empty() ||
        !loop.getCond().getArgument(i).use_empty())
      return false;
    bool read = false;
    for (OpOperand &use : inside.getUses()) {
      if (use.getOwner() == end && use.getOperandNumber() == i) continue;
      auto dot = dyn_cast<stablehlo::DotGeneralOp>(use.getOwner());
      if (!dot || !takesOnePass(dot, precision)) return false;
      read = true;
    }
    return read;
  }

  static void narrow(stablehlo::WhileOp loop, unsigned i) {
    OpBuilder b(loop);
    auto type = typeOf(loop->getOperand(i)).clone(b.getBF16Type());
    loop->setOperand(i, stablehlo::ConvertOp::create(b, loop.getLoc(), type, loop->getOperand(i)));
    for (Region *region : {&loop.getCond(), &loop.getBody()}) region->getArgument(i).setType(type);
    loop->getResult(i).setType(type);
  }
};

}  // namespace
}  // namespace tpuc::legalise
