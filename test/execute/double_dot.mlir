// A dot of f32 whose sums are f64: hundreds of ops on words, which share numbers between operands that lie differently.
// RUN: tpuc run %s
func.func @main() {
  %x = stablehlo.constant dense<[[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 1.0e-3]]]> : tensor<2x2x2xf32>
  %y = stablehlo.constant dense<[[[1.0, -1.0], [0.5, 1.0]], [[1.0, 0.0], [2.0, 16777216.0]]]> : tensor<2x2x2xf32>
  %0 = stablehlo.dot_general %x, %y, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x2x2xf32>, tensor<2x2x2xf32>) -> tensor<2x2x2xf64>
  // 7 + 2 r with r f32's 0.001; 6 * 2^24; r 2^24.
  check.expect_eq_const %0, dense<[[[2.0, 1.0], [5.0, 1.0]], [[17.0, 100663296.0], [7.002000000094995, 16777.216796875]]]> : tensor<2x2x2xf64>
  return
}
