// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A part of a slice whose position is out of range: two matrices from 5 on are the last two, and the first of them is
// not the last. Matrix n has n + 1 everywhere, of which 32 are added up.
// RUN: tpuc run %s --check
// RUN: tpuc run %s --check --target=v2
// RUN: tpuc run %s --check --target=v6e
func.func @main() {
  %w0 = stablehlo.constant dense<1> : tensor<3x4x32x128xi8>
  %n = stablehlo.iota dim = 1 : tensor<3x4x32x128xi8>
  %w1 = stablehlo.add %w0, %n : tensor<3x4x32x128xi8>
  %w = stablehlo.optimization_barrier %w1 : tensor<3x4x32x128xi8>
  %x0 = stablehlo.constant dense<1.0> : tensor<8x32xf32>
  %x = stablehlo.optimization_barrier %x0 : tensor<8x32xf32>
  %five = stablehlo.constant dense<5> : tensor<i32>
  %i = stablehlo.optimization_barrier %five : tensor<i32>
  %z = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.dynamic_slice %w, %z, %i, %z, %z, sizes = [1, 2, 32, 128]
      : (tensor<3x4x32x128xi8>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x32x128xi8>
  %1 = stablehlo.slice %0 [0:1, 0:1, 0:32, 0:128] : (tensor<1x2x32x128xi8>) -> tensor<1x1x32x128xi8>
  %2 = stablehlo.reshape %1 : (tensor<1x1x32x128xi8>) -> tensor<32x128xi8>
  %3 = stablehlo.convert %2 : (tensor<32x128xi8>) -> tensor<32x128xf32>
  %4 = stablehlo.dot_general %x, %3, contracting_dims = [1] x [0]
      : (tensor<8x32xf32>, tensor<32x128xf32>) -> tensor<8x128xf32>
  %5 = stablehlo.constant dense<96.0> : tensor<8x128xf32>
  check.expect_eq %4, %5 : tensor<8x128xf32>
  return
}
