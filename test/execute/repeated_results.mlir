// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel with a result that has not all dims of its grid: 16 rows of the other result's blocks are four steps, in
// which the smaller one has one block. Each step sent it, and two transfers wrote the same bytes at once.
// RUN: tpuc run %s --check
// RUN: tpuc run %s --check --target=v4
func.func @main() {
  %y0 = stablehlo.iota dim = 0 : tensor<4x128x256xf32>
  %y2 = stablehlo.iota dim = 2 : tensor<4x128x256xf32>
  %y3 = stablehlo.add %y0, %y2 : tensor<4x128x256xf32>
  // A sort keeps the kernels behind it from making y themselves.
  %y = "stablehlo.sort"(%y3) <{dimension = 2 : i64, is_stable = false}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %less = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %less : tensor<i1>
  }) : (tensor<4x128x256xf32>) -> tensor<4x128x256xf32>
  %x = stablehlo.iota dim = 1 : tensor<4x16x128x256xf32>
  %repeated = stablehlo.broadcast_in_dim %y, dims = [0, 2, 3] : (tensor<4x128x256xf32>) -> tensor<4x16x128x256xf32>
  %products = stablehlo.multiply %x, %repeated : tensor<4x16x128x256xf32>
  %twice = stablehlo.add %y, %y : tensor<4x128x256xf32>
  %row = stablehlo.slice %products [0:4, 2:3, 0:128, 0:256] : (tensor<4x16x128x256xf32>) -> tensor<4x1x128x256xf32>
  %second = stablehlo.reshape %row : (tensor<4x1x128x256xf32>) -> tensor<4x128x256xf32>
  check.expect_eq %second, %twice : tensor<4x128x256xf32>
  %doubled = stablehlo.add %y3, %y3 : tensor<4x128x256xf32>
  check.expect_eq %twice, %doubled : tensor<4x128x256xf32>
  return
}
