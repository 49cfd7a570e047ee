module @fuzz {
  func.func public @main(%arg0: tensor<f32>, %arg1: tensor<i16>, %arg2: tensor<f32>) -> (tensor<i1>, tensor<f32>, tensor<f32>) {
    %v1 = "stablehlo.add"(%arg2, %arg2) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %v2 = "stablehlo.constant"() <{value = dense<5.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %v3 = "stablehlo.subtract"(%v1, %v2) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %v4 = "stablehlo.cosine"(%v3) : (tensor<f32>) -> tensor<f32>
    %v5 = "stablehlo.constant"() <{value = dense<3.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %v6 = "stablehlo.multiply"(%v1, %v5) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %v7 = "stablehlo.compare"(%v3, %v1) <{comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %v8 = "stablehlo.select"(%v7, %arg2, %v3) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
    %v9 = "stablehlo.maximum"(%v4, %v3) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %v10 = "stablehlo.select"(%v7, %v1, %v6) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
    %v11 = "stablehlo.constant"() <{value = dense<5.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %v12 = "stablehlo.abs"(%v11) : (tensor<f32>) -> tensor<f32>
    %v13 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %v14 = "stablehlo.add"(%v12, %v13) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %v15 = "stablehlo.atan2"(%v4, %v14) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %v16 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %v27:2 = "stablehlo.while"(%v16, %v9) ({
    ^bb0(%v17: tensor<i32>, %v22: tensor<f32>):
      %v18 = "stablehlo.constant"() <{value = dense<2> : tensor<i32>}> : () -> tensor<i32>
      %v19 = "stablehlo.compare"(%v17, %v18) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%v19) : (tensor<i1>) -> ()
    }, {
    ^bb0(%v17: tensor<i32>, %v22: tensor<f32>):
      %v23 = "stablehlo.sine"(%v8) : (tensor<f32>) -> tensor<f32>
      %v24 = "stablehlo.select"(%v7, %v23, %v15) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
      %v25 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %v26 = "stablehlo.minimum"(%v4, %v25) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %v20 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
      %v21 = "stablehlo.add"(%v17, %v20) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%v21, %v10) : (tensor<i32>, tensor<f32>) -> ()
    }) : (tensor<i32>, tensor<f32>) -> (tensor<i32>, tensor<f32>)
    %v28 = "stablehlo.compare"(%v10, %v6) <{comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %v29 = "stablehlo.compare"(%v6, %v6) <{comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %v30 = "stablehlo.maximum"(%v15, %v9) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %v31 = "stablehlo.select"(%v29, %v6, %v8) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
    return %v29, %v30, %v31 : tensor<i1>, tensor<f32>, tensor<f32>
  }
}
