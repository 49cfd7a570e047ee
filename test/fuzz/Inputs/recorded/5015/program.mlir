module @fuzz {
  func.func public @main(%arg0: tensor<i32>, %arg1: tensor<bf16>, %arg2: tensor<i64>) -> (tensor<40xui8>, tensor<44xui8>, tensor<132xui8>) {
    %v1 = "stablehlo.constant"() <{value = dense<-3.000000e+00> : tensor<bf16>}> : () -> tensor<bf16>
    %v2 = "stablehlo.constant"() <{value = dense<3.000000e+00> : tensor<bf16>}> : () -> tensor<bf16>
    %v3 = "stablehlo.clamp"(%v1, %arg1, %v2) : (tensor<bf16>, tensor<bf16>, tensor<bf16>) -> tensor<bf16>
    %v4 = "stablehlo.exponential_minus_one"(%v3) : (tensor<bf16>) -> tensor<bf16>
    %v5 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %v15:2 = "stablehlo.while"(%v5, %arg2) ({
    ^bb0(%v6: tensor<i32>, %v11: tensor<i64>):
      %v7 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
      %v8 = "stablehlo.compare"(%v6, %v7) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%v8) : (tensor<i1>) -> ()
    }, {
    ^bb0(%v6: tensor<i32>, %v11: tensor<i64>):
      %v12 = "stablehlo.popcnt"(%v11) : (tensor<i64>) -> tensor<i64>
      %v13 = "stablehlo.abs"(%v4) : (tensor<bf16>) -> tensor<bf16>
      %v14 = "stablehlo.log_plus_one"(%v13) : (tensor<bf16>) -> tensor<bf16>
      %v9 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
      %v10 = "stablehlo.add"(%v6, %v9) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%v10, %v11) : (tensor<i32>, tensor<i64>) -> ()
    }) : (tensor<i32>, tensor<i64>) -> (tensor<i32>, tensor<i64>)
    %v16 = "stablehlo.convert"(%arg1) : (tensor<bf16>) -> tensor<i64>
    %v17 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %v26:2 = "stablehlo.while"(%v17, %v16) ({
    ^bb0(%v18: tensor<i32>, %v23: tensor<i64>):
      %v19 = "stablehlo.constant"() <{value = dense<2> : tensor<i32>}> : () -> tensor<i32>
      %v20 = "stablehlo.compare"(%v18, %v19) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%v20) : (tensor<i1>) -> ()
    }, {
    ^bb0(%v18: tensor<i32>, %v23: tensor<i64>):
      %v24 = "stablehlo.minimum"(%arg2, %v16) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      %v25 = "stablehlo.broadcast_in_dim"(%v23) <{broadcast_dimensions = array<i64>}> : (tensor<i64>) -> tensor<3xi64>
      %v21 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
      %v22 = "stablehlo.add"(%v18, %v21) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%v22, %v24) : (tensor<i32>, tensor<i64>) -> ()
    }) : (tensor<i32>, tensor<i64>) -> (tensor<i32>, tensor<i64>)
    %v27 = "stablehlo.negate"(%v4) : (tensor<bf16>) -> tensor<bf16>
    %v28 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<8x5xui8>
    %v29 = "stablehlo.reshape"(%v28) : (tensor<8x5xui8>) -> tensor<40xui8>
    %v30 = "stablehlo.constant"() <{value = dense<2> : tensor<ui8>}> : () -> tensor<ui8>
    %v31 = "stablehlo.pad"(%v29, %v30) <{edge_padding_high = array<i64: 2>, edge_padding_low = array<i64: 2>, interior_padding = array<i64: 0>}> : (tensor<40xui8>, tensor<ui8>) -> tensor<44xui8>
    %v32 = "stablehlo.concatenate"(%v31, %v31, %v31) <{dimension = 0 : i64}> : (tensor<44xui8>, tensor<44xui8>, tensor<44xui8>) -> tensor<132xui8>
    return %v29, %v31, %v32 : tensor<40xui8>, tensor<44xui8>, tensor<132xui8>
  }
}
