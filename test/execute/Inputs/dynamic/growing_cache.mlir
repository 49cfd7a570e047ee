// {"arguments": [["s,4", "f32"], ["2,4", "f32"]], "ranges": {"s": [1, 8]}, "sizes": [{"s": 5}, {"s": 8}], "ints": [0, 5], "exact": [true, false]}
module @jit attributes {jax.uses_shape_polymorphism = true, mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<?x4xf32>, %arg1: tensor<2x4xf32>) -> (tensor<?x4xf32> {jax.result_info = "result[0]"}, tensor<2x4xf32> {jax.result_info = "result[1]"}) {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.get_dimension_size %arg0, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>
    %1 = stablehlo.compare GE, %0, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%1, %0) {api_version = 2 : i32, error_message = "Input shapes do not match the polymorphic shapes specification. Expected value >= 1 for dimension variable 's'. Using the following polymorphic shapes specifications: args[0].shape = (s, 4). Obtained dimension variables: 's' = {0} from specification 's' for dimension args[0].shape[0] (= {0}), . Please see https://docs.jax.dev/en/latest/export/shape_poly.html#shape-assertion-errors for more details.", has_side_effect = true} : (tensor<i1>, tensor<i32>) -> ()
    %2:2 = call @_wrapped_jax_export_main(%0, %arg0, %arg1) : (tensor<i32>, tensor<?x4xf32>, tensor<2x4xf32>) -> (tensor<?x4xf32>, tensor<2x4xf32>)
    return %2#0, %2#1 : tensor<?x4xf32>, tensor<2x4xf32>
  }
  func.func private @_wrapped_jax_export_main(%arg0: tensor<i32> {jax.global_constant = "s"}, %arg1: tensor<?x4xf32>, %arg2: tensor<2x4xf32>) -> (tensor<?x4xf32> {jax.result_info = "result[0]"}, tensor<2x4xf32> {jax.result_info = "result[1]"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %c = stablehlo.constant dense<2> : tensor<1xi32>
    %c_0 = stablehlo.constant dense<2> : tensor<i32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = stablehlo.concatenate %arg1, %arg2, dim = 0 : (tensor<?x4xf32>, tensor<2x4xf32>) -> tensor<?x4xf32>
    %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<?x4xf32>) -> tensor<4x?xf32>
    %2 = stablehlo.dot_general %arg2, %1, contracting_dims = [1] x [0] : (tensor<2x4xf32>, tensor<4x?xf32>) -> tensor<2x?xf32>
    %3 = stablehlo.reduce(%2 init: %cst_1) applies stablehlo.maximum across dimensions = [1] : (tensor<2x?xf32>, tensor<f32>) -> tensor<2xf32>
    %4 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %5 = stablehlo.maximum %4, %3 : tensor<2xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0] : (tensor<2xf32>) -> tensor<2x1xf32>
    %7 = stablehlo.convert %arg0 : tensor<i32>
    %8 = stablehlo.add %7, %c_0 : tensor<i32>
    %9 = stablehlo.reshape %8 : (tensor<i32>) -> tensor<1xi32>
    %10 = stablehlo.concatenate %c, %9, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %11 = stablehlo.dynamic_broadcast_in_dim %6, %10, dims = [0, 1] : (tensor<2x1xf32>, tensor<2xi32>) -> tensor<2x?xf32>
    %12 = stablehlo.subtract %2, %11 : tensor<2x?xf32>
    %13 = stablehlo.exponential %12 : tensor<2x?xf32>
    %14 = stablehlo.reduce(%13 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<2x?xf32>, tensor<f32>) -> tensor<2xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0] : (tensor<2xf32>) -> tensor<2x1xf32>
    %16 = stablehlo.convert %arg0 : tensor<i32>
    %17 = stablehlo.add %16, %c_0 : tensor<i32>
    %18 = stablehlo.reshape %17 : (tensor<i32>) -> tensor<1xi32>
    %19 = stablehlo.concatenate %c, %18, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %20 = stablehlo.dynamic_broadcast_in_dim %15, %19, dims = [0, 1] : (tensor<2x1xf32>, tensor<2xi32>) -> tensor<2x?xf32>
    %21 = stablehlo.divide %13, %20 : tensor<2x?xf32>
    %22 = stablehlo.dot_general %21, %0, contracting_dims = [1] x [0] : (tensor<2x?xf32>, tensor<?x4xf32>) -> tensor<2x4xf32>
    return %0, %22 : tensor<?x4xf32>, tensor<2x4xf32>
  }
}
