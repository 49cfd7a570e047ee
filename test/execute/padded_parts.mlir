// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pads of slices, which they take from where they lie: of 32-bit rows with steps, of packed arrays along leading dims,
// with gaps and with edges that cut. The element at place p of the sliced dim is p; padding is -1.
// RUN: tpuc run %s --check
// RUN: tpuc run %s --check --target=v5p
// RUN: tpuc run %s --no-fuse
func.func @main() {
  %none = stablehlo.constant dense<-1.0> : tensor<f32>
  %i = stablehlo.iota dim = 0 : tensor<20x70xf32>
  %x = stablehlo.optimization_barrier %i : tensor<20x70xf32>
  %0 = stablehlo.slice %x [3:17:2, 5:70] : (tensor<20x70xf32>) -> tensor<7x65xf32>
  %1 = stablehlo.pad %0, %none, low = [2, 0], high = [-1, 1], interior = [1, 0]
      : (tensor<7x65xf32>, tensor<f32>) -> tensor<14x66xf32>
  %r = stablehlo.iota dim = 0 : tensor<14x66xf32>
  %c = stablehlo.iota dim = 1 : tensor<14x66xf32>
  %two = stablehlo.constant dense<2.0> : tensor<14x66xf32>
  %zeros = stablehlo.constant dense<0.0> : tensor<14x66xf32>
  %one = stablehlo.constant dense<1.0> : tensor<14x66xf32>
  %last = stablehlo.constant dense<65.0> : tensor<14x66xf32>
  %half = stablehlo.remainder %r, %two : tensor<14x66xf32>
  %even = stablehlo.compare EQ, %half, %zeros : (tensor<14x66xf32>, tensor<14x66xf32>) -> tensor<14x66xi1>
  %behind = stablehlo.compare GE, %r, %two : (tensor<14x66xf32>, tensor<14x66xf32>) -> tensor<14x66xi1>
  %within = stablehlo.compare LT, %c, %last : (tensor<14x66xf32>, tensor<14x66xf32>) -> tensor<14x66xi1>
  %a = stablehlo.and %even, %behind : tensor<14x66xi1>
  %is = stablehlo.and %a, %within : tensor<14x66xi1>
  %place = stablehlo.add %r, %one : tensor<14x66xf32>  // row 2 + 2 k is 3 + 2 k of x
  %minus = stablehlo.negate %one : tensor<14x66xf32>
  %want = stablehlo.select %is, %place, %minus : tensor<14x66xi1>, tensor<14x66xf32>
  check.expect_eq %1, %want : tensor<14x66xf32>

  %j = stablehlo.iota dim = 1 : tensor<2x16x24x40xbf16>
  %y = stablehlo.optimization_barrier %j : tensor<2x16x24x40xbf16>
  %zero = stablehlo.constant dense<0.0> : tensor<bf16>
  %2 = stablehlo.slice %y [0:2, 0:15, 0:24, 0:40] : (tensor<2x16x24x40xbf16>) -> tensor<2x15x24x40xbf16>
  %3 = stablehlo.pad %2, %zero, low = [0, 1, 0, 0], high = [0, 0, 0, 0], interior = [0, 0, 0, 0]
      : (tensor<2x15x24x40xbf16>, tensor<bf16>) -> tensor<2x16x24x40xbf16>
  %4 = stablehlo.concatenate %3, %y, dim = 2
      : (tensor<2x16x24x40xbf16>, tensor<2x16x24x40xbf16>) -> tensor<2x16x48x40xbf16>
  %p = stablehlo.iota dim = 1 : tensor<2x16x48x40xbf16>
  %q = stablehlo.iota dim = 2 : tensor<2x16x48x40xi32>
  %c24 = stablehlo.constant dense<24> : tensor<2x16x48x40xi32>
  %z4 = stablehlo.constant dense<0.0> : tensor<2x16x48x40xbf16>
  %one4 = stablehlo.constant dense<1.0> : tensor<2x16x48x40xbf16>
  %before = stablehlo.subtract %p, %one4 : tensor<2x16x48x40xbf16>
  %at_least = stablehlo.maximum %before, %z4 : tensor<2x16x48x40xbf16>
  %first = stablehlo.compare LT, %q, %c24 : (tensor<2x16x48x40xi32>, tensor<2x16x48x40xi32>) -> tensor<2x16x48x40xi1>
  %want4 = stablehlo.select %first, %at_least, %p : tensor<2x16x48x40xi1>, tensor<2x16x48x40xbf16>
  check.expect_eq %4, %want4 : tensor<2x16x48x40xbf16>
  return
}
