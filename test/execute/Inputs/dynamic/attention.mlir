// {"arguments": [["b,s,4", "f32"], ["b,s,4", "f32"], ["b,s,4", "f32"]], "ranges": {"b": [1, 4], "s": [4, 16]}, "sizes": [{"b": 3, "s": 7}, {"b": 1, "s": 16}], "ints": [0, 5], "exact": [false, false, false, false, false]}
module @jit attributes {jax.uses_shape_polymorphism = true, mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<?x?x4xf32>, %arg1: tensor<?x?x4xf32>, %arg2: tensor<?x?x4xf32>) -> (tensor<?x?x4xf32> {jax.result_info = "result[0]"}, tensor<?x?x4xf32> {jax.result_info = "result[1]"}, tensor<?x4xf32> {jax.result_info = "result[2]"}, tensor<?x?x4xf32> {jax.result_info = "result[3]"}, tensor<f32> {jax.result_info = "result[4]"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<-4> : tensor<i32>
    %c_1 = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.get_dimension_size %arg0, dim = 0 : (tensor<?x?x4xf32>) -> tensor<i32>
    %1 = stablehlo.get_dimension_size %arg0, dim = 1 : (tensor<?x?x4xf32>) -> tensor<i32>
    %2 = stablehlo.get_dimension_size %arg1, dim = 0 : (tensor<?x?x4xf32>) -> tensor<i32>
    %3 = stablehlo.get_dimension_size %arg1, dim = 1 : (tensor<?x?x4xf32>) -> tensor<i32>
    %4 = stablehlo.get_dimension_size %arg2, dim = 0 : (tensor<?x?x4xf32>) -> tensor<i32>
    %5 = stablehlo.get_dimension_size %arg2, dim = 1 : (tensor<?x?x4xf32>) -> tensor<i32>
    %6 = stablehlo.compare GE, %0, %c_1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%6, %0) {api_version = 2 : i32, error_message = "Input shapes do not match the polymorphic shapes specification. Expected value >= 1 for dimension variable 'b'. Using the following polymorphic shapes specifications: args[0].shape = (b, s, 4),args[1].shape = (b, s, 4),args[2].shape = (b, s, 4). Obtained dimension variables: 'b' = {0} from specification 'b' for dimension args[0].shape[0] (= {0}), . Please see https://docs.jax.dev/en/latest/export/shape_poly.html#shape-assertion-errors for more details.", has_side_effect = true} : (tensor<i1>, tensor<i32>) -> ()
    %7 = stablehlo.compare GE, %1, %c_1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%7, %0, %1) {api_version = 2 : i32, error_message = "Input shapes do not match the polymorphic shapes specification. Expected value >= 1 for dimension variable 's'. Using the following polymorphic shapes specifications: args[0].shape = (b, s, 4),args[1].shape = (b, s, 4),args[2].shape = (b, s, 4). Obtained dimension variables: 'b' = {0} from specification 'b' for dimension args[0].shape[0] (= {0}), 's' = {1} from specification 's' for dimension args[0].shape[1] (= {1}), . Please see https://docs.jax.dev/en/latest/export/shape_poly.html#shape-assertion-errors for more details.", has_side_effect = true} : (tensor<i1>, tensor<i32>, tensor<i32>) -> ()
    %8 = stablehlo.compare EQ, %2, %0, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%8, %2, %0, %1) {api_version = 2 : i32, error_message = "Input shapes do not match the polymorphic shapes specification. Found inconsistency between dimension size args[1].shape[0] (= {0}) and the specification 'b' (= {1}). Using the following polymorphic shapes specifications: args[0].shape = (b, s, 4),args[1].shape = (b, s, 4),args[2].shape = (b, s, 4). Obtained dimension variables: 'b' = {1} from specification 'b' for dimension args[0].shape[0] (= {1}), 's' = {2} from specification 's' for dimension args[0].shape[1] (= {2}), . Please see https://docs.jax.dev/en/latest/export/shape_poly.html#shape-assertion-errors for more details.", has_side_effect = true} : (tensor<i1>, tensor<i32>, tensor<i32>, tensor<i32>) -> ()
    %9 = stablehlo.compare EQ, %3, %1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%9, %3, %1, %0) {api_version = 2 : i32, error_message = "Input shapes do not match the polymorphic shapes specification. Found inconsistency between dimension size args[1].shape[1] (= {0}) and the specification 's' (= {1}). Using the following polymorphic shapes specifications: args[0].shape = (b, s, 4),args[1].shape = (b, s, 4),args[2].shape = (b, s, 4). Obtained dimension variables: 'b' = {2} from specification 'b' for dimension args[0].shape[0] (= {2}), 's' = {1} from specification 's' for dimension args[0].shape[1] (= {1}), . Please see https://docs.jax.dev/en/latest/export/shape_poly.html#shape-assertion-errors for more details.", has_side_effect = true} : (tensor<i1>, tensor<i32>, tensor<i32>, tensor<i32>) -> ()
    %10 = stablehlo.compare EQ, %4, %0, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%10, %4, %0, %1) {api_version = 2 : i32, error_message = "Input shapes do not match the polymorphic shapes specification. Found inconsistency between dimension size args[2].shape[0] (= {0}) and the specification 'b' (= {1}). Using the following polymorphic shapes specifications: args[0].shape = (b, s, 4),args[1].shape = (b, s, 4),args[2].shape = (b, s, 4). Obtained dimension variables: 'b' = {1} from specification 'b' for dimension args[0].shape[0] (= {1}), 's' = {2} from specification 's' for dimension args[0].shape[1] (= {2}), . Please see https://docs.jax.dev/en/latest/export/shape_poly.html#shape-assertion-errors for more details.", has_side_effect = true} : (tensor<i1>, tensor<i32>, tensor<i32>, tensor<i32>) -> ()
    %11 = stablehlo.compare EQ, %5, %1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%11, %5, %1, %0) {api_version = 2 : i32, error_message = "Input shapes do not match the polymorphic shapes specification. Found inconsistency between dimension size args[2].shape[1] (= {0}) and the specification 's' (= {1}). Using the following polymorphic shapes specifications: args[0].shape = (b, s, 4),args[1].shape = (b, s, 4),args[2].shape = (b, s, 4). Obtained dimension variables: 'b' = {2} from specification 'b' for dimension args[0].shape[0] (= {2}), 's' = {1} from specification 's' for dimension args[0].shape[1] (= {1}), . Please see https://docs.jax.dev/en/latest/export/shape_poly.html#shape-assertion-errors for more details.", has_side_effect = true} : (tensor<i1>, tensor<i32>, tensor<i32>, tensor<i32>) -> ()
    %12 = stablehlo.convert %1 : tensor<i32>
    %13 = stablehlo.add %12, %c_0 : tensor<i32>
    %14 = stablehlo.compare GE, %13, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %15 = stablehlo.convert %1 : tensor<i32>
    %16 = stablehlo.add %15, %c_0 : tensor<i32>
    stablehlo.custom_call @shape_assertion(%14, %16, %0, %1) {api_version = 2 : i32, error_message = "Input shapes do not match the symbolic shape constraint s>=4. Expected 's - 4' to be greater or equal to 0, but found {0}.  Using the following polymorphic shapes specifications: args[0].shape = (b, s, 4),args[1].shape = (b, s, 4),args[2].shape = (b, s, 4). Obtained dimension variables: 'b' = {1} from specification 'b' for dimension args[0].shape[0] (= {1}), 's' = {2} from specification 's' for dimension args[0].shape[1] (= {2}), . Please see https://docs.jax.dev/en/latest/export/shape_poly.html#shape-assertion-errors for more details.", has_side_effect = true} : (tensor<i1>, tensor<i32>, tensor<i32>, tensor<i32>) -> ()
    %17:5 = call @_wrapped_jax_export_main(%0, %1, %arg0, %arg1, %arg2) : (tensor<i32>, tensor<i32>, tensor<?x?x4xf32>, tensor<?x?x4xf32>, tensor<?x?x4xf32>) -> (tensor<?x?x4xf32>, tensor<?x?x4xf32>, tensor<?x4xf32>, tensor<?x?x4xf32>, tensor<f32>)
    return %17#0, %17#1, %17#2, %17#3, %17#4 : tensor<?x?x4xf32>, tensor<?x?x4xf32>, tensor<?x4xf32>, tensor<?x?x4xf32>, tensor<f32>
  }
  func.func private @_wrapped_jax_export_main(%arg0: tensor<i32> {jax.global_constant = "b"}, %arg1: tensor<i32> {jax.global_constant = "s"}, %arg2: tensor<?x?x4xf32>, %arg3: tensor<?x?x4xf32>, %arg4: tensor<?x?x4xf32>) -> (tensor<?x?x4xf32> {jax.result_info = "result[0]"}, tensor<?x?x4xf32> {jax.result_info = "result[1]"}, tensor<?x4xf32> {jax.result_info = "result[2]"}, tensor<?x?x4xf32> {jax.result_info = "result[3]"}, tensor<f32> {jax.result_info = "result[4]"}) {
    %cst = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<4> : tensor<1xi32>
    %cst_1 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %c_3 = stablehlo.constant dense<1> : tensor<1xi32>
    %cst_4 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %cst_5 = stablehlo.constant dense<-1.000000e+09> : tensor<f32>
    %c_6 = stablehlo.constant dense<true> : tensor<i1>
    %0 = stablehlo.dot_general %arg2, %arg3, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<?x?x4xf32>, tensor<?x?x4xf32>) -> tensor<?x?x?xf32>
    %1 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %2 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %3 = stablehlo.concatenate %1, %2, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %4 = stablehlo.dynamic_broadcast_in_dim %c_6, %3, dims = [] : (tensor<i1>, tensor<2xi32>) -> tensor<?x?xi1>
    %5 = call @tril(%arg0, %arg1, %4) : (tensor<i32>, tensor<i32>, tensor<?x?xi1>) -> tensor<?x?xi1>
    %6 = call @_where(%arg0, %arg1, %5, %0, %cst_5) : (tensor<i32>, tensor<i32>, tensor<?x?xi1>, tensor<?x?x?xf32>, tensor<f32>) -> tensor<?x?x?xf32>
    %7 = stablehlo.reduce(%6 init: %cst_4) applies stablehlo.maximum across dimensions = [2] : (tensor<?x?x?xf32>, tensor<f32>) -> tensor<?x?xf32>
    %8 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %9 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %10 = stablehlo.concatenate %8, %9, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %11 = stablehlo.dynamic_broadcast_in_dim %cst_4, %10, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x?xf32>
    %12 = stablehlo.maximum %11, %7 : tensor<?x?xf32>
    %13 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %14 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %15 = stablehlo.concatenate %13, %14, %c_3, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %16 = stablehlo.dynamic_broadcast_in_dim %12, %15, dims = [0, 1] : (tensor<?x?xf32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %17 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %18 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %19 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %20 = stablehlo.concatenate %17, %18, %19, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %21 = stablehlo.dynamic_broadcast_in_dim %16, %20, dims = [0, 1, 2] : (tensor<?x?x1xf32>, tensor<3xi32>) -> tensor<?x?x?xf32>
    %22 = stablehlo.subtract %6, %21 : tensor<?x?x?xf32>
    %23 = stablehlo.exponential %22 : tensor<?x?x?xf32>
    %24 = stablehlo.reduce(%23 init: %cst_2) applies stablehlo.add across dimensions = [2] : (tensor<?x?x?xf32>, tensor<f32>) -> tensor<?x?xf32>
    %25 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %26 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %27 = stablehlo.concatenate %25, %26, %c_3, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %28 = stablehlo.dynamic_broadcast_in_dim %24, %27, dims = [0, 1] : (tensor<?x?xf32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %29 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %30 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %31 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %32 = stablehlo.concatenate %29, %30, %31, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %33 = stablehlo.dynamic_broadcast_in_dim %28, %32, dims = [0, 1, 2] : (tensor<?x?x1xf32>, tensor<3xi32>) -> tensor<?x?x?xf32>
    %34 = stablehlo.divide %23, %33 : tensor<?x?x?xf32>
    %35 = stablehlo.dot_general %34, %arg4, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<?x?x?xf32>, tensor<?x?x4xf32>) -> tensor<?x?x4xf32>
    %36 = stablehlo.reduce(%0 init: %cst_4) applies stablehlo.maximum across dimensions = [2] : (tensor<?x?x?xf32>, tensor<f32>) -> tensor<?x?xf32>
    %37 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %38 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %39 = stablehlo.concatenate %37, %38, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %40 = stablehlo.dynamic_broadcast_in_dim %cst_4, %39, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x?xf32>
    %41 = stablehlo.maximum %40, %36 : tensor<?x?xf32>
    %42 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %43 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %44 = stablehlo.concatenate %42, %43, %c_3, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %45 = stablehlo.dynamic_broadcast_in_dim %41, %44, dims = [0, 1] : (tensor<?x?xf32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %46 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %47 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %48 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %49 = stablehlo.concatenate %46, %47, %48, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %50 = stablehlo.dynamic_broadcast_in_dim %45, %49, dims = [0, 1, 2] : (tensor<?x?x1xf32>, tensor<3xi32>) -> tensor<?x?x?xf32>
    %51 = stablehlo.subtract %0, %50 : tensor<?x?x?xf32>
    %52 = stablehlo.exponential %51 : tensor<?x?x?xf32>
    %53 = stablehlo.reduce(%52 init: %cst_2) applies stablehlo.add across dimensions = [2] : (tensor<?x?x?xf32>, tensor<f32>) -> tensor<?x?xf32>
    %54 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %55 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %56 = stablehlo.concatenate %54, %55, %c_3, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %57 = stablehlo.dynamic_broadcast_in_dim %53, %56, dims = [0, 1] : (tensor<?x?xf32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %58 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %59 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %60 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %61 = stablehlo.concatenate %58, %59, %60, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %62 = stablehlo.dynamic_broadcast_in_dim %57, %61, dims = [0, 1, 2] : (tensor<?x?x1xf32>, tensor<3xi32>) -> tensor<?x?x?xf32>
    %63 = stablehlo.divide %52, %62 : tensor<?x?x?xf32>
    %64 = stablehlo.dot_general %63, %arg4, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<?x?x?xf32>, tensor<?x?x4xf32>) -> tensor<?x?x4xf32>
    %65 = stablehlo.reduce(%35 init: %cst_2) applies stablehlo.add across dimensions = [2] : (tensor<?x?x4xf32>, tensor<f32>) -> tensor<?x?xf32>
    %66 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %67 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %68 = stablehlo.concatenate %66, %67, %c_3, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %69 = stablehlo.dynamic_broadcast_in_dim %65, %68, dims = [0, 1] : (tensor<?x?xf32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %70 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %71 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %72 = stablehlo.concatenate %70, %71, %c_3, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %73 = stablehlo.dynamic_broadcast_in_dim %cst_1, %72, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %74 = stablehlo.divide %69, %73 : tensor<?x?x1xf32>
    %75 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %76 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %77 = stablehlo.concatenate %75, %76, %c_0, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %78 = stablehlo.dynamic_broadcast_in_dim %74, %77, dims = [0, 1, 2] : (tensor<?x?x1xf32>, tensor<3xi32>) -> tensor<?x?x4xf32>
    %79 = stablehlo.subtract %35, %78 : tensor<?x?x4xf32>
    %80 = call @_var(%arg0, %arg1, %35, %c) : (tensor<i32>, tensor<i32>, tensor<?x?x4xf32>, tensor<i32>) -> tensor<?x?x1xf32>
    %81 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %82 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %83 = stablehlo.concatenate %81, %82, %c_3, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %84 = stablehlo.dynamic_broadcast_in_dim %cst, %83, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %85 = stablehlo.add %80, %84 : tensor<?x?x1xf32>
    %86 = stablehlo.sqrt %85 : tensor<?x?x1xf32>
    %87 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %88 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %89 = stablehlo.concatenate %87, %88, %c_0, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %90 = stablehlo.dynamic_broadcast_in_dim %86, %89, dims = [0, 1, 2] : (tensor<?x?x1xf32>, tensor<3xi32>) -> tensor<?x?x4xf32>
    %91 = stablehlo.divide %79, %90 : tensor<?x?x4xf32>
    %92 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %93 = stablehlo.reduce(%35 init: %cst_2) applies stablehlo.add across dimensions = [1] : (tensor<?x?x4xf32>, tensor<f32>) -> tensor<?x4xf32>
    %94 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %95 = stablehlo.concatenate %94, %c_0, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %96 = stablehlo.dynamic_broadcast_in_dim %92, %95, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x4xf32>
    %97 = stablehlo.divide %93, %96 : tensor<?x4xf32>
    %98 = stablehlo.reduce(%0 init: %cst_2) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<?x?x?xf32>, tensor<f32>) -> tensor<f32>
    return %35, %64, %97, %91, %98 : tensor<?x?x4xf32>, tensor<?x?x4xf32>, tensor<?x4xf32>, tensor<?x?x4xf32>, tensor<f32>
  }
  func.func private @tril(%arg0: tensor<i32> {jax.global_constant = "b"}, %arg1: tensor<i32> {jax.global_constant = "s"}, %arg2: tensor<?x?xi1>) -> tensor<?x?xi1> {
    %c = stablehlo.constant dense<false> : tensor<i1>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %1 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %3 = stablehlo.dynamic_iota %2, dim = 0 : (tensor<2xi32>) -> tensor<?x?xi32>
    %4 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %5 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %6 = stablehlo.concatenate %4, %5, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %7 = stablehlo.dynamic_broadcast_in_dim %c_0, %6, dims = [] : (tensor<i32>, tensor<2xi32>) -> tensor<?x?xi32>
    %8 = stablehlo.add %3, %7 : tensor<?x?xi32>
    %9 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %10 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %11 = stablehlo.concatenate %9, %10, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %12 = stablehlo.dynamic_iota %11, dim = 1 : (tensor<2xi32>) -> tensor<?x?xi32>
    %13 = stablehlo.compare GE, %8, %12, SIGNED : (tensor<?x?xi32>, tensor<?x?xi32>) -> tensor<?x?xi1>
    %14 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %15 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %16 = stablehlo.concatenate %14, %15, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %17 = stablehlo.dynamic_broadcast_in_dim %c, %16, dims = [] : (tensor<i1>, tensor<2xi32>) -> tensor<?x?xi1>
    %18 = stablehlo.select %13, %arg2, %17 : tensor<?x?xi1>, tensor<?x?xi1>
    return %18 : tensor<?x?xi1>
  }
  func.func private @_where(%arg0: tensor<i32> {jax.global_constant = "b"}, %arg1: tensor<i32> {jax.global_constant = "s"}, %arg2: tensor<?x?xi1>, %arg3: tensor<?x?x?xf32>, %arg4: tensor<f32>) -> tensor<?x?x?xf32> {
    %0 = stablehlo.convert %arg4 : tensor<f32>
    %1 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %2 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %3 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %4 = stablehlo.concatenate %1, %2, %3, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5 = stablehlo.dynamic_broadcast_in_dim %arg2, %4, dims = [1, 2] : (tensor<?x?xi1>, tensor<3xi32>) -> tensor<?x?x?xi1>
    %6 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %7 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %8 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %9 = stablehlo.concatenate %6, %7, %8, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %10 = stablehlo.dynamic_broadcast_in_dim %0, %9, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x?xf32>
    %11 = stablehlo.select %5, %arg3, %10 : tensor<?x?x?xi1>, tensor<?x?x?xf32>
    return %11 : tensor<?x?x?xf32>
  }
  func.func private @_var(%arg0: tensor<i32> {jax.global_constant = "b"}, %arg1: tensor<i32> {jax.global_constant = "s"}, %arg2: tensor<?x?x4xf32>, %arg3: tensor<i32>) -> tensor<?x?x1xf32> {
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %c = stablehlo.constant dense<4> : tensor<1xi32>
    %cst_0 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %c_1 = stablehlo.constant dense<1> : tensor<1xi32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg2 init: %cst_2) applies stablehlo.add across dimensions = [2] : (tensor<?x?x4xf32>, tensor<f32>) -> tensor<?x?xf32>
    %1 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %2 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %3 = stablehlo.concatenate %1, %2, %c_1, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4 = stablehlo.dynamic_broadcast_in_dim %0, %3, dims = [0, 1] : (tensor<?x?xf32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %5 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %6 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %7 = stablehlo.concatenate %5, %6, %c_1, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %8 = stablehlo.dynamic_broadcast_in_dim %cst_0, %7, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %9 = stablehlo.divide %4, %8 : tensor<?x?x1xf32>
    %10 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %11 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %12 = stablehlo.concatenate %10, %11, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %13 = stablehlo.dynamic_broadcast_in_dim %9, %12, dims = [0, 1, 2] : (tensor<?x?x1xf32>, tensor<3xi32>) -> tensor<?x?x4xf32>
    %14 = stablehlo.subtract %arg2, %13 : tensor<?x?x4xf32>
    %15 = stablehlo.multiply %14, %14 : tensor<?x?x4xf32>
    %16 = stablehlo.convert %arg3 : (tensor<i32>) -> tensor<f32>
    %17 = stablehlo.subtract %cst_0, %16 : tensor<f32>
    %18 = stablehlo.reduce(%15 init: %cst_2) applies stablehlo.add across dimensions = [2] : (tensor<?x?x4xf32>, tensor<f32>) -> tensor<?x?xf32>
    %19 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %20 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %21 = stablehlo.concatenate %19, %20, %c_1, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %22 = stablehlo.dynamic_broadcast_in_dim %18, %21, dims = [0, 1] : (tensor<?x?xf32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %23 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %24 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %25 = stablehlo.concatenate %23, %24, %c_1, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %26 = stablehlo.dynamic_broadcast_in_dim %17, %25, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %27 = stablehlo.divide %22, %26 : tensor<?x?x1xf32>
    %28 = stablehlo.compare GT, %17, %cst_2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %29 = call @_where_0(%arg0, %arg1, %28, %27, %cst) : (tensor<i32>, tensor<i32>, tensor<i1>, tensor<?x?x1xf32>, tensor<f32>) -> tensor<?x?x1xf32>
    return %29 : tensor<?x?x1xf32>
  }
  func.func private @_where_0(%arg0: tensor<i32> {jax.global_constant = "b"}, %arg1: tensor<i32> {jax.global_constant = "s"}, %arg2: tensor<i1>, %arg3: tensor<?x?x1xf32>, %arg4: tensor<f32>) -> tensor<?x?x1xf32> {
    %c = stablehlo.constant dense<1> : tensor<1xi32>
    %0 = stablehlo.convert %arg4 : tensor<f32>
    %1 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %2 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %3 = stablehlo.concatenate %1, %2, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4 = stablehlo.dynamic_broadcast_in_dim %0, %3, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %5 = stablehlo.select %arg2, %arg3, %4 : tensor<i1>, tensor<?x?x1xf32>
    return %5 : tensor<?x?x1xf32>
  }
}
