// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tpuc compile %s --target=v5e -o %t.tpuc 2>&1 | FileCheck %s --allow-empty

// A matmul that the planner has no blocks for with its operand made as it goes in is not one: nothing is said of it.
// CHECK-NOT: error
func.func @main(%x: tensor<512x256xbf16>, %sizes: tensor<8xi32>, %y: tensor<512x128xbf16>) -> tensor<8x256x128xbf16> {
  %0 = "chlo.ragged_dot"(%x, %y, %sizes) <{
      precision_config = [#chlo<precision DEFAULT>, #chlo<precision DEFAULT>],
      ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [0],
          rhs_contracting_dimensions = [0], lhs_ragged_dimensions = [0]>}>
      : (tensor<512x256xbf16>, tensor<512x128xbf16>, tensor<8xi32>) -> tensor<8x256x128xbf16>
  return %0 : tensor<8x256x128xbf16>
}
