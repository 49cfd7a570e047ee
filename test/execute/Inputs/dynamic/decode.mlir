// {"arguments": [["s,4", "f32"], ["4,4", "f32"], ["", "i32"]], "ranges": {"s": [2, 9]}, "sizes": [{"s": 5}, {"s": 9}, {"s": 2}], "ints": [1, 3], "exact": [false, false]}
module @jit attributes {jax.uses_shape_polymorphism = true, mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<?x4xf32>, %arg1: tensor<4x4xf32>, %arg2: tensor<i32>) -> (tensor<?x4xf32> {jax.result_info = "result[0]"}, tensor<4xf32> {jax.result_info = "result[1]"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<-2> : tensor<i32>
    %c_1 = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.get_dimension_size %arg0, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>
    %1 = stablehlo.compare GE, %0, %c_1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%1, %0) {api_version = 2 : i32, error_message = "Input shapes do not match the polymorphic shapes specification. Expected value >= 1 for dimension variable 's'. Using the following polymorphic shapes specifications: args[0].shape = (s, 4). Obtained dimension variables: 's' = {0} from specification 's' for dimension args[0].shape[0] (= {0}), . Please see https://docs.jax.dev/en/latest/export/shape_poly.html#shape-assertion-errors for more details.", has_side_effect = true} : (tensor<i1>, tensor<i32>) -> ()
    %2 = stablehlo.convert %0 : tensor<i32>
    %3 = stablehlo.add %2, %c_0 : tensor<i32>
    %4 = stablehlo.compare GE, %3, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %5 = stablehlo.convert %0 : tensor<i32>
    %6 = stablehlo.add %5, %c_0 : tensor<i32>
    stablehlo.custom_call @shape_assertion(%4, %6, %0) {api_version = 2 : i32, error_message = "Input shapes do not match the symbolic shape constraint s>=2. Expected 's - 2' to be greater or equal to 0, but found {0}.  Using the following polymorphic shapes specifications: args[0].shape = (s, 4). Obtained dimension variables: 's' = {1} from specification 's' for dimension args[0].shape[0] (= {1}), . Please see https://docs.jax.dev/en/latest/export/shape_poly.html#shape-assertion-errors for more details.", has_side_effect = true} : (tensor<i1>, tensor<i32>, tensor<i32>) -> ()
    %7:2 = call @_wrapped_jax_export_main(%0, %arg0, %arg1, %arg2) : (tensor<i32>, tensor<?x4xf32>, tensor<4x4xf32>, tensor<i32>) -> (tensor<?x4xf32>, tensor<4xf32>)
    return %7#0, %7#1 : tensor<?x4xf32>, tensor<4xf32>
  }
  func.func private @_wrapped_jax_export_main(%arg0: tensor<i32> {jax.global_constant = "s"}, %arg1: tensor<?x4xf32>, %arg2: tensor<4x4xf32>, %arg3: tensor<i32>) -> (tensor<?x4xf32> {jax.result_info = "result[0]"}, tensor<4xf32> {jax.result_info = "result[1]"}) {
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %c = stablehlo.constant dense<1> : tensor<i32>
    %c_0 = stablehlo.constant dense<4> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<-1> : tensor<i32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %1 = stablehlo.concatenate %arg1, %0, dim = 0 : (tensor<?x4xf32>, tensor<4x4xf32>) -> tensor<?x4xf32>
    %2 = stablehlo.convert %arg0 : tensor<i32>
    %3 = stablehlo.compare LT, %c_2, %c_1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %4 = stablehlo.add %c_2, %2 : tensor<i32>
    %5 = stablehlo.select %3, %4, %c_2 : tensor<i1>, tensor<i32>
    %6 = stablehlo.compare LT, %c_1, %c_1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %7 = stablehlo.add %c_1, %c_0 : tensor<i32>
    %8 = stablehlo.select %6, %7, %c_1 : tensor<i1>, tensor<i32>
    %9 = stablehlo.dynamic_slice %arg1, %5, %8, sizes = [1, 4] : (tensor<?x4xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4xf32>
    %10 = stablehlo.reshape %9 : (tensor<1x4xf32>) -> tensor<4xf32>
    %11:5 = stablehlo.while(%iterArg = %arg2, %iterArg_4 = %c_1, %iterArg_5 = %arg3, %iterArg_6 = %1, %iterArg_7 = %10) : tensor<4x4xf32>, tensor<i32>, tensor<i32>, tensor<?x4xf32>, tensor<4xf32>
    cond {
      %12 = stablehlo.compare LT, %iterArg_4, %iterArg_5, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %12 : tensor<i1>
    } do {
      %12 = stablehlo.add %iterArg_4, %c : tensor<i32>
      %13 = stablehlo.dot_general %iterArg_7, %iterArg, contracting_dims = [0] x [0] : (tensor<4xf32>, tensor<4x4xf32>) -> tensor<4xf32>
      %14 = stablehlo.tanh %13 : tensor<4xf32>
      %15 = stablehlo.broadcast_in_dim %14, dims = [1] : (tensor<4xf32>) -> tensor<1x4xf32>
      %16 = stablehlo.add %arg0, %iterArg_4 : tensor<i32>
      %17 = stablehlo.convert %arg0 : tensor<i32>
      %18 = stablehlo.add %17, %c_0 : tensor<i32>
      %19 = stablehlo.convert %18 : tensor<i32>
      %20 = stablehlo.compare LT, %16, %c_1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %21 = stablehlo.convert %16 : tensor<i32>
      %22 = stablehlo.add %21, %19 : tensor<i32>
      %23 = stablehlo.select %20, %22, %16 : tensor<i1>, tensor<i32>
      %24 = stablehlo.dynamic_update_slice %iterArg_6, %15, %23, %c_1 : (tensor<?x4xf32>, tensor<1x4xf32>, tensor<i32>, tensor<i32>) -> tensor<?x4xf32>
      %25 = stablehlo.convert %arg0 : tensor<i32>
      %26 = stablehlo.add %25, %c_0 : tensor<i32>
      %27 = stablehlo.reshape %26 : (tensor<i32>) -> tensor<1xi32>
      %28 = stablehlo.dynamic_iota %27, dim = 0 : (tensor<1xi32>) -> tensor<?xi32>
      %29 = stablehlo.convert %arg0 : tensor<i32>
      %30 = stablehlo.add %29, %c_0 : tensor<i32>
      %31 = stablehlo.reshape %30 : (tensor<i32>) -> tensor<1xi32>
      %32 = stablehlo.dynamic_broadcast_in_dim %c, %31, dims = [] : (tensor<i32>, tensor<1xi32>) -> tensor<?xi32>
      %33 = stablehlo.multiply %32, %28 : tensor<?xi32>
      %34 = stablehlo.convert %arg0 : tensor<i32>
      %35 = stablehlo.add %34, %c_0 : tensor<i32>
      %36 = stablehlo.reshape %35 : (tensor<i32>) -> tensor<1xi32>
      %37 = stablehlo.dynamic_broadcast_in_dim %c_1, %36, dims = [] : (tensor<i32>, tensor<1xi32>) -> tensor<?xi32>
      %38 = stablehlo.add %37, %33 : tensor<?xi32>
      %39 = stablehlo.add %arg0, %iterArg_4 : tensor<i32>
      %40 = stablehlo.convert %39 : tensor<i32>
      %41 = stablehlo.convert %arg0 : tensor<i32>
      %42 = stablehlo.add %41, %c_0 : tensor<i32>
      %43 = stablehlo.reshape %42 : (tensor<i32>) -> tensor<1xi32>
      %44 = stablehlo.dynamic_broadcast_in_dim %40, %43, dims = [] : (tensor<i32>, tensor<1xi32>) -> tensor<?xi32>
      %45 = stablehlo.compare LE, %38, %44, SIGNED : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi1>
      %46 = stablehlo.dot_general %24, %14, contracting_dims = [1] x [0] : (tensor<?x4xf32>, tensor<4xf32>) -> tensor<?xf32>
      %47 = func.call @_where(%arg0, %45, %46, %cst) : (tensor<i32>, tensor<?xi1>, tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
      %48 = stablehlo.reduce(%47 init: %cst) applies stablehlo.maximum across dimensions = [0] : (tensor<?xf32>, tensor<f32>) -> tensor<f32>
      %49 = stablehlo.maximum %cst, %48 : tensor<f32>
      %50 = stablehlo.broadcast_in_dim %49, dims = [] : (tensor<f32>) -> tensor<1xf32>
      %51 = stablehlo.convert %arg0 : tensor<i32>
      %52 = stablehlo.add %51, %c_0 : tensor<i32>
      %53 = stablehlo.reshape %52 : (tensor<i32>) -> tensor<1xi32>
      %54 = stablehlo.dynamic_broadcast_in_dim %50, %53, dims = [0] : (tensor<1xf32>, tensor<1xi32>) -> tensor<?xf32>
      %55 = stablehlo.subtract %47, %54 : tensor<?xf32>
      %56 = stablehlo.exponential %55 : tensor<?xf32>
      %57 = stablehlo.reduce(%56 init: %cst_3) applies stablehlo.add across dimensions = [0] : (tensor<?xf32>, tensor<f32>) -> tensor<f32>
      %58 = stablehlo.broadcast_in_dim %57, dims = [] : (tensor<f32>) -> tensor<1xf32>
      %59 = stablehlo.convert %arg0 : tensor<i32>
      %60 = stablehlo.add %59, %c_0 : tensor<i32>
      %61 = stablehlo.reshape %60 : (tensor<i32>) -> tensor<1xi32>
      %62 = stablehlo.dynamic_broadcast_in_dim %58, %61, dims = [0] : (tensor<1xf32>, tensor<1xi32>) -> tensor<?xf32>
      %63 = stablehlo.divide %56, %62 : tensor<?xf32>
      %64 = stablehlo.dot_general %63, %24, contracting_dims = [0] x [0] : (tensor<?xf32>, tensor<?x4xf32>) -> tensor<4xf32>
      stablehlo.return %iterArg, %12, %iterArg_5, %24, %64 : tensor<4x4xf32>, tensor<i32>, tensor<i32>, tensor<?x4xf32>, tensor<4xf32>
    }
    return %11#3, %11#4 : tensor<?x4xf32>, tensor<4xf32>
  }
  func.func private @_where(%arg0: tensor<i32> {jax.global_constant = "s"}, %arg1: tensor<?xi1>, %arg2: tensor<?xf32>, %arg3: tensor<f32>) -> tensor<?xf32> {
    %c = stablehlo.constant dense<4> : tensor<i32>
    %0 = stablehlo.convert %arg3 : tensor<f32>
    %1 = stablehlo.convert %arg0 : tensor<i32>
    %2 = stablehlo.add %1, %c : tensor<i32>
    %3 = stablehlo.reshape %2 : (tensor<i32>) -> tensor<1xi32>
    %4 = stablehlo.dynamic_broadcast_in_dim %0, %3, dims = [] : (tensor<f32>, tensor<1xi32>) -> tensor<?xf32>
    %5 = stablehlo.select %arg1, %arg2, %4 : tensor<?xi1>, tensor<?xf32>
    return %5 : tensor<?xf32>
  }
}
