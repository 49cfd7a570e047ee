// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows of a packed array that a view moves are put in order a vreg at a time, so they are the rows of the kernel. Two
// values span all of its dims, in orders of their own: the first one, [11, 3, 128], has the moved rows as a leading
// dim, and the numbers were those of other rows.
// RUN: tpuc-opt %s --pass-pipeline='builtin.module(tpuc-plan-kernels{target=v5e})' | FileCheck %s

// CHECK: grid [parallel d1 = 11 by 11, parallel d2 = 128 by 128, sequential d0 = 3 by 3]
// CHECK-SAME: reads {{\[\[}}3, 128] (d0, d1, d2) -> (0, d2) {{.*}}, {{\[}}16, 128] (d0, d1, d2) -> (d1, d2)
// CHECK-SAME: writes {{\[\[}}11, 128] (d0, d1, d2) -> (d1, d2)
func.func @main(%arg0: tensor<3x128xi16>) -> tensor<11x128xi32> {
  %0 = kernel.fusion "loop"(%arg0 : tensor<3x128xi16>) -> tensor<11x128xi32> {
  ^bb0(%a: tensor<3x128xi16>):
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %none = stablehlo.constant dense<0> : tensor<i16>
    %padded = stablehlo.pad %a, %none, low = [5, 0], high = [3, 0], interior = [0, 0]
        : (tensor<3x128xi16>, tensor<i16>) -> tensor<11x128xi16>
    %wide = stablehlo.convert %a : (tensor<3x128xi16>) -> tensor<3x128xi32>
    %rows = stablehlo.broadcast_in_dim %padded, dims = [0, 2] : (tensor<11x128xi16>) -> tensor<11x3x128xi16>
    %rows_wide = stablehlo.convert %rows : (tensor<11x3x128xi16>) -> tensor<11x3x128xi32>
    %turned = stablehlo.transpose %rows_wide, dims = [1, 0, 2] : (tensor<11x3x128xi32>) -> tensor<3x11x128xi32>
    %each = stablehlo.broadcast_in_dim %wide, dims = [0, 2] : (tensor<3x128xi32>) -> tensor<3x11x128xi32>
    %products = stablehlo.multiply %each, %turned : tensor<3x11x128xi32>
    %sums = stablehlo.reduce(%products init: %zero) applies stablehlo.add across dimensions = [0]
        : (tensor<3x11x128xi32>, tensor<i32>) -> tensor<11x128xi32>
    kernel.yield %sums : tensor<11x128xi32>
  }
  return %0 : tensor<11x128xi32>
}
