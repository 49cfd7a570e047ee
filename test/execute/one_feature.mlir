// Convolutions to one feature of a group: a result whose dim of features goes away, and integers, which are summed by a
// kernel that has what it contracts along the lanes of one array and outermost in the other.
// RUN: tpuc run %s
// RUN: tpuc run %s --constants=arrays
func.func @main() -> (tensor<2x8x8xf32>, tensor<3x4xf32>, tensor<1x1x1x2xi32>) {
  %x = stablehlo.iota dim = 3 : tensor<2x8x8x64xf32>
  %ones = stablehlo.constant dense<1.0> : tensor<1x1x64x1xf32>
  %0 = stablehlo.convolution(%x, %ones) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1,
      1], pad = [[0, 0], [0, 0]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<2x8x8x64xf32>, tensor<1x1x64x1xf32>) -> tensor<2x8x8x1xf32>
  %1 = stablehlo.reshape %0 : (tensor<2x8x8x1xf32>) -> tensor<2x8x8xf32>
  check.expect_eq_const %1, dense<2016.0> : tensor<2x8x8xf32>
  %y = stablehlo.iota dim = 0 : tensor<3x4x1x1xf32>
  %three = stablehlo.constant dense<3.0> : tensor<1x1x1x1xf32>
  %2 = stablehlo.convolution(%y, %three) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1,
      1], pad = [[0, 0], [0, 0]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<3x4x1x1xf32>, tensor<1x1x1x1xf32>) -> tensor<3x4x1x1xf32>
  %3 = stablehlo.reshape %2 : (tensor<3x4x1x1xf32>) -> tensor<3x4xf32>
  check.expect_eq_const %3, dense<[[0.0, 0.0, 0.0, 0.0], [3.0, 3.0, 3.0, 3.0], [6.0, 6.0, 6.0, 6.0]]> : tensor<3x4xf32>
  %i = stablehlo.iota dim = 2 : tensor<2x4x4x1xi32>
  %w = stablehlo.iota dim = 1 : tensor<4x4x1x2xi32>
  %4 = stablehlo.convolution(%i, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1],
      pad = [[0, 0], [0, 0]]} {batch_group_count = 2 : i64, feature_group_count = 1 : i64}
      : (tensor<2x4x4x1xi32>, tensor<4x4x1x2xi32>) -> tensor<1x1x1x2xi32>
  check.expect_eq_const %4, dense<56> : tensor<1x1x1x2xi32>
  return %1, %3, %4 : tensor<2x8x8xf32>, tensor<3x4xf32>, tensor<1x1x1x2xi32>
}
