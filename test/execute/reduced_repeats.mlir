// Sums over repeats of an array whose own lanes become rows of the result: lanes are those of a value that all arrays
// can be read along.
// RUN: tpuc run %s --check
// RUN: tpuc run %s --constants=arrays
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
func.func @main() {
  %rows = stablehlo.iota dim = 0 : tensor<130x3xf32>
  %x = stablehlo.reshape %rows : (tensor<130x3xf32>) -> tensor<26x3x5xf32>
  %y = stablehlo.broadcast_in_dim %x, dims = [0, 1, 3] : (tensor<26x3x5xf32>) -> tensor<26x3x7x5xf32>
  %z = stablehlo.transpose %y, dims = [3, 1, 0, 2] : (tensor<26x3x7x5xf32>) -> tensor<5x3x26x7xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>

  // At [c, b], the sum over a of (15 a + 5 b + c) / 3 without its fraction, 1625 + 26 ((5 b + c) / 3), 7 times.
  %0 = stablehlo.reduce(%z init: %zero) applies stablehlo.add across dimensions = [2, 3]
      : (tensor<5x3x26x7xf32>, tensor<f32>) -> tensor<5x3xf32>
  check.expect_eq_const %0, dense<[[11375.0, 11557.0, 11921.0], [11375.0, 11739.0, 11921.0], [11375.0, 11739.0,
      12103.0], [11557.0, 11739.0, 12103.0], [11557.0, 11921.0, 12103.0]]> : tensor<5x3xf32>

  // The same in each of 9 repeats.
  %u = stablehlo.broadcast_in_dim %x, dims = [0, 1, 3] : (tensor<26x3x5xf32>) -> tensor<26x3x9x5xf32>
  %v = stablehlo.transpose %u, dims = [3, 1, 0, 2] : (tensor<26x3x9x5xf32>) -> tensor<5x3x26x9xf32>
  %1 = stablehlo.reduce(%v init: %zero) applies stablehlo.add across dimensions = [2]
      : (tensor<5x3x26x9xf32>, tensor<f32>) -> tensor<5x3x9xf32>
  %once = stablehlo.constant dense<[[1625.0, 1651.0, 1703.0], [1625.0, 1677.0, 1703.0], [1625.0, 1677.0, 1729.0],
      [1651.0, 1677.0, 1729.0], [1651.0, 1703.0, 1729.0]]> : tensor<5x3xf32>
  %each = stablehlo.broadcast_in_dim %once, dims = [0, 1] : (tensor<5x3xf32>) -> tensor<5x3x9xf32>
  check.expect_eq %1, %each : tensor<5x3x9xf32>
  return
}
