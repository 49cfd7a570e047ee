// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// After simplify: one function, nothing to call, StableHLO's own ops.
#include "dialects/stablehlo/chlo.h"
#include "dialects/stablehlo/stablehlo.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/verify/passes.h"

using namespace mlir;

namespace tpuc::verify {
#define GEN_PASS_DEF_VERIFYSIMPLIFYPASS
#include "passes/verify/passes.h.inc"

CodedError broken(Operation *op, const Twine &message) { return diagnose(op, codes::kBrokenStage) << message; }

bool isMesh(Operation *op) { return op->getName().getStringRef() == "sdy.mesh"; }

LogicalResult verifyOneFunction(ModuleOp module) {
  auto main = module.lookupSymbol<func::FuncOp>("main");
  if (!main || main.isExternal()) return broken(module, "expects a function @main with a body");
  for (auto function : module.getOps<func::FuncOp>())
    if (function != main)
      return broken(function, "expects no function besides @main, but got @" + function.getSymName());
  if (!main.getBody().hasOneBlock())
    return broken(main, "expects one block, but got " + Twine(main.getBody().getBlocks().size()));
  WalkResult walk = main.walk([](func::CallOp call) {
    broken(call, "expects no calls, but got one of @" + call.getCallee());
    return WalkResult::interrupt();
  });
  return failure(walk.wasInterrupted());
}

namespace {

// The two functions that the stage `expand` has on words of f64.
bool isOfWords(Operation *op) {
  return mlir::isa<chlo::LgammaOp, chlo::DigammaOp>(op) && getElementTypeOrSelf(op->getResult(0).getType()).isF64();
}

// Ops of chlo, composites and checks are written in plain ones.
LogicalResult verifyPlainOps(ModuleOp module) {
  WalkResult walk = module.walk([](Operation *op) {
    StringRef dialect = op->getName().getDialectNamespace();
    const bool isOther = dialect == "chlo" || dialect == "check" || mlir::isa<stablehlo::CompositeOp>(op);
    if (!isOther || isOfWords(op)) return WalkResult::advance();
    broken(op, "expects ops of stablehlo, but got '" + op->getName().getStringRef() + "'");
    return WalkResult::interrupt();
  });
  return failure(walk.wasInterrupted());
}

struct VerifySimplify : impl::VerifySimplifyPassBase<VerifySimplify> {
  void runOnOperation() override {
    markAllAnalysesPreserved();
    if (failed(verifyOneFunction(getOperation())) || failed(verifyPlainOps(getOperation()))) signalPassFailure();
  }
};

}  // namespace
}  // namespace tpuc::verify
