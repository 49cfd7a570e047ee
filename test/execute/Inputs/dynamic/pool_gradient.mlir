// {"arguments": [["1,h,w,2", "f32"]], "ranges": {"h": [4, 9], "w": [4, 9]}, "sizes": [{"h": 5, "w": 7}, {"h": 9, "w": 4}], "ints": [0, 5], "exact": [false]}
module @jit attributes {jax.uses_shape_polymorphism = true, mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<1x?x?x2xf32>) -> (tensor<1x?x?x2xf32> {jax.result_info = "result"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<-4> : tensor<i32>
    %c_1 = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.get_dimension_size %arg0, dim = 1 : (tensor<1x?x?x2xf32>) -> tensor<i32>
    %1 = stablehlo.get_dimension_size %arg0, dim = 2 : (tensor<1x?x?x2xf32>) -> tensor<i32>
    %2 = stablehlo.compare GE, %0, %c_1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%2, %0) {api_version = 2 : i32, error_message = "Input shapes do not match the polymorphic shapes specification. Expected value >= 1 for dimension variable 'h'. Using the following polymorphic shapes specifications: args[0].shape = (1, h, w, 2). Obtained dimension variables: 'h' = {0} from specification 'h' for dimension args[0].shape[1] (= {0}), . Please see https://docs.jax.dev/en/latest/export/shape_poly.html#shape-assertion-errors for more details.", has_side_effect = true} : (tensor<i1>, tensor<i32>) -> ()
    %3 = stablehlo.compare GE, %1, %c_1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%3, %0, %1) {api_version = 2 : i32, error_message = "Input shapes do not match the polymorphic shapes specification. Expected value >= 1 for dimension variable 'w'. Using the following polymorphic shapes specifications: args[0].shape = (1, h, w, 2). Obtained dimension variables: 'h' = {0} from specification 'h' for dimension args[0].shape[1] (= {0}), 'w' = {1} from specification 'w' for dimension args[0].shape[2] (= {1}), . Please see https://docs.jax.dev/en/latest/export/shape_poly.html#shape-assertion-errors for more details.", has_side_effect = true} : (tensor<i1>, tensor<i32>, tensor<i32>) -> ()
    %4 = stablehlo.convert %0 : tensor<i32>
    %5 = stablehlo.add %4, %c_0 : tensor<i32>
    %6 = stablehlo.compare GE, %5, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %7 = stablehlo.convert %0 : tensor<i32>
    %8 = stablehlo.add %7, %c_0 : tensor<i32>
    stablehlo.custom_call @shape_assertion(%6, %8, %0, %1) {api_version = 2 : i32, error_message = "Input shapes do not match the symbolic shape constraint h>=4. Expected 'h - 4' to be greater or equal to 0, but found {0}.  Using the following polymorphic shapes specifications: args[0].shape = (1, h, w, 2). Obtained dimension variables: 'h' = {1} from specification 'h' for dimension args[0].shape[1] (= {1}), 'w' = {2} from specification 'w' for dimension args[0].shape[2] (= {2}), . Please see https://docs.jax.dev/en/latest/export/shape_poly.html#shape-assertion-errors for more details.", has_side_effect = true} : (tensor<i1>, tensor<i32>, tensor<i32>, tensor<i32>) -> ()
    %9 = stablehlo.convert %1 : tensor<i32>
    %10 = stablehlo.add %9, %c_0 : tensor<i32>
    %11 = stablehlo.compare GE, %10, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %12 = stablehlo.convert %1 : tensor<i32>
    %13 = stablehlo.add %12, %c_0 : tensor<i32>
    stablehlo.custom_call @shape_assertion(%11, %13, %0, %1) {api_version = 2 : i32, error_message = "Input shapes do not match the symbolic shape constraint w>=4. Expected 'w - 4' to be greater or equal to 0, but found {0}.  Using the following polymorphic shapes specifications: args[0].shape = (1, h, w, 2). Obtained dimension variables: 'h' = {1} from specification 'h' for dimension args[0].shape[1] (= {1}), 'w' = {2} from specification 'w' for dimension args[0].shape[2] (= {2}), . Please see https://docs.jax.dev/en/latest/export/shape_poly.html#shape-assertion-errors for more details.", has_side_effect = true} : (tensor<i1>, tensor<i32>, tensor<i32>, tensor<i32>) -> ()
    %14 = call @_wrapped_jax_export_main(%0, %1, %arg0) : (tensor<i32>, tensor<i32>, tensor<1x?x?x2xf32>) -> tensor<1x?x?x2xf32>
    return %14 : tensor<1x?x?x2xf32>
  }
  func.func private @_wrapped_jax_export_main(%arg0: tensor<i32> {jax.global_constant = "h"}, %arg1: tensor<i32> {jax.global_constant = "w"}, %arg2: tensor<1x?x?x2xf32>) -> (tensor<1x?x?x2xf32> {jax.result_info = "result"}) {
    %c = stablehlo.constant dense<2> : tensor<1xi32>
    %c_0 = stablehlo.constant dense<1> : tensor<1xi32>
    %c_1 = stablehlo.constant dense<1> : tensor<i32>
    %c_2 = stablehlo.constant dense<2> : tensor<i32>
    %c_3 = stablehlo.constant dense<-2> : tensor<i32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.convert %arg0 : tensor<i32>
    %1 = stablehlo.add %0, %c_3 : tensor<i32>
    %2:2 = call @divmod(%arg0, %arg1, %1, %c_2) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
    %3 = stablehlo.add %2#0, %c_1 : tensor<i32>
    %4 = stablehlo.convert %arg1 : tensor<i32>
    %5 = stablehlo.add %4, %c_3 : tensor<i32>
    %6:2 = call @divmod(%arg0, %arg1, %5, %c_2) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
    %7 = stablehlo.add %6#0, %c_1 : tensor<i32>
    %8 = stablehlo.reshape %3 : (tensor<i32>) -> tensor<1xi32>
    %9 = stablehlo.reshape %7 : (tensor<i32>) -> tensor<1xi32>
    %10 = stablehlo.concatenate %c_0, %8, %9, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %11 = stablehlo.dynamic_broadcast_in_dim %cst, %10, dims = [] : (tensor<f32>, tensor<4xi32>) -> tensor<1x?x?x2xf32>
    %12 = "stablehlo.select_and_scatter"(%arg2, %11, %cst_4) <{window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %13 = stablehlo.compare GE, %arg3, %arg4, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %13 : tensor<i1>
    }, {
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %13 = stablehlo.add %arg3, %arg4 : tensor<f32>
      stablehlo.return %13 : tensor<f32>
    }) : (tensor<1x?x?x2xf32>, tensor<1x?x?x2xf32>, tensor<f32>) -> tensor<1x?x?x2xf32>
    return %12 : tensor<1x?x?x2xf32>
  }
  func.func private @divmod(%arg0: tensor<i32> {jax.global_constant = "h"}, %arg1: tensor<i32> {jax.global_constant = "w"}, %arg2: tensor<i32>, %arg3: tensor<i32>) -> (tensor<i32>, tensor<i32>) {
    %0 = call @floor_divide(%arg0, %arg1, %arg2, %arg3) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %1 = call @remainder(%arg0, %arg1, %arg2, %arg3) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<i32>
    return %0, %1 : tensor<i32>, tensor<i32>
  }
  func.func private @floor_divide(%arg0: tensor<i32> {jax.global_constant = "h"}, %arg1: tensor<i32> {jax.global_constant = "w"}, %arg2: tensor<i32>, %arg3: tensor<i32>) -> tensor<i32> {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.divide %arg2, %arg3 : tensor<i32>
    %1 = stablehlo.sign %arg2 : tensor<i32>
    %2 = stablehlo.sign %arg3 : tensor<i32>
    %3 = stablehlo.compare NE, %1, %2, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %4 = stablehlo.remainder %arg2, %arg3 : tensor<i32>
    %5 = stablehlo.compare NE, %4, %c_0, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %6 = stablehlo.and %3, %5 : tensor<i1>
    %7 = stablehlo.subtract %0, %c : tensor<i32>
    %8 = call @_where(%arg0, %arg1, %6, %7, %0) : (tensor<i32>, tensor<i32>, tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    return %8 : tensor<i32>
  }
  func.func private @_where(%arg0: tensor<i32> {jax.global_constant = "h"}, %arg1: tensor<i32> {jax.global_constant = "w"}, %arg2: tensor<i1>, %arg3: tensor<i32>, %arg4: tensor<i32>) -> tensor<i32> {
    %0 = stablehlo.select %arg2, %arg3, %arg4 : tensor<i1>, tensor<i32>
    return %0 : tensor<i32>
  }
  func.func private @remainder(%arg0: tensor<i32> {jax.global_constant = "h"}, %arg1: tensor<i32> {jax.global_constant = "w"}, %arg2: tensor<i32>, %arg3: tensor<i32>) -> tensor<i32> {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.compare EQ, %arg3, %c_0, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %1 = call @_where(%arg0, %arg1, %0, %c, %arg3) : (tensor<i32>, tensor<i32>, tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %2 = stablehlo.remainder %arg2, %1 : tensor<i32>
    %3 = stablehlo.compare NE, %2, %c_0, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %4 = stablehlo.compare LT, %2, %c_0, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %5 = stablehlo.compare LT, %1, %c_0, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %6 = stablehlo.compare NE, %4, %5, UNSIGNED : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %7 = stablehlo.and %6, %3 : tensor<i1>
    %8 = stablehlo.add %2, %1 : tensor<i32>
    %9 = stablehlo.select %7, %8, %2 : tensor<i1>, tensor<i32>
    return %9 : tensor<i32>
  }
}
