// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows of 32 bits read from where they lie: turned by one and by 37 rows, cut, padded, reversed, every second one. An
// element is 1000 r + l; what is read is compared with the same made in the result's places.
// RUN: tpuc run %s --check
// RUN: tpuc run %s --check --target=v5p
// RUN: tpuc run %s --check --target=v6e
func.func @main() {
  %r = stablehlo.iota dim = 1 : tensor<9x100x300xf32>
  %l = stablehlo.iota dim = 2 : tensor<9x100x300xf32>
  %c1000 = stablehlo.constant dense<1000.0> : tensor<9x100x300xf32>
  %rows = stablehlo.multiply %r, %c1000 : tensor<9x100x300xf32>
  %line = stablehlo.add %rows, %l : tensor<9x100x300xf32>
  %x = stablehlo.optimization_barrier %line : tensor<9x100x300xf32>
  %c100 = stablehlo.constant dense<100.0> : tensor<9x100x300xf32>

  // The last row first.
  %0 = stablehlo.slice %x [0:9, 99:100, 0:300] : (tensor<9x100x300xf32>) -> tensor<9x1x300xf32>
  %1 = stablehlo.slice %x [0:9, 0:99, 0:300] : (tensor<9x100x300xf32>) -> tensor<9x99x300xf32>
  %2 = stablehlo.concatenate %0, %1, dim = 1 : (tensor<9x1x300xf32>, tensor<9x99x300xf32>) -> tensor<9x100x300xf32>
  %by1 = stablehlo.subtract %2, %x : tensor<9x100x300xf32>
  %c99 = stablehlo.constant dense<99.0> : tensor<9x100x300xf32>
  %before = stablehlo.add %r, %c99 : tensor<9x100x300xf32>
  %from1 = stablehlo.remainder %before, %c100 : tensor<9x100x300xf32>
  %away1 = stablehlo.subtract %from1, %r : tensor<9x100x300xf32>
  %is1 = stablehlo.multiply %away1, %c1000 : tensor<9x100x300xf32>
  check.expect_eq %by1, %is1 : tensor<9x100x300xf32>

  // The last 37 rows first.
  %3 = stablehlo.slice %x [0:9, 63:100, 0:300] : (tensor<9x100x300xf32>) -> tensor<9x37x300xf32>
  %4 = stablehlo.slice %x [0:9, 0:63, 0:300] : (tensor<9x100x300xf32>) -> tensor<9x63x300xf32>
  %5 = stablehlo.concatenate %3, %4, dim = 1 : (tensor<9x37x300xf32>, tensor<9x63x300xf32>) -> tensor<9x100x300xf32>
  %by37 = stablehlo.subtract %5, %x : tensor<9x100x300xf32>
  %c63 = stablehlo.constant dense<63.0> : tensor<9x100x300xf32>
  %behind = stablehlo.add %r, %c63 : tensor<9x100x300xf32>
  %from37 = stablehlo.remainder %behind, %c100 : tensor<9x100x300xf32>
  %away37 = stablehlo.subtract %from37, %r : tensor<9x100x300xf32>
  %is37 = stablehlo.multiply %away37, %c1000 : tensor<9x100x300xf32>
  check.expect_eq %by37, %is37 : tensor<9x100x300xf32>

  // Neighbours of rows: 1000 apart, and 2000.
  %6 = stablehlo.slice %x [0:9, 3:96, 0:300] : (tensor<9x100x300xf32>) -> tensor<9x93x300xf32>
  %7 = stablehlo.slice %x [0:9, 4:97, 0:300] : (tensor<9x100x300xf32>) -> tensor<9x93x300xf32>
  %next = stablehlo.subtract %7, %6 : tensor<9x93x300xf32>
  check.expect_eq_const %next, dense<1000.0> : tensor<9x93x300xf32>
  %8 = stablehlo.slice %x [0:9, 1:100:2, 0:300] : (tensor<9x100x300xf32>) -> tensor<9x50x300xf32>
  %9 = stablehlo.slice %x [0:9, 0:99:2, 0:300] : (tensor<9x100x300xf32>) -> tensor<9x50x300xf32>
  %pairs = stablehlo.subtract %8, %9 : tensor<9x50x300xf32>
  check.expect_eq_const %pairs, dense<1000.0> : tensor<9x50x300xf32>

  // 99000 - 1000 r + l, and that plus 1000 r is the last row everywhere.
  %10 = stablehlo.reverse %x, dims = [1] : tensor<9x100x300xf32>
  %both = stablehlo.add %10, %rows : tensor<9x100x300xf32>
  %c99000 = stablehlo.constant dense<99000.0> : tensor<9x100x300xf32>
  %last = stablehlo.add %c99000, %l : tensor<9x100x300xf32>
  check.expect_eq %both, %last : tensor<9x100x300xf32>

  // Rows around, of -1: their sum with what was cut off again is twice the array.
  %minus = stablehlo.constant dense<-1.0> : tensor<f32>
  %11 = stablehlo.pad %x, %minus, low = [0, 5, 0], high = [0, 2, 0], interior = [0, 0, 0]
      : (tensor<9x100x300xf32>, tensor<f32>) -> tensor<9x107x300xf32>
  %12 = stablehlo.negate %11 : tensor<9x107x300xf32>
  %13 = stablehlo.slice %12 [0:9, 5:105, 0:300] : (tensor<9x107x300xf32>) -> tensor<9x100x300xf32>
  %none = stablehlo.add %13, %x : tensor<9x100x300xf32>
  check.expect_eq_const %none, dense<0.0> : tensor<9x100x300xf32>
  %14 = stablehlo.slice %12 [0:9, 0:5, 0:300] : (tensor<9x107x300xf32>) -> tensor<9x5x300xf32>
  check.expect_eq_const %14, dense<1.0> : tensor<9x5x300xf32>
  return
}
