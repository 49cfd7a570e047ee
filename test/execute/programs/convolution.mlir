// As JAX prints it:
//   def convolution(x, w1, w2):
//       x = jax.nn.relu(jax.lax.conv_general_dilated(x, w1, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO",
//       "NHWC"))) x = jax.lax.conv_general_dilated(x, w2, (2, 2), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
//       return jax.lax.reduce_window(x, -jnp.inf, jax.lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")
module @jit_convolution attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x12x12x5xf32>, %arg1: tensor<3x3x5x24xf32>, %arg2: tensor<3x3x24x16xf32>)
      -> (tensor<2x3x3x16xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
        window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false,
        false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64,
        precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}
        : (tensor<2x12x12x5xf32>, tensor<3x3x5x24xf32>) -> tensor<2x12x12x24xf32>
    %1 = call @relu(%0) : (tensor<2x12x12x24xf32>) -> tensor<2x12x12x24xf32>
    %2 = stablehlo.convolution(%1, %arg2) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2,
        2], pad = [[0, 1], [0, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false,
        false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64,
        precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}
        : (tensor<2x12x12x24xf32>, tensor<3x3x24x16xf32>) -> tensor<2x6x6x16xf32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<f32>
    %4 = "stablehlo.reduce_window"(%2, %3) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<0>
        : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 2, 2, 1>,
        window_strides = array<i64: 1, 2, 2, 1>}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %5 = stablehlo.maximum %arg3, %arg4 : tensor<f32>
      stablehlo.return %5 : tensor<f32>
    }) : (tensor<2x6x6x16xf32>, tensor<f32>) -> tensor<2x3x3x16xf32>
    return %4 : tensor<2x3x3x16xf32>
  }
  func.func private @relu(%arg0: tensor<2x12x12x24xf32>) -> tensor<2x12x12x24xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x12x12x24xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<2x12x12x24xf32>
    return %1 : tensor<2x12x12x24xf32>
  }
}
