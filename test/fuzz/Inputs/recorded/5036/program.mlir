module @fuzz {
  func.func public @main(%arg0: tensor<f32>) -> (tensor<f32>, tensor<5x1xf32>, tensor<3x5xf32>) {
    %v1 = "stablehlo.constant"() <{value = dense<3> : tensor<i32>}> : () -> tensor<i32>
    %v23 = "stablehlo.case"(%v1) ({
      %v2 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %v3 = "stablehlo.abs"(%v2) : (tensor<f32>) -> tensor<f32>
      %v4 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %v5 = "stablehlo.add"(%v3, %v4) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %v6 = "stablehlo.atan2"(%arg0, %v5) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%v6) : (tensor<f32>) -> ()
    }, {
      %v7 = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
      %v16 = "stablehlo.case"(%v7) ({
        %v8 = "stablehlo.compare"(%arg0, %arg0) <{comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
        %v9 = "stablehlo.convert"(%v8) : (tensor<i1>) -> tensor<f32>
        "stablehlo.return"(%v9) : (tensor<f32>) -> ()
      }, {
        %v10 = "stablehlo.broadcast_in_dim"(%arg0) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<5xf32>
        %v11 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
        %v15 = "stablehlo.reduce"(%v10, %v11) <{dimensions = array<i64: 0>}> ({
    ^bb0(%v12: tensor<f32>, %v13: tensor<f32>):
      %v14 = "stablehlo.add"(%v12, %v13) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%v14) : (tensor<f32>) -> ()
    }) : (tensor<5xf32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%v15) : (tensor<f32>) -> ()
      }) : (tensor<i32>) -> tensor<f32>
      "stablehlo.return"(%arg0) : (tensor<f32>) -> ()
    }, {
      %v17 = "stablehlo.abs"(%arg0) : (tensor<f32>) -> tensor<f32>
      %v18 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %v19 = "stablehlo.add"(%v17, %v18) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %v20 = "stablehlo.divide"(%arg0, %v19) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %v21 = "stablehlo.add"(%v20, %v20) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %v22 = "stablehlo.ceil"(%arg0) : (tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%v22) : (tensor<f32>) -> ()
    }) : (tensor<i32>) -> tensor<f32>
    %v24 = "stablehlo.round_nearest_even"(%arg0) : (tensor<f32>) -> tensor<f32>
    %v25 = "stablehlo.round_nearest_afz"(%v24) : (tensor<f32>) -> tensor<f32>
    %v26 = "stablehlo.add"(%v25, %v25) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %v27 = "stablehlo.broadcast_in_dim"(%v25) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x1x5xf32>
    %v28 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %v29 = "stablehlo.pad"(%v27, %v28) <{edge_padding_high = array<i64: 2, 1, 2>, edge_padding_low = array<i64: 0, 1, 1>, interior_padding = array<i64: 0, 1, 1>}> : (tensor<1x1x5xf32>, tensor<f32>) -> tensor<3x3x12xf32>
    %v30 = "stablehlo.slice"(%v29) <{limit_indices = array<i64: 3, 3, 5>, start_indices = array<i64: 0, 2, 4>, strides = array<i64: 2, 1, 2>}> : (tensor<3x3x12xf32>) -> tensor<2x1x1xf32>
    %v31 = "stablehlo.concatenate"(%v27, %v27, %v27) <{dimension = 1 : i64}> : (tensor<1x1x5xf32>, tensor<1x1x5xf32>, tensor<1x1x5xf32>) -> tensor<1x3x5xf32>
    %v32 = "stablehlo.transpose"(%v31) <{permutation = array<i64: 1, 2, 0>}> : (tensor<1x3x5xf32>) -> tensor<3x5x1xf32>
    %v33 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %v37 = "stablehlo.reduce"(%v29, %v33) <{dimensions = array<i64: 0, 1, 2>}> ({
    ^bb0(%v34: tensor<f32>, %v35: tensor<f32>):
      %v36 = "stablehlo.maximum"(%v34, %v35) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%v36) : (tensor<f32>) -> ()
    }) : (tensor<3x3x12xf32>, tensor<f32>) -> tensor<f32>
    %v38 = "stablehlo.reshape"(%v27) : (tensor<1x1x5xf32>) -> tensor<5x1xf32>
    %v39 = "stablehlo.constant"() <{value = dense<0x7F800000> : tensor<f32>}> : () -> tensor<f32>
    %v43 = "stablehlo.reduce"(%v32, %v39) <{dimensions = array<i64: 2>}> ({
    ^bb0(%v40: tensor<f32>, %v41: tensor<f32>):
      %v42 = "stablehlo.minimum"(%v40, %v41) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%v42) : (tensor<f32>) -> ()
    }) : (tensor<3x5x1xf32>, tensor<f32>) -> tensor<3x5xf32>
    return %v37, %v38, %v43 : tensor<f32>, tensor<5x1xf32>, tensor<3x5xf32>
  }
}
