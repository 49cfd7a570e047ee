// Two arguments of different types and their sums.
module @add {
  func.func @main(%x: tensor<2x3xf32>, %n: tensor<3xi32>) -> (tensor<2x3xf32>, tensor<3xi32>) {
    %0 = stablehlo.add %x, %x : tensor<2x3xf32>
    %1 = stablehlo.add %n, %n : tensor<3xi32>
    return %0, %1 : tensor<2x3xf32>, tensor<3xi32>
  }
}
