module @fuzz {
  func.func public @main(%arg0: tensor<130xi64>, %arg1: tensor<4x7xi32>, %arg2: tensor<f32>) -> (tensor<f32>, tensor<4xi32>, tensor<28x1xi32>) {
    %v1 = "stablehlo.compare"(%arg1, %arg1) <{comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<4x7xi32>, tensor<4x7xi32>) -> tensor<4x7xi1>
    %v2 = "stablehlo.broadcast_in_dim"(%arg0) <{broadcast_dimensions = array<i64: 3>}> : (tensor<130xi64>) -> tensor<3x5x5x130xi64>
    %v3 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<5x1xi32>
    %v4 = "stablehlo.select"(%v1, %arg1, %arg1) : (tensor<4x7xi1>, tensor<4x7xi32>, tensor<4x7xi32>) -> tensor<4x7xi32>
    %v5 = "stablehlo.abs"(%arg1) : (tensor<4x7xi32>) -> tensor<4x7xi32>
    %v6 = "stablehlo.logistic"(%arg2) : (tensor<f32>) -> tensor<f32>
    %v7 = "stablehlo.constant"() <{value = dense<2147483647> : tensor<i32>}> : () -> tensor<i32>
    %v11 = "stablehlo.reduce"(%v4, %v7) <{dimensions = array<i64: 1>}> ({
    ^bb0(%v8: tensor<i32>, %v9: tensor<i32>):
      %v10 = "stablehlo.minimum"(%v8, %v9) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%v10) : (tensor<i32>) -> ()
    }) : (tensor<4x7xi32>, tensor<i32>) -> tensor<4xi32>
    %v12 = "stablehlo.reshape"(%v4) : (tensor<4x7xi32>) -> tensor<28x1xi32>
    return %v6, %v11, %v12 : tensor<f32>, tensor<4xi32>, tensor<28x1xi32>
  }
}
