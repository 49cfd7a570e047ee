// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/analysis/target_option.h"

#include "dialects/diagnostics/diagnose.h"
#include "runtime/isa/isa.h"

using namespace mlir;

namespace tpuc::analysis {

LogicalResult loadTarget(Operation *op, const std::string &name, ArrayRef<std::string> sets, target::Target &target) {
  std::string error;
  bool ok = target::loadTarget(name, target, error);
  for (const std::string &s : sets) ok = ok && target::setConstant(target, s, error);
  // Narrower arrays are the timing model's alone: weights, rows and sums of an array are whole vregs wide.
  if (ok && target.core().mxu_side() % isa::kLanes) {
    ok = false;
    error = "core.mxu_side expects 128 or 256 for programs to be compiled, but got " +
            std::to_string(target.core().mxu_side());
  }
  return ok ? success() : LogicalResult(diagnose(op, codes::kBadTarget) << error);
}

}  // namespace tpuc::analysis
