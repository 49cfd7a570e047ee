// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TPUC_PASSES_LOWERING_PASSES
#define TPUC_PASSES_LOWERING_PASSES
include "mlir/Pass/PassBase.td"

def LowerKernelsPass : Pass<"tpuc-lower-kernels", "::mlir::ModuleOp"> {
  let summary = "kernels to routines of machine code over virtual registers, arrays to HBM buffers";
  let description = [{
    Every `kernel.fusion` of `@main` becomes a `tpu.routine`: a grid with double-buffered block transfers around a step
    body of instructions on vregs. Arguments, results, constants and temporaries become `tpu.buffer`s, temporaries in
    one arena by
    liveness. `@main` becomes the entry routine that runs the grids in order.
  }];
  let options = [
    Option<"target", "target", "std::string", "\"v5e\"", "bundled target's name or path of a textproto">,
    ListOption<"sets", "set", "std::string", "constants of the target to change: path=value">,
    Option<"precision", "matmul-precision", "std::string", "\"\"",
        "default, high or highest; empty: as the program says">
  ];
  let dependentDialects = ["::tpuc::tpu::TpuDialect", "::mlir::scf::SCFDialect", "::mlir::arith::ArithDialect"];
}
#endif
