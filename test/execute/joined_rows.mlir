// Rows of three dims that a kernel reads again, more of them than v4's VMEM holds beside one another: they are rows of
// two dims there. The same on rows of two dims, and the first place of the largest.
// RUN: tpuc run %s --check --target=v4
// RUN: tpuc run %s --target=v5e
func.func @main() {
  %n0 = stablehlo.iota dim = 0 : tensor<1024x1920xf32>
  %n1 = stablehlo.iota dim = 1 : tensor<1024x1920xf32>
  %n2 = stablehlo.multiply %n0, %n1 : tensor<1024x1920xf32>
  %n3 = stablehlo.sine %n2 : tensor<1024x1920xf32>
  %flat = stablehlo.optimization_barrier %n3 : tensor<1024x1920xf32>
  %x = stablehlo.reshape %flat : (tensor<1024x1920xf32>) -> tensor<8x128x1920xf32>
  %rows = stablehlo.optimization_barrier %x : tensor<8x128x1920xf32>
  %places = stablehlo.iota dim = 1 : tensor<8x128xi32>
  %labels = stablehlo.optimization_barrier %places : tensor<8x128xi32>
  %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %zeros = stablehlo.constant dense<0.0> : tensor<8x128x1920xf32>
  %0 = stablehlo.reduce(%rows init: %least) applies stablehlo.maximum across dimensions = [2]
      : (tensor<8x128x1920xf32>, tensor<f32>) -> tensor<8x128xf32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<8x128xf32>) -> tensor<8x128x1920xf32>
  %2 = stablehlo.subtract %rows, %1 : tensor<8x128x1920xf32>
  %3 = stablehlo.exponential %2 : tensor<8x128x1920xf32>
  %4 = stablehlo.reduce(%3 init: %zero) applies stablehlo.add across dimensions = [2]
      : (tensor<8x128x1920xf32>, tensor<f32>) -> tensor<8x128xf32>
  %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<8x128xf32>) -> tensor<8x128x1920xf32>
  %6 = stablehlo.divide %3, %5 : tensor<8x128x1920xf32>
  %7 = stablehlo.iota dim = 2 : tensor<8x128x1920xi32>
  %8 = stablehlo.broadcast_in_dim %labels, dims = [0, 1] : (tensor<8x128xi32>) -> tensor<8x128x1920xi32>
  %9 = stablehlo.compare EQ, %7, %8 : (tensor<8x128x1920xi32>, tensor<8x128x1920xi32>) -> tensor<8x128x1920xi1>
  %10 = stablehlo.select %9, %zeros, %6 : tensor<8x128x1920xi1>, tensor<8x128x1920xf32>
  %logs = stablehlo.log %4 : tensor<8x128xf32>

  %flat_labels = stablehlo.reshape %labels : (tensor<8x128xi32>) -> tensor<1024xi32>
  %flat_zeros = stablehlo.constant dense<0.0> : tensor<1024x1920xf32>
  %f0 = stablehlo.reduce(%flat init: %least) applies stablehlo.maximum across dimensions = [1]
      : (tensor<1024x1920xf32>, tensor<f32>) -> tensor<1024xf32>
  %f1 = stablehlo.broadcast_in_dim %f0, dims = [0] : (tensor<1024xf32>) -> tensor<1024x1920xf32>
  %f2 = stablehlo.subtract %flat, %f1 : tensor<1024x1920xf32>
  %f3 = stablehlo.exponential %f2 : tensor<1024x1920xf32>
  %f4 = stablehlo.reduce(%f3 init: %zero) applies stablehlo.add across dimensions = [1]
      : (tensor<1024x1920xf32>, tensor<f32>) -> tensor<1024xf32>
  %f5 = stablehlo.broadcast_in_dim %f4, dims = [0] : (tensor<1024xf32>) -> tensor<1024x1920xf32>
  %f6 = stablehlo.divide %f3, %f5 : tensor<1024x1920xf32>
  %f8 = stablehlo.broadcast_in_dim %flat_labels, dims = [0] : (tensor<1024xi32>) -> tensor<1024x1920xi32>
  %f7 = stablehlo.iota dim = 1 : tensor<1024x1920xi32>
  %f9 = stablehlo.compare EQ, %f7, %f8 : (tensor<1024x1920xi32>, tensor<1024x1920xi32>) -> tensor<1024x1920xi1>
  %f10 = stablehlo.select %f9, %flat_zeros, %f6 : tensor<1024x1920xi1>, tensor<1024x1920xf32>
  %flat_logs = stablehlo.log %f4 : tensor<1024xf32>
  %back = stablehlo.reshape %f10 : (tensor<1024x1920xf32>) -> tensor<8x128x1920xf32>
  check.expect_almost_eq %10, %back : tensor<8x128x1920xf32>
  %logs_back = stablehlo.reshape %flat_logs : (tensor<1024xf32>) -> tensor<8x128xf32>
  check.expect_almost_eq %logs, %logs_back : tensor<8x128xf32>
  return
}
