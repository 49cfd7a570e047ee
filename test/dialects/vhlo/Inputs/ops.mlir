// One op of each kind of attribute: fields, defaults, booleans, lists.
func.func @main() {
  %x = stablehlo.constant dense<[[1.0, -2.0, 3.0, 0.5], [4.0, 5.0, -6.0, 0.25]]> : tensor<2x4xf32>
  %square = chlo.square %x : tensor<2x4xf32> -> tensor<2x4xf32>
  %mask = stablehlo.constant dense<[[true, false, true, true], [false, false, true, false]]> : tensor<2x4xi1>
  %all = stablehlo.constant dense<true> : tensor<2x4xi1>
  %both = stablehlo.and %mask, %all : tensor<2x4xi1>
  %picked = stablehlo.select %both, %square, %x : tensor<2x4xi1>, tensor<2x4xf32>
  %dot = stablehlo.dot_general %picked, %x, contracting_dims = [1] x [1], precision = [HIGHEST, HIGHEST]
      : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x2xf32>
  %image = stablehlo.reshape %x : (tensor<2x4xf32>) -> tensor<1x2x4x1xf32>
  %kernel = stablehlo.constant dense<1.0> : tensor<2x2x1x1xf32>
  %conv = stablehlo.convolution(%image, %kernel) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
      window = {stride = [1, 2]}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x2x4x1xf32>, tensor<2x2x1x1xf32>)
          -> tensor<1x1x2x1xf32>
  %small = stablehlo.convert %x : (tensor<2x4xf32>) -> tensor<2x4xi8>
  %wide = stablehlo.convert %small : (tensor<2x4xi8>) -> tensor<2x4xi32>
  %index = stablehlo.constant dense<[[1], [0]]> : tensor<2x1xi64>
  %rows = "stablehlo.gather"(%wide, %index) <{dimension_numbers = #stablehlo.gather<offset_dims = [1],
      collapsed_slice_dims = [0],
      start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 4>}>
          : (tensor<2x4xi32>, tensor<2x1xi64>) -> tensor<2x4xi32>
  // [1, -2, 9, 0.25] and [4, 5, 36, 0.25] times the rows of x.
  %want_dot = stablehlo.constant dense<[[32.125, -59.9375], [102.125, -174.9375]]> : tensor<2x2xf32>
  // 1 - 2 + 4 + 5 and 3 + 0.5 - 6 + 0.25.
  %want_conv = stablehlo.constant dense<[[[[8.0], [-2.25]]]]> : tensor<1x1x2x1xf32>
  %want_rows = stablehlo.constant dense<[[4, 5, -6, 0], [1, -2, 3, 0]]> : tensor<2x4xi32>
  stablehlo.custom_call @check.expect_close(%dot, %want_dot) {has_side_effect = true}
      : (tensor<2x2xf32>, tensor<2x2xf32>) -> ()
  stablehlo.custom_call @check.expect_close(%conv, %want_conv) {has_side_effect = true}
      : (tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>) -> ()
  stablehlo.custom_call @check.expect_eq(%rows, %want_rows) {has_side_effect = true}
      : (tensor<2x4xi32>, tensor<2x4xi32>) -> ()
  return
}
