func.func public @main(%x: tensor<8192x4096xf32>) -> tensor<8192x4096xf32> {
  %lowest = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %max = stablehlo.reduce(%x init: %lowest) applies stablehlo.maximum across dimensions = [1]
      : (tensor<8192x4096xf32>, tensor<f32>) -> tensor<8192xf32>
  %m = stablehlo.broadcast_in_dim %max, dims = [0] : (tensor<8192xf32>) -> tensor<8192x4096xf32>
  %d = stablehlo.subtract %x, %m : tensor<8192x4096xf32>
  %e = stablehlo.exponential %d : tensor<8192x4096xf32>
  %sum = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1]
      : (tensor<8192x4096xf32>, tensor<f32>) -> tensor<8192xf32>
  %s = stablehlo.broadcast_in_dim %sum, dims = [0] : (tensor<8192xf32>) -> tensor<8192x4096xf32>
  %y = stablehlo.divide %e, %s : tensor<8192x4096xf32>
  return %y : tensor<8192x4096xf32>
}
