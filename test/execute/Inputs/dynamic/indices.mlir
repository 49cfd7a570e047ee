// {"arguments": [["n,4", "f32"], ["b", "i32"]], "ranges": {"n": [1, 8], "b": [1, 6]}, "sizes": [{"n": 5, "b": 4}, {"n": 2, "b": 6}], "ints": [-3, 9], "exact": [true, true, true, true]}
module @jit attributes {jax.uses_shape_polymorphism = true, mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<?x4xf32>, %arg1: tensor<?xi32>) -> (tensor<?x4xf32> {jax.result_info = "result[0]"}, tensor<?x4xf32> {jax.result_info = "result[1]"}, tensor<?x4xf32> {jax.result_info = "result[2]"}, tensor<?x4xf32> {jax.result_info = "result[3]"}) {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.get_dimension_size %arg0, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>
    %1 = stablehlo.get_dimension_size %arg1, dim = 0 : (tensor<?xi32>) -> tensor<i32>
    %2 = stablehlo.compare GE, %0, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%2, %0) {api_version = 2 : i32, error_message = "Input shapes do not match the polymorphic shapes specification. Expected value >= 1 for dimension variable 'n'. Using the following polymorphic shapes specifications: args[0].shape = (n, 4),args[1].shape = (b,). Obtained dimension variables: 'n' = {0} from specification 'n' for dimension args[0].shape[0] (= {0}), . Please see https://docs.jax.dev/en/latest/export/shape_poly.html#shape-assertion-errors for more details.", has_side_effect = true} : (tensor<i1>, tensor<i32>) -> ()
    %3 = stablehlo.compare GE, %1, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%3, %0, %1) {api_version = 2 : i32, error_message = "Input shapes do not match the polymorphic shapes specification. Expected value >= 1 for dimension variable 'b'. Using the following polymorphic shapes specifications: args[0].shape = (n, 4),args[1].shape = (b,). Obtained dimension variables: 'n' = {0} from specification 'n' for dimension args[0].shape[0] (= {0}), 'b' = {1} from specification 'b' for dimension args[1].shape[0] (= {1}), . Please see https://docs.jax.dev/en/latest/export/shape_poly.html#shape-assertion-errors for more details.", has_side_effect = true} : (tensor<i1>, tensor<i32>, tensor<i32>) -> ()
    %4:4 = call @_wrapped_jax_export_main(%1, %0, %arg0, %arg1) : (tensor<i32>, tensor<i32>, tensor<?x4xf32>, tensor<?xi32>) -> (tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4xf32>)
    return %4#0, %4#1, %4#2, %4#3 : tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4xf32>
  }
  func.func private @_wrapped_jax_export_main(%arg0: tensor<i32> {jax.global_constant = "b"}, %arg1: tensor<i32> {jax.global_constant = "n"}, %arg2: tensor<?x4xf32>, %arg3: tensor<?xi32>) -> (tensor<?x4xf32> {jax.result_info = "result[0]"}, tensor<?x4xf32> {jax.result_info = "result[1]"}, tensor<?x4xf32> {jax.result_info = "result[2]"}, tensor<?x4xf32> {jax.result_info = "result[3]"}) {
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %c = stablehlo.constant dense<4> : tensor<1xi32>
    %c_0 = stablehlo.constant dense<4> : tensor<i32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %c_2 = stablehlo.constant dense<1> : tensor<1xi32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.convert %arg1 : tensor<i32>
    %1 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %2 = stablehlo.dynamic_broadcast_in_dim %c_3, %1, dims = [] : (tensor<i32>, tensor<1xi32>) -> tensor<?xi32>
    %3 = stablehlo.compare LT, %arg3, %2, SIGNED : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi1>
    %4 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %5 = stablehlo.dynamic_broadcast_in_dim %0, %4, dims = [] : (tensor<i32>, tensor<1xi32>) -> tensor<?xi32>
    %6 = stablehlo.add %arg3, %5 : tensor<?xi32>
    %7 = stablehlo.select %3, %6, %arg3 : tensor<?xi1>, tensor<?xi32>
    %8 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %9 = stablehlo.concatenate %8, %c_2, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %10 = stablehlo.dynamic_broadcast_in_dim %7, %9, dims = [0] : (tensor<?xi32>, tensor<2xi32>) -> tensor<?x1xi32>
    %11 = "stablehlo.gather"(%arg2, %10) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 4>}> : (tensor<?x4xf32>, tensor<?x1xi32>) -> tensor<?x4xf32>
    %12 = stablehlo.convert %arg1 : tensor<i32>
    %13 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %14 = stablehlo.dynamic_broadcast_in_dim %c_3, %13, dims = [] : (tensor<i32>, tensor<1xi32>) -> tensor<?xi32>
    %15 = stablehlo.compare LT, %arg3, %14, SIGNED : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi1>
    %16 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %17 = stablehlo.dynamic_broadcast_in_dim %12, %16, dims = [] : (tensor<i32>, tensor<1xi32>) -> tensor<?xi32>
    %18 = stablehlo.add %arg3, %17 : tensor<?xi32>
    %19 = stablehlo.select %15, %18, %arg3 : tensor<?xi1>, tensor<?xi32>
    %20 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %21 = stablehlo.concatenate %20, %c_2, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %22 = stablehlo.dynamic_broadcast_in_dim %19, %21, dims = [0] : (tensor<?xi32>, tensor<2xi32>) -> tensor<?x1xi32>
    %23 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %24 = stablehlo.concatenate %23, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %25 = stablehlo.dynamic_broadcast_in_dim %cst_1, %24, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x4xf32>
    %26 = "stablehlo.scatter"(%arg2, %22, %25) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
    ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
      %54 = stablehlo.add %arg4, %arg5 : tensor<f32>
      stablehlo.return %54 : tensor<f32>
    }) : (tensor<?x4xf32>, tensor<?x1xi32>, tensor<?x4xf32>) -> tensor<?x4xf32>
    %27 = stablehlo.convert %arg1 : tensor<i32>
    %28 = stablehlo.compare LT, %c_3, %c_3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %29 = stablehlo.add %c_3, %27 : tensor<i32>
    %30 = stablehlo.select %28, %29, %c_3 : tensor<i1>, tensor<i32>
    %31 = stablehlo.compare LT, %c_3, %c_3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %32 = stablehlo.add %c_3, %c_0 : tensor<i32>
    %33 = stablehlo.select %31, %32, %c_3 : tensor<i1>, tensor<i32>
    %34 = stablehlo.dynamic_slice %arg2, %30, %33, sizes = [1, 4] : (tensor<?x4xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4xf32>
    %35 = stablehlo.reshape %34 : (tensor<1x4xf32>) -> tensor<4xf32>
    %36 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %37 = stablehlo.multiply %35, %36 : tensor<4xf32>
    %38 = stablehlo.convert %arg1 : tensor<i32>
    %39 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %40 = stablehlo.dynamic_broadcast_in_dim %c_3, %39, dims = [] : (tensor<i32>, tensor<1xi32>) -> tensor<?xi32>
    %41 = stablehlo.compare LT, %arg3, %40, SIGNED : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi1>
    %42 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %43 = stablehlo.dynamic_broadcast_in_dim %38, %42, dims = [] : (tensor<i32>, tensor<1xi32>) -> tensor<?xi32>
    %44 = stablehlo.add %arg3, %43 : tensor<?xi32>
    %45 = stablehlo.select %41, %44, %arg3 : tensor<?xi1>, tensor<?xi32>
    %46 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %47 = stablehlo.concatenate %46, %c_2, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %48 = stablehlo.dynamic_broadcast_in_dim %45, %47, dims = [0] : (tensor<?xi32>, tensor<2xi32>) -> tensor<?x1xi32>
    %49 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %50 = stablehlo.concatenate %49, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %51 = stablehlo.dynamic_broadcast_in_dim %37, %50, dims = [1] : (tensor<4xf32>, tensor<2xi32>) -> tensor<?x4xf32>
    %52 = "stablehlo.scatter"(%arg2, %48, %51) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
    ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
      stablehlo.return %arg5 : tensor<f32>
    }) : (tensor<?x4xf32>, tensor<?x1xi32>, tensor<?x4xf32>) -> tensor<?x4xf32>
    %53 = call @_take(%arg0, %arg1, %arg2, %arg3) : (tensor<i32>, tensor<i32>, tensor<?x4xf32>, tensor<?xi32>) -> tensor<?x4xf32>
    return %11, %26, %52, %53 : tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4xf32>
  }
  func.func private @_take(%arg0: tensor<i32> {jax.global_constant = "b"}, %arg1: tensor<i32> {jax.global_constant = "n"}, %arg2: tensor<?x4xf32>, %arg3: tensor<?xi32>) -> tensor<?x4xf32> {
    %c = stablehlo.constant dense<1> : tensor<1xi32>
    %0 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %1 = stablehlo.concatenate %0, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %2 = stablehlo.dynamic_broadcast_in_dim %arg3, %1, dims = [0] : (tensor<?xi32>, tensor<2xi32>) -> tensor<?x1xi32>
    %3 = "stablehlo.gather"(%arg2, %2) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 4>}> : (tensor<?x4xf32>, tensor<?x1xi32>) -> tensor<?x4xf32>
    return %3 : tensor<?x4xf32>
  }
}
