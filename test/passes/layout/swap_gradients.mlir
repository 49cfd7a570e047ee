// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tpuc-opt %s --tpuc-swap-gradients=target=v5e --split-input-file | FileCheck %s

// Three quarters of what a window of 64 x 64 positions meets are zeros between the elements of the input. The window is
// the input then, with the input's dilation; the result's features come in the other order.
// CHECK-LABEL: @main
// CHECK: %[[C:.*]] = stablehlo.convolution(%arg1, %arg0) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f]
// CHECK-SAME: {{\[\[}}1, 1], [1, 1]]
// CHECK-SAME: lhs_dilate = [1, 1], rhs_dilate = [2, 2]
// CHECK-SAME: precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision HIGHEST>]
// CHECK: %[[R:.*]] = stablehlo.reverse %[[C]], dims = [0, 1] : tensor<4x4x32x64xbf16>
// CHECK: stablehlo.transpose %[[R]], dims = [0, 1, 3, 2]
func.func @main(%x: tensor<32x32x32x64xbf16>, %dy: tensor<32x64x64x32xbf16>) -> tensor<4x4x64x32xbf16> {
  %0 = stablehlo.convolution(%x, %dy) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f],
      window = {pad = [[2, 2], [2, 2]], lhs_dilate = [2, 2]}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64,
       precision_config = [#stablehlo<precision HIGHEST>, #stablehlo<precision DEFAULT>]}
      : (tensor<32x32x32x64xbf16>, tensor<32x64x64x32xbf16>) -> tensor<4x4x64x32xbf16>
  return %0 : tensor<4x4x64x32xbf16>
}

// -----

// A gradient of a strided convolution's weights has no zeros to lose. A transposed convolution has few positions in its
// window; the rows of one phase meet no zeros.
// CHECK-LABEL: @main
// CHECK-NOT: stablehlo.reverse
func.func @main(%x: tensor<32x64x64x32xbf16>, %dy: tensor<32x32x32x64xbf16>, %w: tensor<4x4x64x32xbf16>)
    -> (tensor<4x4x32x64xbf16>, tensor<32x64x64x32xbf16>) {
  %0 = stablehlo.convolution(%x, %dy) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f],
      window = {pad = [[1, 1], [1, 1]], rhs_dilate = [2, 2]}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<32x64x64x32xbf16>, tensor<32x32x32x64xbf16>) -> tensor<4x4x32x64xbf16>
  %1 = stablehlo.convolution(%dy, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
      window = {pad = [[2, 2], [2, 2]], lhs_dilate = [2, 2]}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<32x32x32x64xbf16>, tensor<4x4x64x32xbf16>) -> tensor<32x64x64x32xbf16>
  return %0, %1 : tensor<4x4x32x64xbf16>, tensor<32x64x64x32xbf16>
}

// -----

// Two images of 4 x 4 lose less time to zeros than weights of 512 x 512 features would lose to being reversed.
// CHECK-LABEL: @main
// CHECK-NOT: stablehlo.reverse
func.func @main(%x: tensor<2x2x2x512xbf16>, %dy: tensor<2x4x4x512xbf16>) -> tensor<3x3x512x512xbf16> {
  %0 = stablehlo.convolution(%x, %dy) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f],
      window = {pad = [[1, 2], [1, 2]], lhs_dilate = [2, 2]}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<2x2x2x512xbf16>, tensor<2x4x4x512xbf16>) -> tensor<3x3x512x512xbf16>
  return %0 : tensor<3x3x512x512xbf16>
}
