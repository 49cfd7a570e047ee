// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tpuc-opt %s --pass-pipeline='builtin.module(func.func(tpuc-fuse-kernels),tpuc-plan-kernels{target=v5e})' \
// RUN:   --split-input-file | FileCheck %s

// Products of matrices, a batch of them along lanes: 3 rows and 3 groups of 8 columns take 6 loads for 9 products.
// CHECK: kernel.fusion "loop"
// CHECK-SAME: jam = [3, 1, 3, 1]
func.func @main(%a: tensor<6x16x128xf32>, %b: tensor<16x24x128xf32>) -> tensor<6x24x128xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %a, dims = [0, 1, 3] : (tensor<6x16x128xf32>) -> tensor<6x16x24x128xf32>
  %1 = stablehlo.broadcast_in_dim %b, dims = [1, 2, 3] : (tensor<16x24x128xf32>) -> tensor<6x16x24x128xf32>
  %2 = stablehlo.multiply %0, %1 : tensor<6x16x24x128xf32>
  %3 = stablehlo.reduce(%2 init: %z) applies stablehlo.add across dimensions = [1]
      : (tensor<6x16x24x128xf32>, tensor<f32>) -> tensor<6x24x128xf32>
  return %3 : tensor<6x24x128xf32>
}

// -----

// A loop of 16 turns begins once for 16 sums.
// CHECK: kernel.fusion "loop"
// CHECK-SAME: jam = [1, 8, 2]
func.func @main(%x: tensor<16x64x256xf32>) -> tensor<64x256xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [0]
      : (tensor<16x64x256xf32>, tensor<f32>) -> tensor<64x256xf32>
  return %0 : tensor<64x256xf32>
}

// -----

// What is computed first would be code for each of them.
// CHECK: kernel.fusion "loop"
// CHECK-NOT: jam
func.func @main(%x: tensor<16x64x256xf32>) -> tensor<64x256xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %e = stablehlo.exponential %x : tensor<16x64x256xf32>
  %0 = stablehlo.reduce(%e init: %z) applies stablehlo.add across dimensions = [0]
      : (tensor<16x64x256xf32>, tensor<f32>) -> tensor<64x256xf32>
  return %0 : tensor<64x256xf32>
}

// -----

// Both arrays are cut along the batch, which is the outermost loop then: no step waits for one whole.
// CHECK: kernel.fusion "loop"
// CHECK-SAME: grid [parallel d3 = 4096 by 256, parallel d0 = 16 by 16, parallel d2 = 16 by 16, sequential d1 = 16 by 16]
func.func @main(%a: tensor<16x16x4096xf32>, %b: tensor<16x16x4096xf32>) -> tensor<16x16x4096xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %a, dims = [0, 1, 3] : (tensor<16x16x4096xf32>) -> tensor<16x16x16x4096xf32>
  %1 = stablehlo.broadcast_in_dim %b, dims = [1, 2, 3] : (tensor<16x16x4096xf32>) -> tensor<16x16x16x4096xf32>
  %2 = stablehlo.multiply %0, %1 : tensor<16x16x16x4096xf32>
  %3 = stablehlo.reduce(%2 init: %z) applies stablehlo.add across dimensions = [1]
      : (tensor<16x16x16x4096xf32>, tensor<f32>) -> tensor<16x16x4096xf32>
  return %3 : tensor<16x16x4096xf32>
}
