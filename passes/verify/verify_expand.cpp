// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// After expand: every array has a size.
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/verify/passes.h"

using namespace mlir;

namespace tpuc::verify {
#define GEN_PASS_DEF_VERIFYEXPANDPASS
#include "passes/verify/passes.h.inc"
namespace {

LogicalResult verifyStatic(Operation *op, TypeRange types) {
  for (Type type : types) {
    auto shaped = dyn_cast<ShapedType>(type);
    if (!shaped || shaped.hasStaticShape()) continue;
    std::string text;
    llvm::raw_string_ostream(text) << type;
    return broken(op, "expects arrays of known size, but got '" + text + "'");
  }
  return success();
}

struct VerifyExpand : impl::VerifyExpandPassBase<VerifyExpand> {
  void runOnOperation() override {
    markAllAnalysesPreserved();
    if (failed(verifyOneFunction(getOperation()))) return signalPassFailure();
    WalkResult walk = getOperation().walk([](Operation *op) {
      bool ok = succeeded(verifyStatic(op, op->getResultTypes()));
      for (Region &region : op->getRegions())
        for (Block &block : region) ok = ok && succeeded(verifyStatic(op, block.getArgumentTypes()));
      return ok ? WalkResult::advance() : WalkResult::interrupt();
    });
    if (walk.wasInterrupted()) signalPassFailure();
  }
};

}  // namespace
}  // namespace tpuc::verify
