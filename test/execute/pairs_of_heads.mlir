// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pairs along lanes of heads that lie side by side, taken apart and put together again, in f32 and in bf16.
// RUN: tpuc run %s --check
// RUN: tpuc run %s --check --target=v2
// RUN: tpuc run %s --check --target=v6e
// RUN: tpuc run %s --constants=arrays
func.func @main() {
  %lane = stablehlo.iota dim = 1 : tensor<11x192xf32>
  %x = stablehlo.optimization_barrier %lane : tensor<11x192xf32>
  %p = stablehlo.reshape %x : (tensor<11x192xf32>) -> tensor<11x3x32x2xf32>
  %e1 = stablehlo.slice %p [0:11, 0:3, 0:32, 0:1] : (tensor<11x3x32x2xf32>) -> tensor<11x3x32x1xf32>
  %o1 = stablehlo.slice %p [0:11, 0:3, 0:32, 1:2] : (tensor<11x3x32x2xf32>) -> tensor<11x3x32x1xf32>
  %e = stablehlo.reshape %e1 : (tensor<11x3x32x1xf32>) -> tensor<11x3x32xf32>
  %o = stablehlo.reshape %o1 : (tensor<11x3x32x1xf32>) -> tensor<11x3x32xf32>
  // Element [., h, i] of the first is 64 h + 2 i, of the second one more.
  %h = stablehlo.iota dim = 1 : tensor<11x3x32xf32>
  %i = stablehlo.iota dim = 2 : tensor<11x3x32xf32>
  %heads = stablehlo.constant dense<64.0> : tensor<11x3x32xf32>
  %two = stablehlo.constant dense<2.0> : tensor<11x3x32xf32>
  %one = stablehlo.constant dense<1.0> : tensor<11x3x32xf32>
  %h64 = stablehlo.multiply %h, %heads : tensor<11x3x32xf32>
  %i2 = stablehlo.multiply %i, %two : tensor<11x3x32xf32>
  %even = stablehlo.add %h64, %i2 : tensor<11x3x32xf32>
  %odd = stablehlo.add %even, %one : tensor<11x3x32xf32>
  check.expect_eq %e, %even : tensor<11x3x32xf32>
  check.expect_eq %o, %odd : tensor<11x3x32xf32>

  %ne = stablehlo.negate %e : tensor<11x3x32xf32>
  %no = stablehlo.negate %o : tensor<11x3x32xf32>
  %ne1 = stablehlo.reshape %ne : (tensor<11x3x32xf32>) -> tensor<11x3x32x1xf32>
  %no1 = stablehlo.reshape %no : (tensor<11x3x32xf32>) -> tensor<11x3x32x1xf32>
  %both = stablehlo.concatenate %ne1, %no1, dim = 3 : (tensor<11x3x32x1xf32>, tensor<11x3x32x1xf32>)
      -> tensor<11x3x32x2xf32>
  %back = stablehlo.reshape %both : (tensor<11x3x32x2xf32>) -> tensor<11x192xf32>
  %wanted = stablehlo.negate %lane : tensor<11x192xf32>
  check.expect_eq %back, %wanted : tensor<11x192xf32>

  // 192 is a bf16.
  %narrow = stablehlo.convert %x : (tensor<11x192xf32>) -> tensor<11x192xbf16>
  %b = stablehlo.optimization_barrier %narrow : tensor<11x192xbf16>
  %q = stablehlo.reshape %b : (tensor<11x192xbf16>) -> tensor<11x3x32x2xbf16>
  %q1 = stablehlo.slice %q [0:11, 0:3, 0:32, 1:2] : (tensor<11x3x32x2xbf16>) -> tensor<11x3x32x1xbf16>
  %qo = stablehlo.reshape %q1 : (tensor<11x3x32x1xbf16>) -> tensor<11x3x32xbf16>
  %wide = stablehlo.convert %qo : (tensor<11x3x32xbf16>) -> tensor<11x3x32xf32>
  check.expect_eq %wide, %odd : tensor<11x3x32xf32>
  return
}
