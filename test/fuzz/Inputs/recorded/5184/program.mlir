module @fuzz {
  func.func public @main(%arg0: tensor<16xf32>) -> (tensor<3x7x3xf32>, tensor<3x7x3xf32>, tensor<7xf32>) {
    %v1 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<9x1xi32>
    %v2 = "stablehlo.gather"(%arg0, %v1) <{dimension_numbers = #stablehlo.gather<offset_dims = [], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>}> : (tensor<16xf32>, tensor<9x1xi32>) -> tensor<9xf32>
    %v3 = "stablehlo.minimum"(%arg0, %arg0) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %v4 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %v8 = "stablehlo.reduce"(%arg0, %v4) <{dimensions = array<i64: 0>}> ({
    ^bb0(%v5: tensor<f32>, %v6: tensor<f32>):
      %v7 = "stablehlo.maximum"(%v5, %v6) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%v7) : (tensor<f32>) -> ()
    }) : (tensor<16xf32>, tensor<f32>) -> tensor<f32>
    %v9 = "stablehlo.slice"(%v3) <{limit_indices = array<i64: 8>, start_indices = array<i64: 1>, strides = array<i64: 1>}> : (tensor<16xf32>) -> tensor<7xf32>
    %v10 = "stablehlo.reshape"(%v9) : (tensor<7xf32>) -> tensor<7xf32>
    %v11 = "stablehlo.abs"(%v10) : (tensor<7xf32>) -> tensor<7xf32>
    %v12 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<7xf32>}> : () -> tensor<7xf32>
    %v13 = "stablehlo.add"(%v11, %v12) : (tensor<7xf32>, tensor<7xf32>) -> tensor<7xf32>
    %v14 = "stablehlo.divide"(%v10, %v13) : (tensor<7xf32>, tensor<7xf32>) -> tensor<7xf32>
    %v15 = "stablehlo.slice"(%v9) <{limit_indices = array<i64: 7>, start_indices = array<i64: 5>, strides = array<i64: 2>}> : (tensor<7xf32>) -> tensor<1xf32>
    %v16 = "stablehlo.floor"(%v3) : (tensor<16xf32>) -> tensor<16xf32>
    %v17 = "stablehlo.abs"(%v14) : (tensor<7xf32>) -> tensor<7xf32>
    %v18 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<7xf32>}> : () -> tensor<7xf32>
    %v19 = "stablehlo.add"(%v17, %v18) : (tensor<7xf32>, tensor<7xf32>) -> tensor<7xf32>
    %v20 = "stablehlo.sqrt"(%v19) : (tensor<7xf32>) -> tensor<7xf32>
    %v21 = "stablehlo.compare"(%v15, %v15) <{comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xi1>
    %v22 = "stablehlo.reverse"(%v9) <{dimensions = array<i64: 0>}> : (tensor<7xf32>) -> tensor<7xf32>
    %v23 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<9xf32>}> : () -> tensor<9xf32>
    %v24 = "stablehlo.compare"(%v2, %v23) <{comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<9xf32>, tensor<9xf32>) -> tensor<9xi1>
    %v25 = "stablehlo.broadcast_in_dim"(%v22) <{broadcast_dimensions = array<i64: 1>}> : (tensor<7xf32>) -> tensor<3x7x3xf32>
    %v26 = "stablehlo.cbrt"(%v25) : (tensor<3x7x3xf32>) -> tensor<3x7x3xf32>
    %v27 = "stablehlo.constant"() <{value = dense<3> : tensor<i32>}> : () -> tensor<i32>
    %v28 = "stablehlo.slice"(%v20) <{limit_indices = array<i64: 4>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<7xf32>) -> tensor<4xf32>
    %v29 = "stablehlo.dynamic_update_slice"(%v20, %v28, %v27) : (tensor<7xf32>, tensor<4xf32>, tensor<i32>) -> tensor<7xf32>
    return %v25, %v26, %v29 : tensor<3x7x3xf32>, tensor<3x7x3xf32>, tensor<7xf32>
  }
}
