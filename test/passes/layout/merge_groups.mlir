// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tpuc-opt --tpuc-merge-groups --split-input-file %s | FileCheck %s
// RUN: tpuc-opt --tpuc-merge-groups=target=v6e --split-input-file %s | FileCheck %s --check-prefix=WIDE
// Groups side by side are one whose weights are zero between them.

// CHECK-LABEL: @merged
// CHECK: %[[ROWS:.*]] = stablehlo.concatenate %arg1, %arg1, dim = 2 : (tensor<3x3x4x12xf32>, tensor<3x3x4x12xf32>) -> tensor<3x3x8x12xf32>
// CHECK: %[[OUT:.*]] = stablehlo.iota dim = 3
// CHECK: %[[BY_OUT:.*]] = stablehlo.divide %[[OUT]], %{{.*}}
// CHECK: %[[IN:.*]] = stablehlo.iota dim = 2
// CHECK: %[[BY_IN:.*]] = stablehlo.divide %[[IN]], %{{.*}}
// CHECK: %[[SAME:.*]] = stablehlo.compare EQ, %[[BY_IN]], %[[BY_OUT]]
// CHECK: %[[DENSE:.*]] = stablehlo.select %[[SAME]], %[[ROWS]], %{{.*}}
// CHECK: stablehlo.convolution(%arg0, %[[DENSE]])
// CHECK-SAME: feature_group_count = 1
func.func @merged(%x: tensor<1x9x9x8xf32>, %w: tensor<3x3x4x12xf32>) -> tensor<1x7x7x12xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1,
      1]} {batch_group_count = 1 : i64, feature_group_count = 2 : i64} : (tensor<1x9x9x8xf32>, tensor<3x3x4x12xf32>)
      -> tensor<1x7x7x12xf32>
  return %0 : tensor<1x7x7x12xf32>
}

// -----

// 1024 features in groups of 32: dense weights are 8 x 8 tiles of 128, of which 8 are not zero. 16 x 14 x 14 positions
// x 9 x 64 are 1.8 M rows of the arrays. 8 parts have an eighth, and their copies 25 MB. Arrays of 256 have 4 parts.
// CHECK-LABEL: @parts
// CHECK: stablehlo.slice %arg0 [0:16, 0:14, 0:14, 0:128]
// CHECK: stablehlo.slice %arg1 [0:3, 0:3, 0:32, 0:128]
// CHECK-COUNT-8: stablehlo.convolution
// CHECK: stablehlo.concatenate %{{.*}}, dim = 3 : ({{.*}}) -> tensor<16x14x14x1024xbf16>
// WIDE-LABEL: @parts
// WIDE: stablehlo.slice %arg0 [0:16, 0:14, 0:14, 0:256]
// WIDE-COUNT-4: stablehlo.convolution
func.func @parts(%x: tensor<16x14x14x1024xbf16>, %w: tensor<3x3x32x1024xbf16>) -> tensor<16x14x14x1024xbf16> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1],
      [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 32 : i64} : (tensor<16x14x14x1024xbf16>,
      tensor<3x3x32x1024xbf16>) -> tensor<16x14x14x1024xbf16>
  return %0 : tensor<16x14x14x1024xbf16>
}

// -----

// The gradient of such weights: of 8 x 12 results for a tap the 4 x 6 within each of two groups are taken.
// CHECK-LABEL: @gradient
// CHECK: %[[ALL:.*]] = stablehlo.convolution(%arg0, %arg1)
// CHECK-SAME: batch_group_count = 1
// CHECK-SAME: -> tensor<3x3x8x12xf32>
// CHECK: %[[OWN:.*]] = stablehlo.select %{{.*}}, %[[ALL]], %{{.*}}
// CHECK: %[[SPLIT:.*]] = stablehlo.reshape %[[OWN]] : (tensor<3x3x8x12xf32>) -> tensor<3x3x2x4x12xf32>
// CHECK: stablehlo.reduce(%[[SPLIT]] init: %{{.*}}) applies stablehlo.add across dimensions = [2]
func.func @gradient(%x: tensor<2x9x9x8xf32>, %dy: tensor<2x7x7x12xf32>) -> tensor<3x3x4x12xf32> {
  %0 = stablehlo.convolution(%x, %dy) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {}
      {batch_group_count = 2 : i64, feature_group_count = 1 : i64} : (tensor<2x9x9x8xf32>, tensor<2x7x7x12xf32>) ->
      tensor<3x3x4x12xf32>
  return %0 : tensor<3x3x4x12xf32>
}

// -----

// Groups of one feature have kernels: windows, and the gradients of their weights. f64 has a matmul of each group.
// CHECK-LABEL: @kept
// CHECK: feature_group_count = 8
// CHECK: batch_group_count = 8
// CHECK: feature_group_count = 2
func.func @kept(%x: tensor<2x9x9x8xf32>, %w: tensor<3x3x1x8xf32>, %d: tensor<2x9x9x8xf64>,
                %v: tensor<3x3x4x12xf64>) -> (tensor<2x7x7x8xf32>, tensor<3x3x1x8xf32>, tensor<2x7x7x12xf64>) {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {}
      {batch_group_count = 1 : i64, feature_group_count = 8 : i64} : (tensor<2x9x9x8xf32>, tensor<3x3x1x8xf32>) ->
      tensor<2x7x7x8xf32>
  %1 = stablehlo.convolution(%x, %0) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {}
      {batch_group_count = 8 : i64, feature_group_count = 1 : i64} : (tensor<2x9x9x8xf32>, tensor<2x7x7x8xf32>) ->
      tensor<3x3x1x8xf32>
  %2 = stablehlo.convolution(%d, %v) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {}
      {batch_group_count = 1 : i64, feature_group_count = 2 : i64} : (tensor<2x9x9x8xf64>, tensor<3x3x4x12xf64>) ->
      tensor<2x7x7x12xf64>
  return %0, %1, %2 : tensor<2x7x7x8xf32>, tensor<3x3x1x8xf32>, tensor<2x7x7x12xf64>
}
