// RUN: tpuc-opt %s --tpuc-fold-windows --split-input-file | FileCheck %s

// A window's rows become features; rows that no window takes are left out. The last dim stays as it is.
// CHECK-LABEL: func.func @main
// CHECK-SAME: %[[X:.*]]: tensor<2x162x160x3xf32>, %[[W:.*]]: tensor<16x16x3x20xf32>
// CHECK-DAG: %[[F:.*]] = stablehlo.transpose %[[X]], dims = [0, 3, 1, 2] : (tensor<2x162x160x3xf32>) -> tensor<2x3x162x160xf32>
// CHECK-DAG: %[[S:.*]] = stablehlo.slice %[[F]] [0:2, 0:3, 0:160, 0:160]
// CHECK-DAG: %[[R:.*]] = stablehlo.reshape %[[S]] : (tensor<2x3x160x160xf32>) -> tensor<2x3x10x16x160xf32>
// CHECK-DAG: %[[T:.*]] = stablehlo.transpose %[[R]], dims = [0, 2, 1, 3, 4] : (tensor<2x3x10x16x160xf32>) -> tensor<2x10x3x16x160xf32>
// CHECK-DAG: %[[B:.*]] = stablehlo.reshape %[[T]] : (tensor<2x10x3x16x160xf32>) -> tensor<20x48x160xf32>
// CHECK-DAG: %[[I:.*]] = stablehlo.transpose %[[B]], dims = [0, 2, 1]
// CHECK-DAG: %[[V:.*]] = stablehlo.transpose %[[W]], dims = [1, 2, 0, 3] : (tensor<16x16x3x20xf32>) -> tensor<16x3x16x20xf32>
// CHECK-DAG: %[[K:.*]] = stablehlo.reshape %[[V]] : (tensor<16x3x16x20xf32>) -> tensor<16x48x20xf32>
// CHECK: %[[C:.*]] = stablehlo.convolution(%[[I]], %[[K]]) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f]
// CHECK-SAME: stride = [8], pad = {{\[\[}}3, 1]]
// CHECK-SAME: rhs_dilate = [2]
// CHECK: stablehlo.reshape %[[C]] : (tensor<20x17x20xf32>) -> tensor<2x10x17x20xf32>
func.func @main(%x: tensor<2x162x160x3xf32>, %w: tensor<16x16x3x20xf32>) -> tensor<2x10x17x20xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [16, 8],
      pad = [[0, 0], [3, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 2]} {batch_group_count = 1 : i64,
      feature_group_count = 1 : i64} : (tensor<2x162x160x3xf32>, tensor<16x16x3x20xf32>) -> tensor<2x10x17x20xf32>
  return %0 : tensor<2x10x17x20xf32>
}

// -----

// The gradient of such weights: the same image, of 48 features, by a gradient of 20 batches. Its result is the last
// tap, features and rows of the window; it goes back to [row, tap, feature].
// CHECK-LABEL: func.func @gradient
// CHECK: %[[I:.*]] = stablehlo.transpose {{.*}}, dims = [0, 2, 1] : (tensor<20x48x160xf32>) -> tensor<20x160x48xf32>
// CHECK: %[[G:.*]] = stablehlo.reshape %arg1 : (tensor<2x10x10x64xf32>) -> tensor<20x10x64xf32>
// CHECK: stablehlo.convolution(%[[I]], %[[G]]) dim_numbers = [f, 0, b]x[i, 0, o]->[0, b, f]
// CHECK-SAME: rhs_dilate = [16]
// CHECK-SAME: -> tensor<16x48x64xf32>
// CHECK: stablehlo.reshape {{.*}} -> tensor<16x3x16x64xf32>
// CHECK: stablehlo.transpose {{.*}}, dims = [2, 0, 1, 3] : (tensor<16x3x16x64xf32>) -> tensor<16x16x3x64xf32>
func.func @gradient(%x: tensor<2x162x160x3xf32>, %g: tensor<2x10x10x64xf32>) -> tensor<16x16x3x64xf32> {
  %0 = stablehlo.convolution(%x, %g) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {pad = [[0, -2],
      [0, 0]], rhs_dilate = [16, 16]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<2x162x160x3xf32>, tensor<2x10x10x64xf32>) -> tensor<16x16x3x64xf32>
  return %0 : tensor<16x16x3x64xf32>
}

// -----

// Not windows that overlap, features that fill the rows of an array by themselves, or images that take longer to move.
// CHECK-LABEL: func.func @main
// CHECK-COUNT-3: stablehlo.convolution({{.*}}) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]
func.func @main(%x: tensor<8x160x160x3xf32>, %w: tensor<16x16x3x20xf32>, %y: tensor<8x160x160x96xf32>,
    %v: tensor<16x16x96x8xf32>, %z: tensor<2x32x32x3xf32>)
    -> (tensor<8x19x10x20xf32>, tensor<8x10x10x8xf32>, tensor<2x2x2x20xf32>) {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [8,
      16]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<8x160x160x3xf32>, tensor<16x16x3x20xf32>) -> tensor<8x19x10x20xf32>
  %1 = stablehlo.convolution(%y, %v) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [16,
      16]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<8x160x160x96xf32>, tensor<16x16x96x8xf32>) -> tensor<8x10x10x8xf32>
  %2 = stablehlo.convolution(%z, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [16,
      16]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<2x32x32x3xf32>, tensor<16x16x3x20xf32>) -> tensor<2x2x2x20xf32>
  return %0, %1, %2 : tensor<8x19x10x20xf32>, tensor<8x10x10x8xf32>, tensor<2x2x2x20xf32>
}
