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

// vhlo has no ops of chlo.
  PassManager pm(module.getContext());
  pm.addNestedPass<func::FuncOp>(simplify::createLegalizeChloPass());
  if (failed(pm.run(module))) return failure();
  return vhlo::writeArtifact(module, *version, os);
}

}  // namespace tpuc
