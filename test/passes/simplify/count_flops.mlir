// RUN: tpuc-opt %s --tpuc-count-flops --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s

// 2 * 4 * 8 * 16 = 1024, in each of 5 iterations; of int8, 2 * 4 * 8 * 4 = 256.
// CHECK-LABEL: @loop
// CHECK: stablehlo.dot_general %{{.*}}, %{{.*}}, contracting_dims = [1] x [0] {{.*}} loc(fused<{flops = 5.120000e+03 : f64, product = 0 : i64}>
// CHECK: stablehlo.dot_general {{.*}} loc(fused<{flops = 2.560000e+02 : f64, int8, product = 1 : i64}>
// CHECK: stablehlo.add {{.*}} loc("
func.func @loop(%x: tensor<4x16xf32>, %w: tensor<16x8xf32>, %a: tensor<4x4xi8>, %b: tensor<4x8xi8>)
    -> (tensor<4x8xf32>, tensor<4x8xi32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %five = stablehlo.constant dense<5> : tensor<i32>
  %init = stablehlo.constant dense<0.0> : tensor<4x8xf32>
  %0:2 = stablehlo.while(%i = %zero, %s = %init) : tensor<i32>, tensor<4x8xf32>
    cond {
      %1 = stablehlo.compare LT, %i, %five : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %1 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<4x16xf32>, tensor<16x8xf32>)
          -> tensor<4x8xf32>
      %2 = stablehlo.add %s, %1 : tensor<4x8xf32>
      %3 = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %3, %2 : tensor<i32>, tensor<4x8xf32>
    }
  %8 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<4x4xi8>, tensor<4x8xi8>) -> tensor<4x8xi32>
  %9 = stablehlo.add %8, %8 : tensor<4x8xi32>
  return %0#1, %9 : tensor<4x8xf32>, tensor<4x8xi32>
}

// Windows of 3 over 8, padded by 1: 22 of 24 pairs along each dim meet the image. 32 groups of 2 features: 2 * 22 * 22
// * 64 * 2 = 123904.
// CHECK-LABEL: @grouped
// CHECK: flops = 1.239040e+05 : f64
func.func @grouped(%x: tensor<1x8x8x64xf32>, %w: tensor<3x3x2x64xf32>) -> tensor<1x8x8x64xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1,
      1]]}
    {batch_group_count = 1 : i64, feature_group_count = 32 : i64} : (tensor<1x8x8x64xf32>, tensor<3x3x2x64xf32>)
        -> tensor<1x8x8x64xf32>
  return %0 : tensor<1x8x8x64xf32>
}

// The gradient of a stride of 2: of 4 dilated to 7, padded by 1, windows of 3 meet 4 elements with the middle and 3
// with each end: 10. 2 * 10 * 5 * 6 = 600.
// CHECK-LABEL: @dilated
// CHECK: flops = 6.000000e+02 : f64
func.func @dilated(%x: tensor<1x4x5xf32>, %w: tensor<3x5x6xf32>) -> tensor<1x7x6xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[1, 1]],
      lhs_dilate = [2]}
    {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x5xf32>, tensor<3x5x6xf32>)
        -> tensor<1x7x6xf32>
  return %0 : tensor<1x7x6xf32>
}

// Each of 64 rows meets one of 8 groups: 2 * 64 * 16 * 32.
// CHECK-LABEL: @ragged
// CHECK: flops = 6.553600e+04 : f64
func.func @ragged(%x: tensor<64x16xf32>, %w: tensor<8x16x32xf32>, %sizes: tensor<8xi32>) -> tensor<64x32xf32> {
  %0 = "chlo.ragged_dot"(%x, %w, %sizes) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [],
      rhs_batching_dimensions = [],
    lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0],
        rhs_group_dimensions = [0]>}
    : (tensor<64x16xf32>, tensor<8x16x32xf32>, tensor<8xi32>) -> tensor<64x32xf32>
  return %0 : tensor<64x32xf32>
}
