// {"arguments": [["s,64", "f32"], ["64,64", "f32"]], "ranges": {"s": [2, 3000]}, "sizes": [{"s": 2}, {"s": 192}, {"s": 193}, {"s": 1200}, {"s": 3000}], "ints": [0, 5], "exact": [false, false, false, false, false, false, false]}
module @jit attributes {jax.uses_shape_polymorphism = true, mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<?x64xf32>, %arg1: tensor<64x64xf32>) -> (tensor<?x64xf32> {jax.result_info = "result[0]"}, tensor<?x64xf32> {jax.result_info = "result[1]"}, tensor<64xf32> {jax.result_info = "result[2]"}, tensor<64xf32> {jax.result_info = "result[3]"}, tensor<64x?xf32> {jax.result_info = "result[4]"}, tensor<?x128xf32> {jax.result_info = "result[5]"}, tensor<?x64xf32> {jax.result_info = "result[6]"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<-2> : tensor<i32>
    %c_1 = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.get_dimension_size %arg0, dim = 0 : (tensor<?x64xf32>) -> tensor<i32>
    %1 = stablehlo.compare GE, %0, %c_1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%1, %0) {api_version = 2 : i32, error_message = "Input shapes do not match the polymorphic shapes specification. Expected value >= 1 for dimension variable 's'. Using the following polymorphic shapes specifications: args[0].shape = (s, 64). Obtained dimension variables: 's' = {0} from specification 's' for dimension args[0].shape[0] (= {0}), . Please see https://docs.jax.dev/en/latest/export/shape_poly.html#shape-assertion-errors for more details.", has_side_effect = true} : (tensor<i1>, tensor<i32>) -> ()
    %2 = stablehlo.convert %0 : tensor<i32>
    %3 = stablehlo.add %2, %c_0 : tensor<i32>
    %4 = stablehlo.compare GE, %3, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %5 = stablehlo.convert %0 : tensor<i32>
    %6 = stablehlo.add %5, %c_0 : tensor<i32>
    stablehlo.custom_call @shape_assertion(%4, %6, %0) {api_version = 2 : i32, error_message = "Input shapes do not match the symbolic shape constraint s>=2. Expected 's - 2' to be greater or equal to 0, but found {0}.  Using the following polymorphic shapes specifications: args[0].shape = (s, 64). Obtained dimension variables: 's' = {1} from specification 's' for dimension args[0].shape[0] (= {1}), . Please see https://docs.jax.dev/en/latest/export/shape_poly.html#shape-assertion-errors for more details.", has_side_effect = true} : (tensor<i1>, tensor<i32>, tensor<i32>) -> ()
    %7:7 = call @_wrapped_jax_export_main(%0, %arg0, %arg1) : (tensor<i32>, tensor<?x64xf32>, tensor<64x64xf32>) -> (tensor<?x64xf32>, tensor<?x64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64x?xf32>, tensor<?x128xf32>, tensor<?x64xf32>)
    return %7#0, %7#1, %7#2, %7#3, %7#4, %7#5, %7#6 : tensor<?x64xf32>, tensor<?x64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64x?xf32>, tensor<?x128xf32>, tensor<?x64xf32>
  }
  func.func private @_wrapped_jax_export_main(%arg0: tensor<i32> {jax.global_constant = "s"}, %arg1: tensor<?x64xf32>, %arg2: tensor<64x64xf32>) -> (tensor<?x64xf32> {jax.result_info = "result[0]"}, tensor<?x64xf32> {jax.result_info = "result[1]"}, tensor<64xf32> {jax.result_info = "result[2]"}, tensor<64xf32> {jax.result_info = "result[3]"}, tensor<64x?xf32> {jax.result_info = "result[4]"}, tensor<?x128xf32> {jax.result_info = "result[5]"}, tensor<?x64xf32> {jax.result_info = "result[6]"}) {
    %c = stablehlo.constant dense<-1> : tensor<i32>
    %c_0 = stablehlo.constant dense<128> : tensor<1xi32>
    %c_1 = stablehlo.constant dense<2> : tensor<1xi32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %cst_2 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %c_4 = stablehlo.constant dense<64> : tensor<1xi32>
    %cst_5 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %c_6 = stablehlo.constant dense<1> : tensor<1xi32>
    %c_7 = stablehlo.constant dense<1> : tensor<i32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.dot_general %arg1, %arg2, contracting_dims = [1] x [0] : (tensor<?x64xf32>, tensor<64x64xf32>) -> tensor<?x64xf32>
    %1 = call @relu(%arg0, %0) : (tensor<i32>, tensor<?x64xf32>) -> tensor<?x64xf32>
    %2 = stablehlo.reduce(%1 init: %cst_8) applies stablehlo.add across dimensions = [1] : (tensor<?x64xf32>, tensor<f32>) -> tensor<?xf32>
    %3 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %4 = stablehlo.concatenate %3, %c_6, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %5 = stablehlo.dynamic_broadcast_in_dim %2, %4, dims = [0] : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x1xf32>
    %6 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %7 = stablehlo.concatenate %6, %c_6, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %8 = stablehlo.dynamic_broadcast_in_dim %cst_5, %7, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x1xf32>
    %9 = stablehlo.divide %5, %8 : tensor<?x1xf32>
    %10 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %11 = stablehlo.concatenate %10, %c_4, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %12 = stablehlo.dynamic_broadcast_in_dim %9, %11, dims = [0, 1] : (tensor<?x1xf32>, tensor<2xi32>) -> tensor<?x64xf32>
    %13 = stablehlo.subtract %1, %12 : tensor<?x64xf32>
    %14 = call @_var(%arg0, %1, %c_3) : (tensor<i32>, tensor<?x64xf32>, tensor<i32>) -> tensor<?x1xf32>
    %15 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %16 = stablehlo.concatenate %15, %c_6, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %17 = stablehlo.dynamic_broadcast_in_dim %cst_2, %16, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x1xf32>
    %18 = stablehlo.add %14, %17 : tensor<?x1xf32>
    %19 = stablehlo.rsqrt %18 : tensor<?x1xf32>
    %20 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %21 = stablehlo.concatenate %20, %c_4, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %22 = stablehlo.dynamic_broadcast_in_dim %19, %21, dims = [0, 1] : (tensor<?x1xf32>, tensor<2xi32>) -> tensor<?x64xf32>
    %23 = stablehlo.multiply %13, %22 : tensor<?x64xf32>
    %24 = stablehlo.tanh %arg1 : tensor<?x64xf32>
    %25 = stablehlo.reduce(%23 init: %cst) applies stablehlo.maximum across dimensions = [0] : (tensor<?x64xf32>, tensor<f32>) -> tensor<64xf32>
    %26 = stablehlo.multiply %23, %23 : tensor<?x64xf32>
    %27 = stablehlo.convert %arg0 : (tensor<i32>) -> tensor<f32>
    %28 = stablehlo.reduce(%26 init: %cst_8) applies stablehlo.add across dimensions = [0] : (tensor<?x64xf32>, tensor<f32>) -> tensor<64xf32>
    %29 = stablehlo.broadcast_in_dim %27, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %30 = stablehlo.divide %28, %29 : tensor<64xf32>
    %31 = stablehlo.transpose %arg1, dims = [1, 0] : (tensor<?x64xf32>) -> tensor<64x?xf32>
    %32 = stablehlo.exponential %arg1 : tensor<?x64xf32>
    %33 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %34 = stablehlo.concatenate %c_6, %33, %c_6, %c_4, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %35 = stablehlo.dynamic_reshape %32, %34 : (tensor<?x64xf32>, tensor<4xi32>) -> tensor<1x?x1x64xf32>
    %36 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %37 = stablehlo.concatenate %c_6, %36, %c_1, %c_4, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %38 = stablehlo.dynamic_broadcast_in_dim %35, %37, dims = [0, 1, 2, 3] : (tensor<1x?x1x64xf32>, tensor<4xi32>) -> tensor<1x?x2x64xf32>
    %39 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %40 = stablehlo.concatenate %39, %c_0, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %41 = stablehlo.dynamic_reshape %38, %40 : (tensor<1x?x2x64xf32>, tensor<2xi32>) -> tensor<?x128xf32>
    %42 = stablehlo.broadcast_in_dim %c_7, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %43 = stablehlo.convert %arg0 : tensor<i32>
    %44 = stablehlo.add %43, %c : tensor<i32>
    %45 = stablehlo.reshape %44 : (tensor<i32>) -> tensor<1xi32>
    %46 = stablehlo.concatenate %45, %c_4, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %47 = "stablehlo.dynamic_gather"(%23, %42, %46) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 1], start_index_map = [0]>, indices_are_sorted = true}> : (tensor<?x64xf32>, tensor<1xi32>, tensor<2xi32>) -> tensor<?x64xf32>
    return %23, %24, %25, %30, %31, %41, %47 : tensor<?x64xf32>, tensor<?x64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64x?xf32>, tensor<?x128xf32>, tensor<?x64xf32>
  }
  func.func private @relu(%arg0: tensor<i32> {jax.global_constant = "s"}, %arg1: tensor<?x64xf32>) -> tensor<?x64xf32> {
    %c = stablehlo.constant dense<64> : tensor<1xi32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %1 = stablehlo.concatenate %0, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %2 = stablehlo.dynamic_broadcast_in_dim %cst, %1, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x64xf32>
    %3 = stablehlo.maximum %arg1, %2 : tensor<?x64xf32>
    return %3 : tensor<?x64xf32>
  }
  func.func private @_var(%arg0: tensor<i32> {jax.global_constant = "s"}, %arg1: tensor<?x64xf32>, %arg2: tensor<i32>) -> tensor<?x1xf32> {
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %c = stablehlo.constant dense<64> : tensor<1xi32>
    %cst_0 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %c_1 = stablehlo.constant dense<1> : tensor<1xi32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg1 init: %cst_2) applies stablehlo.add across dimensions = [1] : (tensor<?x64xf32>, tensor<f32>) -> tensor<?xf32>
    %1 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %2 = stablehlo.concatenate %1, %c_1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %3 = stablehlo.dynamic_broadcast_in_dim %0, %2, dims = [0] : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x1xf32>
    %4 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %5 = stablehlo.concatenate %4, %c_1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %6 = stablehlo.dynamic_broadcast_in_dim %cst_0, %5, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x1xf32>
    %7 = stablehlo.divide %3, %6 : tensor<?x1xf32>
    %8 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %9 = stablehlo.concatenate %8, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %10 = stablehlo.dynamic_broadcast_in_dim %7, %9, dims = [0, 1] : (tensor<?x1xf32>, tensor<2xi32>) -> tensor<?x64xf32>
    %11 = stablehlo.subtract %arg1, %10 : tensor<?x64xf32>
    %12 = stablehlo.multiply %11, %11 : tensor<?x64xf32>
    %13 = stablehlo.convert %arg2 : (tensor<i32>) -> tensor<f32>
    %14 = stablehlo.subtract %cst_0, %13 : tensor<f32>
    %15 = stablehlo.reduce(%12 init: %cst_2) applies stablehlo.add across dimensions = [1] : (tensor<?x64xf32>, tensor<f32>) -> tensor<?xf32>
    %16 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %17 = stablehlo.concatenate %16, %c_1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %18 = stablehlo.dynamic_broadcast_in_dim %15, %17, dims = [0] : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x1xf32>
    %19 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %20 = stablehlo.concatenate %19, %c_1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %21 = stablehlo.dynamic_broadcast_in_dim %14, %20, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x1xf32>
    %22 = stablehlo.divide %18, %21 : tensor<?x1xf32>
    %23 = stablehlo.compare GT, %14, %cst_2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %24 = call @_where(%arg0, %23, %22, %cst) : (tensor<i32>, tensor<i1>, tensor<?x1xf32>, tensor<f32>) -> tensor<?x1xf32>
    return %24 : tensor<?x1xf32>
  }
  func.func private @_where(%arg0: tensor<i32> {jax.global_constant = "s"}, %arg1: tensor<i1>, %arg2: tensor<?x1xf32>, %arg3: tensor<f32>) -> tensor<?x1xf32> {
    %c = stablehlo.constant dense<1> : tensor<1xi32>
    %0 = stablehlo.convert %arg3 : tensor<f32>
    %1 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %2 = stablehlo.concatenate %1, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %3 = stablehlo.dynamic_broadcast_in_dim %0, %2, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x1xf32>
    %4 = stablehlo.select %arg1, %arg2, %3 : tensor<i1>, tensor<?x1xf32>
    return %4 : tensor<?x1xf32>
  }
}
