// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TPUC_PASSES_LOWERING_PASSES
#define TPUC_PASSES_LOWERING_PASSES
include "mlir/Pass/PassBase.td"

def LowerKernelsPass : Pass<"tpuc-lower-kernels", "::mlir::ModuleOp"> {
  let summary = "kernels to routines of machine code over virtual registers, arrays to HBM buffers";
  let description = [{
    Every `kernel.fusion` of `@main` becomes a `tpu.routine`, as its plan says: a grid with double-buffered block
    transfers around a step body of instructions on vregs. Arguments, results, constants and temporaries become
    `tpu.buffer`s, temporaries in one arena by liveness. `@main` becomes the entry routine that runs the grids in order.

    ```mlir
    // --tpuc-plan-kernels
    // --tpuc-lower-kernels
    func.func @main(%x: tensor<8x128xf32>) -> tensor<8x128xf32> {
      %0 = kernel.fusion "loop"(%x : tensor<8x128xf32>) -> tensor<8x128xf32> {
      ^bb0(%a: tensor<8x128xf32>):
        %1 = stablehlo.add %a, %a : tensor<8x128xf32>
        kernel.yield %1 : tensor<8x128xf32>
      }
      return %0 : tensor<8x128xf32>
    }
    // becomes
    tpu.buffer @arg0 "argument" 0 at 0 size 4096 : tensor<8x128xf32> order [0, 1]
    tpu.buffer @res0 "result" 0 at 0 size 4096 : tensor<8x128xf32> order [0, 1]
    tpu.routine entry @main facts {smem_bytes = 64 : i64} {
      tpu.grid @k0 steps 1
      tpu.return
    }
    tpu.routine @k0 facts {flops = 0 : i64, int8_flops = 0 : i64, kind = "loop", logical_bytes = 8192 : i64,
        number = 0 : i64, on_chip = [], padded_bytes = 8192 : i64, smem_bytes = 0 : i64, steps = 1 : i64,
        vmem_first = 0 : i64, vmem_words = 16 : i64} {
    ^bb0(%arg0: i64, %arg1: i64):
      %c2_i64 = arith.constant 2 : i64
      %c0_i64 = arith.constant 0 : i64
      tpu.dma_start "hbm" @arg0[%c0_i64 + 0] to "vmem"[%c0_i64 + 0] run 4096 counts [] strides [] to [] sem
          %c0_i64
      tpu.inst "dma.wait"(%c0_i64) {count = 1 : i64} : (i64)
      %0 = tpu.inst "v.ld"(%c0_i64) {stride = 1 : i64} region 0 : (i64) -> !tpu.vreg
      %1 = tpu.inst "v.add.f32"(%0, %0) : (!tpu.vreg, !tpu.vreg) -> !tpu.vreg
      tpu.inst "v.st"(%1, %c0_i64) {off = 8 : i64, stride = 1 : i64} region 1 : (!tpu.vreg, i64)
      tpu.dma_start "vmem"[%c0_i64 + 4096] to "hbm" @res0[%c0_i64 + 0] run 4096 counts [] strides [] to [] sem
          %c2_i64
      tpu.inst "dma.wait"(%c2_i64) {count = 1 : i64} : (i64)
      tpu.return
    }
    ```
  }];
  let options = [
    Option<"target", "target", "std::string", "\"v5e\"", "bundled target's name or path of a textproto">,
    ListOption<"sets", "set", "std::string", "constants of the target to change: path=value">,
    Option<"precision", "matmul-precision", "std::string", "\"\"",
        "default, high or highest; empty: as the program says">
  ];
  let dependentDialects = ["::tpuc::tpu::TpuDialect", "::mlir::scf::SCFDialect", "::mlir::arith::ArithDialect"];
}

def JoinLaunchesPass : Pass<"tpuc-join-launches", "::mlir::ModuleOp"> {
  let summary = "kernels that follow one another are started together";
  let description = [{
    Grids of the entry routine with nothing between them but fetches, and waits for them, become a routine of kind
    `launch`, which the entry calls: starting kernels costs the machine's launch overhead once for all of them.

    ```mlir
    // --tpuc-join-launches
    tpu.routine entry @main {
      tpu.grid @k0 steps 1
      tpu.grid @k0 steps 4
      tpu.return
    }
    tpu.routine @k0 {
    ^bb0(%arg0: i64, %arg1: i64):
      tpu.return
    }
    // becomes
    tpu.routine entry @main {
      tpu.call @launch0
      tpu.return
    }
    tpu.routine @k0 {
    ^bb0(%arg0: i64, %arg1: i64):
      tpu.return
    }
    tpu.routine @launch0 facts {kind = "launch"} {
    ^bb0(%arg0: i64, %arg1: i64):
      tpu.grid @k0 steps 1
      tpu.grid @k0 steps 4
      tpu.return
    }
    ```
  }];
  let dependentDialects = ["::tpuc::tpu::TpuDialect"];
}
#endif
