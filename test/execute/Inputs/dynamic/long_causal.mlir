// {"arguments": [["1,s,8", "f32"], ["1,s,8", "f32"], ["1,s,8", "f32"]], "ranges": {"s": [100, 384]}, "sizes": [{"s": 127}, {"s": 128}, {"s": 129}, {"s": 300}, {"s": 384}], "ints": [0, 5], "exact": [false, false, false, false, false, false, false, false]}
module @jit attributes {jax.uses_shape_polymorphism = true, mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<1x?x8xf32>, %arg1: tensor<1x?x8xf32>, %arg2: tensor<1x?x8xf32>) -> (tensor<1x?x8xf32> {jax.result_info = "result[0]"}, tensor<1x?x8xf32> {jax.result_info = "result[1]"}, tensor<1x?x8xf32> {jax.result_info = "result[2]"}, tensor<1x?x8xf32> {jax.result_info = "result[3]"}, tensor<1x?xf32> {jax.result_info = "result[4]"}, tensor<1x?xf32> {jax.result_info = "result[5]"}, tensor<1x?xf32> {jax.result_info = "result[6]"}, tensor<1x?xf32> {jax.result_info = "result[7]"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<-100> : tensor<i32>
    %c_1 = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.get_dimension_size %arg0, dim = 1 : (tensor<1x?x8xf32>) -> tensor<i32>
    %1 = stablehlo.get_dimension_size %arg1, dim = 1 : (tensor<1x?x8xf32>) -> tensor<i32>
    %2 = stablehlo.get_dimension_size %arg2, dim = 1 : (tensor<1x?x8xf32>) -> tensor<i32>
    %3 = stablehlo.compare GE, %0, %c_1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%3, %0) {api_version = 2 : i32, error_message = "Input shapes do not match the polymorphic shapes specification. Expected value >= 1 for dimension variable 's'. Using the following polymorphic shapes specifications: args[0].shape = (1, s, 8),args[1].shape = (1, s, 8),args[2].shape = (1, s, 8). Obtained dimension variables: 's' = {0} from specification 's' for dimension args[0].shape[1] (= {0}), . Please see https://docs.jax.dev/en/latest/export/shape_poly.html#shape-assertion-errors for more details.", has_side_effect = true} : (tensor<i1>, tensor<i32>) -> ()
    %4 = stablehlo.compare EQ, %1, %0, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%4, %1, %0) {api_version = 2 : i32, error_message = "Input shapes do not match the polymorphic shapes specification. Found inconsistency between dimension size args[1].shape[1] (= {0}) and the specification 's' (= {1}). Using the following polymorphic shapes specifications: args[0].shape = (1, s, 8),args[1].shape = (1, s, 8),args[2].shape = (1, s, 8). Obtained dimension variables: 's' = {1} from specification 's' for dimension args[0].shape[1] (= {1}), . Please see https://docs.jax.dev/en/latest/export/shape_poly.html#shape-assertion-errors for more details.", has_side_effect = true} : (tensor<i1>, tensor<i32>, tensor<i32>) -> ()
    %5 = stablehlo.compare EQ, %2, %0, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%5, %2, %0) {api_version = 2 : i32, error_message = "Input shapes do not match the polymorphic shapes specification. Found inconsistency between dimension size args[2].shape[1] (= {0}) and the specification 's' (= {1}). Using the following polymorphic shapes specifications: args[0].shape = (1, s, 8),args[1].shape = (1, s, 8),args[2].shape = (1, s, 8). Obtained dimension variables: 's' = {1} from specification 's' for dimension args[0].shape[1] (= {1}), . Please see https://docs.jax.dev/en/latest/export/shape_poly.html#shape-assertion-errors for more details.", has_side_effect = true} : (tensor<i1>, tensor<i32>, tensor<i32>) -> ()
    %6 = stablehlo.convert %0 : tensor<i32>
    %7 = stablehlo.add %6, %c_0 : tensor<i32>
    %8 = stablehlo.compare GE, %7, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %9 = stablehlo.convert %0 : tensor<i32>
    %10 = stablehlo.add %9, %c_0 : tensor<i32>
    stablehlo.custom_call @shape_assertion(%8, %10, %0) {api_version = 2 : i32, error_message = "Input shapes do not match the symbolic shape constraint s>=100. Expected 's - 100' to be greater or equal to 0, but found {0}.  Using the following polymorphic shapes specifications: args[0].shape = (1, s, 8),args[1].shape = (1, s, 8),args[2].shape = (1, s, 8). Obtained dimension variables: 's' = {1} from specification 's' for dimension args[0].shape[1] (= {1}), . Please see https://docs.jax.dev/en/latest/export/shape_poly.html#shape-assertion-errors for more details.", has_side_effect = true} : (tensor<i1>, tensor<i32>, tensor<i32>) -> ()
    %11:8 = call @_wrapped_jax_export_main(%0, %arg0, %arg1, %arg2) : (tensor<i32>, tensor<1x?x8xf32>, tensor<1x?x8xf32>, tensor<1x?x8xf32>) -> (tensor<1x?x8xf32>, tensor<1x?x8xf32>, tensor<1x?x8xf32>, tensor<1x?x8xf32>, tensor<1x?xf32>, tensor<1x?xf32>, tensor<1x?xf32>, tensor<1x?xf32>)
    return %11#0, %11#1, %11#2, %11#3, %11#4, %11#5, %11#6, %11#7 : tensor<1x?x8xf32>, tensor<1x?x8xf32>, tensor<1x?x8xf32>, tensor<1x?x8xf32>, tensor<1x?xf32>, tensor<1x?xf32>, tensor<1x?xf32>, tensor<1x?xf32>
  }
  func.func private @_wrapped_jax_export_main(%arg0: tensor<i32> {jax.global_constant = "s"}, %arg1: tensor<1x?x8xf32>, %arg2: tensor<1x?x8xf32>, %arg3: tensor<1x?x8xf32>) -> (tensor<1x?x8xf32> {jax.result_info = "result[0]"}, tensor<1x?x8xf32> {jax.result_info = "result[1]"}, tensor<1x?x8xf32> {jax.result_info = "result[2]"}, tensor<1x?x8xf32> {jax.result_info = "result[3]"}, tensor<1x?xf32> {jax.result_info = "result[4]"}, tensor<1x?xf32> {jax.result_info = "result[5]"}, tensor<1x?xf32> {jax.result_info = "result[6]"}, tensor<1x?xf32> {jax.result_info = "result[7]"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %c = stablehlo.constant dense<100> : tensor<i32>
    %cst_0 = stablehlo.constant dense<-1.000000e+09> : tensor<f32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %c_2 = stablehlo.constant dense<1> : tensor<1xi32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %c_4 = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.dot_general %arg1, %arg2, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<1x?x8xf32>, tensor<1x?x8xf32>) -> tensor<1x?x?xf32>
    %1 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %2 = stablehlo.dynamic_iota %1, dim = 0 : (tensor<1xi32>) -> tensor<?xi32>
    %3 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %4 = stablehlo.dynamic_broadcast_in_dim %c_4, %3, dims = [] : (tensor<i32>, tensor<1xi32>) -> tensor<?xi32>
    %5 = stablehlo.multiply %4, %2 : tensor<?xi32>
    %6 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %7 = stablehlo.dynamic_broadcast_in_dim %c_3, %6, dims = [] : (tensor<i32>, tensor<1xi32>) -> tensor<?xi32>
    %8 = stablehlo.add %7, %5 : tensor<?xi32>
    %9 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %10 = stablehlo.concatenate %9, %c_2, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %11 = stablehlo.dynamic_broadcast_in_dim %8, %10, dims = [0] : (tensor<?xi32>, tensor<2xi32>) -> tensor<?x1xi32>
    %12 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %13 = stablehlo.concatenate %c_2, %12, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %14 = stablehlo.dynamic_broadcast_in_dim %8, %13, dims = [1] : (tensor<?xi32>, tensor<2xi32>) -> tensor<1x?xi32>
    %15 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %16 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %17 = stablehlo.concatenate %15, %16, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %18 = stablehlo.dynamic_broadcast_in_dim %11, %17, dims = [0, 1] : (tensor<?x1xi32>, tensor<2xi32>) -> tensor<?x?xi32>
    %19 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %20 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %21 = stablehlo.concatenate %19, %20, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %22 = stablehlo.dynamic_broadcast_in_dim %14, %21, dims = [0, 1] : (tensor<1x?xi32>, tensor<2xi32>) -> tensor<?x?xi32>
    %23 = stablehlo.compare GE, %18, %22, SIGNED : (tensor<?x?xi32>, tensor<?x?xi32>) -> tensor<?x?xi1>
    %24 = call @_where(%arg0, %23, %0, %cst_1) : (tensor<i32>, tensor<?x?xi1>, tensor<1x?x?xf32>, tensor<f32>) -> tensor<1x?x?xf32>
    %25 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %26 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %27 = stablehlo.concatenate %25, %26, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %28 = stablehlo.dynamic_broadcast_in_dim %14, %27, dims = [0, 1] : (tensor<1x?xi32>, tensor<2xi32>) -> tensor<?x?xi32>
    %29 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %30 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %31 = stablehlo.concatenate %29, %30, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %32 = stablehlo.dynamic_broadcast_in_dim %11, %31, dims = [0, 1] : (tensor<?x1xi32>, tensor<2xi32>) -> tensor<?x?xi32>
    %33 = stablehlo.compare GT, %28, %32, SIGNED : (tensor<?x?xi32>, tensor<?x?xi32>) -> tensor<?x?xi1>
    %34 = call @_where_0(%arg0, %33, %cst_0, %0) : (tensor<i32>, tensor<?x?xi1>, tensor<f32>, tensor<1x?x?xf32>) -> tensor<1x?x?xf32>
    %35 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %36 = stablehlo.concatenate %35, %c_2, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %37 = stablehlo.dynamic_broadcast_in_dim %c_4, %36, dims = [] : (tensor<i32>, tensor<2xi32>) -> tensor<?x1xi32>
    %38 = stablehlo.add %11, %37 : tensor<?x1xi32>
    %39 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %40 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %41 = stablehlo.concatenate %39, %40, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %42 = stablehlo.dynamic_broadcast_in_dim %38, %41, dims = [0, 1] : (tensor<?x1xi32>, tensor<2xi32>) -> tensor<?x?xi32>
    %43 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %44 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %45 = stablehlo.concatenate %43, %44, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %46 = stablehlo.dynamic_broadcast_in_dim %14, %45, dims = [0, 1] : (tensor<1x?xi32>, tensor<2xi32>) -> tensor<?x?xi32>
    %47 = stablehlo.compare GE, %42, %46, SIGNED : (tensor<?x?xi32>, tensor<?x?xi32>) -> tensor<?x?xi1>
    %48 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %49 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %50 = stablehlo.concatenate %48, %49, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %51 = stablehlo.dynamic_broadcast_in_dim %11, %50, dims = [0, 1] : (tensor<?x1xi32>, tensor<2xi32>) -> tensor<?x?xi32>
    %52 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %53 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %54 = stablehlo.concatenate %52, %53, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %55 = stablehlo.dynamic_broadcast_in_dim %14, %54, dims = [0, 1] : (tensor<1x?xi32>, tensor<2xi32>) -> tensor<?x?xi32>
    %56 = stablehlo.subtract %51, %55 : tensor<?x?xi32>
    %57 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %58 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %59 = stablehlo.concatenate %57, %58, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %60 = stablehlo.dynamic_broadcast_in_dim %c, %59, dims = [] : (tensor<i32>, tensor<2xi32>) -> tensor<?x?xi32>
    %61 = stablehlo.compare LT, %56, %60, SIGNED : (tensor<?x?xi32>, tensor<?x?xi32>) -> tensor<?x?xi1>
    %62 = stablehlo.and %47, %61 : tensor<?x?xi1>
    %63 = call @_where(%arg0, %62, %0, %cst_0) : (tensor<i32>, tensor<?x?xi1>, tensor<1x?x?xf32>, tensor<f32>) -> tensor<1x?x?xf32>
    %64 = stablehlo.convert %arg0 : tensor<i32>
    %65 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %66 = stablehlo.concatenate %65, %c_2, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %67 = stablehlo.dynamic_broadcast_in_dim %64, %66, dims = [] : (tensor<i32>, tensor<2xi32>) -> tensor<?x1xi32>
    %68 = stablehlo.subtract %67, %11 : tensor<?x1xi32>
    %69 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %70 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %71 = stablehlo.concatenate %69, %70, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %72 = stablehlo.dynamic_broadcast_in_dim %14, %71, dims = [0, 1] : (tensor<1x?xi32>, tensor<2xi32>) -> tensor<?x?xi32>
    %73 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %74 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %75 = stablehlo.concatenate %73, %74, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %76 = stablehlo.dynamic_broadcast_in_dim %68, %75, dims = [0, 1] : (tensor<?x1xi32>, tensor<2xi32>) -> tensor<?x?xi32>
    %77 = stablehlo.compare GE, %72, %76, SIGNED : (tensor<?x?xi32>, tensor<?x?xi32>) -> tensor<?x?xi1>
    %78 = call @_where_0(%arg0, %77, %cst_0, %0) : (tensor<i32>, tensor<?x?xi1>, tensor<f32>, tensor<1x?x?xf32>) -> tensor<1x?x?xf32>
    %79 = stablehlo.reduce(%24 init: %cst_1) applies stablehlo.maximum across dimensions = [2] : (tensor<1x?x?xf32>, tensor<f32>) -> tensor<1x?xf32>
    %80 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %81 = stablehlo.concatenate %c_2, %80, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %82 = stablehlo.dynamic_broadcast_in_dim %cst_1, %81, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<1x?xf32>
    %83 = stablehlo.maximum %82, %79 : tensor<1x?xf32>
    %84 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %85 = stablehlo.concatenate %c_2, %84, %c_2, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %86 = stablehlo.dynamic_broadcast_in_dim %83, %85, dims = [0, 1] : (tensor<1x?xf32>, tensor<3xi32>) -> tensor<1x?x1xf32>
    %87 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %88 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %89 = stablehlo.concatenate %c_2, %87, %88, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %90 = stablehlo.dynamic_broadcast_in_dim %86, %89, dims = [0, 1, 2] : (tensor<1x?x1xf32>, tensor<3xi32>) -> tensor<1x?x?xf32>
    %91 = stablehlo.subtract %24, %90 : tensor<1x?x?xf32>
    %92 = stablehlo.exponential %91 : tensor<1x?x?xf32>
    %93 = stablehlo.reduce(%92 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<1x?x?xf32>, tensor<f32>) -> tensor<1x?xf32>
    %94 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %95 = stablehlo.concatenate %c_2, %94, %c_2, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %96 = stablehlo.dynamic_broadcast_in_dim %93, %95, dims = [0, 1] : (tensor<1x?xf32>, tensor<3xi32>) -> tensor<1x?x1xf32>
    %97 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %98 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %99 = stablehlo.concatenate %c_2, %97, %98, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %100 = stablehlo.dynamic_broadcast_in_dim %96, %99, dims = [0, 1, 2] : (tensor<1x?x1xf32>, tensor<3xi32>) -> tensor<1x?x?xf32>
    %101 = stablehlo.divide %92, %100 : tensor<1x?x?xf32>
    %102 = stablehlo.reduce(%34 init: %cst_1) applies stablehlo.maximum across dimensions = [2] : (tensor<1x?x?xf32>, tensor<f32>) -> tensor<1x?xf32>
    %103 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %104 = stablehlo.concatenate %c_2, %103, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %105 = stablehlo.dynamic_broadcast_in_dim %cst_1, %104, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<1x?xf32>
    %106 = stablehlo.maximum %105, %102 : tensor<1x?xf32>
    %107 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %108 = stablehlo.concatenate %c_2, %107, %c_2, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %109 = stablehlo.dynamic_broadcast_in_dim %106, %108, dims = [0, 1] : (tensor<1x?xf32>, tensor<3xi32>) -> tensor<1x?x1xf32>
    %110 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %111 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %112 = stablehlo.concatenate %c_2, %110, %111, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %113 = stablehlo.dynamic_broadcast_in_dim %109, %112, dims = [0, 1, 2] : (tensor<1x?x1xf32>, tensor<3xi32>) -> tensor<1x?x?xf32>
    %114 = stablehlo.subtract %34, %113 : tensor<1x?x?xf32>
    %115 = stablehlo.exponential %114 : tensor<1x?x?xf32>
    %116 = stablehlo.reduce(%115 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<1x?x?xf32>, tensor<f32>) -> tensor<1x?xf32>
    %117 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %118 = stablehlo.concatenate %c_2, %117, %c_2, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %119 = stablehlo.dynamic_broadcast_in_dim %116, %118, dims = [0, 1] : (tensor<1x?xf32>, tensor<3xi32>) -> tensor<1x?x1xf32>
    %120 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %121 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %122 = stablehlo.concatenate %c_2, %120, %121, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %123 = stablehlo.dynamic_broadcast_in_dim %119, %122, dims = [0, 1, 2] : (tensor<1x?x1xf32>, tensor<3xi32>) -> tensor<1x?x?xf32>
    %124 = stablehlo.divide %115, %123 : tensor<1x?x?xf32>
    %125 = stablehlo.reduce(%63 init: %cst_1) applies stablehlo.maximum across dimensions = [2] : (tensor<1x?x?xf32>, tensor<f32>) -> tensor<1x?xf32>
    %126 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %127 = stablehlo.concatenate %c_2, %126, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %128 = stablehlo.dynamic_broadcast_in_dim %cst_1, %127, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<1x?xf32>
    %129 = stablehlo.maximum %128, %125 : tensor<1x?xf32>
    %130 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %131 = stablehlo.concatenate %c_2, %130, %c_2, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %132 = stablehlo.dynamic_broadcast_in_dim %129, %131, dims = [0, 1] : (tensor<1x?xf32>, tensor<3xi32>) -> tensor<1x?x1xf32>
    %133 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %134 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %135 = stablehlo.concatenate %c_2, %133, %134, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %136 = stablehlo.dynamic_broadcast_in_dim %132, %135, dims = [0, 1, 2] : (tensor<1x?x1xf32>, tensor<3xi32>) -> tensor<1x?x?xf32>
    %137 = stablehlo.subtract %63, %136 : tensor<1x?x?xf32>
    %138 = stablehlo.exponential %137 : tensor<1x?x?xf32>
    %139 = stablehlo.reduce(%138 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<1x?x?xf32>, tensor<f32>) -> tensor<1x?xf32>
    %140 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %141 = stablehlo.concatenate %c_2, %140, %c_2, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %142 = stablehlo.dynamic_broadcast_in_dim %139, %141, dims = [0, 1] : (tensor<1x?xf32>, tensor<3xi32>) -> tensor<1x?x1xf32>
    %143 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %144 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %145 = stablehlo.concatenate %c_2, %143, %144, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %146 = stablehlo.dynamic_broadcast_in_dim %142, %145, dims = [0, 1, 2] : (tensor<1x?x1xf32>, tensor<3xi32>) -> tensor<1x?x?xf32>
    %147 = stablehlo.divide %138, %146 : tensor<1x?x?xf32>
    %148 = stablehlo.reduce(%78 init: %cst_1) applies stablehlo.maximum across dimensions = [2] : (tensor<1x?x?xf32>, tensor<f32>) -> tensor<1x?xf32>
    %149 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %150 = stablehlo.concatenate %c_2, %149, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %151 = stablehlo.dynamic_broadcast_in_dim %cst_1, %150, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<1x?xf32>
    %152 = stablehlo.maximum %151, %148 : tensor<1x?xf32>
    %153 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %154 = stablehlo.concatenate %c_2, %153, %c_2, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %155 = stablehlo.dynamic_broadcast_in_dim %152, %154, dims = [0, 1] : (tensor<1x?xf32>, tensor<3xi32>) -> tensor<1x?x1xf32>
    %156 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %157 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %158 = stablehlo.concatenate %c_2, %156, %157, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %159 = stablehlo.dynamic_broadcast_in_dim %155, %158, dims = [0, 1, 2] : (tensor<1x?x1xf32>, tensor<3xi32>) -> tensor<1x?x?xf32>
    %160 = stablehlo.subtract %78, %159 : tensor<1x?x?xf32>
    %161 = stablehlo.exponential %160 : tensor<1x?x?xf32>
    %162 = stablehlo.reduce(%161 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<1x?x?xf32>, tensor<f32>) -> tensor<1x?xf32>
    %163 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %164 = stablehlo.concatenate %c_2, %163, %c_2, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %165 = stablehlo.dynamic_broadcast_in_dim %162, %164, dims = [0, 1] : (tensor<1x?xf32>, tensor<3xi32>) -> tensor<1x?x1xf32>
    %166 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %167 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %168 = stablehlo.concatenate %c_2, %166, %167, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %169 = stablehlo.dynamic_broadcast_in_dim %165, %168, dims = [0, 1, 2] : (tensor<1x?x1xf32>, tensor<3xi32>) -> tensor<1x?x?xf32>
    %170 = stablehlo.divide %161, %169 : tensor<1x?x?xf32>
    %171 = stablehlo.dot_general %101, %arg3, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<1x?x?xf32>, tensor<1x?x8xf32>) -> tensor<1x?x8xf32>
    %172 = stablehlo.dot_general %124, %arg3, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<1x?x?xf32>, tensor<1x?x8xf32>) -> tensor<1x?x8xf32>
    %173 = stablehlo.dot_general %147, %arg3, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<1x?x?xf32>, tensor<1x?x8xf32>) -> tensor<1x?x8xf32>
    %174 = stablehlo.dot_general %170, %arg3, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<1x?x?xf32>, tensor<1x?x8xf32>) -> tensor<1x?x8xf32>
    %175 = stablehlo.reduce(%24 init: %cst_1) applies stablehlo.maximum across dimensions = [2] : (tensor<1x?x?xf32>, tensor<f32>) -> tensor<1x?xf32>
    %176 = stablehlo.reduce(%34 init: %cst_1) applies stablehlo.maximum across dimensions = [2] : (tensor<1x?x?xf32>, tensor<f32>) -> tensor<1x?xf32>
    %177 = stablehlo.reduce(%63 init: %cst_1) applies stablehlo.maximum across dimensions = [2] : (tensor<1x?x?xf32>, tensor<f32>) -> tensor<1x?xf32>
    %178 = stablehlo.reduce(%78 init: %cst_1) applies stablehlo.maximum across dimensions = [2] : (tensor<1x?x?xf32>, tensor<f32>) -> tensor<1x?xf32>
    return %171, %172, %173, %174, %175, %176, %177, %178 : tensor<1x?x8xf32>, tensor<1x?x8xf32>, tensor<1x?x8xf32>, tensor<1x?x8xf32>, tensor<1x?xf32>, tensor<1x?xf32>, tensor<1x?xf32>, tensor<1x?xf32>
  }
  func.func private @_where(%arg0: tensor<i32> {jax.global_constant = "s"}, %arg1: tensor<?x?xi1>, %arg2: tensor<1x?x?xf32>, %arg3: tensor<f32>) -> tensor<1x?x?xf32> {
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
    return %9 : tensor<1x?x?xf32>
  }
  func.func private @_where_0(%arg0: tensor<i32> {jax.global_constant = "s"}, %arg1: tensor<?x?xi1>, %arg2: tensor<f32>, %arg3: tensor<1x?x?xf32>) -> tensor<1x?x?xf32> {
    %c = stablehlo.constant dense<1> : tensor<1xi32>
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %2 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %3 = stablehlo.concatenate %c, %1, %2, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4 = stablehlo.dynamic_broadcast_in_dim %arg1, %3, dims = [1, 2] : (tensor<?x?xi1>, tensor<3xi32>) -> tensor<1x?x?xi1>
    %5 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %6 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %7 = stablehlo.concatenate %c, %5, %6, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %8 = stablehlo.dynamic_broadcast_in_dim %0, %7, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<1x?x?xf32>
    %9 = stablehlo.select %4, %8, %arg3 : tensor<1x?x?xi1>, tensor<1x?x?xf32>
    return %9 : tensor<1x?x?xf32>
  }
}
