// {"arguments": [["b,s,4", "f32"]], "ranges": {"b": [1, 4], "s": [2, 8]}, "sizes": [{"b": 3, "s": 5}], "ints": [0, 5], "exact": [false, false, false, false, false, false, false, false, false]}
module @jit attributes {jax.uses_shape_polymorphism = true, mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<?x?x4xf32>) -> (tensor<?x?x4xf32> {jax.result_info = "result[0]"}, tensor<?x?x?xf32> {jax.result_info = "result[1]"}, tensor<?x?x?xf32> {jax.result_info = "result[2]"}, tensor<f32> {jax.result_info = "result[3]"}, tensor<?x4xf32> {jax.result_info = "result[4]"}, tensor<?x?x4xf32> {jax.result_info = "result[5]"}, tensor<?x4xf32> {jax.result_info = "result[6]"}, tensor<?x?x4xf32> {jax.result_info = "result[7]"}, tensor<?x?x4xf32> {jax.result_info = "result[8]"}) {
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
    %9:9 = call @_wrapped_jax_export_main(%0, %1, %arg0) : (tensor<i32>, tensor<i32>, tensor<?x?x4xf32>) -> (tensor<?x?x4xf32>, tensor<?x?x?xf32>, tensor<?x?x?xf32>, tensor<f32>, tensor<?x4xf32>, tensor<?x?x4xf32>, tensor<?x4xf32>, tensor<?x?x4xf32>, tensor<?x?x4xf32>)
    return %9#0, %9#1, %9#2, %9#3, %9#4, %9#5, %9#6, %9#7, %9#8 : tensor<?x?x4xf32>, tensor<?x?x?xf32>, tensor<?x?x?xf32>, tensor<f32>, tensor<?x4xf32>, tensor<?x?x4xf32>, tensor<?x4xf32>, tensor<?x?x4xf32>, tensor<?x?x4xf32>
  }
  func.func private @_wrapped_jax_export_main(%arg0: tensor<i32> {jax.global_constant = "b"}, %arg1: tensor<i32> {jax.global_constant = "s"}, %arg2: tensor<?x?x4xf32>) -> (tensor<?x?x4xf32> {jax.result_info = "result[0]"}, tensor<?x?x?xf32> {jax.result_info = "result[1]"}, tensor<?x?x?xf32> {jax.result_info = "result[2]"}, tensor<f32> {jax.result_info = "result[3]"}, tensor<?x4xf32> {jax.result_info = "result[4]"}, tensor<?x?x4xf32> {jax.result_info = "result[5]"}, tensor<?x4xf32> {jax.result_info = "result[6]"}, tensor<?x?x4xf32> {jax.result_info = "result[7]"}, tensor<?x?x4xf32> {jax.result_info = "result[8]"}) {
    %c = stablehlo.constant dense<2> : tensor<1xi32>
    %c_0 = stablehlo.constant dense<2> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<1xi32>
    %c_2 = stablehlo.constant dense<1> : tensor<1xi32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %cst_3 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %c_4 = stablehlo.constant dense<0> : tensor<i32>
    %c_5 = stablehlo.constant dense<4> : tensor<1xi32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.multiply %arg1, %arg0 : tensor<i32>
    %1 = stablehlo.convert %0 : (tensor<i32>) -> tensor<f32>
    %2 = stablehlo.reduce(%arg2 init: %cst_6) applies stablehlo.add across dimensions = [0, 1] : (tensor<?x?x4xf32>, tensor<f32>) -> tensor<4xf32>
    %3 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %4 = stablehlo.divide %2, %3 : tensor<4xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [2] : (tensor<4xf32>) -> tensor<1x1x4xf32>
    %6 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %7 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %8 = stablehlo.concatenate %6, %7, %c_5, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %9 = stablehlo.dynamic_broadcast_in_dim %5, %8, dims = [0, 1, 2] : (tensor<1x1x4xf32>, tensor<3xi32>) -> tensor<?x?x4xf32>
    %10 = stablehlo.subtract %arg2, %9 : tensor<?x?x4xf32>
    %11 = call @_var(%arg0, %arg1, %arg2, %c_4) : (tensor<i32>, tensor<i32>, tensor<?x?x4xf32>, tensor<i32>) -> tensor<4xf32>
    %12 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %13 = stablehlo.add %11, %12 : tensor<4xf32>
    %14 = stablehlo.sqrt %13 : tensor<4xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [2] : (tensor<4xf32>) -> tensor<1x1x4xf32>
    %16 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %17 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %18 = stablehlo.concatenate %16, %17, %c_5, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %19 = stablehlo.dynamic_broadcast_in_dim %15, %18, dims = [0, 1, 2] : (tensor<1x1x4xf32>, tensor<3xi32>) -> tensor<?x?x4xf32>
    %20 = stablehlo.divide %10, %19 : tensor<?x?x4xf32>
    %21 = stablehlo.transpose %arg2, dims = [0, 2, 1] : (tensor<?x?x4xf32>) -> tensor<?x4x?xf32>
    %22 = stablehlo.dot_general %arg2, %21, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<?x?x4xf32>, tensor<?x4x?xf32>) -> tensor<?x?x?xf32>
    %23 = stablehlo.dot_general %arg2, %arg2, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<?x?x4xf32>, tensor<?x?x4xf32>) -> tensor<?x?x?xf32>
    %24 = call @tril(%arg0, %arg1, %23) : (tensor<i32>, tensor<i32>, tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
    %25 = call @norm(%arg0, %arg1, %arg2) : (tensor<i32>, tensor<i32>, tensor<?x?x4xf32>) -> tensor<f32>
    %26 = stablehlo.reduce(%arg2 init: %cst) applies stablehlo.maximum across dimensions = [1] : (tensor<?x?x4xf32>, tensor<f32>) -> tensor<?x4xf32>
    %27 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %28 = stablehlo.concatenate %27, %c_5, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %29 = stablehlo.dynamic_broadcast_in_dim %cst, %28, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x4xf32>
    %30 = stablehlo.maximum %29, %26 : tensor<?x4xf32>
    %31 = stablehlo.is_finite %30 : (tensor<?x4xf32>) -> tensor<?x4xi1>
    %32 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %33 = stablehlo.concatenate %32, %c_5, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %34 = stablehlo.dynamic_broadcast_in_dim %cst_6, %33, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x4xf32>
    %35 = stablehlo.select %31, %30, %34 : tensor<?x4xi1>, tensor<?x4xf32>
    %36 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %37 = stablehlo.concatenate %36, %c_2, %c_5, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %38 = stablehlo.dynamic_broadcast_in_dim %35, %37, dims = [0, 2] : (tensor<?x4xf32>, tensor<3xi32>) -> tensor<?x1x4xf32>
    %39 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %40 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %41 = stablehlo.concatenate %39, %40, %c_5, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %42 = stablehlo.dynamic_broadcast_in_dim %38, %41, dims = [0, 1, 2] : (tensor<?x1x4xf32>, tensor<3xi32>) -> tensor<?x?x4xf32>
    %43 = stablehlo.subtract %arg2, %42 : tensor<?x?x4xf32>
    %44 = stablehlo.exponential %43 : tensor<?x?x4xf32>
    %45 = stablehlo.reduce(%44 init: %cst_6) applies stablehlo.add across dimensions = [1] : (tensor<?x?x4xf32>, tensor<f32>) -> tensor<?x4xf32>
    %46 = stablehlo.abs %45 : tensor<?x4xf32>
    %47 = stablehlo.log %46 : tensor<?x4xf32>
    %48 = stablehlo.add %47, %35 : tensor<?x4xf32>
    %49 = stablehlo.concatenate %c_1, %c_2, %c_1, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %50 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %51 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %52 = stablehlo.concatenate %50, %51, %c_5, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %53 = stablehlo.concatenate %c_2, %c_2, %c_2, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %54 = stablehlo.real_dynamic_slice %arg2, %49, %52, %53 : (tensor<?x?x4xf32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>) -> tensor<?x?x4xf32>
    %55 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %56 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %57 = stablehlo.concatenate %55, %c_2, %56, %c_5, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %58 = stablehlo.dynamic_broadcast_in_dim %arg2, %57, dims = [0, 2, 3] : (tensor<?x?x4xf32>, tensor<4xi32>) -> tensor<?x1x?x4xf32>
    %59 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %60 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %61 = stablehlo.concatenate %59, %c_2, %60, %c_5, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %62 = stablehlo.dynamic_broadcast_in_dim %arg2, %61, dims = [0, 2, 3] : (tensor<?x?x4xf32>, tensor<4xi32>) -> tensor<?x1x?x4xf32>
    %63 = stablehlo.concatenate %58, %62, dim = 1 : (tensor<?x1x?x4xf32>, tensor<?x1x?x4xf32>) -> tensor<?x2x?x4xf32>
    %64 = stablehlo.multiply %arg1, %arg0 : tensor<i32>
    %65 = stablehlo.convert %64 : tensor<i32>
    %66 = stablehlo.multiply %65, %c_0 : tensor<i32>
    %67 = stablehlo.reshape %66 : (tensor<i32>) -> tensor<1xi32>
    %68 = stablehlo.concatenate %67, %c_5, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %69 = stablehlo.dynamic_reshape %63, %68 : (tensor<?x2x?x4xf32>, tensor<2xi32>) -> tensor<?x4xf32>
    %70 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %71 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %72 = stablehlo.concatenate %c_2, %70, %c_2, %71, %c_2, %c_5, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<6xi32>
    %73 = stablehlo.dynamic_reshape %arg2, %72 : (tensor<?x?x4xf32>, tensor<6xi32>) -> tensor<1x?x1x?x1x4xf32>
    %74 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %75 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %76 = stablehlo.concatenate %c_2, %74, %c, %75, %c_2, %c_5, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<6xi32>
    %77 = stablehlo.dynamic_broadcast_in_dim %73, %76, dims = [0, 1, 2, 3, 4, 5] : (tensor<1x?x1x?x1x4xf32>, tensor<6xi32>) -> tensor<1x?x2x?x1x4xf32>
    %78 = stablehlo.convert %arg1 : tensor<i32>
    %79 = stablehlo.multiply %78, %c_0 : tensor<i32>
    %80 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %81 = stablehlo.reshape %79 : (tensor<i32>) -> tensor<1xi32>
    %82 = stablehlo.concatenate %80, %81, %c_5, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %83 = stablehlo.dynamic_reshape %77, %82 : (tensor<1x?x2x?x1x4xf32>, tensor<3xi32>) -> tensor<?x?x4xf32>
    %84 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %85 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %86 = stablehlo.concatenate %84, %c, %85, %c_5, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %87 = stablehlo.dynamic_broadcast_in_dim %arg2, %86, dims = [0, 2, 3] : (tensor<?x?x4xf32>, tensor<4xi32>) -> tensor<?x2x?x4xf32>
    %88 = stablehlo.convert %arg0 : tensor<i32>
    %89 = stablehlo.multiply %88, %c_0 : tensor<i32>
    %90 = stablehlo.reshape %89 : (tensor<i32>) -> tensor<1xi32>
    %91 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %92 = stablehlo.concatenate %90, %91, %c_5, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %93 = stablehlo.dynamic_reshape %87, %92 : (tensor<?x2x?x4xf32>, tensor<3xi32>) -> tensor<?x?x4xf32>
    return %20, %22, %24, %25, %48, %54, %69, %83, %93 : tensor<?x?x4xf32>, tensor<?x?x?xf32>, tensor<?x?x?xf32>, tensor<f32>, tensor<?x4xf32>, tensor<?x?x4xf32>, tensor<?x4xf32>, tensor<?x?x4xf32>, tensor<?x?x4xf32>
  }
  func.func private @_var(%arg0: tensor<i32> {jax.global_constant = "b"}, %arg1: tensor<i32> {jax.global_constant = "s"}, %arg2: tensor<?x?x4xf32>, %arg3: tensor<i32>) -> tensor<4xf32> {
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %c = stablehlo.constant dense<4> : tensor<1xi32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.multiply %arg1, %arg0 : tensor<i32>
    %1 = stablehlo.convert %0 : (tensor<i32>) -> tensor<f32>
    %2 = stablehlo.reduce(%arg2 init: %cst_0) applies stablehlo.add across dimensions = [0, 1] : (tensor<?x?x4xf32>, tensor<f32>) -> tensor<4xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [2] : (tensor<4xf32>) -> tensor<1x1x4xf32>
    %4 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<f32>) -> tensor<1x1x4xf32>
    %5 = stablehlo.divide %3, %4 : tensor<1x1x4xf32>
    %6 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %7 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %8 = stablehlo.concatenate %6, %7, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %9 = stablehlo.dynamic_broadcast_in_dim %5, %8, dims = [0, 1, 2] : (tensor<1x1x4xf32>, tensor<3xi32>) -> tensor<?x?x4xf32>
    %10 = stablehlo.subtract %arg2, %9 : tensor<?x?x4xf32>
    %11 = stablehlo.multiply %10, %10 : tensor<?x?x4xf32>
    %12 = stablehlo.multiply %arg1, %arg0 : tensor<i32>
    %13 = stablehlo.convert %12 : (tensor<i32>) -> tensor<f32>
    %14 = stablehlo.convert %arg3 : (tensor<i32>) -> tensor<f32>
    %15 = stablehlo.subtract %13, %14 : tensor<f32>
    %16 = stablehlo.reduce(%11 init: %cst_0) applies stablehlo.add across dimensions = [0, 1] : (tensor<?x?x4xf32>, tensor<f32>) -> tensor<4xf32>
    %17 = stablehlo.broadcast_in_dim %15, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %18 = stablehlo.divide %16, %17 : tensor<4xf32>
    %19 = stablehlo.compare GT, %15, %cst_0, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %20 = call @_where(%arg0, %arg1, %19, %18, %cst) : (tensor<i32>, tensor<i32>, tensor<i1>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
    return %20 : tensor<4xf32>
  }
  func.func private @_where(%arg0: tensor<i32> {jax.global_constant = "b"}, %arg1: tensor<i32> {jax.global_constant = "s"}, %arg2: tensor<i1>, %arg3: tensor<4xf32>, %arg4: tensor<f32>) -> tensor<4xf32> {
    %0 = stablehlo.convert %arg4 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %2 = stablehlo.select %arg2, %arg3, %1 : tensor<i1>, tensor<4xf32>
    return %2 : tensor<4xf32>
  }
  func.func private @tril(%arg0: tensor<i32> {jax.global_constant = "b"}, %arg1: tensor<i32> {jax.global_constant = "s"}, %arg2: tensor<?x?x?xf32>) -> tensor<?x?x?xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %1 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %3 = stablehlo.dynamic_iota %2, dim = 0 : (tensor<2xi32>) -> tensor<?x?xi32>
    %4 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %5 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %6 = stablehlo.concatenate %4, %5, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %7 = stablehlo.dynamic_broadcast_in_dim %c, %6, dims = [] : (tensor<i32>, tensor<2xi32>) -> tensor<?x?xi32>
    %8 = stablehlo.add %3, %7 : tensor<?x?xi32>
    %9 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %10 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %11 = stablehlo.concatenate %9, %10, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %12 = stablehlo.dynamic_iota %11, dim = 1 : (tensor<2xi32>) -> tensor<?x?xi32>
    %13 = stablehlo.compare GE, %8, %12, SIGNED : (tensor<?x?xi32>, tensor<?x?xi32>) -> tensor<?x?xi1>
    %14 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %15 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %16 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %17 = stablehlo.concatenate %14, %15, %16, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %18 = stablehlo.dynamic_broadcast_in_dim %13, %17, dims = [1, 2] : (tensor<?x?xi1>, tensor<3xi32>) -> tensor<?x?x?xi1>
    %19 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %20 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %21 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %22 = stablehlo.concatenate %19, %20, %21, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %23 = stablehlo.dynamic_broadcast_in_dim %cst, %22, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x?xf32>
    %24 = stablehlo.select %18, %arg2, %23 : tensor<?x?x?xi1>, tensor<?x?x?xf32>
    return %24 : tensor<?x?x?xf32>
  }
  func.func private @norm(%arg0: tensor<i32> {jax.global_constant = "b"}, %arg1: tensor<i32> {jax.global_constant = "s"}, %arg2: tensor<?x?x4xf32>) -> tensor<f32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.multiply %arg2, %arg2 : tensor<?x?x4xf32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<?x?x4xf32>, tensor<f32>) -> tensor<f32>
    %2 = stablehlo.sqrt %1 : tensor<f32>
    return %2 : tensor<f32>
  }
}
