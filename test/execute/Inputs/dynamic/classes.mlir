// {"arguments": [["b", "i32"], ["b,6", "f32"]], "ranges": {"b": [1, 8]}, "sizes": [{"b": 3}, {"b": 7}], "ints": [0, 5], "exact": [true, false, true, false, true]}
module @jit attributes {jax.uses_shape_polymorphism = true, mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<?xi32>, %arg1: tensor<?x6xf32>) -> (tensor<?x6xf32> {jax.result_info = "result[0]"}, tensor<f32> {jax.result_info = "result[1]"}, tensor<?x1xf32> {jax.result_info = "result[2]"}, tensor<6x6xf32> {jax.result_info = "result[3]"}, tensor<6xi32> {jax.result_info = "result[4]"}) {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.get_dimension_size %arg0, dim = 0 : (tensor<?xi32>) -> tensor<i32>
    %1 = stablehlo.get_dimension_size %arg1, dim = 0 : (tensor<?x6xf32>) -> tensor<i32>
    %2 = stablehlo.compare GE, %0, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%2, %0) {api_version = 2 : i32, error_message = "Input shapes do not match the polymorphic shapes specification. Expected value >= 1 for dimension variable 'b'. Using the following polymorphic shapes specifications: args[0].shape = (b,),args[1].shape = (b, 6). Obtained dimension variables: 'b' = {0} from specification 'b' for dimension args[0].shape[0] (= {0}), . Please see https://docs.jax.dev/en/latest/export/shape_poly.html#shape-assertion-errors for more details.", has_side_effect = true} : (tensor<i1>, tensor<i32>) -> ()
    %3 = stablehlo.compare EQ, %1, %0, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%3, %1, %0) {api_version = 2 : i32, error_message = "Input shapes do not match the polymorphic shapes specification. Found inconsistency between dimension size args[1].shape[0] (= {0}) and the specification 'b' (= {1}). Using the following polymorphic shapes specifications: args[0].shape = (b,),args[1].shape = (b, 6). Obtained dimension variables: 'b' = {1} from specification 'b' for dimension args[0].shape[0] (= {1}), . Please see https://docs.jax.dev/en/latest/export/shape_poly.html#shape-assertion-errors for more details.", has_side_effect = true} : (tensor<i1>, tensor<i32>, tensor<i32>) -> ()
    %4:5 = call @_wrapped_jax_export_main(%0, %arg0, %arg1) : (tensor<i32>, tensor<?xi32>, tensor<?x6xf32>) -> (tensor<?x6xf32>, tensor<f32>, tensor<?x1xf32>, tensor<6x6xf32>, tensor<6xi32>)
    return %4#0, %4#1, %4#2, %4#3, %4#4 : tensor<?x6xf32>, tensor<f32>, tensor<?x1xf32>, tensor<6x6xf32>, tensor<6xi32>
  }
  func.func private @_wrapped_jax_export_main(%arg0: tensor<i32> {jax.global_constant = "b"}, %arg1: tensor<?xi32>, %arg2: tensor<?x6xf32>) -> (tensor<?x6xf32> {jax.result_info = "result[0]"}, tensor<f32> {jax.result_info = "result[1]"}, tensor<?x1xf32> {jax.result_info = "result[2]"}, tensor<6x6xf32> {jax.result_info = "result[3]"}, tensor<6xi32> {jax.result_info = "result[4]"}) {
    %c = stablehlo.constant dense<6> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<1> : tensor<1xi32>
    %c_2 = stablehlo.constant dense<1> : tensor<i32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = call @log_softmax(%arg0, %arg2) : (tensor<i32>, tensor<?x6xf32>) -> tensor<?x6xf32>
    %1 = call @_one_hot(%arg0, %arg1) : (tensor<i32>, tensor<?xi32>) -> tensor<?x6xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<?x6xf32>
    %3 = stablehlo.reduce(%2 init: %cst) applies stablehlo.add across dimensions = [0, 1] : (tensor<?x6xf32>, tensor<f32>) -> tensor<f32>
    %4 = stablehlo.negate %3 : tensor<f32>
    %5 = stablehlo.convert %arg0 : (tensor<i32>) -> tensor<f32>
    %6 = stablehlo.divide %4, %5 : tensor<f32>
    %7 = call @_one_hot(%arg0, %arg1) : (tensor<i32>, tensor<?xi32>) -> tensor<?x6xf32>
    %8 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %9 = stablehlo.concatenate %8, %c_1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %10 = stablehlo.dynamic_broadcast_in_dim %arg1, %9, dims = [0] : (tensor<?xi32>, tensor<2xi32>) -> tensor<?x1xi32>
    %11 = call @take_along_axis(%arg0, %arg2, %10) : (tensor<i32>, tensor<?x6xf32>, tensor<?x1xi32>) -> tensor<?x1xf32>
    %12 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<6x6xf32>
    %13 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %14 = stablehlo.concatenate %13, %c_1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %15 = stablehlo.dynamic_broadcast_in_dim %arg1, %14, dims = [0] : (tensor<?xi32>, tensor<2xi32>) -> tensor<?x1xi32>
    %16 = "stablehlo.scatter"(%12, %15, %arg2) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %32 = stablehlo.add %arg3, %arg4 : tensor<f32>
      stablehlo.return %32 : tensor<f32>
    }) : (tensor<6x6xf32>, tensor<?x1xi32>, tensor<?x6xf32>) -> tensor<6x6xf32>
    %17 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %18 = call @clip(%arg0, %arg1, %c_0) : (tensor<i32>, tensor<?xi32>, tensor<i32>) -> tensor<?xi32>
    %19 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %20 = stablehlo.dynamic_broadcast_in_dim %c_0, %19, dims = [] : (tensor<i32>, tensor<1xi32>) -> tensor<?xi32>
    %21 = stablehlo.compare LT, %18, %20, SIGNED : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi1>
    %22 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %23 = stablehlo.dynamic_broadcast_in_dim %c, %22, dims = [] : (tensor<i32>, tensor<1xi32>) -> tensor<?xi32>
    %24 = stablehlo.add %18, %23 : tensor<?xi32>
    %25 = stablehlo.select %21, %24, %18 : tensor<?xi1>, tensor<?xi32>
    %26 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %27 = stablehlo.concatenate %26, %c_1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %28 = stablehlo.dynamic_broadcast_in_dim %25, %27, dims = [0] : (tensor<?xi32>, tensor<2xi32>) -> tensor<?x1xi32>
    %29 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %30 = stablehlo.dynamic_broadcast_in_dim %c_2, %29, dims = [] : (tensor<i32>, tensor<1xi32>) -> tensor<?xi32>
    %31 = "stablehlo.scatter"(%17, %28, %30) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
    ^bb0(%arg3: tensor<i32>, %arg4: tensor<i32>):
      %32 = stablehlo.add %arg3, %arg4 : tensor<i32>
      stablehlo.return %32 : tensor<i32>
    }) : (tensor<6xi32>, tensor<?x1xi32>, tensor<?xi32>) -> tensor<6xi32>
    return %7, %6, %11, %16, %31 : tensor<?x6xf32>, tensor<f32>, tensor<?x1xf32>, tensor<6x6xf32>, tensor<6xi32>
  }
  func.func private @log_softmax(%arg0: tensor<i32> {jax.global_constant = "b"}, %arg1: tensor<?x6xf32>) -> tensor<?x6xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %c = stablehlo.constant dense<6> : tensor<1xi32>
    %c_0 = stablehlo.constant dense<1> : tensor<1xi32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = stablehlo.reduce(%arg1 init: %cst_1) applies stablehlo.maximum across dimensions = [1] : (tensor<?x6xf32>, tensor<f32>) -> tensor<?xf32>
    %1 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %2 = stablehlo.dynamic_broadcast_in_dim %cst_1, %1, dims = [] : (tensor<f32>, tensor<1xi32>) -> tensor<?xf32>
    %3 = stablehlo.maximum %2, %0 : tensor<?xf32>
    %4 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %5 = stablehlo.concatenate %4, %c_0, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %6 = stablehlo.dynamic_broadcast_in_dim %3, %5, dims = [0] : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x1xf32>
    %7 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %8 = stablehlo.concatenate %7, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %9 = stablehlo.dynamic_broadcast_in_dim %6, %8, dims = [0, 1] : (tensor<?x1xf32>, tensor<2xi32>) -> tensor<?x6xf32>
    %10 = stablehlo.subtract %arg1, %9 : tensor<?x6xf32>
    %11 = stablehlo.exponential %10 : tensor<?x6xf32>
    %12 = stablehlo.reduce(%11 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<?x6xf32>, tensor<f32>) -> tensor<?xf32>
    %13 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %14 = stablehlo.concatenate %13, %c_0, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %15 = stablehlo.dynamic_broadcast_in_dim %12, %14, dims = [0] : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x1xf32>
    %16 = stablehlo.log %15 : tensor<?x1xf32>
    %17 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %18 = stablehlo.concatenate %17, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %19 = stablehlo.dynamic_broadcast_in_dim %16, %18, dims = [0, 1] : (tensor<?x1xf32>, tensor<2xi32>) -> tensor<?x6xf32>
    %20 = stablehlo.subtract %10, %19 : tensor<?x6xf32>
    return %20 : tensor<?x6xf32>
  }
  func.func private @_one_hot(%arg0: tensor<i32> {jax.global_constant = "b"}, %arg1: tensor<?xi32>) -> tensor<?x6xf32> {
    %c = stablehlo.constant dense<6> : tensor<1xi32>
    %c_0 = stablehlo.constant dense<1> : tensor<1xi32>
    %0 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %1 = stablehlo.concatenate %0, %c_0, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %2 = stablehlo.dynamic_broadcast_in_dim %arg1, %1, dims = [0] : (tensor<?xi32>, tensor<2xi32>) -> tensor<?x1xi32>
    %3 = stablehlo.iota dim = 1 : tensor<1x6xi32>
    %4 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %5 = stablehlo.concatenate %4, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %6 = stablehlo.dynamic_broadcast_in_dim %2, %5, dims = [0, 1] : (tensor<?x1xi32>, tensor<2xi32>) -> tensor<?x6xi32>
    %7 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %8 = stablehlo.concatenate %7, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %9 = stablehlo.dynamic_broadcast_in_dim %3, %8, dims = [0, 1] : (tensor<1x6xi32>, tensor<2xi32>) -> tensor<?x6xi32>
    %10 = stablehlo.compare EQ, %6, %9, SIGNED : (tensor<?x6xi32>, tensor<?x6xi32>) -> tensor<?x6xi1>
    %11 = stablehlo.convert %10 : (tensor<?x6xi1>) -> tensor<?x6xf32>
    return %11 : tensor<?x6xf32>
  }
  func.func private @take_along_axis(%arg0: tensor<i32> {jax.global_constant = "b"}, %arg1: tensor<?x6xf32>, %arg2: tensor<?x1xi32>) -> tensor<?x1xf32> {
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %c = stablehlo.constant dense<true> : tensor<i1>
    %c_0 = stablehlo.constant dense<2> : tensor<i32>
    %c_1 = stablehlo.constant dense<false> : tensor<1xi1>
    %c_2 = stablehlo.constant dense<6> : tensor<i32>
    %c_3 = stablehlo.constant dense<1> : tensor<1xi32>
    %c_4 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %1 = stablehlo.concatenate %0, %c_3, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %2 = stablehlo.dynamic_broadcast_in_dim %c_4, %1, dims = [] : (tensor<i32>, tensor<2xi32>) -> tensor<?x1xi32>
    %3 = stablehlo.compare LT, %arg2, %2, SIGNED : (tensor<?x1xi32>, tensor<?x1xi32>) -> tensor<?x1xi1>
    %4 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %5 = stablehlo.concatenate %4, %c_3, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %6 = stablehlo.dynamic_broadcast_in_dim %c_2, %5, dims = [] : (tensor<i32>, tensor<2xi32>) -> tensor<?x1xi32>
    %7 = stablehlo.add %arg2, %6 : tensor<?x1xi32>
    %8 = stablehlo.select %3, %7, %arg2 : tensor<?x1xi1>, tensor<?x1xi32>
    %9 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %10 = stablehlo.concatenate %9, %c_3, %c_3, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %11 = stablehlo.dynamic_reshape %8, %10 : (tensor<?x1xi32>, tensor<3xi32>) -> tensor<?x1x1xi32>
    %12 = stablehlo.convert %arg0 : tensor<i32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %14 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %15 = stablehlo.concatenate %13, %14, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %16 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %17 = stablehlo.add %c_3, %16 : tensor<1xi32>
    %18 = stablehlo.select %c_1, %17, %c_3 : tensor<1xi1>, tensor<1xi32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [0] : (tensor<1xi32>) -> tensor<1x1xi32>
    %20 = "stablehlo.gather"(%15, %19) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>}> : (tensor<2xi32>, tensor<1x1xi32>) -> tensor<1xi32>
    %21 = stablehlo.subtract %20, %c_3 : tensor<1xi32>
    %22 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %23 = stablehlo.concatenate %22, %c_3, %c_3, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %24 = stablehlo.dynamic_broadcast_in_dim %c_4, %23, dims = [] : (tensor<i32>, tensor<3xi32>) -> tensor<?x1x1xi32>
    %25 = stablehlo.compare GE, %11, %24, SIGNED : (tensor<?x1x1xi32>, tensor<?x1x1xi32>) -> tensor<?x1x1xi1>
    %26 = stablehlo.broadcast_in_dim %21, dims = [2] : (tensor<1xi32>) -> tensor<1x1x1xi32>
    %27 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %28 = stablehlo.concatenate %27, %c_3, %c_3, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %29 = stablehlo.dynamic_broadcast_in_dim %26, %28, dims = [0, 1, 2] : (tensor<1x1x1xi32>, tensor<3xi32>) -> tensor<?x1x1xi32>
    %30 = stablehlo.compare LE, %11, %29, SIGNED : (tensor<?x1x1xi32>, tensor<?x1x1xi32>) -> tensor<?x1x1xi1>
    %31 = stablehlo.and %25, %30 : tensor<?x1x1xi1>
    %32 = stablehlo.reduce(%31 init: %c) applies stablehlo.and across dimensions = [2] : (tensor<?x1x1xi1>, tensor<i1>) -> tensor<?x1xi1>
    %33 = "stablehlo.gather"(%arg1, %11) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1>}> : (tensor<?x6xf32>, tensor<?x1x1xi32>) -> tensor<?x1xf32>
    %34 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %35 = stablehlo.concatenate %34, %c_3, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %36 = stablehlo.dynamic_broadcast_in_dim %cst, %35, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x1xf32>
    %37 = stablehlo.select %32, %33, %36 : tensor<?x1xi1>, tensor<?x1xf32>
    return %37 : tensor<?x1xf32>
  }
  func.func private @clip(%arg0: tensor<i32> {jax.global_constant = "b"}, %arg1: tensor<?xi32>, %arg2: tensor<i32>) -> tensor<?xi32> {
    %0 = stablehlo.convert %arg2 : tensor<i32>
    %1 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %2 = stablehlo.dynamic_broadcast_in_dim %0, %1, dims = [] : (tensor<i32>, tensor<1xi32>) -> tensor<?xi32>
    %3 = stablehlo.maximum %2, %arg1 : tensor<?xi32>
    return %3 : tensor<?xi32>
  }
}
