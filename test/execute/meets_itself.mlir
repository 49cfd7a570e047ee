// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays that meet themselves in other places: differences of all pairs of rows, of a result and of an array in memory,
// and of an array with itself transposed. Row i has 7 i + d, so a difference is 7 (i - j) whatever d is, and its
// square, summed over 5, 245 (i - j)^2.
// RUN: tpuc run %s --check
// RUN: tpuc run %s --check --target=v5p
// RUN: tpuc run %s --no-fuse
func.func @main() {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %i = stablehlo.iota dim = 0 : tensor<140x5xf32>
  %d = stablehlo.iota dim = 1 : tensor<140x5xf32>
  %c7 = stablehlo.constant dense<7.0> : tensor<140x5xf32>
  %sevens = stablehlo.multiply %i, %c7 : tensor<140x5xf32>
  %rows = stablehlo.add %sevens, %d : tensor<140x5xf32>
  %x = stablehlo.optimization_barrier %rows : tensor<140x5xf32>
  %0 = stablehlo.broadcast_in_dim %x, dims = [0, 2] : (tensor<140x5xf32>) -> tensor<140x140x5xf32>
  %1 = stablehlo.broadcast_in_dim %x, dims = [1, 2] : (tensor<140x5xf32>) -> tensor<140x140x5xf32>
  %2 = stablehlo.subtract %0, %1 : tensor<140x140x5xf32>
  %3 = stablehlo.multiply %2, %2 : tensor<140x140x5xf32>
  %4 = stablehlo.reduce(%3 init: %zero) applies stablehlo.add across dimensions = [2]
      : (tensor<140x140x5xf32>, tensor<f32>) -> tensor<140x140xf32>
  %r = stablehlo.iota dim = 0 : tensor<140x140xf32>
  %c = stablehlo.iota dim = 1 : tensor<140x140xf32>
  %away = stablehlo.subtract %r, %c : tensor<140x140xf32>
  %square = stablehlo.multiply %away, %away : tensor<140x140xf32>
  %c245 = stablehlo.constant dense<245.0> : tensor<140x140xf32>
  %want = stablehlo.multiply %square, %c245 : tensor<140x140xf32>
  check.expect_eq %4, %want : tensor<140x140xf32>

  // A vector of sums, in both places and once more in one of them.
  %5 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1]
      : (tensor<140x5xf32>, tensor<f32>) -> tensor<140xf32>
  %6 = stablehlo.broadcast_in_dim %5, dims = [0] : (tensor<140xf32>) -> tensor<140x140xf32>
  %7 = stablehlo.broadcast_in_dim %5, dims = [1] : (tensor<140xf32>) -> tensor<140x140xf32>
  %8 = stablehlo.subtract %6, %7 : tensor<140x140xf32>
  %9 = stablehlo.add %8, %7 : tensor<140x140xf32>
  check.expect_eq %9, %6 : tensor<140x140xf32>

  // With itself transposed, and that of three dims.
  %10 = stablehlo.transpose %4, dims = [1, 0] : (tensor<140x140xf32>) -> tensor<140x140xf32>
  %11 = stablehlo.add %4, %10 : tensor<140x140xf32>
  %twice = stablehlo.add %want, %want : tensor<140x140xf32>
  check.expect_eq %11, %twice : tensor<140x140xf32>
  %y = stablehlo.iota dim = 0 : tensor<6x6x200xf32>
  %z = stablehlo.optimization_barrier %y : tensor<6x6x200xf32>
  %12 = stablehlo.transpose %z, dims = [1, 0, 2] : (tensor<6x6x200xf32>) -> tensor<6x6x200xf32>
  %13 = stablehlo.subtract %z, %12 : tensor<6x6x200xf32>
  %j = stablehlo.iota dim = 1 : tensor<6x6x200xf32>
  %want_away = stablehlo.subtract %y, %j : tensor<6x6x200xf32>
  check.expect_eq %13, %want_away : tensor<6x6x200xf32>
  return
}
