// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TPUC_PASSES_EMISSION_PASSES
#define TPUC_PASSES_EMISSION_PASSES
include "mlir/Pass/PassBase.td"

def ScheduleBundlesPass : Pass<"tpuc-schedule-bundles", "::mlir::ModuleOp"> {
  let summary = "routines to VLIW bundles over physical registers";
  let description = [{
    Every `tpu.routine` becomes a `tpu.bundles`: scalar arithmetic and loops become instructions, then the back end
    (passes/schedule) pipelines loops, fills bundles and allocates registers.

    ```mlir
    tpu.routine entry @main {
      %c = arith.constant 0 : i64
      %0 = tpu.inst "v.ld"(%c) {stride = 1} region 0 : (i64) -> !tpu.vreg
      %1 = tpu.inst "v.add.f32"(%0, %0) : (!tpu.vreg, !tpu.vreg) -> !tpu.vreg
      tpu.inst "v.st"(%1, %c) {off = 8, stride = 1} region 1 : (!tpu.vreg, i64)
      tpu.return
    }
    // becomes
    tpu.bundles entry @main facts {location = "<stdin>:1", smem_bytes = 0 : i64, vmem_words = 0 : i64} {
      "s.li s31, 0"
      at "<stdin>:3"
      "s.li s0, 0"
      "v.ld v0, s0, stride=1"
      at "<stdin>:4"
      "v.add.f32 v1, v0, v0"
      at "<stdin>:5"
      "v.st v1, s0, off=8, stride=1 ; halt"
    }
    ```
  }];
  let options = [
    Option<"target", "target", "std::string", "\"v5e\"", "bundled target's name or path of a textproto">,
    ListOption<"sets", "set", "std::string", "constants of the target to change: path=value">,
    Option<"pipeline", "pipeline", "bool", "true", "software-pipeline innermost loops">
  ];
}
#endif
