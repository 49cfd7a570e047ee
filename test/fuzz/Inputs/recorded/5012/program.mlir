module @fuzz {
  func.func public @main(%arg0: tensor<ui8>) -> (tensor<i8>, tensor<i16>, tensor<2xi64>) {
    %v1 = "stablehlo.constant"() <{value = dense<-1> : tensor<i32>}> : () -> tensor<i32>
    %v7 = "stablehlo.case"(%v1) ({
      %v2 = "stablehlo.subtract"(%arg0, %arg0) : (tensor<ui8>, tensor<ui8>) -> tensor<ui8>
      %v3 = "stablehlo.constant"() <{value = dense<4> : tensor<ui8>}> : () -> tensor<ui8>
      %v4 = "stablehlo.constant"() <{value = dense<3> : tensor<ui8>}> : () -> tensor<ui8>
      %v5 = "stablehlo.shift_left"(%v2, %v4) : (tensor<ui8>, tensor<ui8>) -> tensor<ui8>
      %v6 = "stablehlo.and"(%v2, %v5) : (tensor<ui8>, tensor<ui8>) -> tensor<ui8>
      "stablehlo.return"(%v6) : (tensor<ui8>) -> ()
    }) : (tensor<i32>) -> tensor<ui8>
    %v8 = "stablehlo.convert"(%v7) : (tensor<ui8>) -> tensor<i8>
    %v9 = "stablehlo.constant"() <{value = dense<5> : tensor<i32>}> : () -> tensor<i32>
    %v14 = "stablehlo.case"(%v9) ({
      %v10 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<8x3x1xi16>
      %v11 = "stablehlo.reshape"(%v10) : (tensor<8x3x1xi16>) -> tensor<2x6x2xi16>
      "stablehlo.return"(%v8) : (tensor<i8>) -> ()
    }, {
      %v12 = "stablehlo.not"(%v8) : (tensor<i8>) -> tensor<i8>
      "stablehlo.return"(%v12) : (tensor<i8>) -> ()
    }, {
      %v13 = "stablehlo.broadcast_in_dim"(%v8) <{broadcast_dimensions = array<i64>}> : (tensor<i8>) -> tensor<2x2x2x3xi8>
      "stablehlo.return"(%v8) : (tensor<i8>) -> ()
    }) : (tensor<i32>) -> tensor<i8>
    %v15 = "stablehlo.add"(%v14, %v8) : (tensor<i8>, tensor<i8>) -> tensor<i8>
    %v16 = "stablehlo.constant"() <{value = dense<1> : tensor<i8>}> : () -> tensor<i8>
    %v17 = "stablehlo.maximum"(%v14, %v16) : (tensor<i8>, tensor<i8>) -> tensor<i8>
    %v18 = "stablehlo.convert"(%v17) : (tensor<i8>) -> tensor<i16>
    %v19 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<2xi64>
    return %v17, %v18, %v19 : tensor<i8>, tensor<i16>, tensor<2xi64>
  }
}
