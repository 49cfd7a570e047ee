module @fuzz {
  func.func public @main(%arg0: tensor<2x1x7xbf16>, %arg1: tensor<7xi32>, %arg2: tensor<2x16xi32>, %arg3: tensor<4x3x2x7xf32>) -> (tensor<9xi32>, tensor<4x3x2x7xf32>, tensor<i32>) {
    %v1 = "stablehlo.slice"(%arg3) <{limit_indices = array<i64: 4, 1, 2, 4>, start_indices = array<i64: 1, 0, 0, 2>, strides = array<i64: 3, 1, 1, 2>}> : (tensor<4x3x2x7xf32>) -> tensor<1x1x2x1xf32>
    %v2 = "stablehlo.broadcast_in_dim"(%arg0) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x1x7xbf16>) -> tensor<2x1x7xbf16>
    %v3 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<17x2xi32>
    %v4 = "stablehlo.tanh"(%v1) : (tensor<1x1x2x1xf32>) -> tensor<1x1x2x1xf32>
    %v5 = "stablehlo.compare"(%v3, %v3) <{comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<17x2xi32>, tensor<17x2xi32>) -> tensor<17x2xi1>
    %v6 = "stablehlo.constant"() <{value = dense<3.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %v7 = "stablehlo.pad"(%v4, %v6) <{edge_padding_high = array<i64: 0, 0, 2, 2>, edge_padding_low = array<i64: 2, 0, -1, -1>, interior_padding = array<i64: 0, 0, 0, 2>}> : (tensor<1x1x2x1xf32>, tensor<f32>) -> tensor<3x1x3x2xf32>
    %v8 = "stablehlo.reshape"(%v4) : (tensor<1x1x2x1xf32>) -> tensor<2xf32>
    %v9 = "stablehlo.constant"() <{value = dense<3> : tensor<i32>}> : () -> tensor<i32>
    %v10 = "stablehlo.pad"(%arg1, %v9) <{edge_padding_high = array<i64: 1>, edge_padding_low = array<i64: 1>, interior_padding = array<i64: 0>}> : (tensor<7xi32>, tensor<i32>) -> tensor<9xi32>
    %v11 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %v34:2 = "stablehlo.while"(%v11, %arg3) ({
    ^bb0(%v12: tensor<i32>, %v17: tensor<4x3x2x7xf32>):
      %v13 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %v14 = "stablehlo.compare"(%v12, %v13) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%v14) : (tensor<i1>) -> ()
    }, {
    ^bb0(%v12: tensor<i32>, %v17: tensor<4x3x2x7xf32>):
      %v18 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<9x1xi32>
      %v19 = "stablehlo.constant"() <{value = dense<1> : tensor<9x16xi32>}> : () -> tensor<9x16xi32>
      %v23 = "stablehlo.scatter"(%arg2, %v18, %v19) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, indices_are_sorted = false, unique_indices = false}> ({
    ^bb0(%v20: tensor<i32>, %v21: tensor<i32>):
      %v22 = "stablehlo.add"(%v20, %v21) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%v22) : (tensor<i32>) -> ()
    }) : (tensor<2x16xi32>, tensor<9x1xi32>, tensor<9x16xi32>) -> tensor<2x16xi32>
      %v24 = "stablehlo.constant"() <{value = dense<9> : tensor<17x2xi32>}> : () -> tensor<17x2xi32>
      %v25 = "stablehlo.divide"(%v3, %v24) : (tensor<17x2xi32>, tensor<17x2xi32>) -> tensor<17x2xi32>
      %v26 = "stablehlo.abs"(%arg0) : (tensor<2x1x7xbf16>) -> tensor<2x1x7xbf16>
      %v27 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<2x1x7xbf16>}> : () -> tensor<2x1x7xbf16>
      %v28 = "stablehlo.add"(%v26, %v27) : (tensor<2x1x7xbf16>, tensor<2x1x7xbf16>) -> tensor<2x1x7xbf16>
      %v29 = "stablehlo.constant"() <{value = dense<-2.000000e+00> : tensor<2x1x7xbf16>}> : () -> tensor<2x1x7xbf16>
      %v30 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<2x1x7xbf16>}> : () -> tensor<2x1x7xbf16>
      %v31 = "stablehlo.clamp"(%v29, %v2, %v30) : (tensor<2x1x7xbf16>, tensor<2x1x7xbf16>, tensor<2x1x7xbf16>) -> tensor<2x1x7xbf16>
      %v32 = "stablehlo.power"(%v28, %v31) : (tensor<2x1x7xbf16>, tensor<2x1x7xbf16>) -> tensor<2x1x7xbf16>
      %v33 = "stablehlo.reshape"(%v8) : (tensor<2xf32>) -> tensor<2xf32>
      %v15 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
      %v16 = "stablehlo.add"(%v12, %v15) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%v16, %v17) : (tensor<i32>, tensor<4x3x2x7xf32>) -> ()
    }) : (tensor<i32>, tensor<4x3x2x7xf32>) -> (tensor<i32>, tensor<4x3x2x7xf32>)
    %v35 = "stablehlo.constant"() <{value = dense<-1> : tensor<i32>}> : () -> tensor<i32>
    %v39 = "stablehlo.reduce"(%v3, %v35) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%v36: tensor<i32>, %v37: tensor<i32>):
      %v38 = "stablehlo.and"(%v36, %v37) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%v38) : (tensor<i32>) -> ()
    }) : (tensor<17x2xi32>, tensor<i32>) -> tensor<i32>
    return %v10, %v34#1, %v39 : tensor<9xi32>, tensor<4x3x2x7xf32>, tensor<i32>
  }
}
