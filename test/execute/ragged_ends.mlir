// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums over rows in groups, tile by tile: what is not finite in rows of another group, or of none, is in no group's
// sum. Integers, sizes of any type, and no rows at all.
// RUN: tpuc run %s --check
// RUN: tpuc run %s --check --target=v2
// RUN: tpuc run %s --check --target=v6e
func.func @main() {
  %row = stablehlo.iota dim = 0 : tensor<512x8xi32>
  %one = stablehlo.constant dense<1.0> : tensor<512x8xf32>
  // Row 500 is no group's, row 5 the first group's.
  %c500 = stablehlo.constant dense<500> : tensor<512x8xi32>
  %nan = stablehlo.constant dense<0x7FC00000> : tensor<512x8xf32>
  %is500 = stablehlo.compare EQ, %row, %c500 : (tensor<512x8xi32>, tensor<512x8xi32>) -> tensor<512x8xi1>
  %x0 = stablehlo.select %is500, %nan, %one : tensor<512x8xi1>, tensor<512x8xf32>
  %c5 = stablehlo.constant dense<5> : tensor<512x8xi32>
  %inf = stablehlo.constant dense<0x7F800000> : tensor<512x8xf32>
  %is5 = stablehlo.compare EQ, %row, %c5 : (tensor<512x8xi32>, tensor<512x8xi32>) -> tensor<512x8xi1>
  %y0 = stablehlo.select %is5, %inf, %one : tensor<512x8xi1>, tensor<512x8xf32>
  %x = stablehlo.optimization_barrier %x0 : tensor<512x8xf32>
  %y = stablehlo.optimization_barrier %y0 : tensor<512x8xf32>
  %sizes0 = stablehlo.constant dense<[10, 20, 30, 0, 100, 60, 200, 50]> : tensor<8xi32>
  %sizes = stablehlo.optimization_barrier %sizes0 : tensor<8xi32>
  %s = "chlo.ragged_dot"(%x, %y, %sizes) {ragged_dot_dimension_numbers = #chlo.ragged_dot<
      lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0], lhs_ragged_dimensions = [0]>}
      : (tensor<512x8xf32>, tensor<512x8xf32>, tensor<8xi32>) -> tensor<8x8x8xf32>
  %own = stablehlo.convert %sizes0 : (tensor<8xi32>) -> tensor<8xf32>
  %ends = stablehlo.constant dense<[0x7F800000, 20.0, 30.0, 0.0, 100.0, 60.0, 200.0, 50.0]> : tensor<8xf32>
  %e = stablehlo.broadcast_in_dim %ends, dims = [0] : (tensor<8xf32>) -> tensor<8x8x8xf32>
  check.expect_eq %s, %e : tensor<8x8x8xf32>
  // The other way about.
  %t = "chlo.ragged_dot"(%y, %x, %sizes) {ragged_dot_dimension_numbers = #chlo.ragged_dot<
      lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0], lhs_ragged_dimensions = [0]>}
      : (tensor<512x8xf32>, tensor<512x8xf32>, tensor<8xi32>) -> tensor<8x8x8xf32>
  check.expect_eq %t, %e : tensor<8x8x8xf32>

  // Integers to a float, sizes without a sign.
  %b0 = stablehlo.constant dense<2> : tensor<512x8xi8>
  %b = stablehlo.optimization_barrier %b0 : tensor<512x8xi8>
  %u0 = stablehlo.convert %sizes0 : (tensor<8xi32>) -> tensor<8xui32>
  %u = stablehlo.optimization_barrier %u0 : tensor<8xui32>
  %i = "chlo.ragged_dot"(%b, %b, %u) {ragged_dot_dimension_numbers = #chlo.ragged_dot<
      lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0], lhs_ragged_dimensions = [0]>}
      : (tensor<512x8xi8>, tensor<512x8xi8>, tensor<8xui32>) -> tensor<8x8x8xf32>
  %four = stablehlo.constant dense<4.0> : tensor<8xf32>
  %f4 = stablehlo.multiply %own, %four : tensor<8xf32>
  %e4 = stablehlo.broadcast_in_dim %f4, dims = [0] : (tensor<8xf32>) -> tensor<8x8x8xf32>
  check.expect_eq %i, %e4 : tensor<8x8x8xf32>
  // A size of more than all rows is all of them.
  %big = stablehlo.constant dense<[10, 20, 30, 0, 100, 60, 9223372036854775807, 0]> : tensor<8xi64>
  %sizes64 = stablehlo.optimization_barrier %big : tensor<8xi64>
  %l = "chlo.ragged_dot"(%y, %y, %sizes64) {ragged_dot_dimension_numbers = #chlo.ragged_dot<
      lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0], lhs_ragged_dimensions = [0]>}
      : (tensor<512x8xf32>, tensor<512x8xf32>, tensor<8xi64>) -> tensor<8x8x8xf32>
  %ends64 = stablehlo.constant dense<[0x7F800000, 20.0, 30.0, 0.0, 100.0, 60.0, 292.0, 0.0]> : tensor<8xf32>
  %e64 = stablehlo.broadcast_in_dim %ends64, dims = [0] : (tensor<8xf32>) -> tensor<8x8x8xf32>
  check.expect_eq %l, %e64 : tensor<8x8x8xf32>

  // No rows, no groups.
  %none = stablehlo.constant dense<> : tensor<0x8xf32>
  %no = stablehlo.constant dense<> : tensor<0xi32>
  %z = "chlo.ragged_dot"(%none, %none, %no) {ragged_dot_dimension_numbers = #chlo.ragged_dot<
      lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0], lhs_ragged_dimensions = [0]>}
      : (tensor<0x8xf32>, tensor<0x8xf32>, tensor<0xi32>) -> tensor<0x8x8xf32>
  %ez = stablehlo.constant dense<> : tensor<0x8x8xf32>
  check.expect_eq %z, %ez : tensor<0x8x8xf32>
  return
}
