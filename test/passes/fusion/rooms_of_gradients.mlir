// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tpuc-opt %s --pass-pipeline='builtin.module(func.func(tpuc-fuse-kernels{target=v5p}, \
// RUN:   tpuc-merge-kernels{target=v5p}),tpuc-plan-kernels{target=v5p})' | FileCheck %s

// Of the gradient of 9x9 taps the smallest block has 128 by 128 features: 81 * 128 = 10,368 words in each of two slots.
// Three results and three arrays that they read would take 124,416 of v5p's 114,688 words. Without the third result and
// what only that reads they fit.
// CHECK: kernel.fusion "conv"
// CHECK-SAME: -> tensor<9x9x256x256xf32>, tensor<9x9x256x256xf32> attributes
// CHECK-SAME: of 114688
// CHECK: kernel.fusion "loop"
// CHECK: return
func.func @main(%x: tensor<1x20x20x64x256xf32>, %g: tensor<1x6x6x64x256xf32>, %m: tensor<9x9x256x256xf32>,
                %v: tensor<9x9x256x256xf32>, %w: tensor<9x9x256x256xf32>)
    -> (tensor<9x9x256x256xf32>, tensor<9x9x256x256xf32>, tensor<9x9x256x256xf32>) {
  %0 = stablehlo.convolution(%x, %g) dim_numbers = [f, 0, 1, 2, b]x[i, 0, 1, 2, o]->[0, 1, 2, b, f], window = {
      stride = [1, 1, 1], pad = [[0, -1], [0, -1], [0, 0]], lhs_dilate = [1, 1, 1], rhs_dilate = [2, 2, 1],
      reverse = [false, false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<1x20x20x64x256xf32>, tensor<1x6x6x64x256xf32>) -> tensor<9x9x1x256x256xf32>
  %1 = stablehlo.reshape %0 : (tensor<9x9x1x256x256xf32>) -> tensor<9x9x256x256xf32>
  %2 = stablehlo.add %1, %m : tensor<9x9x256x256xf32>
  %3 = stablehlo.multiply %1, %1 : tensor<9x9x256x256xf32>
  %4 = stablehlo.add %3, %v : tensor<9x9x256x256xf32>
  %5 = stablehlo.sqrt %4 : tensor<9x9x256x256xf32>
  %6 = stablehlo.divide %2, %5 : tensor<9x9x256x256xf32>
  %7 = stablehlo.add %w, %6 : tensor<9x9x256x256xf32>
  return %2, %4, %7 : tensor<9x9x256x256xf32>, tensor<9x9x256x256xf32>, tensor<9x9x256x256xf32>
}
