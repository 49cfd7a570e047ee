// {"arguments": [["b,s", "f32"]], "ranges": {"b": [1, 8], "s": [4, 16]}, "sizes": [{"b": 3, "s": 7}], "ints": [0, 5], "exact": [false, false, true, true, true, false, true, true]}
module @jit attributes {jax.uses_shape_polymorphism = true, mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<?x?xf32>) -> (tensor<f32> {jax.result_info = "result[0]"}, tensor<?xf32> {jax.result_info = "result[1]"}, tensor<?xi32> {jax.result_info = "result[2]"}, tensor<?xi32> {jax.result_info = "result[3]"}, tensor<f32> {jax.result_info = "result[4]"}, tensor<?xf32> {jax.result_info = "result[5]"}, tensor<?xi1> {jax.result_info = "result[6]"}, tensor<?xi1> {jax.result_info = "result[7]"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<-4> : tensor<i32>
    %c_1 = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.get_dimension_size %arg0, dim = 0 : (tensor<?x?xf32>) -> tensor<i32>
    %1 = stablehlo.get_dimension_size %arg0, dim = 1 : (tensor<?x?xf32>) -> tensor<i32>
    %2 = stablehlo.compare GE, %0, %c_1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%2, %0) {api_version = 2 : i32, error_message = "Input shapes do not match the polymorphic shapes specification. Expected value >= 1 for dimension variable 'b'. Using the following polymorphic shapes specifications: args[0].shape = (b, s). Obtained dimension variables: 'b' = {0} from specification 'b' for dimension args[0].shape[0] (= {0}), . Please see https://docs.jax.dev/en/latest/export/shape_poly.html#shape-assertion-errors for more details.", has_side_effect = true} : (tensor<i1>, tensor<i32>) -> ()
    %3 = stablehlo.compare GE, %1, %c_1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%3, %0, %1) {api_version = 2 : i32, error_message = "Input shapes do not match the polymorphic shapes specification. Expected value >= 1 for dimension variable 's'. Using the following polymorphic shapes specifications: args[0].shape = (b, s). Obtained dimension variables: 'b' = {0} from specification 'b' for dimension args[0].shape[0] (= {0}), 's' = {1} from specification 's' for dimension args[0].shape[1] (= {1}), . Please see https://docs.jax.dev/en/latest/export/shape_poly.html#shape-assertion-errors for more details.", has_side_effect = true} : (tensor<i1>, tensor<i32>, tensor<i32>) -> ()
    %4 = stablehlo.convert %1 : tensor<i32>
    %5 = stablehlo.add %4, %c_0 : tensor<i32>
    %6 = stablehlo.compare GE, %5, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %7 = stablehlo.convert %1 : tensor<i32>
    %8 = stablehlo.add %7, %c_0 : tensor<i32>
    stablehlo.custom_call @shape_assertion(%6, %8, %0, %1) {api_version = 2 : i32, error_message = "Input shapes do not match the symbolic shape constraint s>=4. Expected 's - 4' to be greater or equal to 0, but found {0}.  Using the following polymorphic shapes specifications: args[0].shape = (b, s). Obtained dimension variables: 'b' = {1} from specification 'b' for dimension args[0].shape[0] (= {1}), 's' = {2} from specification 's' for dimension args[0].shape[1] (= {2}), . Please see https://docs.jax.dev/en/latest/export/shape_poly.html#shape-assertion-errors for more details.", has_side_effect = true} : (tensor<i1>, tensor<i32>, tensor<i32>, tensor<i32>) -> ()
    %9:8 = call @_wrapped_jax_export_main(%0, %1, %arg0) : (tensor<i32>, tensor<i32>, tensor<?x?xf32>) -> (tensor<f32>, tensor<?xf32>, tensor<?xi32>, tensor<?xi32>, tensor<f32>, tensor<?xf32>, tensor<?xi1>, tensor<?xi1>)
    return %9#0, %9#1, %9#2, %9#3, %9#4, %9#5, %9#6, %9#7 : tensor<f32>, tensor<?xf32>, tensor<?xi32>, tensor<?xi32>, tensor<f32>, tensor<?xf32>, tensor<?xi1>, tensor<?xi1>
  }
  func.func private @_wrapped_jax_export_main(%arg0: tensor<i32> {jax.global_constant = "b"}, %arg1: tensor<i32> {jax.global_constant = "s"}, %arg2: tensor<?x?xf32>) -> (tensor<f32> {jax.result_info = "result[0]"}, tensor<?xf32> {jax.result_info = "result[1]"}, tensor<?xi32> {jax.result_info = "result[2]"}, tensor<?xi32> {jax.result_info = "result[3]"}, tensor<f32> {jax.result_info = "result[4]"}, tensor<?xf32> {jax.result_info = "result[5]"}, tensor<?xi1> {jax.result_info = "result[6]"}, tensor<?xi1> {jax.result_info = "result[7]"}) {
    %c = stablehlo.constant dense<true> : tensor<i1>
    %cst = stablehlo.constant dense<-9.000000e+00> : tensor<f32>
    %c_0 = stablehlo.constant dense<false> : tensor<i1>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.multiply %arg1, %arg0 : tensor<i32>
    %1 = stablehlo.convert %0 : (tensor<i32>) -> tensor<f32>
    %2 = stablehlo.reduce(%arg2 init: %cst_4) applies stablehlo.add across dimensions = [0, 1] : (tensor<?x?xf32>, tensor<f32>) -> tensor<f32>
    %3 = stablehlo.divide %2, %1 : tensor<f32>
    %4 = call @_var(%arg0, %arg1, %arg2, %c_3) : (tensor<i32>, tensor<i32>, tensor<?x?xf32>, tensor<i32>) -> tensor<?xf32>
    %5 = call @argmax(%arg0, %arg1, %arg2) : (tensor<i32>, tensor<i32>, tensor<?x?xf32>) -> tensor<?xi32>
    %6 = call @argmin(%arg0, %arg1, %arg2) : (tensor<i32>, tensor<i32>, tensor<?x?xf32>) -> tensor<?xi32>
    %7 = stablehlo.reduce(%arg2 init: %cst_2) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<?x?xf32>, tensor<f32>) -> tensor<f32>
    %8 = stablehlo.reduce(%arg2 init: %cst_1) applies stablehlo.multiply across dimensions = [1] : (tensor<?x?xf32>, tensor<f32>) -> tensor<?xf32>
    %9 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %10 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %11 = stablehlo.concatenate %9, %10, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %12 = stablehlo.dynamic_broadcast_in_dim %cst_4, %11, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x?xf32>
    %13 = stablehlo.compare GT, %arg2, %12, FLOAT : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xi1>
    %14 = stablehlo.reduce(%13 init: %c_0) applies stablehlo.or across dimensions = [1] : (tensor<?x?xi1>, tensor<i1>) -> tensor<?xi1>
    %15 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %16 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %17 = stablehlo.concatenate %15, %16, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %18 = stablehlo.dynamic_broadcast_in_dim %cst, %17, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x?xf32>
    %19 = stablehlo.compare GT, %arg2, %18, FLOAT : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xi1>
    %20 = stablehlo.reduce(%19 init: %c) applies stablehlo.and across dimensions = [0] : (tensor<?x?xi1>, tensor<i1>) -> tensor<?xi1>
    return %3, %4, %5, %6, %7, %8, %14, %20 : tensor<f32>, tensor<?xf32>, tensor<?xi32>, tensor<?xi32>, tensor<f32>, tensor<?xf32>, tensor<?xi1>, tensor<?xi1>
  }
  func.func private @_var(%arg0: tensor<i32> {jax.global_constant = "b"}, %arg1: tensor<i32> {jax.global_constant = "s"}, %arg2: tensor<?x?xf32>, %arg3: tensor<i32>) -> tensor<?xf32> {
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %c = stablehlo.constant dense<1> : tensor<1xi32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.reduce(%arg2 init: %cst_0) applies stablehlo.add across dimensions = [1] : (tensor<?x?xf32>, tensor<f32>) -> tensor<?xf32>
    %2 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %3 = stablehlo.concatenate %2, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %4 = stablehlo.dynamic_broadcast_in_dim %1, %3, dims = [0] : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x1xf32>
    %5 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %6 = stablehlo.concatenate %5, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %7 = stablehlo.dynamic_broadcast_in_dim %0, %6, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x1xf32>
    %8 = stablehlo.divide %4, %7 : tensor<?x1xf32>
    %9 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %10 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %11 = stablehlo.concatenate %9, %10, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %12 = stablehlo.dynamic_broadcast_in_dim %8, %11, dims = [0, 1] : (tensor<?x1xf32>, tensor<2xi32>) -> tensor<?x?xf32>
    %13 = stablehlo.subtract %arg2, %12 : tensor<?x?xf32>
    %14 = stablehlo.multiply %13, %13 : tensor<?x?xf32>
    %15 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %16 = stablehlo.convert %arg3 : (tensor<i32>) -> tensor<f32>
    %17 = stablehlo.subtract %15, %16 : tensor<f32>
    %18 = stablehlo.reduce(%14 init: %cst_0) applies stablehlo.add across dimensions = [1] : (tensor<?x?xf32>, tensor<f32>) -> tensor<?xf32>
    %19 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %20 = stablehlo.dynamic_broadcast_in_dim %17, %19, dims = [] : (tensor<f32>, tensor<1xi32>) -> tensor<?xf32>
    %21 = stablehlo.divide %18, %20 : tensor<?xf32>
    %22 = stablehlo.compare GT, %17, %cst_0, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %23 = call @_where(%arg0, %arg1, %22, %21, %cst) : (tensor<i32>, tensor<i32>, tensor<i1>, tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
    return %23 : tensor<?xf32>
  }
  func.func private @_where(%arg0: tensor<i32> {jax.global_constant = "b"}, %arg1: tensor<i32> {jax.global_constant = "s"}, %arg2: tensor<i1>, %arg3: tensor<?xf32>, %arg4: tensor<f32>) -> tensor<?xf32> {
    %0 = stablehlo.convert %arg4 : tensor<f32>
    %1 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %2 = stablehlo.dynamic_broadcast_in_dim %0, %1, dims = [] : (tensor<f32>, tensor<1xi32>) -> tensor<?xf32>
    %3 = stablehlo.select %arg2, %arg3, %2 : tensor<i1>, tensor<?xf32>
    return %3 : tensor<?xf32>
  }
  func.func private @argmax(%arg0: tensor<i32>, %arg1: tensor<i32>, %arg2: tensor<?x?xf32>) -> tensor<?xi32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %1 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %3 = stablehlo.dynamic_iota %2, dim = 1 : (tensor<2xi32>) -> tensor<?x?xi32>
    %4:2 = stablehlo.reduce(%arg2 init: %cst), (%3 init: %c) across dimensions = [1] : (tensor<?x?xf32>, tensor<?x?xi32>, tensor<f32>, tensor<i32>) -> (tensor<?xf32>, tensor<?xi32>)
     reducer(%arg3: tensor<f32>, %arg5: tensor<f32>) (%arg4: tensor<i32>, %arg6: tensor<i32>)  {
      %5 = stablehlo.compare GT, %arg3, %arg5, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %6 = stablehlo.compare NE, %arg3, %arg3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %7 = stablehlo.or %5, %6 : tensor<i1>
      %8 = stablehlo.compare EQ, %arg3, %arg5, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %9 = stablehlo.compare LT, %arg4, %arg6, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %10 = stablehlo.and %8, %9 : tensor<i1>
      %11 = stablehlo.or %7, %10 : tensor<i1>
      %12 = stablehlo.select %7, %arg3, %arg5 : tensor<i1>, tensor<f32>
      %13 = stablehlo.select %11, %arg4, %arg6 : tensor<i1>, tensor<i32>
      stablehlo.return %12, %13 : tensor<f32>, tensor<i32>
    }
    return %4#1 : tensor<?xi32>
  }
  func.func private @argmin(%arg0: tensor<i32>, %arg1: tensor<i32>, %arg2: tensor<?x?xf32>) -> tensor<?xi32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %cst = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %0 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %1 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %3 = stablehlo.dynamic_iota %2, dim = 0 : (tensor<2xi32>) -> tensor<?x?xi32>
    %4:2 = stablehlo.reduce(%arg2 init: %cst), (%3 init: %c) across dimensions = [0] : (tensor<?x?xf32>, tensor<?x?xi32>, tensor<f32>, tensor<i32>) -> (tensor<?xf32>, tensor<?xi32>)
     reducer(%arg3: tensor<f32>, %arg5: tensor<f32>) (%arg4: tensor<i32>, %arg6: tensor<i32>)  {
      %5 = stablehlo.compare LT, %arg3, %arg5, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %6 = stablehlo.compare NE, %arg3, %arg3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %7 = stablehlo.or %5, %6 : tensor<i1>
      %8 = stablehlo.compare EQ, %arg3, %arg5, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %9 = stablehlo.compare LT, %arg4, %arg6, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %10 = stablehlo.and %8, %9 : tensor<i1>
      %11 = stablehlo.or %7, %10 : tensor<i1>
      %12 = stablehlo.select %7, %arg3, %arg5 : tensor<i1>, tensor<f32>
      %13 = stablehlo.select %11, %arg4, %arg6 : tensor<i1>, tensor<i32>
      stablehlo.return %12, %13 : tensor<f32>, tensor<i32>
    }
    return %4#1 : tensor<?xi32>
  }
}
