module @fuzz {
  func.func public @main(%arg0: tensor<3x16x8x7xi8>, %arg1: tensor<130x2x3xf32>) -> (tensor<130x2x3xf32>, tensor<3xf32>, tensor<3xf32>) {
    %v1 = "stablehlo.constant"() <{value = dense<3.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %v2 = "stablehlo.pad"(%arg1, %v1) <{edge_padding_high = array<i64: 1, 0, 2>, edge_padding_low = array<i64: 0, -1, -1>, interior_padding = array<i64: 1, 2, 0>}> : (tensor<130x2x3xf32>, tensor<f32>) -> tensor<260x3x4xf32>
    %v3 = "stablehlo.broadcast_in_dim"(%arg1) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<130x2x3xf32>) -> tensor<130x2x3xf32>
    %v4 = "stablehlo.constant"() <{value = dense<6> : tensor<i32>}> : () -> tensor<i32>
    %v11 = "stablehlo.case"(%v4) ({
      %v5 = "stablehlo.abs"(%v3) : (tensor<130x2x3xf32>) -> tensor<130x2x3xf32>
      %v6 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<130x2x3xf32>}> : () -> tensor<130x2x3xf32>
      %v7 = "stablehlo.add"(%v5, %v6) : (tensor<130x2x3xf32>, tensor<130x2x3xf32>) -> tensor<130x2x3xf32>
      %v8 = "stablehlo.rsqrt"(%v7) : (tensor<130x2x3xf32>) -> tensor<130x2x3xf32>
      %v9 = "stablehlo.multiply"(%v3, %v3) : (tensor<130x2x3xf32>, tensor<130x2x3xf32>) -> tensor<130x2x3xf32>
      %v10 = "stablehlo.broadcast_in_dim"(%v9) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<130x2x3xf32>) -> tensor<130x2x3x1xf32>
      "stablehlo.return"(%v2) : (tensor<260x3x4xf32>) -> ()
    }) : (tensor<i32>) -> tensor<260x3x4xf32>
    %v12 = "stablehlo.convert"(%v11) : (tensor<260x3x4xf32>) -> tensor<260x3x4xi16>
    %v13 = "stablehlo.constant"() <{value = dense<0x7F800000> : tensor<f32>}> : () -> tensor<f32>
    %v17 = "stablehlo.reduce"(%v3, %v13) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%v14: tensor<f32>, %v15: tensor<f32>):
      %v16 = "stablehlo.minimum"(%v14, %v15) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%v16) : (tensor<f32>) -> ()
    }) : (tensor<130x2x3xf32>, tensor<f32>) -> tensor<3xf32>
    %v18 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<260x4xf32>
    %v19 = "stablehlo.dot_general"(%v2, %v18) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [0, 2], rhs_contracting_dimensions = [0, 1]>, precision_config = [#stablehlo<precision HIGHEST>, #stablehlo<precision HIGHEST>]}> : (tensor<260x3x4xf32>, tensor<260x4xf32>) -> tensor<3xf32>
    %v20 = "stablehlo.constant"() <{value = dense<5.000000e+00> : tensor<130x2x3xf32>}> : () -> tensor<130x2x3xf32>
    %v21 = "stablehlo.abs"(%v20) : (tensor<130x2x3xf32>) -> tensor<130x2x3xf32>
    %v22 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<130x2x3xf32>}> : () -> tensor<130x2x3xf32>
    %v23 = "stablehlo.add"(%v21, %v22) : (tensor<130x2x3xf32>, tensor<130x2x3xf32>) -> tensor<130x2x3xf32>
    %v24 = "stablehlo.divide"(%v3, %v23) : (tensor<130x2x3xf32>, tensor<130x2x3xf32>) -> tensor<130x2x3xf32>
    %v25 = "stablehlo.floor"(%v19) : (tensor<3xf32>) -> tensor<3xf32>
    %v26 = "stablehlo.reverse"(%v25) <{dimensions = array<i64: 0>}> : (tensor<3xf32>) -> tensor<3xf32>
    %v27 = "stablehlo.constant"() <{value = dense<-8.000000e+00> : tensor<3xf32>}> : () -> tensor<3xf32>
    %v28 = "stablehlo.constant"() <{value = dense<8.000000e+00> : tensor<3xf32>}> : () -> tensor<3xf32>
    %v29 = "stablehlo.clamp"(%v27, %v26, %v28) : (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    %v30 = "stablehlo.maximum"(%v29, %v17) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    %v31 = "stablehlo.reverse"(%arg1) <{dimensions = array<i64: 1, 2>}> : (tensor<130x2x3xf32>) -> tensor<130x2x3xf32>
    %v32 = "stablehlo.constant"() <{value = dense<-8.000000e+00> : tensor<3xf32>}> : () -> tensor<3xf32>
    %v33 = "stablehlo.constant"() <{value = dense<8.000000e+00> : tensor<3xf32>}> : () -> tensor<3xf32>
    %v34 = "stablehlo.clamp"(%v32, %v26, %v33) : (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    %v35 = "stablehlo.negate"(%v34) : (tensor<3xf32>) -> tensor<3xf32>
    %v36 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<9x1xi32>
    %v37 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<9xf32>}> : () -> tensor<9xf32>
    %v41 = "stablehlo.scatter"(%v25, %v36, %v37) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, indices_are_sorted = false, unique_indices = false}> ({
    ^bb0(%v38: tensor<f32>, %v39: tensor<f32>):
      %v40 = "stablehlo.maximum"(%v38, %v39) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%v40) : (tensor<f32>) -> ()
    }) : (tensor<3xf32>, tensor<9x1xi32>, tensor<9xf32>) -> tensor<3xf32>
    return %v31, %v35, %v41 : tensor<130x2x3xf32>, tensor<3xf32>, tensor<3xf32>
  }
}
