// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows of i16 that a pad moves, in a kernel where two arrays of three dims have them in places of their own: as a
// leading dim and along sublanes. Row i of lane l is 3 l + i, so the sum of a lane's three is 9 l + 3; each of the 11
// padded rows is met by all three, twice.
// RUN: tpuc run %s --check
// RUN: tpuc run %s --check --target=v5p
// RUN: tpuc run %s --no-fuse
func.func @main() {
  %lane = stablehlo.iota dim = 1 : tensor<3x8xi32>
  %row = stablehlo.iota dim = 0 : tensor<3x8xi32>
  %three = stablehlo.constant dense<3> : tensor<3x8xi32>
  %scaled = stablehlo.multiply %lane, %three : tensor<3x8xi32>
  %n = stablehlo.add %scaled, %row : tensor<3x8xi32>
  %a = stablehlo.constant dense<[[0, 3, 6, 9, 12, 15, 18, 21], [1, 4, 7, 10, 13, 16, 19, 22],
                                 [2, 5, 8, 11, 14, 17, 20, 23]]> : tensor<3x8xi16>
  %none = stablehlo.constant dense<0> : tensor<i16>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %padded = stablehlo.pad %a, %none, low = [5, 0], high = [3, 0], interior = [0, 0]
      : (tensor<3x8xi16>, tensor<i16>) -> tensor<11x8xi16>
  %rows = stablehlo.broadcast_in_dim %padded, dims = [0, 2] : (tensor<11x8xi16>) -> tensor<11x3x8xi16>
  %wide = stablehlo.convert %rows : (tensor<11x3x8xi16>) -> tensor<11x3x8xi32>
  %twice = stablehlo.add %wide, %wide : tensor<11x3x8xi32>
  %turned = stablehlo.transpose %twice, dims = [1, 0, 2] : (tensor<11x3x8xi32>) -> tensor<3x11x8xi32>
  %own = stablehlo.convert %a : (tensor<3x8xi16>) -> tensor<3x8xi32>
  %each = stablehlo.broadcast_in_dim %own, dims = [0, 2] : (tensor<3x8xi32>) -> tensor<3x11x8xi32>
  %products = stablehlo.multiply %turned, %each : tensor<3x11x8xi32>
  %sums = stablehlo.reduce(%products init: %zero) applies stablehlo.add across dimensions = [0]
      : (tensor<3x11x8xi32>, tensor<i32>) -> tensor<11x8xi32>

  %l = stablehlo.iota dim = 1 : tensor<11x8xi32>
  %eighteen = stablehlo.constant dense<18> : tensor<11x8xi32>
  %six = stablehlo.constant dense<6> : tensor<11x8xi32>
  %of_lane = stablehlo.multiply %l, %eighteen : tensor<11x8xi32>
  %two_sums = stablehlo.add %of_lane, %six : tensor<11x8xi32>
  %shifted = stablehlo.pad %n, %zero, low = [5, 0], high = [3, 0], interior = [0, 0]
      : (tensor<3x8xi32>, tensor<i32>) -> tensor<11x8xi32>
  %want = stablehlo.multiply %two_sums, %shifted : tensor<11x8xi32>
  check.expect_eq %sums, %want : tensor<11x8xi32>
  return
}
