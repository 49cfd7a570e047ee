// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gaps along a leading dim, filled by another array: positions that are a multiple of three, one more, two more. The
// element at place p of the whole array is 1000 p + l; a gap that nobody fills is -1. Of i16 and f32, with zeros that
// keep their sign: -0 + 0 is 0.
// RUN: tpuc run %s --check
// RUN: tpuc run %s --check --target=v5p
// RUN: tpuc run %s --no-fuse
func.func @main() {
  %r = stablehlo.iota dim = 1 : tensor<2x15x9x130xf32>
  %l = stablehlo.iota dim = 3 : tensor<2x15x9x130xf32>
  %c1000 = stablehlo.constant dense<1000.0> : tensor<2x15x9x130xf32>
  %rows = stablehlo.multiply %r, %c1000 : tensor<2x15x9x130xf32>
  %want = stablehlo.add %rows, %l : tensor<2x15x9x130xf32>
  %x = stablehlo.optimization_barrier %want : tensor<2x15x9x130xf32>
  %a = stablehlo.slice %x [0:2, 0:15:3, 0:9, 0:130] : (tensor<2x15x9x130xf32>) -> tensor<2x5x9x130xf32>
  %b = stablehlo.slice %x [0:2, 1:15:3, 0:9, 0:130] : (tensor<2x15x9x130xf32>) -> tensor<2x5x9x130xf32>
  %c = stablehlo.slice %x [0:2, 2:15:3, 0:9, 0:130] : (tensor<2x15x9x130xf32>) -> tensor<2x5x9x130xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.pad %a, %zero, low = [0, 0, 0, 0], high = [0, 2, 0, 0], interior = [0, 2, 0, 0]
      : (tensor<2x5x9x130xf32>, tensor<f32>) -> tensor<2x15x9x130xf32>
  %1 = stablehlo.pad %b, %zero, low = [0, 1, 0, 0], high = [0, 1, 0, 0], interior = [0, 2, 0, 0]
      : (tensor<2x5x9x130xf32>, tensor<f32>) -> tensor<2x15x9x130xf32>
  %2 = stablehlo.pad %c, %zero, low = [0, 2, 0, 0], high = [0, 0, 0, 0], interior = [0, 2, 0, 0]
      : (tensor<2x5x9x130xf32>, tensor<f32>) -> tensor<2x15x9x130xf32>
  %two = stablehlo.add %0, %1 : tensor<2x15x9x130xf32>
  %all = stablehlo.add %two, %2 : tensor<2x15x9x130xf32>
  check.expect_eq %all, %want : tensor<2x15x9x130xf32>

  // One of three, among others of the whole array.
  %none = stablehlo.constant dense<-1.0> : tensor<f32>
  %3 = stablehlo.pad %b, %none, low = [0, 1, 0, 0], high = [0, 1, 0, 0], interior = [0, 2, 0, 0]
      : (tensor<2x5x9x130xf32>, tensor<f32>) -> tensor<2x15x9x130xf32>
  %sum = stablehlo.add %3, %x : tensor<2x15x9x130xf32>
  %c3 = stablehlo.constant dense<3.0> : tensor<2x15x9x130xf32>
  %c1 = stablehlo.constant dense<1.0> : tensor<2x15x9x130xf32>
  %minus = stablehlo.constant dense<-1.0> : tensor<2x15x9x130xf32>
  %rest = stablehlo.remainder %r, %c3 : tensor<2x15x9x130xf32>
  %is = stablehlo.compare EQ, %rest, %c1 : (tensor<2x15x9x130xf32>, tensor<2x15x9x130xf32>) -> tensor<2x15x9x130xi1>
  %filled = stablehlo.select %is, %want, %minus : tensor<2x15x9x130xi1>, tensor<2x15x9x130xf32>
  %want_sum = stablehlo.add %filled, %want : tensor<2x15x9x130xf32>
  check.expect_eq %sum, %want_sum : tensor<2x15x9x130xf32>

  // Signs of zeros, by division.
  %neg = stablehlo.constant dense<-0.0> : tensor<4x9x130xf32>
  %hidden = stablehlo.optimization_barrier %neg : tensor<4x9x130xf32>
  %4 = stablehlo.pad %hidden, %zero, low = [0, 0, 0], high = [1, 0, 0], interior = [1, 0, 0]
      : (tensor<4x9x130xf32>, tensor<f32>) -> tensor<8x9x130xf32>
  %nz = stablehlo.constant dense<-0.0> : tensor<f32>
  %5 = stablehlo.pad %hidden, %nz, low = [1, 0, 0], high = [0, 0, 0], interior = [1, 0, 0]
      : (tensor<4x9x130xf32>, tensor<f32>) -> tensor<8x9x130xf32>
  %zeros = stablehlo.add %4, %5 : tensor<8x9x130xf32>
  %one = stablehlo.constant dense<1.0> : tensor<8x9x130xf32>
  %inf = stablehlo.divide %one, %zeros : tensor<8x9x130xf32>
  %p = stablehlo.iota dim = 0 : tensor<8x9x130xi32>
  %odd = stablehlo.constant dense<1> : tensor<8x9x130xi32>
  %bit = stablehlo.and %p, %odd : tensor<8x9x130xi32>
  %is_odd = stablehlo.compare EQ, %bit, %odd : (tensor<8x9x130xi32>, tensor<8x9x130xi32>) -> tensor<8x9x130xi1>
  %below = stablehlo.constant dense<0xFF800000> : tensor<8x9x130xf32>
  %above = stablehlo.constant dense<0x7F800000> : tensor<8x9x130xf32>
  %want_inf = stablehlo.select %is_odd, %above, %below : tensor<8x9x130xi1>, tensor<8x9x130xf32>
  check.expect_eq %inf, %want_inf : tensor<8x9x130xf32>

  // Rows that share words.
  %n = stablehlo.iota dim = 0 : tensor<6x5x20xi16>
  %m = stablehlo.optimization_barrier %n : tensor<6x5x20xi16>
  %even = stablehlo.slice %m [0:6:2, 0:5, 0:20] : (tensor<6x5x20xi16>) -> tensor<3x5x20xi16>
  %third = stablehlo.slice %m [1:6:2, 0:5, 0:20] : (tensor<6x5x20xi16>) -> tensor<3x5x20xi16>
  %i0 = stablehlo.constant dense<0> : tensor<i16>
  %6 = stablehlo.pad %even, %i0, low = [0, 0, 0], high = [1, 0, 0], interior = [1, 0, 0]
      : (tensor<3x5x20xi16>, tensor<i16>) -> tensor<6x5x20xi16>
  %7 = stablehlo.pad %third, %i0, low = [1, 0, 0], high = [0, 0, 0], interior = [1, 0, 0]
      : (tensor<3x5x20xi16>, tensor<i16>) -> tensor<6x5x20xi16>
  %8 = stablehlo.or %6, %7 : tensor<6x5x20xi16>
  check.expect_eq %8, %n : tensor<6x5x20xi16>

  // Numbers of two planes.
  %k = stablehlo.iota dim = 0 : tensor<6x5x20xf64>
  %w = stablehlo.optimization_barrier %k : tensor<6x5x20xf64>
  %left = stablehlo.slice %w [0:6:2, 0:5, 0:20] : (tensor<6x5x20xf64>) -> tensor<3x5x20xf64>
  %right = stablehlo.slice %w [1:6:2, 0:5, 0:20] : (tensor<6x5x20xf64>) -> tensor<3x5x20xf64>
  %d0 = stablehlo.constant dense<0.0> : tensor<f64>
  %9 = stablehlo.pad %left, %d0, low = [0, 0, 0], high = [1, 0, 0], interior = [1, 0, 0]
      : (tensor<3x5x20xf64>, tensor<f64>) -> tensor<6x5x20xf64>
  %10 = stablehlo.pad %right, %d0, low = [1, 0, 0], high = [0, 0, 0], interior = [1, 0, 0]
      : (tensor<3x5x20xf64>, tensor<f64>) -> tensor<6x5x20xf64>
  %11 = stablehlo.add %9, %10 : tensor<6x5x20xf64>
  check.expect_eq %11, %k : tensor<6x5x20xf64>
  return
}
