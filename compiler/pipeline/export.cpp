// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program as a portable artifact.
#include "compiler/pipeline/export.h"

#include "dialects/diagnostics/diagnose.h"
#include "dialects/vhlo/artifact.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"
#include "passes/simplify/passes.h"

using namespace mlir;

namespace tpuc {
namespace {

// vhlo has no ops of chlo. A program without them stays as it is.
LogicalResult writeChloInStablehlo(ModuleOp module) {
  auto isChlo = [](Operation *op) {
    return op->getName().getDialectNamespace() == "chlo" ? WalkResult::interrupt() : WalkResult::advance();
  };
  if (!module.walk(isChlo).wasInterrupted()) return success();
  PassManager pm(module.getContext());
  pm.addNestedPass<func::FuncOp>(simplify::createLegalizeChloPass());
  return pm.run(module);
}

}  // namespace

LogicalResult exportArtifact(ModuleOp module, StringRef text, llvm::raw_ostream &os) {
  std::optional<vhlo::Version> version = vhlo::Version::parse(text);
  if (!version || *version < vhlo::kOldest || vhlo::kNewest < *version)
    return diagnose(module, codes::kNotInVersion) << "expects a version of artifacts from " << vhlo::kOldest.text()
                                                  << " to " << vhlo::kNewest.text() << ", but got " << text;
  if (failed(writeChloInStablehlo(module))) return failure();
  return vhlo::writeArtifact(module, *version, os);
}

}  // namespace tpuc
