// {"arguments": [["b,s,4", "f32"], ["4,4", "f32"]], "ranges": {"b": [1, 4], "s": [2, 8]}, "sizes": [{"b": 3, "s": 5}, {"b": 4, "s": 2}], "ints": [0, 5], "exact": [false, false, false]}
module @jit attributes {jax.uses_shape_polymorphism = true, mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<?x?x4xf32>, %arg1: tensor<4x4xf32>) -> (tensor<?x4xf32> {jax.result_info = "result[0][0]"}, tensor<?x?xf32> {jax.result_info = "result[0][1]"}, tensor<f32> {jax.result_info = "result[1]"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<-2> : tensor<i32>
    %c_1 = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.get_dimension_size %arg0, dim = 0 : (tensor<?x?x4xf32>) -> tensor<i32>
    %1 = stablehlo.get_dimension_size %arg0, dim = 1 : (tensor<?x?x4xf32>) -> tensor<i32>
    %2 = stablehlo.compare GE, %0, %c_1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%2, %0) {api_version = 2 : i32, error_message = "Input shapes do not match the polymorphic shapes specification. Expected value >= 1 for dimension variable 'b'. Using the following polymorphic shapes specifications: args[0].shape = (b, s, 4). Obtained dimension variables: 'b' = {0} from specification 'b' for dimension args[0].shape[0] (= {0}), . Please see https://docs.jax.dev/en/latest/export/shape_poly.html#shape-assertion-errors for more details.", has_side_effect = true} : (tensor<i1>, tensor<i32>) -> ()
    %3 = stablehlo.compare GE, %1, %c_1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%3, %0, %1) {api_version = 2 : i32, error_message = "Input shapes do not match the polymorphic shapes specification. Expected value >= 1 for dimension variable 's'. Using the following polymorphic shapes specifications: args[0].shape = (b, s, 4). Obtained dimension variables: 'b' = {0} from specification 'b' for dimension args[0].shape[0] (= {0}), 's' = {1} from specification 's' for dimension args[0].shape[1] (= {1}), . Please see https://docs.jax.dev/en/latest/export/shape_poly.html#shape-assertion-errors for more details.", has_side_effect = true} : (tensor<i1>, tensor<i32>, tensor<i32>) -> ()
    %4 = stablehlo.convert %1 : tensor<i32>
    %5 = stablehlo.add %4, %c_0 : tensor<i32>
    %6 = stablehlo.compare GE, %5, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %7 = stablehlo.convert %1 : tensor<i32>
    %8 = stablehlo.add %7, %c_0 : tensor<i32>
    stablehlo.custom_call @shape_assertion(%6, %8, %0, %1) {api_version = 2 : i32, error_message = "Input shapes do not match the symbolic shape constraint s>=2. Expected 's - 2' to be greater or equal to 0, but found {0}.  Using the following polymorphic shapes specifications: args[0].shape = (b, s, 4). Obtained dimension variables: 'b' = {1} from specification 'b' for dimension args[0].shape[0] (= {1}), 's' = {2} from specification 's' for dimension args[0].shape[1] (= {2}), . Please see https://docs.jax.dev/en/latest/export/shape_poly.html#shape-assertion-errors for more details.", has_side_effect = true} : (tensor<i1>, tensor<i32>, tensor<i32>, tensor<i32>) -> ()
    %9:3 = call @_wrapped_jax_export_main(%0, %1, %arg0, %arg1) : (tensor<i32>, tensor<i32>, tensor<?x?x4xf32>, tensor<4x4xf32>) -> (tensor<?x4xf32>, tensor<?x?xf32>, tensor<f32>)
    return %9#0, %9#1, %9#2 : tensor<?x4xf32>, tensor<?x?xf32>, tensor<f32>
  }
  func.func private @_wrapped_jax_export_main(%arg0: tensor<i32> {jax.global_constant = "b"}, %arg1: tensor<i32> {jax.global_constant = "s"}, %arg2: tensor<?x?x4xf32>, %arg3: tensor<4x4xf32>) -> (tensor<?x4xf32> {jax.result_info = "result[0][0]"}, tensor<?x?xf32> {jax.result_info = "result[0][1]"}, tensor<f32> {jax.result_info = "result[1]"}) {
    %c = stablehlo.constant dense<1> : tensor<1xi32>
    %c_0 = stablehlo.constant dense<1> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<4> : tensor<1xi32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %1 = stablehlo.concatenate %0, %c_2, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %2 = stablehlo.dynamic_broadcast_in_dim %cst, %1, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x4xf32>
    %3 = stablehlo.transpose %arg2, dims = [1, 0, 2] : (tensor<?x?x4xf32>) -> tensor<?x?x4xf32>
    %4 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %5 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %6 = stablehlo.concatenate %4, %5, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %7 = stablehlo.dynamic_broadcast_in_dim %cst, %6, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x?xf32>
    %8:5 = stablehlo.while(%iterArg = %3, %iterArg_3 = %arg3, %iterArg_4 = %c_1, %iterArg_5 = %2, %iterArg_6 = %7) : tensor<?x?x4xf32>, tensor<4x4xf32>, tensor<i32>, tensor<?x4xf32>, tensor<?x?xf32>
    cond {
      %10 = stablehlo.compare LT, %iterArg_4, %arg1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %10 : tensor<i1>
    } do {
      %10 = func.call @dynamic_index_in_dim(%arg0, %arg1, %iterArg, %iterArg_4) : (tensor<i32>, tensor<i32>, tensor<?x?x4xf32>, tensor<i32>) -> tensor<?x4xf32>
      %11:2 = func.call @closed_call(%arg0, %arg1, %iterArg_3, %iterArg_5, %10) : (tensor<i32>, tensor<i32>, tensor<4x4xf32>, tensor<?x4xf32>, tensor<?x4xf32>) -> (tensor<?x4xf32>, tensor<?xf32>)
      %12 = func.call @dynamic_update_index_in_dim(%arg0, %arg1, %iterArg_6, %11#1, %iterArg_4) : (tensor<i32>, tensor<i32>, tensor<?x?xf32>, tensor<?xf32>, tensor<i32>) -> tensor<?x?xf32>
      %13 = stablehlo.add %iterArg_4, %c_0 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_3, %13, %11#0, %12 : tensor<?x?x4xf32>, tensor<4x4xf32>, tensor<i32>, tensor<?x4xf32>, tensor<?x?xf32>
    }
    %9:4 = stablehlo.while(%iterArg = %arg2, %iterArg_3 = %c_1, %iterArg_4 = %arg1, %iterArg_5 = %cst) : tensor<?x?x4xf32>, tensor<i32>, tensor<i32>, tensor<f32>
    cond {
      %10 = stablehlo.compare LT, %iterArg_3, %iterArg_4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %10 : tensor<i1>
    } do {
      %10 = stablehlo.add %iterArg_3, %c_0 : tensor<i32>
      %11 = stablehlo.convert %arg1 : tensor<i32>
      %12 = stablehlo.compare LT, %iterArg_3, %c_1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %13 = stablehlo.add %iterArg_3, %11 : tensor<i32>
      %14 = stablehlo.select %12, %13, %iterArg_3 : tensor<i1>, tensor<i32>
      %15 = stablehlo.broadcast_in_dim %14, dims = [] : (tensor<i32>) -> tensor<1xi32>
      %16 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
      %17 = stablehlo.concatenate %16, %c, %c_2, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
      %18 = "stablehlo.dynamic_gather"(%iterArg, %15, %17) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 1], collapsed_slice_dims = [1], start_index_map = [1]>, indices_are_sorted = true}> : (tensor<?x?x4xf32>, tensor<1xi32>, tensor<3xi32>) -> tensor<?x4xf32>
      %19 = stablehlo.reduce(%18 init: %cst) applies stablehlo.add across dimensions = [0, 1] : (tensor<?x4xf32>, tensor<f32>) -> tensor<f32>
      %20 = stablehlo.convert %iterArg_5 : tensor<f32>
      %21 = stablehlo.add %20, %19 : tensor<f32>
      stablehlo.return %iterArg, %10, %iterArg_4, %21 : tensor<?x?x4xf32>, tensor<i32>, tensor<i32>, tensor<f32>
    }
    return %8#3, %8#4, %9#3 : tensor<?x4xf32>, tensor<?x?xf32>, tensor<f32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<i32> {jax.global_constant = "b"}, %arg1: tensor<i32> {jax.global_constant = "s"}, %arg2: tensor<?x?x4xf32>, %arg3: tensor<i32>) -> tensor<?x4xf32> {
    %c = stablehlo.constant dense<0> : tensor<1xi32>
    %c_0 = stablehlo.constant dense<4> : tensor<1xi32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<1> : tensor<1xi32>
    %0 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %1 = stablehlo.concatenate %c_2, %0, %c_0, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2 = stablehlo.concatenate %c, %c, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3 = stablehlo.reshape %arg3 : (tensor<i32>) -> tensor<1xi32>
    %4 = stablehlo.reshape %c_1 : (tensor<i32>) -> tensor<1xi32>
    %5 = stablehlo.reshape %c_1 : (tensor<i32>) -> tensor<1xi32>
    %6 = stablehlo.concatenate %3, %4, %5, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %7 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %8 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %9 = stablehlo.concatenate %7, %8, %c_0, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %10 = stablehlo.subtract %9, %1 : tensor<3xi32>
    %11 = stablehlo.clamp %2, %6, %10 : tensor<3xi32>
    %12 = stablehlo.add %11, %1 : tensor<3xi32>
    %13 = stablehlo.concatenate %c_2, %c_2, %c_2, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %14 = stablehlo.real_dynamic_slice %arg2, %11, %12, %13 : (tensor<?x?x4xf32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>) -> tensor<1x?x4xf32>
    %15 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %16 = stablehlo.concatenate %15, %c_0, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %17 = stablehlo.dynamic_reshape %14, %16 : (tensor<1x?x4xf32>, tensor<2xi32>) -> tensor<?x4xf32>
    return %17 : tensor<?x4xf32>
  }
  func.func private @closed_call(%arg0: tensor<i32> {jax.global_constant = "b"}, %arg1: tensor<i32> {jax.global_constant = "s"}, %arg2: tensor<4x4xf32>, %arg3: tensor<?x4xf32>, %arg4: tensor<?x4xf32>) -> (tensor<?x4xf32>, tensor<?xf32>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.dot_general %arg3, %arg2, contracting_dims = [1] x [0] : (tensor<?x4xf32>, tensor<4x4xf32>) -> tensor<?x4xf32>
    %1 = stablehlo.add %0, %arg4 : tensor<?x4xf32>
    %2 = stablehlo.tanh %1 : tensor<?x4xf32>
    %3 = stablehlo.reduce(%arg3 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<?x4xf32>, tensor<f32>) -> tensor<?xf32>
    return %2, %3 : tensor<?x4xf32>, tensor<?xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<i32> {jax.global_constant = "b"}, %arg1: tensor<i32> {jax.global_constant = "s"}, %arg2: tensor<?x?xf32>, %arg3: tensor<?xf32>, %arg4: tensor<i32>) -> tensor<?x?xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<1> : tensor<1xi32>
    %0 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %1 = stablehlo.concatenate %c_0, %0, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %2 = stablehlo.dynamic_broadcast_in_dim %arg3, %1, dims = [1] : (tensor<?xf32>, tensor<2xi32>) -> tensor<1x?xf32>
    %3 = stablehlo.dynamic_update_slice %arg2, %2, %arg4, %c : (tensor<?x?xf32>, tensor<1x?xf32>, tensor<i32>, tensor<i32>) -> tensor<?x?xf32>
    return %3 : tensor<?x?xf32>
  }
}
