// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tpuc-opt %s --tpuc-plan-kernels=target=v5p --tpuc-verify-plan --split-input-file | FileCheck %s
// RUN: tpuc-opt %s --tpuc-plan-kernels=target=v5e --split-input-file | FileCheck %s --check-prefix=ONE

// Sums over both of the other dims have 16 batches under their tiles. As one step they would be one core's work: there
// is a tile of 8 for each of two cores. One core alone has all 16 in a step.
// CHECK-LABEL: @main(%arg0: tensor<16x512x512xf32>)
// CHECK: grid [parallel d0 = 16 by 8,
// CHECK-SAME: cuts_tiles
// ONE: grid [parallel d0 = 16 by 16,
func.func @main(%x: tensor<16x512x512xf32>) -> (tensor<16x512xf32>, tensor<16x512xf32>) {
  %0:2 = kernel.fusion "loop"(%x : tensor<16x512x512xf32>) -> tensor<16x512xf32>, tensor<16x512xf32> {
  ^bb0(%a: tensor<16x512x512xf32>):
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %1 = stablehlo.reduce(%a init: %zero) applies stablehlo.add across dimensions = [2]
        : (tensor<16x512x512xf32>, tensor<f32>) -> tensor<16x512xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<16x512xf32>) -> tensor<16x512x512xf32>
    %3 = stablehlo.subtract %a, %2 : tensor<16x512x512xf32>
    %4 = stablehlo.reduce(%3 init: %zero) applies stablehlo.add across dimensions = [1]
        : (tensor<16x512x512xf32>, tensor<f32>) -> tensor<16x512xf32>
    kernel.yield %1, %4 : tensor<16x512xf32>, tensor<16x512xf32>
  }
  return %0#0, %0#1 : tensor<16x512xf32>, tensor<16x512xf32>
}

// -----

// Little work is soon done: 16 batches of 64 by 128 are 1 MiB.
// CHECK-LABEL: @main(%arg0: tensor<16x64x128xf32>)
// CHECK: grid [parallel d0 = 16 by 16,
func.func @main(%x: tensor<16x64x128xf32>) -> (tensor<16x64xf32>, tensor<16x128xf32>) {
  %0:2 = kernel.fusion "loop"(%x : tensor<16x64x128xf32>) -> tensor<16x64xf32>, tensor<16x128xf32> {
  ^bb0(%a: tensor<16x64x128xf32>):
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %1 = stablehlo.reduce(%a init: %zero) applies stablehlo.add across dimensions = [2]
        : (tensor<16x64x128xf32>, tensor<f32>) -> tensor<16x64xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<16x64xf32>) -> tensor<16x64x128xf32>
    %3 = stablehlo.subtract %a, %2 : tensor<16x64x128xf32>
    %4 = stablehlo.reduce(%3 init: %zero) applies stablehlo.add across dimensions = [1]
        : (tensor<16x64x128xf32>, tensor<f32>) -> tensor<16x128xf32>
    kernel.yield %1, %4 : tensor<16x64xf32>, tensor<16x128xf32>
  }
  return %0#0, %0#1 : tensor<16x64xf32>, tensor<16x128xf32>
}
