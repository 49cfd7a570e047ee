// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tpuc-opt %s --tpuc-lower-kernels=target=v5e | FileCheck %s
// Two blocks are under way before the first step. The block of the step after the next one is asked for behind a
// step's work, where its slot is free, and before the wait for the next one's: HBM has another transfer to go on with.

// CHECK: tpu.routine @k0
// CHECK: tpu.dma_start "hbm" @arg0
// CHECK: tpu.dma_start "hbm" @arg0
// CHECK: scf.for
// CHECK: tpu.inst "dma.wait"
// CHECK-NOT: tpu.dma_start
// CHECK: tpu.inst "v.ld"
// CHECK: tpu.inst "v.st"
// CHECK: tpu.dma_start "hbm" @arg0
// CHECK: tpu.dma_start "vmem"
func.func @main(%x: tensor<4096x1024xf32>) -> tensor<4096x1024xf32> {
  %0 = kernel.fusion "loop"(%x : tensor<4096x1024xf32>) -> tensor<4096x1024xf32> attributes {
      kernel.plan = #kernel.plan<grid [parallel d0 = 4096 by 256, parallel d1 = 1024 by 1024]>} {
  ^bb0(%a: tensor<4096x1024xf32>):
    %1 = stablehlo.negate %a : tensor<4096x1024xf32>
    kernel.yield %1 : tensor<4096x1024xf32>
  }
  return %0 : tensor<4096x1024xf32>
}
