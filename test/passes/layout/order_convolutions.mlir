// RUN: tpuc-opt %s --tpuc-order-convolutions --split-input-file | FileCheck %s

// What lies between two convolutions takes their order: vectors of features go along lanes, windows and paddings follow
// their dims.
// CHECK-LABEL: func.func @main
// CHECK: %[[A:.*]] = stablehlo.convolution
// CHECK-NOT: transpose
// CHECK: %[[M:.*]] = stablehlo.broadcast_in_dim %{{.*}}, dims = [3] : (tensor<64xf32>) -> tensor<2x40x40x64xf32>
// CHECK: %[[S:.*]] = stablehlo.subtract %[[A]], %[[M]] : tensor<2x40x40x64xf32>
// CHECK: "stablehlo.reduce_window"(%[[S]]
// CHECK-SAME: padding = dense<{{\[\[}}0, 0], [1, 2], [3, 4], [0, 0]]>
// CHECK-SAME: window_dimensions = array<i64: 1, 3, 5, 1>, window_strides = array<i64: 1, 2, 3, 1>
// CHECK: (tensor<2x40x40x64xf32>, tensor<f32>) -> tensor<2x21x15x64xf32>
// CHECK-NOT: transpose
// CHECK: stablehlo.convolution
func.func @main(%x: tensor<2x42x42x64xf32>, %w: tensor<3x3x64x64xf32>, %m: tensor<64xf32>, %v: tensor<3x3x64x64xf32>)
    -> tensor<2x19x13x64xf32> {
  %init = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1,
      1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<2x42x42x64xf32>, tensor<3x3x64x64xf32>) -> tensor<2x40x40x64xf32>
  %1 = stablehlo.transpose %0, dims = [0, 3, 1, 2] : (tensor<2x40x40x64xf32>) -> tensor<2x64x40x40xf32>
  %2 = stablehlo.broadcast_in_dim %m, dims = [1] : (tensor<64xf32>) -> tensor<2x64x40x40xf32>
  %3 = stablehlo.subtract %1, %2 : tensor<2x64x40x40xf32>
  %4 = "stablehlo.reduce_window"(%3, %init) <{padding = dense<[[0, 0], [0, 0], [1, 2], [3, 4]]>
      : tensor<4x2xi64>, window_dimensions = array<i64: 1, 1, 3, 5>, window_strides = array<i64: 1, 1, 2, 3>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %9 = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %9 : tensor<f32>
  }) : (tensor<2x64x40x40xf32>, tensor<f32>) -> tensor<2x64x21x15xf32>
  %5 = stablehlo.transpose %4, dims = [0, 2, 3, 1] : (tensor<2x64x21x15xf32>) -> tensor<2x21x15x64xf32>
  %6 = stablehlo.convolution(%5, %v) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1,
      1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<2x21x15x64xf32>, tensor<3x3x64x64xf32>) -> tensor<2x19x13x64xf32>
  return %6 : tensor<2x19x13x64xf32>
}

// -----

// Something in between needs its dims as they are, and gets them.
// CHECK-LABEL: func.func @main
// CHECK: %[[A:.*]] = stablehlo.convolution
// CHECK-NEXT: %[[T:.*]] = stablehlo.tanh %[[A]] : tensor<2x40x40x64xf32>
// CHECK-DAG: %[[B:.*]] = stablehlo.transpose %[[T]], dims = [0, 3, 1, 2] : (tensor<2x40x40x64xf32>) -> tensor<2x64x40x40xf32>
// CHECK-DAG: stablehlo.reshape %[[B]] : (tensor<2x64x40x40xf32>) -> tensor<2x102400xf32>
// CHECK-DAG: stablehlo.convolution(%[[T]],
func.func @main(%x: tensor<2x42x42x64xf32>, %w: tensor<3x3x64x64xf32>, %v: tensor<3x3x64x64xf32>)
    -> (tensor<2x102400xf32>, tensor<2x38x38x64xf32>) {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1,
      1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<2x42x42x64xf32>, tensor<3x3x64x64xf32>) -> tensor<2x40x40x64xf32>
  %1 = stablehlo.transpose %0, dims = [0, 3, 1, 2] : (tensor<2x40x40x64xf32>) -> tensor<2x64x40x40xf32>
  %2 = stablehlo.tanh %1 : tensor<2x64x40x40xf32>
  %3 = stablehlo.reshape %2 : (tensor<2x64x40x40xf32>) -> tensor<2x102400xf32>
  %4 = stablehlo.transpose %2, dims = [0, 2, 3, 1] : (tensor<2x64x40x40xf32>) -> tensor<2x40x40x64xf32>
  %5 = stablehlo.convolution(%4, %v) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1,
      1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<2x40x40x64xf32>, tensor<3x3x64x64xf32>) -> tensor<2x38x38x64xf32>
  return %3, %5 : tensor<2x102400xf32>, tensor<2x38x38x64xf32>
}

// -----

// Three features a position would fill 3 of 128 lanes: the argument stays as it is. Weights are given in the kernel's
// order.
// CHECK-LABEL: func.func @main
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<2x3x42x42xf32>, %[[W:[a-z0-9]+]]: tensor<3x3x3x200xf32> {tpuc.order = array<i64: 2, 3, 1, 0>}
// CHECK: %[[T:.*]] = stablehlo.transpose %[[X]], dims = [0, 2, 3, 1]
// CHECK: stablehlo.convolution(%[[T]], %[[W]])
func.func @main(%x: tensor<2x3x42x42xf32>, %w: tensor<200x3x3x3xf32>) -> tensor<2x40x40x200xf32> {
  %0 = stablehlo.transpose %x, dims = [0, 2, 3, 1] : (tensor<2x3x42x42xf32>) -> tensor<2x42x42x3xf32>
  %1 = stablehlo.transpose %w, dims = [2, 3, 1, 0] : (tensor<200x3x3x3xf32>) -> tensor<3x3x3x200xf32>
  %2 = stablehlo.convolution(%0, %1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1,
      1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<2x42x42x3xf32>, tensor<3x3x3x200xf32>) -> tensor<2x40x40x200xf32>
  return %2 : tensor<2x40x40x200xf32>
}

// -----

// A dot's free dims are its result's: what would exchange them is transposed before it.
// CHECK-LABEL: func.func @main
// CHECK: %[[A:.*]] = stablehlo.convolution
// CHECK-NEXT: %[[T:.*]] = stablehlo.tanh %[[A]] : tensor<2x40x40x64xf32>
// CHECK-DAG: %[[B:.*]] = stablehlo.transpose %[[T]], dims = [0, 3, 1, 2] : (tensor<2x40x40x64xf32>) -> tensor<2x64x40x40xf32>
// CHECK-DAG: stablehlo.dot_general %[[B]], %{{.*}}, contracting_dims = [2] x [0] : (tensor<2x64x40x40xf32>, tensor<40xf32>) -> tensor<2x64x40xf32>
// CHECK-DAG: stablehlo.convolution(%[[T]],
func.func @main(%x: tensor<2x42x42x64xf32>, %w: tensor<3x3x64x64xf32>, %v: tensor<3x3x64x64xf32>, %u: tensor<40xf32>)
    -> (tensor<2x64x40xf32>, tensor<2x38x38x64xf32>) {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1,
      1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<2x42x42x64xf32>, tensor<3x3x64x64xf32>) -> tensor<2x40x40x64xf32>
  %1 = stablehlo.transpose %0, dims = [0, 3, 1, 2] : (tensor<2x40x40x64xf32>) -> tensor<2x64x40x40xf32>
  %2 = stablehlo.tanh %1 : tensor<2x64x40x40xf32>
  %3 = stablehlo.dot_general %2, %u, contracting_dims = [2] x [0] : (tensor<2x64x40x40xf32>, tensor<40xf32>)
      -> tensor<2x64x40xf32>
  %4 = stablehlo.transpose %2, dims = [0, 2, 3, 1] : (tensor<2x64x40x40xf32>) -> tensor<2x40x40x64xf32>
  %5 = stablehlo.convolution(%4, %v) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1,
      1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<2x40x40x64xf32>, tensor<3x3x64x64xf32>) -> tensor<2x38x38x64xf32>
  return %3, %5 : tensor<2x64x40xf32>, tensor<2x38x38x64xf32>
}

// -----

// What is transposed to a convolution's order is a constant, of which every user gets its own.
// CHECK-LABEL: func.func @main
// CHECK: stablehlo.convolution
func.func @main(%w: tensor<3x3x64x8xf32>) -> (tensor<2x30x30x8xf32>, tensor<2x64x32x32xf32>) {
  %c = stablehlo.iota dim = 2 : tensor<2x64x32x32xf32>
  %t = stablehlo.transpose %c, dims = [0, 2, 3, 1] : (tensor<2x64x32x32xf32>) -> tensor<2x32x32x64xf32>
  %0 = stablehlo.convolution(%t, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
      window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<2x32x32x64xf32>, tensor<3x3x64x8xf32>) -> tensor<2x30x30x8xf32>
  return %0, %c : tensor<2x30x30x8xf32>, tensor<2x64x32x32xf32>
}
