// {"arguments": [["s,4", "f32"], ["1,4", "f32"], ["", "i32"]], "ranges": {"s": [1, 8]}, "sizes": [{"s": 5}], "ints": [0, 9], "exact": [true, false]}
module @jit attributes {jax.uses_shape_polymorphism = true, mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<?x4xf32>, %arg1: tensor<1x4xf32>, %arg2: tensor<i32>) -> (tensor<?x4xf32> {jax.result_info = "result[0]"}, tensor<?x4xf32> {jax.result_info = "result[1]"}) {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.get_dimension_size %arg0, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>
    %1 = stablehlo.compare GE, %0, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%1, %0) {api_version = 2 : i32, error_message = "Input shapes do not match the polymorphic shapes specification. Expected value >= 1 for dimension variable 's'. Using the following polymorphic shapes specifications: args[0].shape = (s, 4). Obtained dimension variables: 's' = {0} from specification 's' for dimension args[0].shape[0] (= {0}), . Please see https://docs.jax.dev/en/latest/export/shape_poly.html#shape-assertion-errors for more details.", has_side_effect = true} : (tensor<i1>, tensor<i32>) -> ()
    %2:2 = call @_wrapped_jax_export_main(%0, %arg0, %arg1, %arg2) : (tensor<i32>, tensor<?x4xf32>, tensor<1x4xf32>, tensor<i32>) -> (tensor<?x4xf32>, tensor<?x4xf32>)
    return %2#0, %2#1 : tensor<?x4xf32>, tensor<?x4xf32>
  }
  func.func private @_wrapped_jax_export_main(%arg0: tensor<i32> {jax.global_constant = "s"}, %arg1: tensor<?x4xf32>, %arg2: tensor<1x4xf32>, %arg3: tensor<i32>) -> (tensor<?x4xf32> {jax.result_info = "result[0]"}, tensor<?x4xf32> {jax.result_info = "result[1]"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %c = stablehlo.constant dense<4> : tensor<1xi32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %c_1 = stablehlo.constant dense<1> : tensor<1xi32>
    %c_2 = stablehlo.constant dense<1> : tensor<i32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.convert %arg0 : tensor<i32>
    %1 = stablehlo.compare LT, %arg3, %c_3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %2 = stablehlo.add %arg3, %0 : tensor<i32>
    %3 = stablehlo.select %1, %2, %arg3 : tensor<i1>, tensor<i32>
    %4 = stablehlo.dynamic_update_slice %arg1, %arg2, %3, %c_3 : (tensor<?x4xf32>, tensor<1x4xf32>, tensor<i32>, tensor<i32>) -> tensor<?x4xf32>
    %5 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %6 = stablehlo.dynamic_iota %5, dim = 0 : (tensor<1xi32>) -> tensor<?xi32>
    %7 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %8 = stablehlo.dynamic_broadcast_in_dim %c_2, %7, dims = [] : (tensor<i32>, tensor<1xi32>) -> tensor<?xi32>
    %9 = stablehlo.multiply %8, %6 : tensor<?xi32>
    %10 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %11 = stablehlo.dynamic_broadcast_in_dim %c_3, %10, dims = [] : (tensor<i32>, tensor<1xi32>) -> tensor<?xi32>
    %12 = stablehlo.add %11, %9 : tensor<?xi32>
    %13 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %14 = stablehlo.concatenate %13, %c_1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %15 = stablehlo.dynamic_broadcast_in_dim %12, %14, dims = [0] : (tensor<?xi32>, tensor<2xi32>) -> tensor<?x1xi32>
    %16 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %17 = stablehlo.concatenate %16, %c_1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %18 = stablehlo.dynamic_broadcast_in_dim %arg3, %17, dims = [] : (tensor<i32>, tensor<2xi32>) -> tensor<?x1xi32>
    %19 = stablehlo.compare LE, %15, %18, SIGNED : (tensor<?x1xi32>, tensor<?x1xi32>) -> tensor<?x1xi1>
    %20 = call @_where(%arg0, %19, %4, %cst_0) : (tensor<i32>, tensor<?x1xi1>, tensor<?x4xf32>, tensor<f32>) -> tensor<?x4xf32>
    %21 = stablehlo.reduce(%20 init: %cst_0) applies stablehlo.maximum across dimensions = [0] : (tensor<?x4xf32>, tensor<f32>) -> tensor<4xf32>
    %22 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %23 = stablehlo.maximum %22, %21 : tensor<4xf32>
    %24 = stablehlo.broadcast_in_dim %23, dims = [1] : (tensor<4xf32>) -> tensor<1x4xf32>
    %25 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %26 = stablehlo.concatenate %25, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %27 = stablehlo.dynamic_broadcast_in_dim %24, %26, dims = [0, 1] : (tensor<1x4xf32>, tensor<2xi32>) -> tensor<?x4xf32>
    %28 = stablehlo.subtract %20, %27 : tensor<?x4xf32>
    %29 = stablehlo.exponential %28 : tensor<?x4xf32>
    %30 = stablehlo.reduce(%29 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<?x4xf32>, tensor<f32>) -> tensor<4xf32>
    %31 = stablehlo.broadcast_in_dim %30, dims = [1] : (tensor<4xf32>) -> tensor<1x4xf32>
    %32 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %33 = stablehlo.concatenate %32, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %34 = stablehlo.dynamic_broadcast_in_dim %31, %33, dims = [0, 1] : (tensor<1x4xf32>, tensor<2xi32>) -> tensor<?x4xf32>
    %35 = stablehlo.divide %29, %34 : tensor<?x4xf32>
    return %4, %35 : tensor<?x4xf32>, tensor<?x4xf32>
  }
  func.func private @_where(%arg0: tensor<i32> {jax.global_constant = "s"}, %arg1: tensor<?x1xi1>, %arg2: tensor<?x4xf32>, %arg3: tensor<f32>) -> tensor<?x4xf32> {
    %c = stablehlo.constant dense<4> : tensor<1xi32>
    %0 = stablehlo.convert %arg3 : tensor<f32>
    %1 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %2 = stablehlo.concatenate %1, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %3 = stablehlo.dynamic_broadcast_in_dim %arg1, %2, dims = [0, 1] : (tensor<?x1xi1>, tensor<2xi32>) -> tensor<?x4xi1>
    %4 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %5 = stablehlo.concatenate %4, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %6 = stablehlo.dynamic_broadcast_in_dim %0, %5, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x4xf32>
    %7 = stablehlo.select %3, %arg2, %6 : tensor<?x4xi1>, tensor<?x4xf32>
    return %7 : tensor<?x4xf32>
  }
}
