// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Integers of 4 bits in columns of one: eight of them are a word, and none is moved by itself.
// RUN: tpuc run %s --check --constants=arrays
// RUN: tpuc run %s --check --constants=arrays --target=v2
// RUN: tpuc run %s --check --constants=arrays --target=v6e
func.func @main() {
  %c = stablehlo.constant
      dense<[[[-1], [-4], [3], [7], [-6], [-8], [7], [0], [-1]], [[-2], [7], [7], [4], [-4], [-1], [-4], [4],
          [-8]], [[-6], [-3], [-7], [1], [-8], [0], [7], [4], [5]]]> : tensor<3x9x1xi4>
  %x = stablehlo.optimization_barrier %c : tensor<3x9x1xi4>
  %rows = stablehlo.reshape %x : (tensor<3x9x1xi4>) -> tensor<3x9xi4>
  check.expect_eq_const %rows,
      dense<[[-1, -4, 3, 7, -6, -8, 7, 0, -1], [-2, 7, 7, 4, -4, -1, -4, 4, -8], [-6, -3, -7, 1, -8, 0, 7, 4,
          5]]> : tensor<3x9xi4>
  %turned = stablehlo.transpose %x, dims = [1, 0, 2] : (tensor<3x9x1xi4>) -> tensor<9x3x1xi4>
  check.expect_eq_const %turned,
      dense<[[[-1], [-2], [-6]], [[-4], [7], [-3]], [[3], [7], [-7]], [[7], [4], [1]], [[-6], [-4], [-8]],
          [[-8], [-1], [0]], [[7], [-4], [7]], [[0], [4], [4]], [[-1], [-8], [5]]]> : tensor<9x3x1xi4>
  return
}
