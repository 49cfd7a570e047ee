// {"arguments": [["b,s", "i32"], ["7,4", "f32"], ["4,6", "f32"]], "ranges": {"b": [1, 4], "s": [2, 8]}, "sizes": [{"b": 3, "s": 5}, {"b": 4, "s": 8}, {"b": 1, "s": 2}, {"b": 2, "s": 7}], "ints": [0, 6], "exact": [false, false, false, false, true, false, true, false, false, false, false]}
module @jit attributes {jax.uses_shape_polymorphism = true, mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<?x?xi32>, %arg1: tensor<7x4xf32>, %arg2: tensor<4x6xf32>) -> (tensor<f32> {jax.result_info = "result[0]"}, tensor<7x4xf32> {jax.result_info = "result[1]"}, tensor<4x6xf32> {jax.result_info = "result[2]"}, tensor<?x?x6xf32> {jax.result_info = "result[3]"}, tensor<?xi32> {jax.result_info = "result[4]"}, tensor<?x?x4xf32> {jax.result_info = "result[5]"}, tensor<4x?xf32> {jax.result_info = "result[6]"}, tensor<4x4xf32> {jax.result_info = "result[7][0]"}, tensor<?x4xf32> {jax.result_info = "result[7][1]"}, tensor<4xi32> {jax.result_info = "result[7][2]"}, tensor<?x4xf32> {jax.result_info = "result[8]"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<-2> : tensor<i32>
    %c_1 = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.get_dimension_size %arg0, dim = 0 : (tensor<?x?xi32>) -> tensor<i32>
    %1 = stablehlo.get_dimension_size %arg0, dim = 1 : (tensor<?x?xi32>) -> tensor<i32>
    %2 = stablehlo.compare GE, %0, %c_1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%2, %0) {api_version = 2 : i32, error_message = "Input shapes do not match the polymorphic shapes specification. Expected value >= 1 for dimension variable 'b'. Using the following polymorphic shapes specifications: args[0].shape = (b, s). Obtained dimension variables: 'b' = {0} from specification 'b' for dimension args[0].shape[0] (= {0}), . Please see https://docs.jax.dev/en/latest/export/shape_poly.html#shape-assertion-errors for more details.", has_side_effect = true} : (tensor<i1>, tensor<i32>) -> ()
    %3 = stablehlo.compare GE, %1, %c_1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%3, %0, %1) {api_version = 2 : i32, error_message = "Input shapes do not match the polymorphic shapes specification. Expected value >= 1 for dimension variable 's'. Using the following polymorphic shapes specifications: args[0].shape = (b, s). Obtained dimension variables: 'b' = {0} from specification 'b' for dimension args[0].shape[0] (= {0}), 's' = {1} from specification 's' for dimension args[0].shape[1] (= {1}), . Please see https://docs.jax.dev/en/latest/export/shape_poly.html#shape-assertion-errors for more details.", has_side_effect = true} : (tensor<i1>, tensor<i32>, tensor<i32>) -> ()
    %4 = stablehlo.convert %1 : tensor<i32>
    %5 = stablehlo.add %4, %c_0 : tensor<i32>
    %6 = stablehlo.compare GE, %5, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %7 = stablehlo.convert %1 : tensor<i32>
    %8 = stablehlo.add %7, %c_0 : tensor<i32>
    stablehlo.custom_call @shape_assertion(%6, %8, %0, %1) {api_version = 2 : i32, error_message = "Input shapes do not match the symbolic shape constraint s>=2. Expected 's - 2' to be greater or equal to 0, but found {0}.  Using the following polymorphic shapes specifications: args[0].shape = (b, s). Obtained dimension variables: 'b' = {1} from specification 'b' for dimension args[0].shape[0] (= {1}), 's' = {2} from specification 's' for dimension args[0].shape[1] (= {2}), . Please see https://docs.jax.dev/en/latest/export/shape_poly.html#shape-assertion-errors for more details.", has_side_effect = true} : (tensor<i1>, tensor<i32>, tensor<i32>, tensor<i32>) -> ()
    %9:11 = call @_wrapped_jax_export_main(%0, %1, %arg0, %arg1, %arg2) : (tensor<i32>, tensor<i32>, tensor<?x?xi32>, tensor<7x4xf32>, tensor<4x6xf32>) -> (tensor<f32>, tensor<7x4xf32>, tensor<4x6xf32>, tensor<?x?x6xf32>, tensor<?xi32>, tensor<?x?x4xf32>, tensor<4x?xf32>, tensor<4x4xf32>, tensor<?x4xf32>, tensor<4xi32>, tensor<?x4xf32>)
    return %9#0, %9#1, %9#2, %9#3, %9#4, %9#5, %9#6, %9#7, %9#8, %9#9, %9#10 : tensor<f32>, tensor<7x4xf32>, tensor<4x6xf32>, tensor<?x?x6xf32>, tensor<?xi32>, tensor<?x?x4xf32>, tensor<4x?xf32>, tensor<4x4xf32>, tensor<?x4xf32>, tensor<4xi32>, tensor<?x4xf32>
  }
  func.func @reduce_window_float32_reducer(%arg0: tensor<f32>, %arg1: tensor<f32>) -> tensor<f32> {
    %0 = stablehlo.add %arg0, %arg1 : tensor<f32>
    return %0 : tensor<f32>
  }
  func.func private @_wrapped_jax_export_main(%arg0: tensor<i32> {jax.global_constant = "b"}, %arg1: tensor<i32> {jax.global_constant = "s"}, %arg2: tensor<?x?xi32>, %arg3: tensor<7x4xf32>, %arg4: tensor<4x6xf32>) -> (tensor<f32> {jax.result_info = "result[0]"}, tensor<7x4xf32> {jax.result_info = "result[1]"}, tensor<4x6xf32> {jax.result_info = "result[2]"}, tensor<?x?x6xf32> {jax.result_info = "result[3]"}, tensor<?xi32> {jax.result_info = "result[4]"}, tensor<?x?x4xf32> {jax.result_info = "result[5]"}, tensor<4x?xf32> {jax.result_info = "result[6]"}, tensor<4x4xf32> {jax.result_info = "result[7][0]"}, tensor<?x4xf32> {jax.result_info = "result[7][1]"}, tensor<4xi32> {jax.result_info = "result[7][2]"}, tensor<?x4xf32> {jax.result_info = "result[8]"}) {
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %c = stablehlo.constant dense<6> : tensor<1xi32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_1 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %cst_2 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %c_3 = stablehlo.constant dense<4> : tensor<1xi32>
    %cst_4 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %c_6 = stablehlo.constant dense<1> : tensor<1xi32>
    %c_7 = stablehlo.constant dense<1> : tensor<i32>
    %c_8 = stablehlo.constant dense<7> : tensor<i32>
    %c_9 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.multiply %arg1, %arg0 : tensor<i32>
    %1 = stablehlo.reshape %0 : (tensor<i32>) -> tensor<1xi32>
    %2 = stablehlo.dynamic_reshape %arg2, %1 : (tensor<?x?xi32>, tensor<1xi32>) -> tensor<?xi32>
    %3 = stablehlo.multiply %arg1, %arg0 : tensor<i32>
    %4 = stablehlo.reshape %3 : (tensor<i32>) -> tensor<1xi32>
    %5 = stablehlo.dynamic_broadcast_in_dim %c_9, %4, dims = [] : (tensor<i32>, tensor<1xi32>) -> tensor<?xi32>
    %6 = stablehlo.compare LT, %2, %5, SIGNED : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi1>
    %7 = stablehlo.multiply %arg1, %arg0 : tensor<i32>
    %8 = stablehlo.reshape %7 : (tensor<i32>) -> tensor<1xi32>
    %9 = stablehlo.dynamic_broadcast_in_dim %c_8, %8, dims = [] : (tensor<i32>, tensor<1xi32>) -> tensor<?xi32>
    %10 = stablehlo.add %2, %9 : tensor<?xi32>
    %11 = stablehlo.select %6, %10, %2 : tensor<?xi1>, tensor<?xi32>
    %12 = stablehlo.multiply %arg1, %arg0 : tensor<i32>
    %13 = stablehlo.reshape %12 : (tensor<i32>) -> tensor<1xi32>
    %14 = stablehlo.concatenate %13, %c_6, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %15 = stablehlo.dynamic_broadcast_in_dim %11, %14, dims = [0] : (tensor<?xi32>, tensor<2xi32>) -> tensor<?x1xi32>
    %16 = "stablehlo.gather"(%arg3, %15) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 4>}> : (tensor<7x4xf32>, tensor<?x1xi32>) -> tensor<?x4xf32>
    %17 = stablehlo.reduce(%16 init: %cst_5) applies stablehlo.add across dimensions = [1] : (tensor<?x4xf32>, tensor<f32>) -> tensor<?xf32>
    %18 = stablehlo.multiply %arg1, %arg0 : tensor<i32>
    %19 = stablehlo.reshape %18 : (tensor<i32>) -> tensor<1xi32>
    %20 = stablehlo.concatenate %19, %c_6, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %21 = stablehlo.dynamic_broadcast_in_dim %17, %20, dims = [0] : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x1xf32>
    %22 = stablehlo.multiply %arg1, %arg0 : tensor<i32>
    %23 = stablehlo.reshape %22 : (tensor<i32>) -> tensor<1xi32>
    %24 = stablehlo.concatenate %23, %c_6, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %25 = stablehlo.dynamic_broadcast_in_dim %cst_4, %24, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x1xf32>
    %26 = stablehlo.divide %21, %25 : tensor<?x1xf32>
    %27 = stablehlo.multiply %arg1, %arg0 : tensor<i32>
    %28 = stablehlo.reshape %27 : (tensor<i32>) -> tensor<1xi32>
    %29 = stablehlo.concatenate %28, %c_3, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %30 = stablehlo.dynamic_broadcast_in_dim %26, %29, dims = [0, 1] : (tensor<?x1xf32>, tensor<2xi32>) -> tensor<?x4xf32>
    %31 = stablehlo.subtract %16, %30 : tensor<?x4xf32>
    %32:5 = call @_var(%arg0, %arg1, %16, %c_9) : (tensor<i32>, tensor<i32>, tensor<?x4xf32>, tensor<i32>) -> (tensor<?x1xf32>, tensor<?x4xf32>, tensor<f32>, tensor<i1>, tensor<?x1xf32>)
    %33 = stablehlo.multiply %arg1, %arg0 : tensor<i32>
    %34 = stablehlo.reshape %33 : (tensor<i32>) -> tensor<1xi32>
    %35 = stablehlo.concatenate %34, %c_6, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %36 = stablehlo.dynamic_broadcast_in_dim %cst_2, %35, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x1xf32>
    %37 = stablehlo.add %32#0, %36 : tensor<?x1xf32>
    %38 = stablehlo.rsqrt %37 : tensor<?x1xf32>
    %39 = stablehlo.divide %38, %37 : tensor<?x1xf32>
    %40 = stablehlo.multiply %arg1, %arg0 : tensor<i32>
    %41 = stablehlo.reshape %40 : (tensor<i32>) -> tensor<1xi32>
    %42 = stablehlo.concatenate %41, %c_6, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %43 = stablehlo.dynamic_broadcast_in_dim %cst_1, %42, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x1xf32>
    %44 = stablehlo.multiply %43, %39 : tensor<?x1xf32>
    %45 = stablehlo.multiply %arg1, %arg0 : tensor<i32>
    %46 = stablehlo.reshape %45 : (tensor<i32>) -> tensor<1xi32>
    %47 = stablehlo.concatenate %46, %c_3, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %48 = stablehlo.dynamic_broadcast_in_dim %38, %47, dims = [0, 1] : (tensor<?x1xf32>, tensor<2xi32>) -> tensor<?x4xf32>
    %49 = stablehlo.multiply %31, %48 : tensor<?x4xf32>
    %50 = stablehlo.dot_general %49, %arg4, contracting_dims = [1] x [0] : (tensor<?x4xf32>, tensor<4x6xf32>) -> tensor<?x6xf32>
    %51 = stablehlo.tanh %50 : tensor<?x6xf32>
    %52 = stablehlo.multiply %arg1, %arg0 : tensor<i32>
    %53 = stablehlo.reshape %52 : (tensor<i32>) -> tensor<1xi32>
    %54 = stablehlo.concatenate %53, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %55 = stablehlo.dynamic_broadcast_in_dim %cst_0, %54, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x6xf32>
    %56 = stablehlo.subtract %55, %51 : tensor<?x6xf32>
    %57:3 = call @log_softmax(%arg0, %arg1, %51) : (tensor<i32>, tensor<i32>, tensor<?x6xf32>) -> (tensor<?x6xf32>, tensor<?x6xf32>, tensor<?x1xf32>)
    %58 = call @_one_hot(%arg0, %arg1, %2) : (tensor<i32>, tensor<i32>, tensor<?xi32>) -> tensor<?x6xf32>
    %59 = stablehlo.multiply %57#0, %58 : tensor<?x6xf32>
    %60 = stablehlo.reduce(%59 init: %cst_5) applies stablehlo.add across dimensions = [1] : (tensor<?x6xf32>, tensor<f32>) -> tensor<?xf32>
    %61 = stablehlo.multiply %arg1, %arg0 : tensor<i32>
    %62 = stablehlo.convert %61 : (tensor<i32>) -> tensor<f32>
    %63 = stablehlo.reduce(%60 init: %cst_5) applies stablehlo.add across dimensions = [0] : (tensor<?xf32>, tensor<f32>) -> tensor<f32>
    %64 = stablehlo.divide %63, %62 : tensor<f32>
    %65 = stablehlo.negate %64 : tensor<f32>
    %66 = stablehlo.negate %cst_0 : tensor<f32>
    %67 = stablehlo.divide %66, %62 : tensor<f32>
    %68 = stablehlo.multiply %arg1, %arg0 : tensor<i32>
    %69 = stablehlo.reshape %68 : (tensor<i32>) -> tensor<1xi32>
    %70 = stablehlo.dynamic_broadcast_in_dim %67, %69, dims = [] : (tensor<f32>, tensor<1xi32>) -> tensor<?xf32>
    %71 = stablehlo.multiply %arg1, %arg0 : tensor<i32>
    %72 = stablehlo.reshape %71 : (tensor<i32>) -> tensor<1xi32>
    %73 = stablehlo.concatenate %72, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %74 = stablehlo.dynamic_broadcast_in_dim %70, %73, dims = [0] : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x6xf32>
    %75 = stablehlo.multiply %74, %58 : tensor<?x6xf32>
    %76 = call @log_softmax_0(%arg0, %arg1, %57#1, %57#2, %75) : (tensor<i32>, tensor<i32>, tensor<?x6xf32>, tensor<?x1xf32>, tensor<?x6xf32>) -> tensor<?x6xf32>
    %77 = stablehlo.multiply %76, %56 : tensor<?x6xf32>
    %78 = stablehlo.multiply %77, %51 : tensor<?x6xf32>
    %79 = stablehlo.add %77, %78 : tensor<?x6xf32>
    %80 = stablehlo.dot_general %79, %49, contracting_dims = [0] x [0] : (tensor<?x6xf32>, tensor<?x4xf32>) -> tensor<6x4xf32>
    %81 = stablehlo.transpose %80, dims = [1, 0] : (tensor<6x4xf32>) -> tensor<4x6xf32>
    %82 = stablehlo.dot_general %79, %arg4, contracting_dims = [1] x [1] : (tensor<?x6xf32>, tensor<4x6xf32>) -> tensor<?x4xf32>
    %83 = stablehlo.multiply %31, %82 : tensor<?x4xf32>
    %84 = stablehlo.reduce(%83 init: %cst_5) applies stablehlo.add across dimensions = [1] : (tensor<?x4xf32>, tensor<f32>) -> tensor<?xf32>
    %85 = stablehlo.multiply %arg1, %arg0 : tensor<i32>
    %86 = stablehlo.reshape %85 : (tensor<i32>) -> tensor<1xi32>
    %87 = stablehlo.concatenate %86, %c_6, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %88 = stablehlo.dynamic_reshape %84, %87 : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x1xf32>
    %89 = stablehlo.multiply %arg1, %arg0 : tensor<i32>
    %90 = stablehlo.reshape %89 : (tensor<i32>) -> tensor<1xi32>
    %91 = stablehlo.concatenate %90, %c_3, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %92 = stablehlo.dynamic_broadcast_in_dim %38, %91, dims = [0, 1] : (tensor<?x1xf32>, tensor<2xi32>) -> tensor<?x4xf32>
    %93 = stablehlo.multiply %82, %92 : tensor<?x4xf32>
    %94 = stablehlo.multiply %88, %44 : tensor<?x1xf32>
    %95 = call @_var_1(%arg0, %arg1, %32#1, %32#2, %32#3, %32#4, %94) : (tensor<i32>, tensor<i32>, tensor<?x4xf32>, tensor<f32>, tensor<i1>, tensor<?x1xf32>, tensor<?x1xf32>) -> tensor<?x4xf32>
    %96 = stablehlo.negate %93 : tensor<?x4xf32>
    %97 = stablehlo.reduce(%96 init: %cst_5) applies stablehlo.add across dimensions = [1] : (tensor<?x4xf32>, tensor<f32>) -> tensor<?xf32>
    %98 = stablehlo.multiply %arg1, %arg0 : tensor<i32>
    %99 = stablehlo.reshape %98 : (tensor<i32>) -> tensor<1xi32>
    %100 = stablehlo.concatenate %99, %c_6, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %101 = stablehlo.dynamic_reshape %97, %100 : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x1xf32>
    %102 = stablehlo.add %95, %93 : tensor<?x4xf32>
    %103 = stablehlo.multiply %arg1, %arg0 : tensor<i32>
    %104 = stablehlo.reshape %103 : (tensor<i32>) -> tensor<1xi32>
    %105 = stablehlo.concatenate %104, %c_6, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %106 = stablehlo.dynamic_broadcast_in_dim %cst_4, %105, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x1xf32>
    %107 = stablehlo.divide %101, %106 : tensor<?x1xf32>
    %108 = stablehlo.reduce(%107 init: %cst_5) applies stablehlo.add across dimensions = [1] : (tensor<?x1xf32>, tensor<f32>) -> tensor<?xf32>
    %109 = stablehlo.multiply %arg1, %arg0 : tensor<i32>
    %110 = stablehlo.reshape %109 : (tensor<i32>) -> tensor<1xi32>
    %111 = stablehlo.concatenate %110, %c_3, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %112 = stablehlo.dynamic_broadcast_in_dim %108, %111, dims = [0] : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x4xf32>
    %113 = stablehlo.add %102, %112 : tensor<?x4xf32>
    %114 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<7x4xf32>
    %115 = "stablehlo.scatter"(%114, %15, %113) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
    ^bb0(%arg5: tensor<f32>, %arg6: tensor<f32>):
      %182 = stablehlo.add %arg5, %arg6 : tensor<f32>
      stablehlo.return %182 : tensor<f32>
    }) : (tensor<7x4xf32>, tensor<?x1xi32>, tensor<?x4xf32>) -> tensor<7x4xf32>
    %116 = stablehlo.multiply %arg1, %arg0 : tensor<i32>
    %117 = stablehlo.reshape %116 : (tensor<i32>) -> tensor<1xi32>
    %118 = stablehlo.dynamic_broadcast_in_dim %c_9, %117, dims = [] : (tensor<i32>, tensor<1xi32>) -> tensor<?xi32>
    %119 = stablehlo.compare LT, %2, %118, SIGNED : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi1>
    %120 = stablehlo.multiply %arg1, %arg0 : tensor<i32>
    %121 = stablehlo.reshape %120 : (tensor<i32>) -> tensor<1xi32>
    %122 = stablehlo.dynamic_broadcast_in_dim %c_8, %121, dims = [] : (tensor<i32>, tensor<1xi32>) -> tensor<?xi32>
    %123 = stablehlo.add %2, %122 : tensor<?xi32>
    %124 = stablehlo.select %119, %123, %2 : tensor<?xi1>, tensor<?xi32>
    %125 = stablehlo.multiply %arg1, %arg0 : tensor<i32>
    %126 = stablehlo.reshape %125 : (tensor<i32>) -> tensor<1xi32>
    %127 = stablehlo.concatenate %126, %c_6, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %128 = stablehlo.dynamic_broadcast_in_dim %124, %127, dims = [0] : (tensor<?xi32>, tensor<2xi32>) -> tensor<?x1xi32>
    %129 = "stablehlo.gather"(%arg3, %128) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 4>}> : (tensor<7x4xf32>, tensor<?x1xi32>) -> tensor<?x4xf32>
    %130 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %131 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %132 = stablehlo.concatenate %130, %131, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %133 = stablehlo.dynamic_reshape %51, %132 : (tensor<?x6xf32>, tensor<3xi32>) -> tensor<?x?x6xf32>
    %134 = call @argmax(%arg0, %arg1, %51) : (tensor<i32>, tensor<i32>, tensor<?x6xf32>) -> tensor<?xi32>
    %135 = stablehlo.reduce(%129 init: %cst) applies stablehlo.maximum across dimensions = [0] : (tensor<?x4xf32>, tensor<f32>) -> tensor<4xf32>
    %136 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %137 = stablehlo.maximum %136, %135 : tensor<4xf32>
    %138 = stablehlo.broadcast_in_dim %137, dims = [1] : (tensor<4xf32>) -> tensor<1x4xf32>
    %139 = stablehlo.multiply %arg1, %arg0 : tensor<i32>
    %140 = stablehlo.reshape %139 : (tensor<i32>) -> tensor<1xi32>
    %141 = stablehlo.concatenate %140, %c_3, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %142 = stablehlo.dynamic_broadcast_in_dim %138, %141, dims = [0, 1] : (tensor<1x4xf32>, tensor<2xi32>) -> tensor<?x4xf32>
    %143 = stablehlo.subtract %129, %142 : tensor<?x4xf32>
    %144 = stablehlo.exponential %143 : tensor<?x4xf32>
    %145 = stablehlo.reduce(%144 init: %cst_5) applies stablehlo.add across dimensions = [0] : (tensor<?x4xf32>, tensor<f32>) -> tensor<4xf32>
    %146 = stablehlo.broadcast_in_dim %145, dims = [1] : (tensor<4xf32>) -> tensor<1x4xf32>
    %147 = stablehlo.multiply %arg1, %arg0 : tensor<i32>
    %148 = stablehlo.reshape %147 : (tensor<i32>) -> tensor<1xi32>
    %149 = stablehlo.concatenate %148, %c_3, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %150 = stablehlo.dynamic_broadcast_in_dim %146, %149, dims = [0, 1] : (tensor<1x4xf32>, tensor<2xi32>) -> tensor<?x4xf32>
    %151 = stablehlo.divide %144, %150 : tensor<?x4xf32>
    %152 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %153 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %154 = stablehlo.concatenate %152, %153, %c_3, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %155 = stablehlo.dynamic_reshape %151, %154 : (tensor<?x4xf32>, tensor<3xi32>) -> tensor<?x?x4xf32>
    %156 = stablehlo.transpose %129, dims = [1, 0] : (tensor<?x4xf32>) -> tensor<4x?xf32>
    %157 = stablehlo.transpose %129, dims = [1, 0] : (tensor<?x4xf32>) -> tensor<4x?xf32>
    %158 = stablehlo.dot_general %157, %129, contracting_dims = [1] x [0] : (tensor<4x?xf32>, tensor<?x4xf32>) -> tensor<4x4xf32>
    %159 = call @cumsum(%arg0, %arg1, %129) : (tensor<i32>, tensor<i32>, tensor<?x4xf32>) -> tensor<?x4xf32>
    %160 = call @argmax_4(%arg0, %arg1, %129) : (tensor<i32>, tensor<i32>, tensor<?x4xf32>) -> tensor<4xi32>
    %161 = stablehlo.multiply %arg1, %arg0 : tensor<i32>
    %162 = stablehlo.reshape %161 : (tensor<i32>) -> tensor<1xi32>
    %163 = stablehlo.dynamic_iota %162, dim = 0 : (tensor<1xi32>) -> tensor<?xi32>
    %164 = stablehlo.multiply %arg1, %arg0 : tensor<i32>
    %165 = stablehlo.reshape %164 : (tensor<i32>) -> tensor<1xi32>
    %166 = stablehlo.dynamic_broadcast_in_dim %c_7, %165, dims = [] : (tensor<i32>, tensor<1xi32>) -> tensor<?xi32>
    %167 = stablehlo.multiply %166, %163 : tensor<?xi32>
    %168 = stablehlo.multiply %arg1, %arg0 : tensor<i32>
    %169 = stablehlo.reshape %168 : (tensor<i32>) -> tensor<1xi32>
    %170 = stablehlo.dynamic_broadcast_in_dim %c_9, %169, dims = [] : (tensor<i32>, tensor<1xi32>) -> tensor<?xi32>
    %171 = stablehlo.add %170, %167 : tensor<?xi32>
    %172 = stablehlo.multiply %arg1, %arg0 : tensor<i32>
    %173 = stablehlo.reshape %172 : (tensor<i32>) -> tensor<1xi32>
    %174 = stablehlo.concatenate %173, %c_6, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %175 = stablehlo.dynamic_broadcast_in_dim %171, %174, dims = [0] : (tensor<?xi32>, tensor<2xi32>) -> tensor<?x1xi32>
    %176 = stablehlo.convert %175 : (tensor<?x1xi32>) -> tensor<?x1xf32>
    %177 = stablehlo.multiply %arg1, %arg0 : tensor<i32>
    %178 = stablehlo.reshape %177 : (tensor<i32>) -> tensor<1xi32>
    %179 = stablehlo.concatenate %178, %c_3, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %180 = stablehlo.dynamic_broadcast_in_dim %176, %179, dims = [0, 1] : (tensor<?x1xf32>, tensor<2xi32>) -> tensor<?x4xf32>
    %181 = stablehlo.add %129, %180 : tensor<?x4xf32>
    return %65, %115, %81, %133, %134, %155, %156, %158, %159, %160, %181 : tensor<f32>, tensor<7x4xf32>, tensor<4x6xf32>, tensor<?x?x6xf32>, tensor<?xi32>, tensor<?x?x4xf32>, tensor<4x?xf32>, tensor<4x4xf32>, tensor<?x4xf32>, tensor<4xi32>, tensor<?x4xf32>
  }
  func.func private @_var(%arg0: tensor<i32> {jax.global_constant = "b"}, %arg1: tensor<i32> {jax.global_constant = "s"}, %arg2: tensor<?x4xf32>, %arg3: tensor<i32>) -> (tensor<?x1xf32>, tensor<?x4xf32>, tensor<f32>, tensor<i1>, tensor<?x1xf32>) {
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %cst_0 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %c = stablehlo.constant dense<4> : tensor<1xi32>
    %cst_1 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %c_2 = stablehlo.constant dense<1> : tensor<1xi32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg2 init: %cst_3) applies stablehlo.add across dimensions = [1] : (tensor<?x4xf32>, tensor<f32>) -> tensor<?xf32>
    %1 = stablehlo.multiply %arg1, %arg0 : tensor<i32>
    %2 = stablehlo.reshape %1 : (tensor<i32>) -> tensor<1xi32>
    %3 = stablehlo.concatenate %2, %c_2, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %4 = stablehlo.dynamic_broadcast_in_dim %0, %3, dims = [0] : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x1xf32>
    %5 = stablehlo.multiply %arg1, %arg0 : tensor<i32>
    %6 = stablehlo.reshape %5 : (tensor<i32>) -> tensor<1xi32>
    %7 = stablehlo.concatenate %6, %c_2, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %8 = stablehlo.dynamic_broadcast_in_dim %cst_1, %7, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x1xf32>
    %9 = stablehlo.divide %4, %8 : tensor<?x1xf32>
    %10 = stablehlo.multiply %arg1, %arg0 : tensor<i32>
    %11 = stablehlo.reshape %10 : (tensor<i32>) -> tensor<1xi32>
    %12 = stablehlo.concatenate %11, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %13 = stablehlo.dynamic_broadcast_in_dim %9, %12, dims = [0, 1] : (tensor<?x1xf32>, tensor<2xi32>) -> tensor<?x4xf32>
    %14 = stablehlo.subtract %arg2, %13 : tensor<?x4xf32>
    %15 = stablehlo.multiply %14, %14 : tensor<?x4xf32>
    %16 = stablehlo.multiply %arg1, %arg0 : tensor<i32>
    %17 = stablehlo.reshape %16 : (tensor<i32>) -> tensor<1xi32>
    %18 = stablehlo.concatenate %17, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %19 = stablehlo.dynamic_broadcast_in_dim %cst_0, %18, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x4xf32>
    %20 = stablehlo.multiply %19, %14 : tensor<?x4xf32>
    %21 = stablehlo.convert %arg3 : (tensor<i32>) -> tensor<f32>
    %22 = stablehlo.subtract %cst_1, %21 : tensor<f32>
    %23 = stablehlo.reduce(%15 init: %cst_3) applies stablehlo.add across dimensions = [1] : (tensor<?x4xf32>, tensor<f32>) -> tensor<?xf32>
    %24 = stablehlo.multiply %arg1, %arg0 : tensor<i32>
    %25 = stablehlo.reshape %24 : (tensor<i32>) -> tensor<1xi32>
    %26 = stablehlo.concatenate %25, %c_2, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %27 = stablehlo.dynamic_broadcast_in_dim %23, %26, dims = [0] : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x1xf32>
    %28 = stablehlo.multiply %arg1, %arg0 : tensor<i32>
    %29 = stablehlo.reshape %28 : (tensor<i32>) -> tensor<1xi32>
    %30 = stablehlo.concatenate %29, %c_2, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %31 = stablehlo.dynamic_broadcast_in_dim %22, %30, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x1xf32>
    %32 = stablehlo.divide %27, %31 : tensor<?x1xf32>
    %33 = stablehlo.compare GT, %22, %cst_3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %34:2 = call @_where(%arg0, %arg1, %33, %32, %cst) : (tensor<i32>, tensor<i32>, tensor<i1>, tensor<?x1xf32>, tensor<f32>) -> (tensor<?x1xf32>, tensor<?x1xf32>)
    return %34#0, %20, %22, %33, %34#1 : tensor<?x1xf32>, tensor<?x4xf32>, tensor<f32>, tensor<i1>, tensor<?x1xf32>
  }
  func.func private @_where(%arg0: tensor<i32> {jax.global_constant = "b"}, %arg1: tensor<i32> {jax.global_constant = "s"}, %arg2: tensor<i1>, %arg3: tensor<?x1xf32>, %arg4: tensor<f32>) -> (tensor<?x1xf32>, tensor<?x1xf32>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %c = stablehlo.constant dense<1> : tensor<1xi32>
    %0 = stablehlo.convert %arg4 : tensor<f32>
    %1 = stablehlo.multiply %arg1, %arg0 : tensor<i32>
    %2 = stablehlo.reshape %1 : (tensor<i32>) -> tensor<1xi32>
    %3 = stablehlo.concatenate %2, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %4 = stablehlo.dynamic_broadcast_in_dim %0, %3, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x1xf32>
    %5 = stablehlo.select %arg2, %arg3, %4 : tensor<i1>, tensor<?x1xf32>
    %6 = stablehlo.multiply %arg1, %arg0 : tensor<i32>
    %7 = stablehlo.reshape %6 : (tensor<i32>) -> tensor<1xi32>
    %8 = stablehlo.concatenate %7, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %9 = stablehlo.dynamic_broadcast_in_dim %cst, %8, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x1xf32>
    return %5, %9 : tensor<?x1xf32>, tensor<?x1xf32>
  }
  func.func private @log_softmax(%arg0: tensor<i32> {jax.global_constant = "b"}, %arg1: tensor<i32> {jax.global_constant = "s"}, %arg2: tensor<?x6xf32>) -> (tensor<?x6xf32>, tensor<?x6xf32>, tensor<?x1xf32>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %c = stablehlo.constant dense<6> : tensor<1xi32>
    %c_0 = stablehlo.constant dense<1> : tensor<1xi32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = stablehlo.reduce(%arg2 init: %cst_1) applies stablehlo.maximum across dimensions = [1] : (tensor<?x6xf32>, tensor<f32>) -> tensor<?xf32>
    %1 = stablehlo.multiply %arg1, %arg0 : tensor<i32>
    %2 = stablehlo.reshape %1 : (tensor<i32>) -> tensor<1xi32>
    %3 = stablehlo.dynamic_broadcast_in_dim %cst_1, %2, dims = [] : (tensor<f32>, tensor<1xi32>) -> tensor<?xf32>
    %4 = stablehlo.maximum %3, %0 : tensor<?xf32>
    %5 = stablehlo.multiply %arg1, %arg0 : tensor<i32>
    %6 = stablehlo.reshape %5 : (tensor<i32>) -> tensor<1xi32>
    %7 = stablehlo.concatenate %6, %c_0, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %8 = stablehlo.dynamic_broadcast_in_dim %4, %7, dims = [0] : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x1xf32>
    %9 = stablehlo.multiply %arg1, %arg0 : tensor<i32>
    %10 = stablehlo.reshape %9 : (tensor<i32>) -> tensor<1xi32>
    %11 = stablehlo.concatenate %10, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %12 = stablehlo.dynamic_broadcast_in_dim %8, %11, dims = [0, 1] : (tensor<?x1xf32>, tensor<2xi32>) -> tensor<?x6xf32>
    %13 = stablehlo.subtract %arg2, %12 : tensor<?x6xf32>
    %14 = stablehlo.exponential %13 : tensor<?x6xf32>
    %15 = stablehlo.reduce(%14 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<?x6xf32>, tensor<f32>) -> tensor<?xf32>
    %16 = stablehlo.multiply %arg1, %arg0 : tensor<i32>
    %17 = stablehlo.reshape %16 : (tensor<i32>) -> tensor<1xi32>
    %18 = stablehlo.concatenate %17, %c_0, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %19 = stablehlo.dynamic_broadcast_in_dim %15, %18, dims = [0] : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x1xf32>
    %20 = stablehlo.log %19 : tensor<?x1xf32>
    %21 = stablehlo.multiply %arg1, %arg0 : tensor<i32>
    %22 = stablehlo.reshape %21 : (tensor<i32>) -> tensor<1xi32>
    %23 = stablehlo.concatenate %22, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %24 = stablehlo.dynamic_broadcast_in_dim %20, %23, dims = [0, 1] : (tensor<?x1xf32>, tensor<2xi32>) -> tensor<?x6xf32>
    %25 = stablehlo.subtract %13, %24 : tensor<?x6xf32>
    return %25, %14, %19 : tensor<?x6xf32>, tensor<?x6xf32>, tensor<?x1xf32>
  }
  func.func private @_one_hot(%arg0: tensor<i32> {jax.global_constant = "b"}, %arg1: tensor<i32> {jax.global_constant = "s"}, %arg2: tensor<?xi32>) -> tensor<?x6xf32> {
    %c = stablehlo.constant dense<6> : tensor<1xi32>
    %c_0 = stablehlo.constant dense<1> : tensor<1xi32>
    %0 = stablehlo.multiply %arg1, %arg0 : tensor<i32>
    %1 = stablehlo.reshape %0 : (tensor<i32>) -> tensor<1xi32>
    %2 = stablehlo.concatenate %1, %c_0, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %3 = stablehlo.dynamic_broadcast_in_dim %arg2, %2, dims = [0] : (tensor<?xi32>, tensor<2xi32>) -> tensor<?x1xi32>
    %4 = stablehlo.iota dim = 1 : tensor<1x6xi32>
    %5 = stablehlo.multiply %arg1, %arg0 : tensor<i32>
    %6 = stablehlo.reshape %5 : (tensor<i32>) -> tensor<1xi32>
    %7 = stablehlo.concatenate %6, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %8 = stablehlo.dynamic_broadcast_in_dim %3, %7, dims = [0, 1] : (tensor<?x1xi32>, tensor<2xi32>) -> tensor<?x6xi32>
    %9 = stablehlo.multiply %arg1, %arg0 : tensor<i32>
    %10 = stablehlo.reshape %9 : (tensor<i32>) -> tensor<1xi32>
    %11 = stablehlo.concatenate %10, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %12 = stablehlo.dynamic_broadcast_in_dim %4, %11, dims = [0, 1] : (tensor<1x6xi32>, tensor<2xi32>) -> tensor<?x6xi32>
    %13 = stablehlo.compare EQ, %8, %12, SIGNED : (tensor<?x6xi32>, tensor<?x6xi32>) -> tensor<?x6xi1>
    %14 = stablehlo.convert %13 : (tensor<?x6xi1>) -> tensor<?x6xf32>
    return %14 : tensor<?x6xf32>
  }
  func.func private @log_softmax_0(%arg0: tensor<i32> {jax.global_constant = "b"}, %arg1: tensor<i32> {jax.global_constant = "s"}, %arg2: tensor<?x6xf32>, %arg3: tensor<?x1xf32>, %arg4: tensor<?x6xf32>) -> tensor<?x6xf32> {
    %c = stablehlo.constant dense<6> : tensor<1xi32>
    %c_0 = stablehlo.constant dense<1> : tensor<1xi32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.negate %arg4 : tensor<?x6xf32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<?x6xf32>, tensor<f32>) -> tensor<?xf32>
    %2 = stablehlo.multiply %arg1, %arg0 : tensor<i32>
    %3 = stablehlo.reshape %2 : (tensor<i32>) -> tensor<1xi32>
    %4 = stablehlo.concatenate %3, %c_0, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %5 = stablehlo.dynamic_reshape %1, %4 : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x1xf32>
    %6 = stablehlo.divide %5, %arg3 : tensor<?x1xf32>
    %7 = stablehlo.reduce(%6 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<?x1xf32>, tensor<f32>) -> tensor<?xf32>
    %8 = stablehlo.multiply %arg1, %arg0 : tensor<i32>
    %9 = stablehlo.reshape %8 : (tensor<i32>) -> tensor<1xi32>
    %10 = stablehlo.concatenate %9, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %11 = stablehlo.dynamic_broadcast_in_dim %7, %10, dims = [0] : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x6xf32>
    %12 = stablehlo.multiply %11, %arg2 : tensor<?x6xf32>
    %13 = stablehlo.add %arg4, %12 : tensor<?x6xf32>
    return %13 : tensor<?x6xf32>
  }
  func.func private @_var_1(%arg0: tensor<i32> {jax.global_constant = "b"}, %arg1: tensor<i32> {jax.global_constant = "s"}, %arg2: tensor<?x4xf32>, %arg3: tensor<f32>, %arg4: tensor<i1>, %arg5: tensor<?x1xf32>, %arg6: tensor<?x1xf32>) -> tensor<?x4xf32> {
    %cst = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %c = stablehlo.constant dense<4> : tensor<1xi32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %c_1 = stablehlo.constant dense<1> : tensor<1xi32>
    %0 = call @_where_2(%arg0, %arg1, %arg4, %arg5, %arg6) : (tensor<i32>, tensor<i32>, tensor<i1>, tensor<?x1xf32>, tensor<?x1xf32>) -> tensor<?x1xf32>
    %1 = stablehlo.multiply %arg1, %arg0 : tensor<i32>
    %2 = stablehlo.reshape %1 : (tensor<i32>) -> tensor<1xi32>
    %3 = stablehlo.concatenate %2, %c_1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %4 = stablehlo.dynamic_broadcast_in_dim %arg3, %3, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x1xf32>
    %5 = stablehlo.divide %0, %4 : tensor<?x1xf32>
    %6 = stablehlo.reduce(%5 init: %cst_0) applies stablehlo.add across dimensions = [1] : (tensor<?x1xf32>, tensor<f32>) -> tensor<?xf32>
    %7 = stablehlo.multiply %arg1, %arg0 : tensor<i32>
    %8 = stablehlo.reshape %7 : (tensor<i32>) -> tensor<1xi32>
    %9 = stablehlo.concatenate %8, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %10 = stablehlo.dynamic_broadcast_in_dim %6, %9, dims = [0] : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x4xf32>
    %11 = stablehlo.multiply %10, %arg2 : tensor<?x4xf32>
    %12 = stablehlo.negate %11 : tensor<?x4xf32>
    %13 = stablehlo.reduce(%12 init: %cst_0) applies stablehlo.add across dimensions = [1] : (tensor<?x4xf32>, tensor<f32>) -> tensor<?xf32>
    %14 = stablehlo.multiply %arg1, %arg0 : tensor<i32>
    %15 = stablehlo.reshape %14 : (tensor<i32>) -> tensor<1xi32>
    %16 = stablehlo.concatenate %15, %c_1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %17 = stablehlo.dynamic_reshape %13, %16 : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x1xf32>
    %18 = stablehlo.multiply %arg1, %arg0 : tensor<i32>
    %19 = stablehlo.reshape %18 : (tensor<i32>) -> tensor<1xi32>
    %20 = stablehlo.concatenate %19, %c_1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %21 = stablehlo.dynamic_broadcast_in_dim %cst, %20, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x1xf32>
    %22 = stablehlo.divide %17, %21 : tensor<?x1xf32>
    %23 = stablehlo.reduce(%22 init: %cst_0) applies stablehlo.add across dimensions = [1] : (tensor<?x1xf32>, tensor<f32>) -> tensor<?xf32>
    %24 = stablehlo.multiply %arg1, %arg0 : tensor<i32>
    %25 = stablehlo.reshape %24 : (tensor<i32>) -> tensor<1xi32>
    %26 = stablehlo.concatenate %25, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %27 = stablehlo.dynamic_broadcast_in_dim %23, %26, dims = [0] : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x4xf32>
    %28 = stablehlo.add %11, %27 : tensor<?x4xf32>
    return %28 : tensor<?x4xf32>
  }
  func.func private @_where_2(%arg0: tensor<i32> {jax.global_constant = "b"}, %arg1: tensor<i32> {jax.global_constant = "s"}, %arg2: tensor<i1>, %arg3: tensor<?x1xf32>, %arg4: tensor<?x1xf32>) -> tensor<?x1xf32> {
    %c = stablehlo.constant dense<1> : tensor<1xi32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.multiply %arg1, %arg0 : tensor<i32>
    %1 = stablehlo.reshape %0 : (tensor<i32>) -> tensor<1xi32>
    %2 = stablehlo.concatenate %1, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %3 = stablehlo.dynamic_broadcast_in_dim %cst, %2, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x1xf32>
    %4 = stablehlo.select %arg2, %arg4, %3 : tensor<i1>, tensor<?x1xf32>
    return %4 : tensor<?x1xf32>
  }
  func.func private @argmax(%arg0: tensor<i32>, %arg1: tensor<i32>, %arg2: tensor<?x6xf32>) -> tensor<?xi32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %c_0 = stablehlo.constant dense<6> : tensor<1xi32>
    %0 = stablehlo.multiply %arg1, %arg0 : tensor<i32>
    %1 = stablehlo.reshape %0 : (tensor<i32>) -> tensor<1xi32>
    %2 = stablehlo.concatenate %1, %c_0, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %3 = stablehlo.dynamic_iota %2, dim = 1 : (tensor<2xi32>) -> tensor<?x6xi32>
    %4:2 = stablehlo.reduce(%arg2 init: %cst), (%3 init: %c) across dimensions = [1] : (tensor<?x6xf32>, tensor<?x6xi32>, tensor<f32>, tensor<i32>) -> (tensor<?xf32>, tensor<?xi32>)
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
  func.func private @cumsum(%arg0: tensor<i32> {jax.global_constant = "b"}, %arg1: tensor<i32> {jax.global_constant = "s"}, %arg2: tensor<?x4xf32>) -> tensor<?x4xf32> {
    %0 = call @cumsum_3(%arg0, %arg1, %arg2) : (tensor<i32>, tensor<i32>, tensor<?x4xf32>) -> tensor<?x4xf32>
    return %0 : tensor<?x4xf32>
  }
  func.func private @cumsum_3(%arg0: tensor<i32>, %arg1: tensor<i32>, %arg2: tensor<?x4xf32>) -> tensor<?x4xf32> {
    %c = stablehlo.constant dense<1> : tensor<1xi32>
    %c_0 = stablehlo.constant dense<0> : tensor<1xi32>
    %c_1 = stablehlo.constant dense<-1> : tensor<i32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<f32>
    %1 = stablehlo.multiply %arg1, %arg0 : tensor<i32>
    %2 = stablehlo.convert %1 : tensor<i32>
    %3 = stablehlo.add %2, %c_1 : tensor<i32>
    %4 = stablehlo.reshape %3 : (tensor<i32>) -> tensor<1xi32>
    %5 = stablehlo.concatenate %4, %c_0, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %6 = stablehlo.reshape %5 : (tensor<2xi32>) -> tensor<1x2xi32>
    %7 = stablehlo.concatenate %c_0, %c_0, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %8 = stablehlo.reshape %7 : (tensor<2xi32>) -> tensor<1x2xi32>
    %9 = stablehlo.concatenate %6, %8, dim = 0 : (tensor<1x2xi32>, tensor<1x2xi32>) -> tensor<2x2xi32>
    %10 = stablehlo.multiply %arg1, %arg0 : tensor<i32>
    %11 = stablehlo.reshape %10 : (tensor<i32>) -> tensor<1xi32>
    %12 = stablehlo.concatenate %11, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %13 = stablehlo.concatenate %c, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %14 = stablehlo.concatenate %c, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %15 = stablehlo.concatenate %c, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %16 = stablehlo.custom_call @stablehlo.dynamic_reduce_window(%arg2, %0, %12, %13, %14, %15, %9) {api_version = 2 : i32, called_computations = [@reduce_window_float32_reducer]} : (tensor<?x4xf32>, tensor<f32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2x2xi32>) -> tensor<?x4xf32>
    return %16 : tensor<?x4xf32>
  }
  func.func private @argmax_4(%arg0: tensor<i32>, %arg1: tensor<i32>, %arg2: tensor<?x4xf32>) -> tensor<4xi32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %c_0 = stablehlo.constant dense<4> : tensor<1xi32>
    %0 = stablehlo.multiply %arg1, %arg0 : tensor<i32>
    %1 = stablehlo.reshape %0 : (tensor<i32>) -> tensor<1xi32>
    %2 = stablehlo.concatenate %1, %c_0, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %3 = stablehlo.dynamic_iota %2, dim = 0 : (tensor<2xi32>) -> tensor<?x4xi32>
    %4:2 = stablehlo.reduce(%arg2 init: %cst), (%3 init: %c) across dimensions = [0] : (tensor<?x4xf32>, tensor<?x4xi32>, tensor<f32>, tensor<i32>) -> (tensor<4xf32>, tensor<4xi32>)
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
    return %4#1 : tensor<4xi32>
  }
}
