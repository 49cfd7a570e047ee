// {"arguments": [["s,4", "f32"], ["4,6", "f32"], ["6,4", "f32"]], "ranges": {"s": [2, 9]}, "sizes": [{"s": 5}, {"s": 9}], "ints": [0, 5], "exact": [true, false]}
module @jit attributes {jax.uses_shape_polymorphism = true, mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<?x4xf32>, %arg1: tensor<4x6xf32>, %arg2: tensor<6x4xf32>) -> (tensor<?xi32> {jax.result_info = "result[0]"}, tensor<4xf32> {jax.result_info = "result[1]"}) {
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
    %7:2 = call @_wrapped_jax_export_main(%0, %arg0, %arg1, %arg2) : (tensor<i32>, tensor<?x4xf32>, tensor<4x6xf32>, tensor<6x4xf32>) -> (tensor<?xi32>, tensor<4xf32>)
    return %7#0, %7#1 : tensor<?xi32>, tensor<4xf32>
  }
  func.func private @_wrapped_jax_export_main(%arg0: tensor<i32> {jax.global_constant = "s"}, %arg1: tensor<?x4xf32>, %arg2: tensor<4x6xf32>, %arg3: tensor<6x4xf32>) -> (tensor<?xi32> {jax.result_info = "result[0]"}, tensor<4xf32> {jax.result_info = "result[1]"}) {
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %c = stablehlo.constant dense<6> : tensor<i32>
    %c_0 = stablehlo.constant dense<1> : tensor<i32>
    %c_1 = stablehlo.constant dense<4> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %1 = stablehlo.dynamic_broadcast_in_dim %c_2, %0, dims = [] : (tensor<i32>, tensor<1xi32>) -> tensor<?xi32>
    %2 = stablehlo.convert %arg0 : tensor<i32>
    %3 = stablehlo.compare LT, %c_2, %c_2, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %4 = stablehlo.add %c_2, %2 : tensor<i32>
    %5 = stablehlo.select %3, %4, %c_2 : tensor<i1>, tensor<i32>
    %6 = stablehlo.compare LT, %c_2, %c_2, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %7 = stablehlo.add %c_2, %c_1 : tensor<i32>
    %8 = stablehlo.select %6, %7, %c_2 : tensor<i1>, tensor<i32>
    %9 = stablehlo.dynamic_slice %arg1, %5, %8, sizes = [1, 4] : (tensor<?x4xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4xf32>
    %10 = stablehlo.reshape %9 : (tensor<1x4xf32>) -> tensor<4xf32>
    %11:7 = stablehlo.while(%iterArg = %arg2, %iterArg_3 = %arg3, %iterArg_4 = %arg1, %iterArg_5 = %c_2, %iterArg_6 = %arg0, %iterArg_7 = %1, %iterArg_8 = %10) : tensor<4x6xf32>, tensor<6x4xf32>, tensor<?x4xf32>, tensor<i32>, tensor<i32>, tensor<?xi32>, tensor<4xf32>
    cond {
      %12 = stablehlo.compare LT, %iterArg_5, %iterArg_6, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %12 : tensor<i1>
    } do {
      %12 = stablehlo.add %iterArg_5, %c_0 : tensor<i32>
      %13 = stablehlo.dot_general %iterArg_8, %iterArg, contracting_dims = [0] x [0] : (tensor<4xf32>, tensor<4x6xf32>) -> tensor<6xf32>
      %14 = func.call @argmax(%arg0, %13) : (tensor<i32>, tensor<6xf32>) -> tensor<i32>
      %15 = stablehlo.convert %arg0 : tensor<i32>
      %16 = stablehlo.compare LT, %iterArg_5, %c_2, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %17 = stablehlo.add %iterArg_5, %15 : tensor<i32>
      %18 = stablehlo.select %16, %17, %iterArg_5 : tensor<i1>, tensor<i32>
      %19 = stablehlo.broadcast_in_dim %18, dims = [] : (tensor<i32>) -> tensor<1xi32>
      %20 = "stablehlo.scatter"(%iterArg_7, %19, %14) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
      ^bb0(%arg4: tensor<i32>, %arg5: tensor<i32>):
        stablehlo.return %arg5 : tensor<i32>
      }) : (tensor<?xi32>, tensor<1xi32>, tensor<i32>) -> tensor<?xi32>
      %21 = stablehlo.compare LT, %14, %c_2, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %22 = stablehlo.add %14, %c : tensor<i32>
      %23 = stablehlo.select %21, %22, %14 : tensor<i1>, tensor<i32>
      %24 = stablehlo.compare LT, %c_2, %c_2, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %25 = stablehlo.add %c_2, %c_1 : tensor<i32>
      %26 = stablehlo.select %24, %25, %c_2 : tensor<i1>, tensor<i32>
      %27 = stablehlo.dynamic_slice %iterArg_3, %23, %26, sizes = [1, 4] : (tensor<6x4xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4xf32>
      %28 = stablehlo.reshape %27 : (tensor<1x4xf32>) -> tensor<4xf32>
      %29 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4xf32>
      %30 = stablehlo.multiply %28, %29 : tensor<4xf32>
      %31 = stablehlo.convert %iterArg_5 : tensor<i32>
      %32 = stablehlo.convert %arg0 : tensor<i32>
      %33 = stablehlo.compare LT, %31, %c_2, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %34 = stablehlo.add %31, %32 : tensor<i32>
      %35 = stablehlo.select %33, %34, %31 : tensor<i1>, tensor<i32>
      %36 = stablehlo.compare LT, %c_2, %c_2, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %37 = stablehlo.add %c_2, %c_1 : tensor<i32>
      %38 = stablehlo.select %36, %37, %c_2 : tensor<i1>, tensor<i32>
      %39 = stablehlo.dynamic_slice %iterArg_4, %35, %38, sizes = [1, 4] : (tensor<?x4xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4xf32>
      %40 = stablehlo.reshape %39 : (tensor<1x4xf32>) -> tensor<4xf32>
      %41 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4xf32>
      %42 = stablehlo.multiply %40, %41 : tensor<4xf32>
      %43 = stablehlo.add %30, %42 : tensor<4xf32>
      stablehlo.return %iterArg, %iterArg_3, %iterArg_4, %12, %iterArg_6, %20, %43 : tensor<4x6xf32>, tensor<6x4xf32>, tensor<?x4xf32>, tensor<i32>, tensor<i32>, tensor<?xi32>, tensor<4xf32>
    }
    return %11#5, %11#6 : tensor<?xi32>, tensor<4xf32>
  }
  func.func private @argmax(%arg0: tensor<i32>, %arg1: tensor<6xf32>) -> tensor<i32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = stablehlo.iota dim = 0 : tensor<6xi32>
    %1:2 = stablehlo.reduce(%arg1 init: %cst), (%0 init: %c) across dimensions = [0] : (tensor<6xf32>, tensor<6xi32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)
     reducer(%arg2: tensor<f32>, %arg4: tensor<f32>) (%arg3: tensor<i32>, %arg5: tensor<i32>)  {
      %2 = stablehlo.compare GT, %arg2, %arg4, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %3 = stablehlo.compare NE, %arg2, %arg2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %4 = stablehlo.or %2, %3 : tensor<i1>
      %5 = stablehlo.compare EQ, %arg2, %arg4, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %6 = stablehlo.compare LT, %arg3, %arg5, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %7 = stablehlo.and %5, %6 : tensor<i1>
      %8 = stablehlo.or %4, %7 : tensor<i1>
      %9 = stablehlo.select %4, %arg2, %arg4 : tensor<i1>, tensor<f32>
      %10 = stablehlo.select %8, %arg3, %arg5 : tensor<i1>, tensor<i32>
      stablehlo.return %9, %10 : tensor<f32>, tensor<i32>
    }
    return %1#1 : tensor<i32>
  }
}
