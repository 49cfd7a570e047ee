// {"arguments": [["b,s", "i32"], ["9,4", "f32"], ["4,9", "f32"]], "ranges": {"b": [1, 4], "s": [2, 9]}, "sizes": [{"b": 3, "s": 5}, {"b": 4, "s": 9}], "ints": [0, 8], "exact": [false, false, false]}
module @jit attributes {jax.uses_shape_polymorphism = true, mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<?x?xi32>, %arg1: tensor<9x4xf32>, %arg2: tensor<4x9xf32>) -> (tensor<f32> {jax.result_info = "result[0]"}, tensor<9x4xf32> {jax.result_info = "result[1][0]"}, tensor<4x9xf32> {jax.result_info = "result[1][1]"}) {
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
    %9:3 = call @_wrapped_jax_export_main(%0, %1, %arg0, %arg1, %arg2) : (tensor<i32>, tensor<i32>, tensor<?x?xi32>, tensor<9x4xf32>, tensor<4x9xf32>) -> (tensor<f32>, tensor<9x4xf32>, tensor<4x9xf32>)
    return %9#0, %9#1, %9#2 : tensor<f32>, tensor<9x4xf32>, tensor<4x9xf32>
  }
  func.func private @_wrapped_jax_export_main(%arg0: tensor<i32> {jax.global_constant = "b"}, %arg1: tensor<i32> {jax.global_constant = "s"}, %arg2: tensor<?x?xi32>, %arg3: tensor<9x4xf32>, %arg4: tensor<4x9xf32>) -> (tensor<f32> {jax.result_info = "result[0]"}, tensor<9x4xf32> {jax.result_info = "result[1][0]"}, tensor<4x9xf32> {jax.result_info = "result[1][1]"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %c = stablehlo.constant dense<9> : tensor<1xi32>
    %c_0 = stablehlo.constant dense<-1> : tensor<i32>
    %c_1 = stablehlo.constant dense<4> : tensor<1xi32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %c_3 = stablehlo.constant dense<1> : tensor<1xi32>
    %c_4 = stablehlo.constant dense<1> : tensor<i32>
    %c_5 = stablehlo.constant dense<9> : tensor<i32>
    %c_6 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %1 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %3 = stablehlo.dynamic_broadcast_in_dim %c_6, %2, dims = [] : (tensor<i32>, tensor<2xi32>) -> tensor<?x?xi32>
    %4 = stablehlo.compare LT, %arg2, %3, SIGNED : (tensor<?x?xi32>, tensor<?x?xi32>) -> tensor<?x?xi1>
    %5 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %6 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %7 = stablehlo.concatenate %5, %6, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %8 = stablehlo.dynamic_broadcast_in_dim %c_5, %7, dims = [] : (tensor<i32>, tensor<2xi32>) -> tensor<?x?xi32>
    %9 = stablehlo.add %arg2, %8 : tensor<?x?xi32>
    %10 = stablehlo.select %4, %9, %arg2 : tensor<?x?xi1>, tensor<?x?xi32>
    %11 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %12 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %13 = stablehlo.concatenate %11, %12, %c_3, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %14 = stablehlo.dynamic_broadcast_in_dim %10, %13, dims = [0, 1] : (tensor<?x?xi32>, tensor<3xi32>) -> tensor<?x?x1xi32>
    %15 = "stablehlo.gather"(%arg3, %14) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, slice_sizes = array<i64: 1, 4>}> : (tensor<9x4xf32>, tensor<?x?x1xi32>) -> tensor<?x?x4xf32>
    %16 = stablehlo.tanh %15 : tensor<?x?x4xf32>
    %17 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %18 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %19 = stablehlo.concatenate %17, %18, %c_1, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %20 = stablehlo.dynamic_broadcast_in_dim %cst_2, %19, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x4xf32>
    %21 = stablehlo.subtract %20, %16 : tensor<?x?x4xf32>
    %22 = stablehlo.dot_general %16, %arg4, contracting_dims = [2] x [0] : (tensor<?x?x4xf32>, tensor<4x9xf32>) -> tensor<?x?x9xf32>
    %23 = stablehlo.broadcast_in_dim %c_6, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %24 = stablehlo.convert %arg1 : tensor<i32>
    %25 = stablehlo.add %24, %c_0 : tensor<i32>
    %26 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %27 = stablehlo.reshape %25 : (tensor<i32>) -> tensor<1xi32>
    %28 = stablehlo.concatenate %26, %27, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %29 = "stablehlo.dynamic_gather"(%22, %23, %28) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 1, 2], start_index_map = [1]>, indices_are_sorted = true}> : (tensor<?x?x9xf32>, tensor<1xi32>, tensor<3xi32>) -> tensor<?x?x9xf32>
    %30:3 = call @log_softmax(%arg0, %arg1, %29) : (tensor<i32>, tensor<i32>, tensor<?x?x9xf32>) -> (tensor<?x?x9xf32>, tensor<?x?x9xf32>, tensor<?x?x1xf32>)
    %31 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %32 = stablehlo.convert %arg1 : tensor<i32>
    %33 = stablehlo.add %32, %c_0 : tensor<i32>
    %34 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %35 = stablehlo.reshape %33 : (tensor<i32>) -> tensor<1xi32>
    %36 = stablehlo.concatenate %34, %35, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %37 = "stablehlo.dynamic_gather"(%arg2, %31, %36) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 1], start_index_map = [1]>, indices_are_sorted = true}> : (tensor<?x?xi32>, tensor<1xi32>, tensor<2xi32>) -> tensor<?x?xi32>
    %38 = stablehlo.convert %arg1 : tensor<i32>
    %39 = stablehlo.add %38, %c_0 : tensor<i32>
    %40 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %41 = stablehlo.reshape %39 : (tensor<i32>) -> tensor<1xi32>
    %42 = stablehlo.concatenate %40, %41, %c_3, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %43 = stablehlo.dynamic_broadcast_in_dim %37, %42, dims = [0, 1] : (tensor<?x?xi32>, tensor<3xi32>) -> tensor<?x?x1xi32>
    %44:2 = call @take_along_axis(%arg0, %arg1, %30#0, %43) : (tensor<i32>, tensor<i32>, tensor<?x?x9xf32>, tensor<?x?x1xi32>) -> (tensor<?x?x1xf32>, tensor<?x?x1x1xi32>)
    %45 = stablehlo.multiply %arg1, %arg0 : tensor<i32>
    %46 = stablehlo.convert %arg0 : tensor<i32>
    %47 = stablehlo.multiply %46, %c_0 : tensor<i32>
    %48 = stablehlo.convert %45 : tensor<i32>
    %49 = stablehlo.add %48, %47 : tensor<i32>
    %50 = stablehlo.convert %49 : (tensor<i32>) -> tensor<f32>
    %51 = stablehlo.reduce(%44#0 init: %cst) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<?x?x1xf32>, tensor<f32>) -> tensor<f32>
    %52 = stablehlo.divide %51, %50 : tensor<f32>
    %53 = stablehlo.negate %52 : tensor<f32>
    %54 = stablehlo.negate %cst_2 : tensor<f32>
    %55 = stablehlo.divide %54, %50 : tensor<f32>
    %56 = stablehlo.convert %arg1 : tensor<i32>
    %57 = stablehlo.add %56, %c_0 : tensor<i32>
    %58 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %59 = stablehlo.reshape %57 : (tensor<i32>) -> tensor<1xi32>
    %60 = stablehlo.concatenate %58, %59, %c_3, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %61 = stablehlo.dynamic_broadcast_in_dim %55, %60, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %62 = call @take_along_axis_0(%arg0, %arg1, %44#1, %61) : (tensor<i32>, tensor<i32>, tensor<?x?x1x1xi32>, tensor<?x?x1xf32>) -> tensor<?x?x9xf32>
    %63 = call @log_softmax_1(%arg0, %arg1, %30#1, %30#2, %62) : (tensor<i32>, tensor<i32>, tensor<?x?x9xf32>, tensor<?x?x1xf32>, tensor<?x?x9xf32>) -> tensor<?x?x9xf32>
    %64 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %65 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %66 = stablehlo.concatenate %64, %65, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %67 = stablehlo.dynamic_broadcast_in_dim %cst, %66, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x9xf32>
    %68 = "stablehlo.scatter"(%67, %23, %63) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1, 2], scatter_dims_to_operand_dims = [1]>, unique_indices = true}> ({
    ^bb0(%arg5: tensor<f32>, %arg6: tensor<f32>):
      %77 = stablehlo.add %arg5, %arg6 : tensor<f32>
      stablehlo.return %77 : tensor<f32>
    }) : (tensor<?x?x9xf32>, tensor<1xi32>, tensor<?x?x9xf32>) -> tensor<?x?x9xf32>
    %69 = stablehlo.dot_general %68, %16, contracting_dims = [0, 1] x [0, 1] : (tensor<?x?x9xf32>, tensor<?x?x4xf32>) -> tensor<9x4xf32>
    %70 = stablehlo.transpose %69, dims = [1, 0] : (tensor<9x4xf32>) -> tensor<4x9xf32>
    %71 = stablehlo.dot_general %68, %arg4, contracting_dims = [2] x [1] : (tensor<?x?x9xf32>, tensor<4x9xf32>) -> tensor<?x?x4xf32>
    %72 = stablehlo.multiply %71, %21 : tensor<?x?x4xf32>
    %73 = stablehlo.multiply %72, %16 : tensor<?x?x4xf32>
    %74 = stablehlo.add %72, %73 : tensor<?x?x4xf32>
    %75 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<9x4xf32>
    %76 = "stablehlo.scatter"(%75, %14, %74) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>}> ({
    ^bb0(%arg5: tensor<f32>, %arg6: tensor<f32>):
      %77 = stablehlo.add %arg5, %arg6 : tensor<f32>
      stablehlo.return %77 : tensor<f32>
    }) : (tensor<9x4xf32>, tensor<?x?x1xi32>, tensor<?x?x4xf32>) -> tensor<9x4xf32>
    return %53, %76, %70 : tensor<f32>, tensor<9x4xf32>, tensor<4x9xf32>
  }
  func.func private @log_softmax(%arg0: tensor<i32> {jax.global_constant = "b"}, %arg1: tensor<i32> {jax.global_constant = "s"}, %arg2: tensor<?x?x9xf32>) -> (tensor<?x?x9xf32>, tensor<?x?x9xf32>, tensor<?x?x1xf32>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %c = stablehlo.constant dense<9> : tensor<1xi32>
    %c_0 = stablehlo.constant dense<1> : tensor<1xi32>
    %c_1 = stablehlo.constant dense<-1> : tensor<i32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = stablehlo.reduce(%arg2 init: %cst_2) applies stablehlo.maximum across dimensions = [2] : (tensor<?x?x9xf32>, tensor<f32>) -> tensor<?x?xf32>
    %1 = stablehlo.convert %arg1 : tensor<i32>
    %2 = stablehlo.add %1, %c_1 : tensor<i32>
    %3 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %4 = stablehlo.reshape %2 : (tensor<i32>) -> tensor<1xi32>
    %5 = stablehlo.concatenate %3, %4, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %6 = stablehlo.dynamic_broadcast_in_dim %cst_2, %5, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x?xf32>
    %7 = stablehlo.maximum %6, %0 : tensor<?x?xf32>
    %8 = stablehlo.convert %arg1 : tensor<i32>
    %9 = stablehlo.add %8, %c_1 : tensor<i32>
    %10 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %11 = stablehlo.reshape %9 : (tensor<i32>) -> tensor<1xi32>
    %12 = stablehlo.concatenate %10, %11, %c_0, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %13 = stablehlo.dynamic_broadcast_in_dim %7, %12, dims = [0, 1] : (tensor<?x?xf32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %14 = stablehlo.convert %arg1 : tensor<i32>
    %15 = stablehlo.add %14, %c_1 : tensor<i32>
    %16 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %17 = stablehlo.reshape %15 : (tensor<i32>) -> tensor<1xi32>
    %18 = stablehlo.concatenate %16, %17, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %19 = stablehlo.dynamic_broadcast_in_dim %13, %18, dims = [0, 1, 2] : (tensor<?x?x1xf32>, tensor<3xi32>) -> tensor<?x?x9xf32>
    %20 = stablehlo.subtract %arg2, %19 : tensor<?x?x9xf32>
    %21 = stablehlo.exponential %20 : tensor<?x?x9xf32>
    %22 = stablehlo.reduce(%21 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<?x?x9xf32>, tensor<f32>) -> tensor<?x?xf32>
    %23 = stablehlo.convert %arg1 : tensor<i32>
    %24 = stablehlo.add %23, %c_1 : tensor<i32>
    %25 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %26 = stablehlo.reshape %24 : (tensor<i32>) -> tensor<1xi32>
    %27 = stablehlo.concatenate %25, %26, %c_0, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %28 = stablehlo.dynamic_broadcast_in_dim %22, %27, dims = [0, 1] : (tensor<?x?xf32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %29 = stablehlo.log %28 : tensor<?x?x1xf32>
    %30 = stablehlo.convert %arg1 : tensor<i32>
    %31 = stablehlo.add %30, %c_1 : tensor<i32>
    %32 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %33 = stablehlo.reshape %31 : (tensor<i32>) -> tensor<1xi32>
    %34 = stablehlo.concatenate %32, %33, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %35 = stablehlo.dynamic_broadcast_in_dim %29, %34, dims = [0, 1, 2] : (tensor<?x?x1xf32>, tensor<3xi32>) -> tensor<?x?x9xf32>
    %36 = stablehlo.subtract %20, %35 : tensor<?x?x9xf32>
    return %36, %21, %28 : tensor<?x?x9xf32>, tensor<?x?x9xf32>, tensor<?x?x1xf32>
  }
  func.func private @take_along_axis(%arg0: tensor<i32> {jax.global_constant = "b"}, %arg1: tensor<i32> {jax.global_constant = "s"}, %arg2: tensor<?x?x9xf32>, %arg3: tensor<?x?x1xi32>) -> (tensor<?x?x1xf32>, tensor<?x?x1x1xi32>) {
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %c = stablehlo.constant dense<true> : tensor<i1>
    %c_0 = stablehlo.constant dense<3> : tensor<i32>
    %c_1 = stablehlo.constant dense<false> : tensor<1xi1>
    %c_2 = stablehlo.constant dense<2> : tensor<1xi32>
    %c_3 = stablehlo.constant dense<9> : tensor<i32>
    %c_4 = stablehlo.constant dense<1> : tensor<1xi32>
    %c_5 = stablehlo.constant dense<-1> : tensor<i32>
    %c_6 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.convert %arg1 : tensor<i32>
    %1 = stablehlo.add %0, %c_5 : tensor<i32>
    %2 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %3 = stablehlo.reshape %1 : (tensor<i32>) -> tensor<1xi32>
    %4 = stablehlo.concatenate %2, %3, %c_4, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5 = stablehlo.dynamic_broadcast_in_dim %c_6, %4, dims = [] : (tensor<i32>, tensor<3xi32>) -> tensor<?x?x1xi32>
    %6 = stablehlo.compare LT, %arg3, %5, SIGNED : (tensor<?x?x1xi32>, tensor<?x?x1xi32>) -> tensor<?x?x1xi1>
    %7 = stablehlo.convert %arg1 : tensor<i32>
    %8 = stablehlo.add %7, %c_5 : tensor<i32>
    %9 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %10 = stablehlo.reshape %8 : (tensor<i32>) -> tensor<1xi32>
    %11 = stablehlo.concatenate %9, %10, %c_4, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %12 = stablehlo.dynamic_broadcast_in_dim %c_3, %11, dims = [] : (tensor<i32>, tensor<3xi32>) -> tensor<?x?x1xi32>
    %13 = stablehlo.add %arg3, %12 : tensor<?x?x1xi32>
    %14 = stablehlo.select %6, %13, %arg3 : tensor<?x?x1xi1>, tensor<?x?x1xi32>
    %15 = stablehlo.convert %arg1 : tensor<i32>
    %16 = stablehlo.add %15, %c_5 : tensor<i32>
    %17 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %18 = stablehlo.reshape %16 : (tensor<i32>) -> tensor<1xi32>
    %19 = stablehlo.concatenate %17, %18, %c_4, %c_4, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %20 = stablehlo.dynamic_reshape %14, %19 : (tensor<?x?x1xi32>, tensor<4xi32>) -> tensor<?x?x1x1xi32>
    %21 = stablehlo.convert %arg0 : tensor<i32>
    %22 = stablehlo.broadcast_in_dim %21, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %23 = stablehlo.convert %arg1 : tensor<i32>
    %24 = stablehlo.add %23, %c_5 : tensor<i32>
    %25 = stablehlo.convert %24 : tensor<i32>
    %26 = stablehlo.broadcast_in_dim %25, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %27 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %28 = stablehlo.concatenate %22, %26, %27, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %29 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %30 = stablehlo.add %c_2, %29 : tensor<1xi32>
    %31 = stablehlo.select %c_1, %30, %c_2 : tensor<1xi1>, tensor<1xi32>
    %32 = stablehlo.broadcast_in_dim %31, dims = [0] : (tensor<1xi32>) -> tensor<1x1xi32>
    %33 = "stablehlo.gather"(%28, %32) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>}> : (tensor<3xi32>, tensor<1x1xi32>) -> tensor<1xi32>
    %34 = stablehlo.subtract %33, %c_4 : tensor<1xi32>
    %35 = stablehlo.convert %arg1 : tensor<i32>
    %36 = stablehlo.add %35, %c_5 : tensor<i32>
    %37 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %38 = stablehlo.reshape %36 : (tensor<i32>) -> tensor<1xi32>
    %39 = stablehlo.concatenate %37, %38, %c_4, %c_4, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %40 = stablehlo.dynamic_broadcast_in_dim %c_6, %39, dims = [] : (tensor<i32>, tensor<4xi32>) -> tensor<?x?x1x1xi32>
    %41 = stablehlo.compare GE, %20, %40, SIGNED : (tensor<?x?x1x1xi32>, tensor<?x?x1x1xi32>) -> tensor<?x?x1x1xi1>
    %42 = stablehlo.broadcast_in_dim %34, dims = [3] : (tensor<1xi32>) -> tensor<1x1x1x1xi32>
    %43 = stablehlo.convert %arg1 : tensor<i32>
    %44 = stablehlo.add %43, %c_5 : tensor<i32>
    %45 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %46 = stablehlo.reshape %44 : (tensor<i32>) -> tensor<1xi32>
    %47 = stablehlo.concatenate %45, %46, %c_4, %c_4, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %48 = stablehlo.dynamic_broadcast_in_dim %42, %47, dims = [0, 1, 2, 3] : (tensor<1x1x1x1xi32>, tensor<4xi32>) -> tensor<?x?x1x1xi32>
    %49 = stablehlo.compare LE, %20, %48, SIGNED : (tensor<?x?x1x1xi32>, tensor<?x?x1x1xi32>) -> tensor<?x?x1x1xi1>
    %50 = stablehlo.and %41, %49 : tensor<?x?x1x1xi1>
    %51 = stablehlo.reduce(%50 init: %c) applies stablehlo.and across dimensions = [3] : (tensor<?x?x1x1xi1>, tensor<i1>) -> tensor<?x?x1xi1>
    %52 = "stablehlo.gather"(%arg2, %20) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [2], operand_batching_dims = [0, 1], start_indices_batching_dims = [0, 1], start_index_map = [2], index_vector_dim = 3>, slice_sizes = array<i64: 1, 1, 1>}> : (tensor<?x?x9xf32>, tensor<?x?x1x1xi32>) -> tensor<?x?x1xf32>
    %53 = stablehlo.convert %arg1 : tensor<i32>
    %54 = stablehlo.add %53, %c_5 : tensor<i32>
    %55 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %56 = stablehlo.reshape %54 : (tensor<i32>) -> tensor<1xi32>
    %57 = stablehlo.concatenate %55, %56, %c_4, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %58 = stablehlo.dynamic_broadcast_in_dim %cst, %57, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %59 = stablehlo.select %51, %52, %58 : tensor<?x?x1xi1>, tensor<?x?x1xf32>
    return %59, %20 : tensor<?x?x1xf32>, tensor<?x?x1x1xi32>
  }
  func.func private @take_along_axis_0(%arg0: tensor<i32> {jax.global_constant = "b"}, %arg1: tensor<i32> {jax.global_constant = "s"}, %arg2: tensor<?x?x1x1xi32>, %arg3: tensor<?x?x1xf32>) -> tensor<?x?x9xf32> {
    %c = stablehlo.constant dense<9> : tensor<1xi32>
    %c_0 = stablehlo.constant dense<-1> : tensor<i32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.convert %arg1 : tensor<i32>
    %1 = stablehlo.add %0, %c_0 : tensor<i32>
    %2 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %3 = stablehlo.reshape %1 : (tensor<i32>) -> tensor<1xi32>
    %4 = stablehlo.concatenate %2, %3, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5 = stablehlo.dynamic_broadcast_in_dim %cst, %4, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x9xf32>
    %6 = "stablehlo.scatter"(%5, %arg2, %arg3) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [2], input_batching_dims = [0, 1], scatter_indices_batching_dims = [0, 1], scatter_dims_to_operand_dims = [2], index_vector_dim = 3>}> ({
    ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
      %7 = stablehlo.add %arg4, %arg5 : tensor<f32>
      stablehlo.return %7 : tensor<f32>
    }) : (tensor<?x?x9xf32>, tensor<?x?x1x1xi32>, tensor<?x?x1xf32>) -> tensor<?x?x9xf32>
    return %6 : tensor<?x?x9xf32>
  }
  func.func private @log_softmax_1(%arg0: tensor<i32> {jax.global_constant = "b"}, %arg1: tensor<i32> {jax.global_constant = "s"}, %arg2: tensor<?x?x9xf32>, %arg3: tensor<?x?x1xf32>, %arg4: tensor<?x?x9xf32>) -> tensor<?x?x9xf32> {
    %c = stablehlo.constant dense<9> : tensor<1xi32>
    %c_0 = stablehlo.constant dense<1> : tensor<1xi32>
    %c_1 = stablehlo.constant dense<-1> : tensor<i32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.negate %arg4 : tensor<?x?x9xf32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<?x?x9xf32>, tensor<f32>) -> tensor<?x?xf32>
    %2 = stablehlo.convert %arg1 : tensor<i32>
    %3 = stablehlo.add %2, %c_1 : tensor<i32>
    %4 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %5 = stablehlo.reshape %3 : (tensor<i32>) -> tensor<1xi32>
    %6 = stablehlo.concatenate %4, %5, %c_0, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %7 = stablehlo.dynamic_reshape %1, %6 : (tensor<?x?xf32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %8 = stablehlo.divide %7, %arg3 : tensor<?x?x1xf32>
    %9 = stablehlo.reduce(%8 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<?x?x1xf32>, tensor<f32>) -> tensor<?x?xf32>
    %10 = stablehlo.convert %arg1 : tensor<i32>
    %11 = stablehlo.add %10, %c_1 : tensor<i32>
    %12 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %13 = stablehlo.reshape %11 : (tensor<i32>) -> tensor<1xi32>
    %14 = stablehlo.concatenate %12, %13, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %15 = stablehlo.dynamic_broadcast_in_dim %9, %14, dims = [0, 1] : (tensor<?x?xf32>, tensor<3xi32>) -> tensor<?x?x9xf32>
    %16 = stablehlo.multiply %15, %arg2 : tensor<?x?x9xf32>
    %17 = stablehlo.add %arg4, %16 : tensor<?x?x9xf32>
    return %17 : tensor<?x?x9xf32>
  }
}
