// {"arguments": [["1,s,8", "f32"], ["1,s,8", "f32"], ["1,s,8", "f32"], ["1,s,8", "f32"]], "ranges": {"s": [1, 384]}, "sizes": [{"s": 1}, {"s": 127}, {"s": 128}, {"s": 129}, {"s": 300}, {"s": 384}], "ints": [0, 5], "exact": [false, false, false, false]}
module @jit attributes {jax.uses_shape_polymorphism = true, mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<1x?x8xf32>, %arg1: tensor<1x?x8xf32>, %arg2: tensor<1x?x8xf32>, %arg3: tensor<1x?x8xf32>) -> (tensor<1x?x8xf32> {jax.result_info = "result[0]"}, tensor<1x?x8xf32> {jax.result_info = "result[1]"}, tensor<1x?x8xf32> {jax.result_info = "result[2]"}, tensor<1x?x8xf32> {jax.result_info = "result[3]"}) {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.get_dimension_size %arg0, dim = 1 : (tensor<1x?x8xf32>) -> tensor<i32>
    %1 = stablehlo.get_dimension_size %arg1, dim = 1 : (tensor<1x?x8xf32>) -> tensor<i32>
    %2 = stablehlo.get_dimension_size %arg2, dim = 1 : (tensor<1x?x8xf32>) -> tensor<i32>
    %3 = stablehlo.get_dimension_size %arg3, dim = 1 : (tensor<1x?x8xf32>) -> tensor<i32>
    %4 = stablehlo.compare GE, %0, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%4, %0) {api_version = 2 : i32, error_message = "Input shapes do not match the polymorphic shapes specification. Expected value >= 1 for dimension variable 's'. Using the following polymorphic shapes specifications: args[0].shape = (1, s, 8),args[1].shape = (1, s, 8),args[2].shape = (1, s, 8),args[3].shape = (1, s, 8). Obtained dimension variables: 's' = {0} from specification 's' for dimension args[0].shape[1] (= {0}), . Please see https://docs.jax.dev/en/latest/export/shape_poly.html#shape-assertion-errors for more details.", has_side_effect = true} : (tensor<i1>, tensor<i32>) -> ()
    %5 = stablehlo.compare EQ, %1, %0, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%5, %1, %0) {api_version = 2 : i32, error_message = "Input shapes do not match the polymorphic shapes specification. Found inconsistency between dimension size args[1].shape[1] (= {0}) and the specification 's' (= {1}). Using the following polymorphic shapes specifications: args[0].shape = (1, s, 8),args[1].shape = (1, s, 8),args[2].shape = (1, s, 8),args[3].shape = (1, s, 8). Obtained dimension variables: 's' = {1} from specification 's' for dimension args[0].shape[1] (= {1}), . Please see https://docs.jax.dev/en/latest/export/shape_poly.html#shape-assertion-errors for more details.", has_side_effect = true} : (tensor<i1>, tensor<i32>, tensor<i32>) -> ()
    %6 = stablehlo.compare EQ, %2, %0, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%6, %2, %0) {api_version = 2 : i32, error_message = "Input shapes do not match the polymorphic shapes specification. Found inconsistency between dimension size args[2].shape[1] (= {0}) and the specification 's' (= {1}). Using the following polymorphic shapes specifications: args[0].shape = (1, s, 8),args[1].shape = (1, s, 8),args[2].shape = (1, s, 8),args[3].shape = (1, s, 8). Obtained dimension variables: 's' = {1} from specification 's' for dimension args[0].shape[1] (= {1}), . Please see https://docs.jax.dev/en/latest/export/shape_poly.html#shape-assertion-errors for more details.", has_side_effect = true} : (tensor<i1>, tensor<i32>, tensor<i32>) -> ()
    %7 = stablehlo.compare EQ, %3, %0, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%7, %3, %0) {api_version = 2 : i32, error_message = "Input shapes do not match the polymorphic shapes specification. Found inconsistency between dimension size args[3].shape[1] (= {0}) and the specification 's' (= {1}). Using the following polymorphic shapes specifications: args[0].shape = (1, s, 8),args[1].shape = (1, s, 8),args[2].shape = (1, s, 8),args[3].shape = (1, s, 8). Obtained dimension variables: 's' = {1} from specification 's' for dimension args[0].shape[1] (= {1}), . Please see https://docs.jax.dev/en/latest/export/shape_poly.html#shape-assertion-errors for more details.", has_side_effect = true} : (tensor<i1>, tensor<i32>, tensor<i32>) -> ()
    %8:4 = call @_wrapped_jax_export_main(%0, %arg0, %arg1, %arg2, %arg3) : (tensor<i32>, tensor<1x?x8xf32>, tensor<1x?x8xf32>, tensor<1x?x8xf32>, tensor<1x?x8xf32>) -> (tensor<1x?x8xf32>, tensor<1x?x8xf32>, tensor<1x?x8xf32>, tensor<1x?x8xf32>)
    return %8#0, %8#1, %8#2, %8#3 : tensor<1x?x8xf32>, tensor<1x?x8xf32>, tensor<1x?x8xf32>, tensor<1x?x8xf32>
  }
  func.func private @_wrapped_jax_export_main(%arg0: tensor<i32> {jax.global_constant = "s"}, %arg1: tensor<1x?x8xf32>, %arg2: tensor<1x?x8xf32>, %arg3: tensor<1x?x8xf32>, %arg4: tensor<1x?x8xf32>) -> (tensor<1x?x8xf32> {jax.result_info = "result[0]"}, tensor<1x?x8xf32> {jax.result_info = "result[1]"}, tensor<1x?x8xf32> {jax.result_info = "result[2]"}, tensor<1x?x8xf32> {jax.result_info = "result[3]"}) {
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %c = stablehlo.constant dense<1> : tensor<1xi32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %cst_2 = stablehlo.constant dense<-1.000000e+09> : tensor<f32>
    %c_3 = stablehlo.constant dense<true> : tensor<i1>
    %0 = stablehlo.dot_general %arg1, %arg2, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<1x?x8xf32>, tensor<1x?x8xf32>) -> tensor<1x?x?xf32>
    %1 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %2 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %3 = stablehlo.concatenate %1, %2, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %4 = stablehlo.dynamic_broadcast_in_dim %c_3, %3, dims = [] : (tensor<i1>, tensor<2xi32>) -> tensor<?x?xi1>
    %5 = call @tril(%arg0, %4) : (tensor<i32>, tensor<?x?xi1>) -> tensor<?x?xi1>
    %6:3 = call @_where(%arg0, %5, %0, %cst_2) : (tensor<i32>, tensor<?x?xi1>, tensor<1x?x?xf32>, tensor<f32>) -> (tensor<1x?x?xf32>, tensor<1x?x?xi1>, tensor<1x?x?xf32>)
    %7 = stablehlo.reduce(%6#0 init: %cst_1) applies stablehlo.maximum across dimensions = [2] : (tensor<1x?x?xf32>, tensor<f32>) -> tensor<1x?xf32>
    %8 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %9 = stablehlo.concatenate %c, %8, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %10 = stablehlo.dynamic_broadcast_in_dim %cst_1, %9, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<1x?xf32>
    %11 = stablehlo.maximum %10, %7 : tensor<1x?xf32>
    %12 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %13 = stablehlo.concatenate %c, %12, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %14 = stablehlo.dynamic_broadcast_in_dim %11, %13, dims = [0, 1] : (tensor<1x?xf32>, tensor<3xi32>) -> tensor<1x?x1xf32>
    %15 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %16 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %17 = stablehlo.concatenate %c, %15, %16, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %18 = stablehlo.dynamic_broadcast_in_dim %14, %17, dims = [0, 1, 2] : (tensor<1x?x1xf32>, tensor<3xi32>) -> tensor<1x?x?xf32>
    %19 = stablehlo.subtract %6#0, %18 : tensor<1x?x?xf32>
    %20 = stablehlo.exponential %19 : tensor<1x?x?xf32>
    %21 = stablehlo.reduce(%20 init: %cst_0) applies stablehlo.add across dimensions = [2] : (tensor<1x?x?xf32>, tensor<f32>) -> tensor<1x?xf32>
    %22 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %23 = stablehlo.concatenate %c, %22, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %24 = stablehlo.dynamic_broadcast_in_dim %21, %23, dims = [0, 1] : (tensor<1x?xf32>, tensor<3xi32>) -> tensor<1x?x1xf32>
    %25 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %26 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %27 = stablehlo.concatenate %c, %25, %26, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %28 = stablehlo.dynamic_broadcast_in_dim %24, %27, dims = [0, 1, 2] : (tensor<1x?x1xf32>, tensor<3xi32>) -> tensor<1x?x?xf32>
    %29 = stablehlo.divide %20, %28 : tensor<1x?x?xf32>
    %30 = stablehlo.multiply %24, %24 : tensor<1x?x1xf32>
    %31 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %32 = stablehlo.concatenate %c, %31, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %33 = stablehlo.dynamic_broadcast_in_dim %cst, %32, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<1x?x1xf32>
    %34 = stablehlo.divide %33, %30 : tensor<1x?x1xf32>
    %35 = stablehlo.dot_general %29, %arg3, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<1x?x?xf32>, tensor<1x?x8xf32>) -> tensor<1x?x8xf32>
    %36 = stablehlo.dot_general %arg4, %29, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<1x?x8xf32>, tensor<1x?x?xf32>) -> tensor<1x8x?xf32>
    %37 = stablehlo.transpose %36, dims = [0, 2, 1] : (tensor<1x8x?xf32>) -> tensor<1x?x8xf32>
    %38 = stablehlo.dot_general %arg4, %arg3, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<1x?x8xf32>, tensor<1x?x8xf32>) -> tensor<1x?x?xf32>
    %39 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %40 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %41 = stablehlo.concatenate %c, %39, %40, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %42 = stablehlo.dynamic_broadcast_in_dim %34, %41, dims = [0, 1, 2] : (tensor<1x?x1xf32>, tensor<3xi32>) -> tensor<1x?x?xf32>
    %43 = stablehlo.multiply %38, %42 : tensor<1x?x?xf32>
    %44 = stablehlo.multiply %43, %20 : tensor<1x?x?xf32>
    %45 = stablehlo.reduce(%44 init: %cst_0) applies stablehlo.add across dimensions = [2] : (tensor<1x?x?xf32>, tensor<f32>) -> tensor<1x?xf32>
    %46 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %47 = stablehlo.concatenate %c, %46, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %48 = stablehlo.dynamic_reshape %45, %47 : (tensor<1x?xf32>, tensor<3xi32>) -> tensor<1x?x1xf32>
    %49 = stablehlo.negate %48 : tensor<1x?x1xf32>
    %50 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %51 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %52 = stablehlo.concatenate %c, %50, %51, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %53 = stablehlo.dynamic_broadcast_in_dim %24, %52, dims = [0, 1, 2] : (tensor<1x?x1xf32>, tensor<3xi32>) -> tensor<1x?x?xf32>
    %54 = stablehlo.divide %38, %53 : tensor<1x?x?xf32>
    %55 = stablehlo.reduce(%49 init: %cst_0) applies stablehlo.add across dimensions = [0, 2] : (tensor<1x?x1xf32>, tensor<f32>) -> tensor<?xf32>
    %56 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %57 = stablehlo.concatenate %c, %56, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %58 = stablehlo.dynamic_broadcast_in_dim %55, %57, dims = [1] : (tensor<?xf32>, tensor<2xi32>) -> tensor<1x?xf32>
    %59 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %60 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %61 = stablehlo.concatenate %c, %59, %60, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %62 = stablehlo.dynamic_broadcast_in_dim %58, %61, dims = [0, 1] : (tensor<1x?xf32>, tensor<3xi32>) -> tensor<1x?x?xf32>
    %63 = stablehlo.add %54, %62 : tensor<1x?x?xf32>
    %64 = stablehlo.multiply %63, %20 : tensor<1x?x?xf32>
    %65 = call @_where_0(%arg0, %6#1, %6#2, %64) : (tensor<i32>, tensor<1x?x?xi1>, tensor<1x?x?xf32>, tensor<1x?x?xf32>) -> tensor<1x?x?xf32>
    %66 = stablehlo.dot_general %65, %arg1, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<1x?x?xf32>, tensor<1x?x8xf32>) -> tensor<1x?x8xf32>
    %67 = stablehlo.dot_general %65, %arg2, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<1x?x?xf32>, tensor<1x?x8xf32>) -> tensor<1x?x8xf32>
    return %35, %67, %66, %37 : tensor<1x?x8xf32>, tensor<1x?x8xf32>, tensor<1x?x8xf32>, tensor<1x?x8xf32>
  }
  func.func private @tril(%arg0: tensor<i32> {jax.global_constant = "s"}, %arg1: tensor<?x?xi1>) -> tensor<?x?xi1> {
    %c = stablehlo.constant dense<false> : tensor<i1>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %1 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %3 = stablehlo.dynamic_iota %2, dim = 0 : (tensor<2xi32>) -> tensor<?x?xi32>
    %4 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %5 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %6 = stablehlo.concatenate %4, %5, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %7 = stablehlo.dynamic_broadcast_in_dim %c_0, %6, dims = [] : (tensor<i32>, tensor<2xi32>) -> tensor<?x?xi32>
    %8 = stablehlo.add %3, %7 : tensor<?x?xi32>
    %9 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %10 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %11 = stablehlo.concatenate %9, %10, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %12 = stablehlo.dynamic_iota %11, dim = 1 : (tensor<2xi32>) -> tensor<?x?xi32>
    %13 = stablehlo.compare GE, %8, %12, SIGNED : (tensor<?x?xi32>, tensor<?x?xi32>) -> tensor<?x?xi1>
    %14 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %15 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %16 = stablehlo.concatenate %14, %15, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %17 = stablehlo.dynamic_broadcast_in_dim %c, %16, dims = [] : (tensor<i1>, tensor<2xi32>) -> tensor<?x?xi1>
    %18 = stablehlo.select %13, %arg1, %17 : tensor<?x?xi1>, tensor<?x?xi1>
    return %18 : tensor<?x?xi1>
  }
  func.func private @_where(%arg0: tensor<i32> {jax.global_constant = "s"}, %arg1: tensor<?x?xi1>, %arg2: tensor<1x?x?xf32>, %arg3: tensor<f32>) -> (tensor<1x?x?xf32>, tensor<1x?x?xi1>, tensor<1x?x?xf32>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %c = stablehlo.constant dense<1> : tensor<1xi32>
    %0 = stablehlo.convert %arg3 : tensor<f32>
    %1 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %2 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %3 = stablehlo.concatenate %c, %1, %2, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4 = stablehlo.dynamic_broadcast_in_dim %arg1, %3, dims = [1, 2] : (tensor<?x?xi1>, tensor<3xi32>) -> tensor<1x?x?xi1>
    %5 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %6 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %7 = stablehlo.concatenate %c, %5, %6, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %8 = stablehlo.dynamic_broadcast_in_dim %0, %7, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<1x?x?xf32>
    %9 = stablehlo.select %4, %arg2, %8 : tensor<1x?x?xi1>, tensor<1x?x?xf32>
    %10 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %11 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %12 = stablehlo.concatenate %c, %10, %11, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %13 = stablehlo.dynamic_broadcast_in_dim %cst, %12, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<1x?x?xf32>
    return %9, %4, %13 : tensor<1x?x?xf32>, tensor<1x?x?xi1>, tensor<1x?x?xf32>
  }
  func.func private @_where_0(%arg0: tensor<i32> {jax.global_constant = "s"}, %arg1: tensor<1x?x?xi1>, %arg2: tensor<1x?x?xf32>, %arg3: tensor<1x?x?xf32>) -> tensor<1x?x?xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %c = stablehlo.constant dense<1> : tensor<1xi32>
    %0 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %1 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %2 = stablehlo.concatenate %c, %0, %1, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3 = stablehlo.dynamic_broadcast_in_dim %cst, %2, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<1x?x?xf32>
    %4 = stablehlo.select %arg1, %arg3, %3 : tensor<1x?x?xi1>, tensor<1x?x?xf32>
    return %4 : tensor<1x?x?xf32>
  }
}
