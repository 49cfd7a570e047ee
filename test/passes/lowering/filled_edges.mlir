// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A pad that is a copy fills the tiles at its edges with one tile, before it copies what lies between.
// RUN: tpuc-opt %s --pass-pipeline='builtin.module(tpuc-plan-kernels,tpuc-lower-kernels)' --split-input-file | FileCheck %s

// 4090 rows are 511 tiles and two rows: of each of four batches one tile is filled, the last of 512 (of 4096 bytes).
// CHECK-LABEL: tpu.routine @k0
// CHECK: tpu.dma_start "vmem"[{{.*}}] to "hbm" @res0[%c0_i64 + 2093056] run 4096 counts [4] strides [0] to [2097152]
// CHECK-NOT: tpu.dma_start "vmem"
// CHECK: tpu.dma_start "hbm" @arg0[{{.*}}] to "hbm" @res0[{{.*}}] run 2094080 counts [4]
func.func @main(%x: tensor<4x4090x128xf32>) -> tensor<4x4096x128xf32> {
  %0 = kernel.fusion "copy"(%x : tensor<4x4090x128xf32>) -> tensor<4x4096x128xf32> {
  ^bb0(%a: tensor<4x4090x128xf32>):
    %zero = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.pad %a, %zero, low = [0, 0, 0], high = [0, 6, 0], interior = [0, 0, 0]
        : (tensor<4x4090x128xf32>, tensor<f32>) -> tensor<4x4096x128xf32>
    kernel.yield %1 : tensor<4x4096x128xf32>
  }
  return %0 : tensor<4x4096x128xf32>
}

// -----

// Before and behind along each dim, within the edges of the dims before: of 5 batches one before and one behind, of
// three tiles of rows the first, of two of columns the second. 24 KiB are a batch, 8 KiB a tile of rows.
// CHECK-LABEL: tpu.routine @k0
// CHECK: tpu.dma_start "vmem"[{{.*}}] to "hbm" @res0[%c0_i64 + 0] run 4096 counts [3, 2] strides [0, 0] to [8192, 4096]
// CHECK: tpu.dma_start "vmem"[{{.*}}] to "hbm" @res0[%c0_i64 + 98304] run 4096 counts [3, 2] strides [0, 0] to [8192, 4096]
// CHECK: tpu.dma_start "vmem"[{{.*}}] to "hbm" @res0[%c0_i64 + 24576] run 4096 counts [3, 2] strides [0, 0] to [24576, 4096]
// CHECK: tpu.dma_start "vmem"[{{.*}}] to "hbm" @res0[%c0_i64 + 36864] run 4096 counts [3, 2] strides [0, 0] to [24576, 8192]
// CHECK-NOT: tpu.dma_start "vmem"
func.func @main(%x: tensor<3x16x128xf32>) -> tensor<5x24x200xf32> {
  %0 = kernel.fusion "copy"(%x : tensor<3x16x128xf32>) -> tensor<5x24x200xf32> {
  ^bb0(%a: tensor<3x16x128xf32>):
    %zero = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.pad %a, %zero, low = [1, 8, 0], high = [1, 0, 72], interior = [0, 0, 0]
        : (tensor<3x16x128xf32>, tensor<f32>) -> tensor<5x24x200xf32>
    kernel.yield %1 : tensor<5x24x200xf32>
  }
  return %0 : tensor<5x24x200xf32>
}
