// Batches of products of a vector and a few columns, whose contracted dims lie in another order than in memory: v4's
// VMEM did not hold an array of the matrix unit for each. Whole numbers, against products summed one by one; more
// columns stay on the matrix unit.
// RUN: tpuc run %s --target=v4 --check
// RUN: tpuc run %s --target=v6e
// RUN: tpuc run %s --target=v6e --constants=arrays
func.func @main() {
  %x0 = stablehlo.iota dim = 0 : tensor<33x6x16xi32>
  %x1 = stablehlo.iota dim = 1 : tensor<33x6x16xi32>
  %x2 = stablehlo.iota dim = 2 : tensor<33x6x16xi32>
  %x3 = stablehlo.multiply %x0, %x2 : tensor<33x6x16xi32>
  %x4 = stablehlo.add %x3, %x1 : tensor<33x6x16xi32>
  %eleven = stablehlo.constant dense<11> : tensor<33x6x16xi32>
  %xi = stablehlo.remainder %x4, %eleven : tensor<33x6x16xi32>
  %y0 = stablehlo.iota dim = 0 : tensor<33x40x6x16xi32>
  %y1 = stablehlo.iota dim = 1 : tensor<33x40x6x16xi32>
  %y2 = stablehlo.iota dim = 2 : tensor<33x40x6x16xi32>
  %y3 = stablehlo.iota dim = 3 : tensor<33x40x6x16xi32>
  %y4 = stablehlo.multiply %y1, %y3 : tensor<33x40x6x16xi32>
  %y5 = stablehlo.multiply %y0, %y2 : tensor<33x40x6x16xi32>
  %y6 = stablehlo.add %y4, %y5 : tensor<33x40x6x16xi32>
  %seven = stablehlo.constant dense<7> : tensor<33x40x6x16xi32>
  %yi = stablehlo.remainder %y6, %seven : tensor<33x40x6x16xi32>
  %repeated = stablehlo.broadcast_in_dim %xi, dims = [0, 2, 3] : (tensor<33x6x16xi32>) -> tensor<33x40x6x16xi32>
  %products = stablehlo.multiply %repeated, %yi : tensor<33x40x6x16xi32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %sums = stablehlo.reduce(%products init: %zero) applies stablehlo.add across dimensions = [2, 3]
      : (tensor<33x40x6x16xi32>, tensor<i32>) -> tensor<33x40xi32>
  %expected = stablehlo.convert %sums : (tensor<33x40xi32>) -> tensor<33x40xf32>
  %few = stablehlo.slice %expected [0:33, 3:5] : (tensor<33x40xf32>) -> tensor<33x2xf32>
  %fewi = stablehlo.slice %sums [0:33, 3:5] : (tensor<33x40xi32>) -> tensor<33x2xi32>

  %x = stablehlo.convert %xi : (tensor<33x6x16xi32>) -> tensor<33x6x16xf32>
  %y = stablehlo.convert %yi : (tensor<33x40x6x16xi32>) -> tensor<33x40x6x16xf32>
  %y2f = stablehlo.slice %y [0:33, 3:5, 0:6, 0:16] : (tensor<33x40x6x16xf32>) -> tensor<33x2x6x16xf32>
  %left = stablehlo.dot_general %x, %y2f, batching_dims = [0] x [0], contracting_dims = [2, 1] x [3, 2]
      : (tensor<33x6x16xf32>, tensor<33x2x6x16xf32>) -> tensor<33x2xf32>
  check.expect_eq %left, %few : tensor<33x2xf32>
  %all = stablehlo.dot_general %x, %y, batching_dims = [0] x [0], contracting_dims = [2, 1] x [3, 2]
      : (tensor<33x6x16xf32>, tensor<33x40x6x16xf32>) -> tensor<33x40xf32>
  check.expect_eq %all, %expected : tensor<33x40xf32>

  %xb = stablehlo.convert %xi : (tensor<33x6x16xi32>) -> tensor<33x6x16xi8>
  %yb = stablehlo.convert %yi : (tensor<33x40x6x16xi32>) -> tensor<33x40x6x16xi8>
  %yb2 = stablehlo.slice %yb [0:33, 3:5, 0:6, 0:16] : (tensor<33x40x6x16xi8>) -> tensor<33x2x6x16xi8>
  %right = stablehlo.dot_general %yb2, %xb, batching_dims = [0] x [0], contracting_dims = [2, 3] x [1, 2]
      : (tensor<33x2x6x16xi8>, tensor<33x6x16xi8>) -> tensor<33x2xi32>
  check.expect_eq %right, %fewi : tensor<33x2xi32>
  return
}
