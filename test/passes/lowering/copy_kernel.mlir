// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tpuc-opt %s --tpuc-plan-kernels=target=v5e --tpuc-lower-kernels=target=v5e | FileCheck %s

// Rows of 384 are three rows of 128: runs of 512 bytes, from HBM to HBM. A tile has 4,096 bytes: the operand's rows lie
// 512 apart and its three column tiles 4,096, the result's rows 3 * 512 and 512.
// CHECK-LABEL: tpu.routine @k0 facts
// CHECK-SAME: kind = "copy"
// CHECK: tpu.dma_start "hbm" @arg0[{{.*}}] to "hbm" @res0[{{.*}}] run 512 counts [2, 3] strides [512, 4096] to [1536, 512]
// CHECK-NEXT: "dma.wait"() {count = 1
// CHECK-NEXT: tpu.return
func.func @main(%x: tensor<2x384xf32>) -> tensor<6x128xf32> {
  %0 = kernel.fusion "copy"(%x : tensor<2x384xf32>) -> tensor<6x128xf32> {
  ^bb0(%a: tensor<2x384xf32>):
    %1 = stablehlo.reshape %a : (tensor<2x384xf32>) -> tensor<6x128xf32>
    kernel.yield %1 : tensor<6x128xf32>
  }
  return %0 : tensor<6x128xf32>
}
