// {"arguments": [["s,6", "f32"], ["s,9", "f32"], ["9,s", "f32"]], "ranges": {"s": [1, 384]}, "sizes": [{"s": 1}, {"s": 127}, {"s": 128}, {"s": 129}, {"s": 300}, {"s": 384}], "ints": [0, 5], "exact": [false, false, false, false, false]}
module @jit attributes {jax.uses_shape_polymorphism = true, mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<?x6xf32>, %arg1: tensor<?x9xf32>, %arg2: tensor<9x?xf32>) -> (tensor<6x9xf32> {jax.result_info = "result[0]"}, tensor<9x6xf32> {jax.result_info = "result[1]"}, tensor<6x9xf32> {jax.result_info = "result[2]"}, tensor<6x9xf32> {jax.result_info = "result[3]"}, tensor<9x6xf32> {jax.result_info = "result[4]"}) {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.get_dimension_size %arg0, dim = 0 : (tensor<?x6xf32>) -> tensor<i32>
    %1 = stablehlo.get_dimension_size %arg1, dim = 0 : (tensor<?x9xf32>) -> tensor<i32>
    %2 = stablehlo.get_dimension_size %arg2, dim = 1 : (tensor<9x?xf32>) -> tensor<i32>
    %3 = stablehlo.compare GE, %0, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%3, %0) {api_version = 2 : i32, error_message = "Input shapes do not match the polymorphic shapes specification. Expected value >= 1 for dimension variable 's'. Using the following polymorphic shapes specifications: args[0].shape = (s, 6),args[1].shape = (s, 9),args[2].shape = (9, s). Obtained dimension variables: 's' = {0} from specification 's' for dimension args[0].shape[0] (= {0}), . Please see https://docs.jax.dev/en/latest/export/shape_poly.html#shape-assertion-errors for more details.", has_side_effect = true} : (tensor<i1>, tensor<i32>) -> ()
    %4 = stablehlo.compare EQ, %1, %0, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%4, %1, %0) {api_version = 2 : i32, error_message = "Input shapes do not match the polymorphic shapes specification. Found inconsistency between dimension size args[1].shape[0] (= {0}) and the specification 's' (= {1}). Using the following polymorphic shapes specifications: args[0].shape = (s, 6),args[1].shape = (s, 9),args[2].shape = (9, s). Obtained dimension variables: 's' = {1} from specification 's' for dimension args[0].shape[0] (= {1}), . Please see https://docs.jax.dev/en/latest/export/shape_poly.html#shape-assertion-errors for more details.", has_side_effect = true} : (tensor<i1>, tensor<i32>, tensor<i32>) -> ()
    %5 = stablehlo.compare EQ, %2, %0, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%5, %2, %0) {api_version = 2 : i32, error_message = "Input shapes do not match the polymorphic shapes specification. Found inconsistency between dimension size args[2].shape[1] (= {0}) and the specification 's' (= {1}). Using the following polymorphic shapes specifications: args[0].shape = (s, 6),args[1].shape = (s, 9),args[2].shape = (9, s). Obtained dimension variables: 's' = {1} from specification 's' for dimension args[0].shape[0] (= {1}), . Please see https://docs.jax.dev/en/latest/export/shape_poly.html#shape-assertion-errors for more details.", has_side_effect = true} : (tensor<i1>, tensor<i32>, tensor<i32>) -> ()
    %6:5 = call @_wrapped_jax_export_main(%0, %arg0, %arg1, %arg2) : (tensor<i32>, tensor<?x6xf32>, tensor<?x9xf32>, tensor<9x?xf32>) -> (tensor<6x9xf32>, tensor<9x6xf32>, tensor<6x9xf32>, tensor<6x9xf32>, tensor<9x6xf32>)
    return %6#0, %6#1, %6#2, %6#3, %6#4 : tensor<6x9xf32>, tensor<9x6xf32>, tensor<6x9xf32>, tensor<6x9xf32>, tensor<9x6xf32>
  }
  func.func private @_wrapped_jax_export_main(%arg0: tensor<i32> {jax.global_constant = "s"}, %arg1: tensor<?x6xf32>, %arg2: tensor<?x9xf32>, %arg3: tensor<9x?xf32>) -> (tensor<6x9xf32> {jax.result_info = "result[0]"}, tensor<9x6xf32> {jax.result_info = "result[1]"}, tensor<6x9xf32> {jax.result_info = "result[2]"}, tensor<6x9xf32> {jax.result_info = "result[3]"}, tensor<9x6xf32> {jax.result_info = "result[4]"}) {
    %0 = stablehlo.convert %arg1 : (tensor<?x6xf32>) -> tensor<?x6xbf16>
    %1 = stablehlo.convert %arg2 : (tensor<?x9xf32>) -> tensor<?x9xbf16>
    %2 = stablehlo.convert %arg3 : (tensor<9x?xf32>) -> tensor<9x?xbf16>
    %3 = stablehlo.dot_general %0, %1, contracting_dims = [0] x [0] : (tensor<?x6xbf16>, tensor<?x9xbf16>) -> tensor<6x9xf32>
    %4 = stablehlo.dot_general %2, %0, contracting_dims = [1] x [0] : (tensor<9x?xbf16>, tensor<?x6xbf16>) -> tensor<9x6xbf16>
    %5 = stablehlo.convert %4 : (tensor<9x6xbf16>) -> tensor<9x6xf32>
    %6 = stablehlo.transpose %arg1, dims = [1, 0] : (tensor<?x6xf32>) -> tensor<6x?xf32>
    %7 = stablehlo.dot_general %6, %arg2, contracting_dims = [1] x [0] : (tensor<6x?xf32>, tensor<?x9xf32>) -> tensor<6x9xf32>
    %8 = stablehlo.dot_general %arg3, %arg1, contracting_dims = [1] x [0] : (tensor<9x?xf32>, tensor<?x6xf32>) -> tensor<9x6xf32>
    %9 = stablehlo.dot_general %arg1, %arg3, contracting_dims = [0] x [1] : (tensor<?x6xf32>, tensor<9x?xf32>) -> tensor<6x9xf32>
    return %7, %8, %9, %3, %5 : tensor<6x9xf32>, tensor<9x6xf32>, tensor<6x9xf32>, tensor<6x9xf32>, tensor<9x6xf32>
  }
}
