// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ops that jump see bf16 as the program rounds it, though a kernel computes in f32. 1.734375 * 1.7265625 = 2.9944...,
// between 2.984375 and 3: 3 in bf16. So its floor is 3, it is not less than 3, and nothing is left of it by 3.
// An element equals the maximum of its row: the gradient of a maximum divides by how many do.
// RUN: tpuc run %s
// RUN: tpuc run %s --target=v2
// RUN: tpuc run %s --no-fuse
func.func @main() {
  %a0 = stablehlo.constant dense<1.734375> : tensor<16x256xbf16>
  %b0 = stablehlo.constant dense<1.7265625> : tensor<16x256xbf16>
  %a = stablehlo.optimization_barrier %a0 : tensor<16x256xbf16>
  %b = stablehlo.optimization_barrier %b0 : tensor<16x256xbf16>
  %three = stablehlo.constant dense<3.0> : tensor<16x256xbf16>
  %p = stablehlo.multiply %a, %b : tensor<16x256xbf16>
  %floor = stablehlo.floor %p : tensor<16x256xbf16>
  check.expect_eq_const %floor, dense<3.0> : tensor<16x256xbf16>
  %whole = stablehlo.convert %p : (tensor<16x256xbf16>) -> tensor<16x256xi32>
  check.expect_eq_const %whole, dense<3> : tensor<16x256xi32>
  %less = stablehlo.compare LT, %p, %three : (tensor<16x256xbf16>, tensor<16x256xbf16>) -> tensor<16x256xi1>
  check.expect_eq_const %less, dense<false> : tensor<16x256xi1>
  %left = stablehlo.remainder %p, %three : tensor<16x256xbf16>
  check.expect_eq_const %left, dense<0.0> : tensor<16x256xbf16>
  %n = stablehlo.negate %p : tensor<16x256xbf16>
  %up = stablehlo.ceil %n : tensor<16x256xbf16>
  check.expect_eq_const %up, dense<-3.0> : tensor<16x256xbf16>

  // The same seen as f32.
  %f = stablehlo.convert %p : (tensor<16x256xbf16>) -> tensor<16x256xf32>
  check.expect_eq_const %f, dense<3.0> : tensor<16x256xf32>
  %f_floor = stablehlo.floor %f : tensor<16x256xf32>
  check.expect_eq_const %f_floor, dense<3.0> : tensor<16x256xf32>
  %two = stablehlo.constant dense<2.0> : tensor<16x256xf32>
  %six = stablehlo.constant dense<6.0> : tensor<16x256xf32>
  %twice = stablehlo.multiply %f, %two : tensor<16x256xf32>
  %f_less = stablehlo.compare LT, %twice, %six : (tensor<16x256xf32>, tensor<16x256xf32>) -> tensor<16x256xi1>
  check.expect_eq_const %f_less, dense<false> : tensor<16x256xi1>

  %none = stablehlo.constant dense<0xFF80> : tensor<bf16>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %i = stablehlo.iota dim = 1 : tensor<16x256xf32>
  %j = stablehlo.iota dim = 0 : tensor<16x256xf32>
  %c0 = stablehlo.constant dense<0.37> : tensor<16x256xf32>
  %ij0 = stablehlo.multiply %i, %j : tensor<16x256xf32>
  %ij1 = stablehlo.add %ij0, %i : tensor<16x256xf32>
  %ij2 = stablehlo.multiply %ij1, %c0 : tensor<16x256xf32>
  %ij = stablehlo.sine %ij2 : tensor<16x256xf32>
  %x0 = stablehlo.convert %ij : (tensor<16x256xf32>) -> tensor<16x256xbf16>
  %x = stablehlo.optimization_barrier %x0 : tensor<16x256xbf16>
  %s = stablehlo.constant dense<3.007810e-01> : tensor<16x256xbf16>
  %t = stablehlo.constant dense<1.000980e-01> : tensor<16x256xbf16>
  %y0 = stablehlo.multiply %x, %s : tensor<16x256xbf16>
  %y = stablehlo.add %y0, %t : tensor<16x256xbf16>
  %m = stablehlo.reduce(%y init: %none) applies stablehlo.maximum across dimensions = [1]
      : (tensor<16x256xbf16>, tensor<bf16>) -> tensor<16xbf16>
  %mb = stablehlo.broadcast_in_dim %m, dims = [0] : (tensor<16xbf16>) -> tensor<16x256xbf16>
  %is = stablehlo.compare EQ, %y, %mb : (tensor<16x256xbf16>, tensor<16x256xbf16>) -> tensor<16x256xi1>
  %one = stablehlo.convert %is : (tensor<16x256xi1>) -> tensor<16x256xf32>
  %count = stablehlo.reduce(%one init: %zero) applies stablehlo.add across dimensions = [1]
      : (tensor<16x256xf32>, tensor<f32>) -> tensor<16xf32>
  %nothing = stablehlo.constant dense<0.0> : tensor<16xf32>
  %any = stablehlo.compare GT, %count, %nothing : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xi1>
  check.expect_eq_const %any, dense<true> : tensor<16xi1>

  %y32 = stablehlo.convert %y : (tensor<16x256xbf16>) -> tensor<16x256xf32>
  %mb32 = stablehlo.convert %mb : (tensor<16x256xbf16>) -> tensor<16x256xf32>
  %is32 = stablehlo.compare EQ, %y32, %mb32 : (tensor<16x256xf32>, tensor<16x256xf32>) -> tensor<16x256xi1>
  %one32 = stablehlo.convert %is32 : (tensor<16x256xi1>) -> tensor<16x256xf32>
  %count32 = stablehlo.reduce(%one32 init: %zero) applies stablehlo.add across dimensions = [1]
      : (tensor<16x256xf32>, tensor<f32>) -> tensor<16xf32>
  %any32 = stablehlo.compare GT, %count32, %nothing : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xi1>
  check.expect_eq_const %any32, dense<true> : tensor<16xi1>
  return
}
