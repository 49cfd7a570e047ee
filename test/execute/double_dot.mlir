// A dot of f32 whose sums are f64: hundreds of ops on words, which share numbers between operands that lie differently.
// RUN: tpuc run %s
// RUN: tpuc run %s --constants=arrays
func.func @main() {
  %x = stablehlo.constant dense<[[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 1.0e-3]]]> : tensor<2x2x2xf32>
  %y = stablehlo.constant dense<[[[1.0, -1.0], [0.5, 1.0]], [[1.0, 0.0], [2.0, 16777216.0]]]> : tensor<2x2x2xf32>
  %0 = stablehlo.dot_general %x, %y, batching_dims = [0] x [0], contracting_dims = [2] x [1]
      : (tensor<2x2x2xf32>, tensor<2x2x2xf32>) -> tensor<2x2x2xf64>
  // 7 + 2 r with r f32's 0.001; 6 * 2^24; r 2^24.
  check.expect_eq_const %0, dense<[[[2.0, 1.0], [5.0, 1.0]], [[17.0, 100663296.0], [7.002000000094995,
      16777.216796875]]]> : tensor<2x2x2xf64>

  // Rows of several dims: 0 1 2, 3 4 5, .. times (1 10 100) and (0 0 1).
  %n = stablehlo.iota dim = 0 : tensor<36xf64>
  %rows = stablehlo.reshape %n : (tensor<36xf64>) -> tensor<3x4x3xf64>
  %w = stablehlo.constant dense<[[1.0, 0.0], [10.0, 0.0], [100.0, 1.0]]> : tensor<3x2xf64>
  %1 = stablehlo.dot_general %rows, %w, contracting_dims = [2] x [0] : (tensor<3x4x3xf64>, tensor<3x2xf64>)
      -> tensor<3x4x2xf64>
  check.expect_eq_const %1, dense<[[[210.0, 2.0], [543.0, 5.0], [876.0, 8.0], [1209.0, 11.0]], [[1542.0, 14.0], [1875.0,
      17.0], [2208.0, 20.0], [2541.0, 23.0]],
                                   [[2874.0, 26.0], [3207.0, 29.0], [3540.0, 32.0], [3873.0, 35.0]]]>
                                       : tensor<3x4x2xf64>
  return
}
