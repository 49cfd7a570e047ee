// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TPUC_PASSES_EMISSION_PASSES
#define TPUC_PASSES_EMISSION_PASSES
include "mlir/Pass/PassBase.td"

def ScheduleBundlesPass : Pass<"tpuc-schedule-bundles", "::mlir::ModuleOp"> {
  let summary = "routines to VLIW bundles over physical registers";
  let description = [{
    Every `tpu.routine` becomes a `tpu.bundles`: scalar arithmetic and loops become instructions, then the back end
    (passes/schedule) pipelines loops, fills bundles and allocates registers.
  }];
  let options = [
    Option<"target", "target", "std::string", "\"v5e\"", "bundled target's name or path of a textproto">,
    ListOption<"sets", "set", "std::string", "constants of the target to change: path=value">,
    Option<"pipeline", "pipeline", "bool", "true", "software-pipeline innermost loops">
  ];
}
#endif
