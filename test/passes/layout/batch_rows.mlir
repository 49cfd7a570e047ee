// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tpuc-opt %s --tpuc-batch-rows --split-input-file | FileCheck %s
// Convolutions whose images fill few of the 16 rows of a bf16 tile, and whose batch fills them.

// 7 pixels of 16. The window's reversal and padding stay, and the images have a window of one.
// CHECK-LABEL: @forward
// CHECK: %[[X:.*]] = stablehlo.transpose %{{.*}}, dims = [0, 2, 3, 1, 4] : (tensor<1x64x7x7x256xbf16>) -> tensor<1x7x7x64x256xbf16>
// CHECK: stablehlo.reshape %arg1 : (tensor<3x3x256x512xbf16>) -> tensor<3x3x1x256x512xbf16>
// CHECK: stablehlo.convolution(%[[X]], %{{.*}}) dim_numbers = [b, 0, 1, 2, f]x[0, 1, 2, i, o]->[b, 0, 1, 2, f]
// CHECK-SAME: pad = {{\[\[}}1, 1], [1, 1], [0, 0]]
// CHECK-SAME: reverse = [true, false, false]
// CHECK: stablehlo.transpose %{{.*}}, dims = [0, 3, 1, 2, 4] : (tensor<1x7x7x64x512xbf16>) -> tensor<1x64x7x7x512xbf16>
func.func @forward(%x: tensor<64x7x7x256xbf16>, %w: tensor<3x3x256x512xbf16>) -> tensor<64x7x7x512xbf16> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
      window = {pad = [[1, 1], [1, 1]], reverse = [true, false]}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<64x7x7x256xbf16>, tensor<3x3x256x512xbf16>) -> tensor<64x7x7x512xbf16>
  return %0 : tensor<64x7x7x512xbf16>
}

// -----

// Of a gradient the images are summed over: a window of all of them.
// CHECK-LABEL: @gradient
// CHECK: stablehlo.convolution(%{{.*}}, %{{.*}}) dim_numbers = [f, 0, 1, 2, b]x[i, 0, 1, 2, o]->[0, 1, 2, b, f]
// CHECK-SAME: (tensor<1x4x4x128x256xbf16>, tensor<1x4x4x128x256xbf16>) -> tensor<3x3x1x256x256xbf16>
func.func @gradient(%x: tensor<128x4x4x256xbf16>, %y: tensor<128x4x4x256xbf16>) -> tensor<3x3x256x256xbf16> {
  %0 = stablehlo.convolution(%x, %y) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f],
      window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<128x4x4x256xbf16>, tensor<128x4x4x256xbf16>) -> tensor<3x3x256x256xbf16>
  return %0 : tensor<3x3x256x256xbf16>
}

// -----

// 15 pixels fill a tile as they are; few images would not; and where only the result is narrow, the input would be
// transposed for it alone.
// CHECK-LABEL: @stay
// CHECK-NOT: stablehlo.transpose
func.func @stay(%x: tensor<64x15x15x256xbf16>, %y: tensor<4x7x7x256xbf16>, %w: tensor<3x3x256x256xbf16>)
    -> (tensor<64x15x15x256xbf16>, tensor<4x7x7x256xbf16>, tensor<64x8x8x256xbf16>) {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
      window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<64x15x15x256xbf16>, tensor<3x3x256x256xbf16>) -> tensor<64x15x15x256xbf16>
  %1 = stablehlo.convolution(%y, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
      window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<4x7x7x256xbf16>, tensor<3x3x256x256xbf16>) -> tensor<4x7x7x256xbf16>
  %2 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
      window = {stride = [2, 2], pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<64x15x15x256xbf16>, tensor<3x3x256x256xbf16>) -> tensor<64x8x8x256xbf16>
  return %0, %1, %2 : tensor<64x15x15x256xbf16>, tensor<4x7x7x256xbf16>, tensor<64x8x8x256xbf16>
}

// -----

// 28 pixels of 32 rows, of 64 images two tiles. 56 of 64 are of a wide image.
// CHECK-LABEL: @wide
// CHECK: stablehlo.convolution{{.*}} (tensor<1x28x28x64x128xbf16>, tensor<3x3x1x128x128xbf16>) -> tensor<1x28x28x64x128xbf16>
// CHECK: stablehlo.convolution{{.*}} (tensor<64x56x56x128xbf16>, tensor<3x3x128x128xbf16>) -> tensor<64x56x56x128xbf16>
func.func @wide(%x: tensor<64x28x28x128xbf16>, %y: tensor<64x56x56x128xbf16>, %w: tensor<3x3x128x128xbf16>)
    -> (tensor<64x28x28x128xbf16>, tensor<64x56x56x128xbf16>) {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
      window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<64x28x28x128xbf16>, tensor<3x3x128x128xbf16>) -> tensor<64x28x28x128xbf16>
  %1 = stablehlo.convolution(%y, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
      window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<64x56x56x128xbf16>, tensor<3x3x128x128xbf16>) -> tensor<64x56x56x128xbf16>
  return %0, %1 : tensor<64x28x28x128xbf16>, tensor<64x56x56x128xbf16>
}

// -----

// 14 pixels of 16 rows, of 64 images whole tiles: an eighth. Three taps of 32 features are 96 of 128 lanes, pushed as
// one: the images would be an axis without taps.
// CHECK-LABEL: @folded
// CHECK-NOT: stablehlo.transpose
// CHECK: return
func.func @folded(%x: tensor<64x14x14x32xbf16>, %y: tensor<64x14x14x128xbf16>, %w: tensor<3x3x32x128xbf16>)
    -> (tensor<64x14x14x128xbf16>, tensor<3x3x32x128xbf16>) {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
      window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<64x14x14x32xbf16>, tensor<3x3x32x128xbf16>) -> tensor<64x14x14x128xbf16>
  %1 = stablehlo.convolution(%x, %y) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f],
      window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<64x14x14x32xbf16>, tensor<64x14x14x128xbf16>) -> tensor<3x3x32x128xbf16>
  return %0, %1 : tensor<64x14x14x128xbf16>, tensor<3x3x32x128xbf16>
}
