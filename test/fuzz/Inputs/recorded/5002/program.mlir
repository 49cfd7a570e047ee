module @fuzz {
  func.func public @main(%arg0: tensor<i16>, %arg1: tensor<16x2x7x2xf32>, %arg2: tensor<7xf32>) -> (tensor<5xf32>, tensor<9xf32>, tensor<7xi1>) {
    %v1 = "stablehlo.constant"() <{value = dense<0x7F800000> : tensor<f32>}> : () -> tensor<f32>
    %v5 = "stablehlo.reduce"(%arg2, %v1) <{dimensions = array<i64: 0>}> ({
    ^bb0(%v2: tensor<f32>, %v3: tensor<f32>):
      %v4 = "stablehlo.minimum"(%v2, %v3) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%v4) : (tensor<f32>) -> ()
    }) : (tensor<7xf32>, tensor<f32>) -> tensor<f32>
    %v6 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<9x1xi32>
    %v7 = "stablehlo.gather"(%arg2, %v6) <{dimension_numbers = #stablehlo.gather<offset_dims = [], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>}> : (tensor<7xf32>, tensor<9x1xi32>) -> tensor<9xf32>
    %v8 = "stablehlo.constant"() <{value = dense<-3.000000e+00> : tensor<16x2x7x2xf32>}> : () -> tensor<16x2x7x2xf32>
    %v9 = "stablehlo.constant"() <{value = dense<3.000000e+00> : tensor<16x2x7x2xf32>}> : () -> tensor<16x2x7x2xf32>
    %v10 = "stablehlo.clamp"(%v8, %arg1, %v9) : (tensor<16x2x7x2xf32>, tensor<16x2x7x2xf32>, tensor<16x2x7x2xf32>) -> tensor<16x2x7x2xf32>
    %v11 = "stablehlo.exponential_minus_one"(%v10) : (tensor<16x2x7x2xf32>) -> tensor<16x2x7x2xf32>
    %v12 = "stablehlo.reshape"(%arg2) : (tensor<7xf32>) -> tensor<7xf32>
    %v13 = "stablehlo.broadcast_in_dim"(%v7) <{broadcast_dimensions = array<i64: 1>}> : (tensor<9xf32>) -> tensor<5x9x3xf32>
    %v14 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %v18 = "stablehlo.reduce"(%v11, %v14) <{dimensions = array<i64: 1, 2>}> ({
    ^bb0(%v15: tensor<f32>, %v16: tensor<f32>):
      %v17 = "stablehlo.add"(%v15, %v16) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%v17) : (tensor<f32>) -> ()
    }) : (tensor<16x2x7x2xf32>, tensor<f32>) -> tensor<16x2xf32>
    %v19 = "stablehlo.abs"(%v7) : (tensor<9xf32>) -> tensor<9xf32>
    %v20 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<9xf32>}> : () -> tensor<9xf32>
    %v21 = "stablehlo.add"(%v19, %v20) : (tensor<9xf32>, tensor<9xf32>) -> tensor<9xf32>
    %v22 = "stablehlo.atan2"(%v7, %v21) : (tensor<9xf32>, tensor<9xf32>) -> tensor<9xf32>
    %v23 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<9x1xi32>
    %v24 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<9x2xf32>}> : () -> tensor<9x2xf32>
    %v28 = "stablehlo.scatter"(%v18, %v23, %v24) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, indices_are_sorted = false, unique_indices = false}> ({
    ^bb0(%v25: tensor<f32>, %v26: tensor<f32>):
      %v27 = "stablehlo.add"(%v25, %v26) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%v27) : (tensor<f32>) -> ()
    }) : (tensor<16x2xf32>, tensor<9x1xi32>, tensor<9x2xf32>) -> tensor<16x2xf32>
    %v29 = "stablehlo.abs"(%v13) : (tensor<5x9x3xf32>) -> tensor<5x9x3xf32>
    %v30 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<5x9x3xf32>}> : () -> tensor<5x9x3xf32>
    %v31 = "stablehlo.add"(%v29, %v30) : (tensor<5x9x3xf32>, tensor<5x9x3xf32>) -> tensor<5x9x3xf32>
    %v32 = "stablehlo.log"(%v31) : (tensor<5x9x3xf32>) -> tensor<5x9x3xf32>
    %v33 = "stablehlo.transpose"(%v28) <{permutation = array<i64: 0, 1>}> : (tensor<16x2xf32>) -> tensor<16x2xf32>
    %v34 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %v38 = "stablehlo.reduce_window"(%v22, %v34) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 2>, window_dilations = array<i64: 1>, padding = dense<[[1, 1]]> : tensor<1x2xi64>}> ({
    ^bb0(%v35: tensor<f32>, %v36: tensor<f32>):
      %v37 = "stablehlo.add"(%v35, %v36) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%v37) : (tensor<f32>) -> ()
    }) : (tensor<9xf32>, tensor<f32>) -> tensor<5xf32>
    %v39 = "stablehlo.abs"(%v7) : (tensor<9xf32>) -> tensor<9xf32>
    %v40 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<9xf32>}> : () -> tensor<9xf32>
    %v41 = "stablehlo.add"(%v39, %v40) : (tensor<9xf32>, tensor<9xf32>) -> tensor<9xf32>
    %v42 = "stablehlo.divide"(%v7, %v41) : (tensor<9xf32>, tensor<9xf32>) -> tensor<9xf32>
    %v43 = "stablehlo.compare"(%v12, %arg2) <{comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<7xf32>, tensor<7xf32>) -> tensor<7xi1>
    return %v38, %v42, %v43 : tensor<5xf32>, tensor<9xf32>, tensor<7xi1>
  }
}
