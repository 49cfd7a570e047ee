// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tpuc-opt %s --tpuc-plan-kernels=target=v5e --tpuc-verify-plan --split-input-file | FileCheck %s

// Blocks are halved until there are 16 steps. Sums of rows are not taken apart for that: 8 steps of 8 x 128 x 512, 4096
// words of 512 bytes, are enough.
// CHECK-LABEL: @main
// CHECK: grid [parallel d0 = 2 by 1, parallel d1 = 8 by 8, parallel d2 = 512 by 128, sequential d3 = 512 by 512],
func.func @main(%x: tensor<2x8x512x512xf32>) -> tensor<2x8x512xf32> {
  %0 = kernel.fusion "loop"(%x : tensor<2x8x512x512xf32>) -> tensor<2x8x512xf32> {
  ^bb0(%a: tensor<2x8x512x512xf32>):
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %1 = stablehlo.reduce(%a init: %zero) applies stablehlo.add across dimensions = [3]
        : (tensor<2x8x512x512xf32>, tensor<f32>) -> tensor<2x8x512xf32>
    kernel.yield %1 : tensor<2x8x512xf32>
  }
  return %0 : tensor<2x8x512xf32>
}

// -----

// A sum of everything has no other steps: its dims are cut.
// CHECK-LABEL: @main
// CHECK: grid [{{.*}}sequential d0 = 4096 by 256
func.func @main(%x: tensor<4096x1024xf32>) -> tensor<f32> {
  %0 = kernel.fusion "loop"(%x : tensor<4096x1024xf32>) -> tensor<f32> {
  ^bb0(%a: tensor<4096x1024xf32>):
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %1 = stablehlo.reduce(%a init: %zero) applies stablehlo.add across dimensions = [0, 1]
        : (tensor<4096x1024xf32>, tensor<f32>) -> tensor<f32>
    kernel.yield %1 : tensor<f32>
  }
  return %0 : tensor<f32>
}

// -----

// Sums along lanes come in 128s: steps of 128 of 197 are 256, a third more than there are. 8 steps are enough.
// CHECK-LABEL: @main
// CHECK: grid [parallel d0 = 8 by 1, parallel d1 = 12 by 12, parallel d2 = 197 by 197, sequential d3 = 197 by 197],
func.func @main(%x: tensor<8x12x197x197xf32>) -> tensor<8x12x197xf32> {
  %0 = kernel.fusion "loop"(%x : tensor<8x12x197x197xf32>) -> tensor<8x12x197xf32> {
  ^bb0(%a: tensor<8x12x197x197xf32>):
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %1 = stablehlo.reduce(%a init: %zero) applies stablehlo.add across dimensions = [3]
        : (tensor<8x12x197x197xf32>, tensor<f32>) -> tensor<8x12x197xf32>
    kernel.yield %1 : tensor<8x12x197xf32>
  }
  return %0 : tensor<8x12x197xf32>
}
