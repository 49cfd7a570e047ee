func.func @main(%x: tensor<8x128xf32>) -> tensor<8x128xf32> {
  %0 = chlo.erf %x : tensor<8x128xf32> -> tensor<8x128xf32>
  return %0 : tensor<8x128xf32>
}
