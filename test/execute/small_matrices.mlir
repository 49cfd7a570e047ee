// Factorisations of many small matrices, whose batch goes to the lanes, and of some of them by themselves: the same
// bits.
// RUN: tpuc run %s --target=v4 --check
// RUN: tpuc run %s --target=v5e
// RUN: tpuc run %s --target=v5e --constants=arrays
func.func @main() {
  %b = stablehlo.iota dim = 0 : tensor<600x3x3xi32>
  %i = stablehlo.iota dim = 1 : tensor<600x3x3xi32>
  %j = stablehlo.iota dim = 2 : tensor<600x3x3xi32>
  %five = stablehlo.constant dense<5> : tensor<600x3x3xi32>
  %seven = stablehlo.constant dense<7> : tensor<600x3x3xi32>
  %i5 = stablehlo.multiply %i, %five : tensor<600x3x3xi32>
  %ij = stablehlo.multiply %i5, %j : tensor<600x3x3xi32>
  %bj = stablehlo.multiply %b, %j : tensor<600x3x3xi32>
  %0 = stablehlo.add %ij, %bj : tensor<600x3x3xi32>
  %1 = stablehlo.add %0, %i : tensor<600x3x3xi32>
  %2 = stablehlo.remainder %1, %seven : tensor<600x3x3xi32>
  %m = stablehlo.convert %2 : (tensor<600x3x3xi32>) -> tensor<600x3x3xf32>
  %few = stablehlo.slice %m [290:298, 0:3, 0:3] : (tensor<600x3x3xf32>) -> tensor<8x3x3xf32>

  %lu:3 = stablehlo.custom_call @LuDecomposition(%m) : (tensor<600x3x3xf32>)
      -> (tensor<600x3x3xf32>, tensor<600x3xi32>, tensor<600x3xi32>)
  %fewlu:3 = stablehlo.custom_call @LuDecomposition(%few) : (tensor<8x3x3xf32>)
      -> (tensor<8x3x3xf32>, tensor<8x3xi32>, tensor<8x3xi32>)
  %lu0 = stablehlo.slice %lu#0 [290:298, 0:3, 0:3] : (tensor<600x3x3xf32>) -> tensor<8x3x3xf32>
  %lu2 = stablehlo.slice %lu#2 [290:298, 0:3] : (tensor<600x3xi32>) -> tensor<8x3xi32>
  check.expect_eq %lu0, %fewlu#0 : tensor<8x3x3xf32>
  check.expect_eq %lu2, %fewlu#2 : tensor<8x3xi32>

  %qr:2 = stablehlo.custom_call @Qr(%m) : (tensor<600x3x3xf32>) -> (tensor<600x3x3xf32>, tensor<600x3xf32>)
  %fewqr:2 = stablehlo.custom_call @Qr(%few) : (tensor<8x3x3xf32>) -> (tensor<8x3x3xf32>, tensor<8x3xf32>)
  %qr0 = stablehlo.slice %qr#0 [290:298, 0:3, 0:3] : (tensor<600x3x3xf32>) -> tensor<8x3x3xf32>
  check.expect_almost_eq %qr0, %fewqr#0 : tensor<8x3x3xf32>
  return
}
