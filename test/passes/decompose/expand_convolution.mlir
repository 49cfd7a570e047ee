// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tpuc-opt %s --tpuc-expand-convolution | FileCheck %s

// No kernel takes groups of the batch. Each of the window's 9 positions is a slice of 4 features: side by side they are
// 36 of k, and the weights have as many rows. Of the 6 output features each group of the batch makes 3.
// CHECK-LABEL: func.func @main
// CHECK: stablehlo.slice %arg0 [0:2, 0:6, 0:6, 0:4]
// CHECK: stablehlo.slice %arg0 [0:2, 2:8, 2:8, 0:4]
// CHECK: stablehlo.concatenate {{.*}} -> tensor<2x6x6x36xf32>
// CHECK: stablehlo.reshape %arg1 : (tensor<3x3x4x6xf32>) -> tensor<36x6xf32>
// CHECK: stablehlo.dot_general {{.*}}batching_dims = [0] x [1], contracting_dims = [4] x [0] : {{.*}} -> tensor<2x1x6x6x3xf32>
func.func @main(%x: tensor<2x8x8x4xf32>, %w: tensor<3x3x4x6xf32>) -> tensor<1x6x6x6xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {}
      {batch_group_count = 2 : i64, feature_group_count = 1 : i64}
      : (tensor<2x8x8x4xf32>, tensor<3x3x4x6xf32>) -> tensor<1x6x6x6xf32>
  return %0 : tensor<1x6x6x6xf32>
}

// A convolution with a kernel stays.
// CHECK-LABEL: func.func @stays
// CHECK: stablehlo.convolution
func.func @stays(%x: tensor<1x8x8x128xf32>, %w: tensor<3x3x128x128xf32>) -> tensor<1x6x6x128xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<1x8x8x128xf32>, tensor<3x3x128x128xf32>) -> tensor<1x6x6x128xf32>
  return %0 : tensor<1x6x6x128xf32>
}
