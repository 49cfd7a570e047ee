// Batches of small matrices over two contracted dims, and their transposed result: a row of 16 filled an array of the
// matrix unit, of which v5e's VMEM did not hold 300. Whole numbers, against products summed one by one.
// RUN: tpuc run %s --target=v5e
// RUN: tpuc run %s --target=v4 --check
// RUN: tpuc run %s --target=v5e --constants=arrays
func.func @main() {
  %x0 = stablehlo.iota dim = 0 : tensor<300x2x6x16xi32>
  %x1 = stablehlo.iota dim = 1 : tensor<300x2x6x16xi32>
  %x2 = stablehlo.iota dim = 2 : tensor<300x2x6x16xi32>
  %x3 = stablehlo.iota dim = 3 : tensor<300x2x6x16xi32>
  %x4 = stablehlo.multiply %x0, %x3 : tensor<300x2x6x16xi32>
  %x5 = stablehlo.multiply %x1, %x2 : tensor<300x2x6x16xi32>
  %x6 = stablehlo.add %x4, %x5 : tensor<300x2x6x16xi32>
  %eleven = stablehlo.constant dense<11> : tensor<300x2x6x16xi32>
  %xi = stablehlo.remainder %x6, %eleven : tensor<300x2x6x16xi32>
  %x = stablehlo.convert %xi : (tensor<300x2x6x16xi32>) -> tensor<300x2x6x16xf32>
  %y0 = stablehlo.iota dim = 0 : tensor<300x3x6x16xi32>
  %y1 = stablehlo.iota dim = 1 : tensor<300x3x6x16xi32>
  %y2 = stablehlo.iota dim = 2 : tensor<300x3x6x16xi32>
  %y3 = stablehlo.iota dim = 3 : tensor<300x3x6x16xi32>
  %y4 = stablehlo.multiply %y0, %y2 : tensor<300x3x6x16xi32>
  %y5 = stablehlo.multiply %y1, %y3 : tensor<300x3x6x16xi32>
  %y6 = stablehlo.add %y4, %y5 : tensor<300x3x6x16xi32>
  %seven = stablehlo.constant dense<7> : tensor<300x3x6x16xi32>
  %yi = stablehlo.remainder %y6, %seven : tensor<300x3x6x16xi32>
  %y = stablehlo.convert %yi : (tensor<300x3x6x16xi32>) -> tensor<300x3x6x16xf32>

  %dot = stablehlo.dot_general %x, %y, batching_dims = [0] x [0], contracting_dims = [3, 2] x [3, 2]
      : (tensor<300x2x6x16xf32>, tensor<300x3x6x16xf32>) -> tensor<300x2x3xf32>
  %turned = stablehlo.transpose %dot, dims = [2, 0, 1] : (tensor<300x2x3xf32>) -> tensor<3x300x2xf32>
  %xs = stablehlo.broadcast_in_dim %xi, dims = [0, 1, 3, 4] : (tensor<300x2x6x16xi32>) -> tensor<300x2x3x6x16xi32>
  %ys = stablehlo.broadcast_in_dim %yi, dims = [0, 2, 3, 4] : (tensor<300x3x6x16xi32>) -> tensor<300x2x3x6x16xi32>
  %products = stablehlo.multiply %xs, %ys : tensor<300x2x3x6x16xi32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %sums = stablehlo.reduce(%products init: %zero) applies stablehlo.add across dimensions = [3, 4]
      : (tensor<300x2x3x6x16xi32>, tensor<i32>) -> tensor<300x2x3xi32>
  %floats = stablehlo.convert %sums : (tensor<300x2x3xi32>) -> tensor<300x2x3xf32>
  %expected = stablehlo.transpose %floats, dims = [2, 0, 1] : (tensor<300x2x3xf32>) -> tensor<3x300x2xf32>
  check.expect_eq %turned, %expected : tensor<3x300x2xf32>
  return
}
