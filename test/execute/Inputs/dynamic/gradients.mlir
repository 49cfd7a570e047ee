// {"arguments": [["b,4", "f32"], ["4,5", "f32"]], "ranges": {"b": [1, 8]}, "sizes": [{"b": 5}, {"b": 8}], "ints": [0, 5], "exact": [false, false]}
module @jit attributes {jax.uses_shape_polymorphism = true, mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<?x4xf32>, %arg1: tensor<4x5xf32>) -> (tensor<4x5xf32> {jax.result_info = "result[0]"}, tensor<?x4xf32> {jax.result_info = "result[1]"}) {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.get_dimension_size %arg0, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>
    %1 = stablehlo.compare GE, %0, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%1, %0) {api_version = 2 : i32, error_message = "Input shapes do not match the polymorphic shapes specification. Expected value >= 1 for dimension variable 'b'. Using the following polymorphic shapes specifications: args[0].shape = (b, 4). Obtained dimension variables: 'b' = {0} from specification 'b' for dimension args[0].shape[0] (= {0}), . Please see https://docs.jax.dev/en/latest/export/shape_poly.html#shape-assertion-errors for more details.", has_side_effect = true} : (tensor<i1>, tensor<i32>) -> ()
    %2:2 = call @_wrapped_jax_export_main(%0, %arg0, %arg1) : (tensor<i32>, tensor<?x4xf32>, tensor<4x5xf32>) -> (tensor<4x5xf32>, tensor<?x4xf32>)
    return %2#0, %2#1 : tensor<4x5xf32>, tensor<?x4xf32>
  }
  func.func private @_wrapped_jax_export_main(%arg0: tensor<i32> {jax.global_constant = "b"}, %arg1: tensor<?x4xf32>, %arg2: tensor<4x5xf32>) -> (tensor<4x5xf32> {jax.result_info = "result[0]"}, tensor<?x4xf32> {jax.result_info = "result[1]"}) {
    %c = stablehlo.constant dense<4> : tensor<1xi32>
    %c_0 = stablehlo.constant dense<4> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %cst_2 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %c_3 = stablehlo.constant dense<5> : tensor<1xi32>
    %c_4 = stablehlo.constant dense<5> : tensor<i32>
    %cst_5 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %0 = stablehlo.dot_general %arg1, %arg2, contracting_dims = [1] x [0] : (tensor<?x4xf32>, tensor<4x5xf32>) -> tensor<?x5xf32>
    %1 = stablehlo.tanh %0 : tensor<?x5xf32>
    %2 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %3 = stablehlo.concatenate %2, %c_3, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %4 = stablehlo.dynamic_broadcast_in_dim %cst_5, %3, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x5xf32>
    %5 = stablehlo.subtract %4, %1 : tensor<?x5xf32>
    %6 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %7 = stablehlo.concatenate %6, %c_3, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %8 = stablehlo.dynamic_broadcast_in_dim %cst_2, %7, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x5xf32>
    %9 = stablehlo.multiply %8, %1 : tensor<?x5xf32>
    %10 = stablehlo.convert %arg0 : tensor<i32>
    %11 = stablehlo.multiply %10, %c_4 : tensor<i32>
    %12 = stablehlo.convert %11 : (tensor<i32>) -> tensor<f32>
    %13 = stablehlo.divide %cst_5, %12 : tensor<f32>
    %14 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %15 = stablehlo.concatenate %14, %c_3, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %16 = stablehlo.dynamic_broadcast_in_dim %13, %15, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x5xf32>
    %17 = stablehlo.multiply %16, %9 : tensor<?x5xf32>
    %18 = stablehlo.multiply %17, %5 : tensor<?x5xf32>
    %19 = stablehlo.multiply %18, %1 : tensor<?x5xf32>
    %20 = stablehlo.add %18, %19 : tensor<?x5xf32>
    %21 = stablehlo.dot_general %20, %arg1, contracting_dims = [0] x [0] : (tensor<?x5xf32>, tensor<?x4xf32>) -> tensor<5x4xf32>
    %22 = stablehlo.transpose %21, dims = [1, 0] : (tensor<5x4xf32>) -> tensor<4x5xf32>
    %23:2 = call @sort(%arg0, %arg1) : (tensor<i32>, tensor<?x4xf32>) -> (tensor<?x4xf32>, tensor<?x4x1xui32>)
    %24 = stablehlo.convert %arg0 : tensor<i32>
    %25 = stablehlo.compare LT, %c_1, %c_1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %26 = stablehlo.add %c_1, %24 : tensor<i32>
    %27 = stablehlo.select %25, %26, %c_1 : tensor<i1>, tensor<i32>
    %28 = stablehlo.compare LT, %c_1, %c_1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %29 = stablehlo.add %c_1, %c_0 : tensor<i32>
    %30 = stablehlo.select %28, %29, %c_1 : tensor<i1>, tensor<i32>
    %31 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %32 = stablehlo.broadcast_in_dim %31, dims = [1] : (tensor<4xf32>) -> tensor<1x4xf32>
    %33 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %34 = stablehlo.concatenate %33, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %35 = stablehlo.dynamic_broadcast_in_dim %cst, %34, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x4xf32>
    %36 = stablehlo.dynamic_update_slice %35, %32, %27, %30 : (tensor<?x4xf32>, tensor<1x4xf32>, tensor<i32>, tensor<i32>) -> tensor<?x4xf32>
    %37 = call @sort_0(%arg0, %23#1, %36) : (tensor<i32>, tensor<?x4x1xui32>, tensor<?x4xf32>) -> tensor<?x4xf32>
    return %22, %37 : tensor<4x5xf32>, tensor<?x4xf32>
  }
  func.func private @sort(%arg0: tensor<i32> {jax.global_constant = "b"}, %arg1: tensor<?x4xf32>) -> (tensor<?x4xf32>, tensor<?x4x1xui32>) {
    %c = stablehlo.constant dense<1> : tensor<1xi32>
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %c_1 = stablehlo.constant dense<4> : tensor<1xi32>
    %0 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %1 = stablehlo.concatenate %0, %c_1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %2 = stablehlo.dynamic_iota %1, dim = 0 : (tensor<2xi32>) -> tensor<?x4xui32>
    %3:2 = "stablehlo.sort"(%arg1, %2) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>, %arg4: tensor<ui32>, %arg5: tensor<ui32>):
      %7 = stablehlo.compare EQ, %arg2, %cst_0, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %8 = stablehlo.select %7, %cst_0, %arg2 : tensor<i1>, tensor<f32>
      %9 = stablehlo.compare NE, %arg2, %arg2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %10 = stablehlo.select %9, %cst, %8 : tensor<i1>, tensor<f32>
      %11 = stablehlo.compare EQ, %arg3, %cst_0, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %12 = stablehlo.select %11, %cst_0, %arg3 : tensor<i1>, tensor<f32>
      %13 = stablehlo.compare NE, %arg3, %arg3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %14 = stablehlo.select %13, %cst, %12 : tensor<i1>, tensor<f32>
      %15 = stablehlo.compare LT, %10, %14, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %15 : tensor<i1>
    }) : (tensor<?x4xf32>, tensor<?x4xui32>) -> (tensor<?x4xf32>, tensor<?x4xui32>)
    %4 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %5 = stablehlo.concatenate %4, %c_1, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %6 = stablehlo.dynamic_broadcast_in_dim %3#1, %5, dims = [0, 1] : (tensor<?x4xui32>, tensor<3xi32>) -> tensor<?x4x1xui32>
    return %3#0, %6 : tensor<?x4xf32>, tensor<?x4x1xui32>
  }
  func.func private @sort_0(%arg0: tensor<i32> {jax.global_constant = "b"}, %arg1: tensor<?x4x1xui32>, %arg2: tensor<?x4xf32>) -> tensor<?x4xf32> {
    %c = stablehlo.constant dense<4> : tensor<1xi32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %1 = stablehlo.concatenate %0, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %2 = stablehlo.dynamic_broadcast_in_dim %cst, %1, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x4xf32>
    %3 = "stablehlo.scatter"(%2, %arg1, %arg2) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], input_batching_dims = [1], scatter_indices_batching_dims = [1], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %4 = stablehlo.add %arg3, %arg4 : tensor<f32>
      stablehlo.return %4 : tensor<f32>
    }) : (tensor<?x4xf32>, tensor<?x4x1xui32>, tensor<?x4xf32>) -> tensor<?x4xf32>
    return %3 : tensor<?x4xf32>
  }
}
