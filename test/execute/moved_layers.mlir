// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A layer of a stack, at a position that only the run knows, with its rows and lanes joined: read where it lies.
// RUN: tpuc run %s --check
// RUN: tpuc run %s --check --target=v4
// RUN: tpuc run %s --no-fuse
// RUN: tpuc compile %s --stop-after=fuse -o - | FileCheck %s

// CHECK: kernel.fusion "relayout"
// CHECK: stablehlo.dynamic_slice
// CHECK: stablehlo.reshape
func.func @main() {
  %c = stablehlo.iota dim = 0 : tensor<18432xi32>
  %b = stablehlo.optimization_barrier %c : tensor<18432xi32>
  %x = stablehlo.reshape %b : (tensor<18432xi32>) -> tensor<3x32x8x24xi32>
  %given = stablehlo.optimization_barrier %x : tensor<3x32x8x24xi32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %at = stablehlo.optimization_barrier %two : tensor<i32>
  %0 = stablehlo.dynamic_slice %given, %at, %zero, %zero, %zero, sizes = [1, 32, 8, 24]
      : (tensor<3x32x8x24xi32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x32x8x24xi32>
  %1 = stablehlo.reshape %0 : (tensor<1x32x8x24xi32>) -> tensor<32x192xi32>
  %2 = stablehlo.negate %1 : tensor<32x192xi32>
  %rows = stablehlo.iota dim = 0 : tensor<32x192xi32>
  %lanes = stablehlo.iota dim = 1 : tensor<32x192xi32>
  %width = stablehlo.constant dense<192> : tensor<32x192xi32>
  %first = stablehlo.constant dense<12288> : tensor<32x192xi32>
  %3 = stablehlo.multiply %rows, %width : tensor<32x192xi32>
  %4 = stablehlo.add %3, %lanes : tensor<32x192xi32>
  %5 = stablehlo.add %4, %first : tensor<32x192xi32>
  %6 = stablehlo.negate %5 : tensor<32x192xi32>
  check.expect_eq %2, %6 : tensor<32x192xi32>
  return
}
