// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matmuls between transposes, with biases between them and the transposes behind (`tpuc-transpose-products`), against
// the same with barriers. Small whole numbers: sums are exact. 40 and 24 fill no tile.
// RUN: tpuc run %s
// RUN: tpuc run %s --target=v4
// RUN: tpuc run %s --target=v6e
func.func @main() {
  %x = call @numbers() : () -> tensor<3x40x72xf32>
  %w = call @weights() : () -> tensor<5x24x72xf32>
  %b0 = stablehlo.iota dim = 1 : tensor<5x24xf32>
  %b = stablehlo.optimization_barrier %b0 : tensor<5x24xf32>
  // The batch first, transposed in front and behind.
  %t = stablehlo.transpose %x, dims = [1, 0, 2] : (tensor<3x40x72xf32>) -> tensor<40x3x72xf32>
  %d = stablehlo.dot_general %t, %w, contracting_dims = [2] x [2]
      : (tensor<40x3x72xf32>, tensor<5x24x72xf32>) -> tensor<40x3x5x24xf32>
  %r = stablehlo.transpose %d, dims = [1, 2, 0, 3] : (tensor<40x3x5x24xf32>) -> tensor<3x5x40x24xf32>
  %tb = stablehlo.optimization_barrier %t : tensor<40x3x72xf32>
  %db = stablehlo.dot_general %tb, %w, contracting_dims = [2] x [2]
      : (tensor<40x3x72xf32>, tensor<5x24x72xf32>) -> tensor<40x3x5x24xf32>
  %kb = stablehlo.optimization_barrier %db : tensor<40x3x5x24xf32>
  %rb = stablehlo.transpose %kb, dims = [1, 2, 0, 3] : (tensor<40x3x5x24xf32>) -> tensor<3x5x40x24xf32>
  check.expect_eq %r, %rb : tensor<3x5x40x24xf32>
  // Weights transposed, which are the result's last dims but one.
  %u = stablehlo.transpose %w, dims = [2, 0, 1] : (tensor<5x24x72xf32>) -> tensor<72x5x24xf32>
  %v = stablehlo.transpose %x, dims = [1, 0, 2] : (tensor<3x40x72xf32>) -> tensor<40x3x72xf32>
  %e = stablehlo.dot_general %u, %v, contracting_dims = [0] x [2]
      : (tensor<72x5x24xf32>, tensor<40x3x72xf32>) -> tensor<5x24x40x3xf32>
  %f = stablehlo.transpose %e, dims = [3, 0, 2, 1] : (tensor<5x24x40x3xf32>) -> tensor<3x5x40x24xf32>
  check.expect_eq %f, %rb : tensor<3x5x40x24xf32>
  // The sequence first, 260 by 8 by 12 heads: a bias and a scale before the transpose.
  %y = call @long() : () -> tensor<260x8x72xf32>
  %ws = call @heads() : () -> tensor<12x64x72xf32>
  %c0 = stablehlo.iota dim = 0 : tensor<12x64xf32>
  %c = stablehlo.optimization_barrier %c0 : tensor<12x64xf32>
  %two = stablehlo.constant dense<2.0> : tensor<260x8x12x64xf32>
  %g = stablehlo.dot_general %y, %ws, contracting_dims = [2] x [2]
      : (tensor<260x8x72xf32>, tensor<12x64x72xf32>) -> tensor<260x8x12x64xf32>
  %h = stablehlo.broadcast_in_dim %c, dims = [2, 3] : (tensor<12x64xf32>) -> tensor<260x8x12x64xf32>
  %i = stablehlo.add %g, %h : tensor<260x8x12x64xf32>
  %j = stablehlo.multiply %i, %two : tensor<260x8x12x64xf32>
  %k = stablehlo.transpose %j, dims = [1, 2, 0, 3] : (tensor<260x8x12x64xf32>) -> tensor<8x12x260x64xf32>
  %yb = stablehlo.optimization_barrier %y : tensor<260x8x72xf32>
  %gb = stablehlo.dot_general %yb, %ws, contracting_dims = [2] x [2]
      : (tensor<260x8x72xf32>, tensor<12x64x72xf32>) -> tensor<260x8x12x64xf32>
  %ib = stablehlo.add %gb, %h : tensor<260x8x12x64xf32>
  %jb = stablehlo.multiply %ib, %two : tensor<260x8x12x64xf32>
  %lb = stablehlo.optimization_barrier %jb : tensor<260x8x12x64xf32>
  %nb = stablehlo.transpose %lb, dims = [1, 2, 0, 3] : (tensor<260x8x12x64xf32>) -> tensor<8x12x260x64xf32>
  check.expect_eq %k, %nb : tensor<8x12x260x64xf32>
  return
}

func.func private @numbers() -> tensor<3x40x72xf32> {
  %0 = stablehlo.iota dim = 0 : tensor<8640xi32>
  %1 = stablehlo.constant dense<11> : tensor<8640xi32>
  %2 = stablehlo.remainder %0, %1 : tensor<8640xi32>
  %3 = stablehlo.convert %2 : (tensor<8640xi32>) -> tensor<8640xf32>
  %4 = stablehlo.reshape %3 : (tensor<8640xf32>) -> tensor<3x40x72xf32>
  %5 = stablehlo.optimization_barrier %4 : tensor<3x40x72xf32>
  return %5 : tensor<3x40x72xf32>
}

func.func private @weights() -> tensor<5x24x72xf32> {
  %0 = stablehlo.iota dim = 0 : tensor<8640xi32>
  %1 = stablehlo.constant dense<7> : tensor<8640xi32>
  %2 = stablehlo.remainder %0, %1 : tensor<8640xi32>
  %3 = stablehlo.convert %2 : (tensor<8640xi32>) -> tensor<8640xf32>
  %4 = stablehlo.reshape %3 : (tensor<8640xf32>) -> tensor<5x24x72xf32>
  %5 = stablehlo.optimization_barrier %4 : tensor<5x24x72xf32>
  return %5 : tensor<5x24x72xf32>
}

func.func private @long() -> tensor<260x8x72xf32> {
  %0 = stablehlo.iota dim = 0 : tensor<149760xi32>
  %1 = stablehlo.constant dense<13> : tensor<149760xi32>
  %2 = stablehlo.remainder %0, %1 : tensor<149760xi32>
  %3 = stablehlo.convert %2 : (tensor<149760xi32>) -> tensor<149760xf32>
  %4 = stablehlo.reshape %3 : (tensor<149760xf32>) -> tensor<260x8x72xf32>
  %5 = stablehlo.optimization_barrier %4 : tensor<260x8x72xf32>
  return %5 : tensor<260x8x72xf32>
}

func.func private @heads() -> tensor<12x64x72xf32> {
  %0 = stablehlo.iota dim = 0 : tensor<55296xi32>
  %1 = stablehlo.constant dense<5> : tensor<55296xi32>
  %2 = stablehlo.remainder %0, %1 : tensor<55296xi32>
  %3 = stablehlo.convert %2 : (tensor<55296xi32>) -> tensor<55296xf32>
  %4 = stablehlo.reshape %3 : (tensor<55296xf32>) -> tensor<12x64x72xf32>
  %5 = stablehlo.optimization_barrier %4 : tensor<12x64x72xf32>
  return %5 : tensor<12x64x72xf32>
}
