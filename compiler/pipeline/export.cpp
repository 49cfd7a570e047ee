// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program as a portable artifact.
#include "compiler/pipeline/export.h"

#include "dialects/diagnostics/diagnose.h"
#include "dialects/kernel/kernel.h"
#include "dialects/stablehlo/stablehlo.h"
#include "dialects/vhlo/artifact.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"
#include "passes/simplify/passes.h"

using namespace mlir;

namespace tpuc {
namespace {

// vhlo has no ops of chlo, and none of ours. A program without them stays as it is.
LogicalResult writeChloInStablehlo(ModuleOp module) {
  auto isChlo = [](Operation *op) {
    return op->getName().getDialectNamespace() == "chlo" ? WalkResult::interrupt() : WalkResult::advance();
  };
  if (!module.walk(isChlo).wasInterrupted()) return success();
  PassManager pm(module.getContext());
  pm.addNestedPass<func::FuncOp>(simplify::createLegalizeChloPass());
  return pm.run(module);
}

// a b + c of f32 elements, rounded once: the product is exact in f64, and so is all of the sum but its last bits.
void writeFmaInF64(ModuleOp module) {
  module.walk([](kernel::FmaOp op) {
    auto type = cast<RankedTensorType>(op.getType());
    OpBuilder b(op);
    RankedTensorType wide = type.clone(b.getF64Type());
    auto widened = [&](Value value) { return stablehlo::ConvertOp::create(b, op.getLoc(), wide, value).getResult(); };
    Value product = stablehlo::MulOp::create(b, op.getLoc(), widened(op.getA()), widened(op.getB()));
    Value sum = stablehlo::AddOp::create(b, op.getLoc(), product, widened(op.getC()));
    op->replaceAllUsesWith(stablehlo::ConvertOp::create(b, op.getLoc(), type, sum));
    op->erase();
  });
}

// 2^a of f32 elements by f64's power.
void writeExp2InF64(ModuleOp module) {
  module.walk([](kernel::Exp2Op op) {
    auto type = cast<RankedTensorType>(op.getType());
    OpBuilder b(op);
    RankedTensorType wide = type.clone(b.getF64Type());
    auto two = stablehlo::ConstantOp::create(b, op.getLoc(), DenseElementsAttr::get(wide, b.getF64FloatAttr(2)));
    Value exponent = stablehlo::ConvertOp::create(b, op.getLoc(), wide, op.getA());
    Value power = stablehlo::PowOp::create(b, op.getLoc(), two, exponent);
    op->replaceAllUsesWith(stablehlo::ConvertOp::create(b, op.getLoc(), type, power));
    op->erase();
  });
}

}  // namespace

LogicalResult exportArtifact(ModuleOp module, StringRef text, llvm::raw_ostream &os) {
  std::optional<vhlo::Version> version = vhlo::Version::parse(text);
  if (!version || *version < vhlo::kOldest || vhlo::kNewest < *version)
    return diagnose(module, codes::kNotInVersion) << "expects a version of artifacts from " << vhlo::kOldest.text()
                                                  << " to " << vhlo::kNewest.text() << ", but got " << text;
  if (failed(writeChloInStablehlo(module))) return failure();
  writeFmaInF64(module);
  writeExp2InF64(module);
  return vhlo::writeArtifact(module, *version, os);
}

}  // namespace tpuc
