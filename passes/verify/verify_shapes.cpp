// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// After shapes: nothing in main has an open size, and nothing is called.
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/verify/passes.h"

using namespace mlir;

namespace tpuc::verify {
#define GEN_PASS_DEF_VERIFYSHAPESPASS
#include "passes/verify/passes.h.inc"

namespace {

// The first type of the op, or of its blocks' arguments, that is open; null for none.
Type openType(Operation *op) {
  SmallVector<Type> types(op->getResultTypes());
  for (Region &region : op->getRegions())
    for (Block &block : region) llvm::append_range(types, block.getArgumentTypes());
  for (Type type : types)
    if (auto tensor = dyn_cast<RankedTensorType>(type); tensor && !tensor.hasStaticShape()) return type;
  return {};
}

struct VerifyShapes : impl::VerifyShapesPassBase<VerifyShapes> {
  void runOnOperation() override {
    markAllAnalysesPreserved();
    auto main = getOperation().lookupSymbol<func::FuncOp>("main");
    if (!main || main.isExternal()) {
      broken(getOperation(), "expects a function @main with a body");
      return signalPassFailure();
    }
    WalkResult walk = main.walk([](Operation *op) {
      if (auto call = dyn_cast<func::CallOp>(op)) {
        broken(op, "expects no calls, but got one of @" + call.getCallee());
        return WalkResult::interrupt();
      }
      Type open = openType(op);
      if (!open) return WalkResult::advance();
      diagnose(op, codes::kBoundedShape) << "expects arrays of known size, but got " << open
                                         << "; the stage shapes gives sizes: --dim=NAME=SIZE";
      return WalkResult::interrupt();
    });
    if (walk.wasInterrupted()) signalPassFailure();
  }
};

}  // namespace
}  // namespace tpuc::verify
