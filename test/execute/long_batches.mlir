// Long batches of products of a matrix and a vector, which no block holds whole: the batch lies along the sublanes.
// Whole numbers, against products summed one by one with the batch along the lanes.
// RUN: tpuc run %s --target=v4 --check
// RUN: tpuc run %s --target=v6e --check
// RUN: tpuc run %s --cpu-level=portable
// RUN: tpuc run %s --cpu-level=portable --constants=arrays
func.func @main() {
  %a0 = stablehlo.iota dim = 0 : tensor<3001x33x16xi32>
  %a1 = stablehlo.iota dim = 2 : tensor<3001x33x16xi32>
  %a2 = stablehlo.multiply %a0, %a1 : tensor<3001x33x16xi32>
  %a3 = stablehlo.iota dim = 1 : tensor<3001x33x16xi32>
  %a4 = stablehlo.add %a2, %a3 : tensor<3001x33x16xi32>
  %a5 = stablehlo.constant dense<11> : tensor<3001x33x16xi32>
  %a6 = stablehlo.remainder %a4, %a5 : tensor<3001x33x16xi32>
  %a = stablehlo.convert %a6 : (tensor<3001x33x16xi32>) -> tensor<3001x33x16xf32>
  %w0 = stablehlo.iota dim = 0 : tensor<3001x16x33xi32>
  %w1 = stablehlo.iota dim = 1 : tensor<3001x16x33xi32>
  %w2 = stablehlo.multiply %w0, %w1 : tensor<3001x16x33xi32>
  %w3 = stablehlo.iota dim = 2 : tensor<3001x16x33xi32>
  %w4 = stablehlo.add %w2, %w3 : tensor<3001x16x33xi32>
  %w5 = stablehlo.constant dense<11> : tensor<3001x16x33xi32>
  %w6 = stablehlo.remainder %w4, %w5 : tensor<3001x16x33xi32>
  %w = stablehlo.convert %w6 : (tensor<3001x16x33xi32>) -> tensor<3001x16x33xf32>
  %x0 = stablehlo.iota dim = 0 : tensor<3001x16xi32>
  %x1 = stablehlo.iota dim = 1 : tensor<3001x16xi32>
  %x2 = stablehlo.multiply %x0, %x1 : tensor<3001x16xi32>
  %x3 = stablehlo.constant dense<11> : tensor<3001x16xi32>
  %x4 = stablehlo.remainder %x2, %x3 : tensor<3001x16xi32>
  %x = stablehlo.convert %x4 : (tensor<3001x16xi32>) -> tensor<3001x16xf32>
  %e0 = stablehlo.iota dim = 2 : tensor<33x16x3001xi32>
  %e1 = stablehlo.iota dim = 1 : tensor<33x16x3001xi32>
  %e2 = stablehlo.multiply %e0, %e1 : tensor<33x16x3001xi32>
  %e3 = stablehlo.iota dim = 0 : tensor<33x16x3001xi32>
  %e4 = stablehlo.add %e2, %e3 : tensor<33x16x3001xi32>
  %e5 = stablehlo.constant dense<11> : tensor<33x16x3001xi32>
  %e6 = stablehlo.remainder %e4, %e5 : tensor<33x16x3001xi32>
  %e = stablehlo.convert %e6 : (tensor<33x16x3001xi32>) -> tensor<33x16x3001xf32>
  %f0 = stablehlo.iota dim = 2 : tensor<33x16x3001xi32>
  %f1 = stablehlo.iota dim = 1 : tensor<33x16x3001xi32>
  %f2 = stablehlo.multiply %f0, %f1 : tensor<33x16x3001xi32>
  %f3 = stablehlo.constant dense<11> : tensor<33x16x3001xi32>
  %f4 = stablehlo.remainder %f2, %f3 : tensor<33x16x3001xi32>
  %f = stablehlo.convert %f4 : (tensor<33x16x3001xi32>) -> tensor<33x16x3001xf32>
  %left = stablehlo.dot_general %a, %x, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [HIGHEST,
      HIGHEST] : (tensor<3001x33x16xf32>, tensor<3001x16xf32>) -> tensor<3001x33xf32>
  %right = stablehlo.dot_general %x, %w, batching_dims = [0] x [0], contracting_dims = [1] x [1], precision = [HIGHEST,
      HIGHEST] : (tensor<3001x16xf32>, tensor<3001x16x33xf32>) -> tensor<3001x33xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %products = stablehlo.multiply %e, %f : tensor<33x16x3001xf32>
  %sums = stablehlo.reduce(%products init: %zero) applies stablehlo.add across dimensions = [1]
      : (tensor<33x16x3001xf32>, tensor<f32>) -> tensor<33x3001xf32>
  %expected = stablehlo.transpose %sums, dims = [1, 0] : (tensor<33x3001xf32>) -> tensor<3001x33xf32>
  check.expect_eq %left, %expected : tensor<3001x33xf32>
  check.expect_eq %right, %expected : tensor<3001x33xf32>
  return
}
