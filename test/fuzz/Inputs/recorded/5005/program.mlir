module @fuzz {
  func.func public @main(%arg0: tensor<f32>, %arg1: tensor<7x3xi32>) -> (tensor<7x3xi32>, tensor<2x2xi32>, tensor<7x3xi64>) {
    %v1 = "stablehlo.constant"() <{value = dense<10> : tensor<7x3xi32>}> : () -> tensor<7x3xi32>
    %v2 = "stablehlo.shift_right_arithmetic"(%arg1, %v1) : (tensor<7x3xi32>, tensor<7x3xi32>) -> tensor<7x3xi32>
    %v3 = "stablehlo.slice"(%v2) <{limit_indices = array<i64: 3, 3>, start_indices = array<i64: 1, 0>, strides = array<i64: 1, 2>}> : (tensor<7x3xi32>) -> tensor<2x2xi32>
    %v4 = "stablehlo.convert"(%v2) : (tensor<7x3xi32>) -> tensor<7x3xi64>
    return %v2, %v3, %v4 : tensor<7x3xi32>, tensor<2x2xi32>, tensor<7x3xi64>
  }
}
