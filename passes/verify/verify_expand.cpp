// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// After expand: every array has a size, no composite op is left, and lanes hold what is computed on.
#include "dialects/stablehlo/stablehlo.h"
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

// Those that only `passes/decompose` takes: they have no kernel.
LogicalResult verifyPlain(Operation *op) {
  if (!mlir::isa<stablehlo::CholeskyOp, stablehlo::TriangularSolveOp, stablehlo::FftOp, stablehlo::RngOp,
                 stablehlo::RngBitGeneratorOp, stablehlo::BatchNormTrainingOp, stablehlo::BatchNormInferenceOp,
                 stablehlo::BatchNormGradOp, stablehlo::MapOp>(op))
    return success();
  return broken(op, "expects plain ops, but got '" + op->getName().getStringRef() + "'");
}

// A lane has 32 bits: wider elements are computed on as planes (passes/legalise).
LogicalResult verifyLanes(Operation *op) {
  if (!op->hasTrait<stablehlo::IsElementwise>()) return success();
  for (Type type :
       llvm::concat<const Type>(SmallVector<Type>(op->getOperandTypes()), SmallVector<Type>(op->getResultTypes()))) {
    Type element = getElementTypeOrSelf(type);
    if (element.isIntOrFloat() && element.getIntOrFloatBitWidth() <= 32) continue;
    std::string text;
    llvm::raw_string_ostream(text) << element;
    return broken(op, "expects elements that a lane of 32 bits holds, but got '" + text + "'");
  }
  return success();
}

struct VerifyExpand : impl::VerifyExpandPassBase<VerifyExpand> {
  void runOnOperation() override {
    markAllAnalysesPreserved();
    if (failed(verifyOneFunction(getOperation()))) return signalPassFailure();
    WalkResult walk = getOperation().walk([](Operation *op) {
      bool ok =
          succeeded(verifyStatic(op, op->getResultTypes())) && succeeded(verifyPlain(op)) && succeeded(verifyLanes(op));
      for (Region &region : op->getRegions())
        for (Block &block : region) ok = ok && succeeded(verifyStatic(op, block.getArgumentTypes()));
      return ok ? WalkResult::advance() : WalkResult::interrupt();
    });
    if (walk.wasInterrupted()) signalPassFailure();
  }
};

}  // namespace
}  // namespace tpuc::verify
