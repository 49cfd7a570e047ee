// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tpuc-opt %s --tpuc-plan-kernels=target=v5e --tpuc-verify-plan | FileCheck %s
// RUN: tpuc-opt %s --tpuc-plan-kernels=target=v6e --tpuc-verify-plan | FileCheck %s --check-prefix=WIDE

// What convolutions and windows make stays in VMEM like what matmuls make. 8 x 16 images' rows of 16 positions, 64
// lanes of a column tile: 8 * 16 * 16 = 2048 words. A step of the window takes them where they lie. So does one of the
// second convolution, which copies them to rows between padding; its weights are fetched while the window runs. v6e's
// arrays are 256 columns wide: there is room for two column tiles, as a step may store both.
// CHECK: kernel.fusion "conv"
// CHECK-SAME: tensor<8x16x16x64xf32> at 0 words 2048 rows 16 tiles 1 strides[16, 256, 16]
// CHECK-SAME: writes {{\[\[}}4, 16, 16, 64] (d0, d1, d2, d3, d4) -> (d0, d1, d3, d4) in vmem]
// CHECK: kernel.fusion "window"
// CHECK-SAME: tensor<8x8x8x64xf32> at 2048 words 512 rows 8 tiles 1 strides[8, 64, 8]
// CHECK-SAME: reads {{\[\[}}8, 16, 16, 64] (d0, d1, d2, d3) -> (d0, d1, 0, d3) in vmem]
// CHECK-SAME: writes {{\[\[}}8, 8, 8, 64] (d0, d1, d2, d3) -> (d0, d1, d2, d3) in vmem]
// CHECK: kernel.fusion "conv"
// CHECK-SAME: reads {{\[\[}}8, 8, 8, 64] (d0, d1, d2, d3, d4) -> (d0, d1, 0, d2) in vmem,
// CHECK-SAME: [3, 3, 64, 64] (d0, d1, d2, d3, d4) -> (0, 0, d2, d4) in vmem]
// WIDE: kernel.fusion "conv"
// WIDE-SAME: tensor<8x16x16x64xf32> at 0 words 4096 rows 16 tiles 2
func.func @main(%x: tensor<8x16x16x32xf32>, %k: tensor<3x3x32x64xf32>, %w: tensor<3x3x64x64xf32>)
    -> tensor<8x8x8x64xf32> {
  %0 = kernel.fusion "conv"(%x, %k : tensor<8x16x16x32xf32>, tensor<3x3x32x64xf32>) -> tensor<8x16x16x64xf32> {
  ^bb0(%a: tensor<8x16x16x32xf32>, %b: tensor<3x3x32x64xf32>):
    %3 = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
        window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
        : (tensor<8x16x16x32xf32>, tensor<3x3x32x64xf32>) -> tensor<8x16x16x64xf32>
    kernel.yield %3 : tensor<8x16x16x64xf32>
  }
  %1 = kernel.fusion "window"(%0 : tensor<8x16x16x64xf32>) -> tensor<8x8x8x64xf32> {
  ^bb0(%a: tensor<8x16x16x64xf32>):
    %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %3 = "stablehlo.reduce_window"(%a, %least) <{window_dimensions = array<i64: 1, 2, 2, 1>,
        window_strides = array<i64: 1, 2, 2, 1>}> ({
    ^bb0(%b: tensor<f32>, %c: tensor<f32>):
      %4 = stablehlo.maximum %b, %c : tensor<f32>
      stablehlo.return %4 : tensor<f32>
    }) : (tensor<8x16x16x64xf32>, tensor<f32>) -> tensor<8x8x8x64xf32>
    kernel.yield %3 : tensor<8x8x8x64xf32>
  }
  %2 = kernel.fusion "conv"(%1, %w : tensor<8x8x8x64xf32>, tensor<3x3x64x64xf32>) -> tensor<8x8x8x64xf32> {
  ^bb0(%a: tensor<8x8x8x64xf32>, %b: tensor<3x3x64x64xf32>):
    %3 = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
        window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
        : (tensor<8x8x8x64xf32>, tensor<3x3x64x64xf32>) -> tensor<8x8x8x64xf32>
    kernel.yield %3 : tensor<8x8x8x64xf32>
  }
  return %2 : tensor<8x8x8x64xf32>
}
