// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operands that a matmul makes: one-hot rows along either side, and columns that their numbers weigh. Numbers out of
// range name no row.
// RUN: tpuc run %s --constants=arrays
// RUN: tpuc run %s --constants=arrays --check --target=v2 --matmul-precision=highest
// RUN: tpuc run %s --constants=arrays --no-fuse
// RUN: tpuc compile %s --constants=arrays --stop-after=fuse -o - | FileCheck %s
// CHECK-COUNT-2: kernel.fusion "dot"({{.*}}tensor<5xi32>
func.func @main() {
  %ids = stablehlo.constant dense<[3, -1, 0, 7, 2]> : tensor<5xi32>
  %gate = stablehlo.constant dense<[2.0, 4.0, 8.0, 16.0, 32.0]> : tensor<5xf32>
  %table = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0], [-1.0, -2.0, -3.0]]>
      : tensor<4x3xf32>
  %by = stablehlo.broadcast_in_dim %ids, dims = [0] : (tensor<5xi32>) -> tensor<5x4xi32>
  %at = stablehlo.iota dim = 1 : tensor<5x4xi32>
  %same = stablehlo.compare EQ, %by, %at : (tensor<5x4xi32>, tensor<5x4xi32>) -> tensor<5x4xi1>
  %hot = stablehlo.convert %same : (tensor<5x4xi1>) -> tensor<5x4xf32>
  %rows = stablehlo.dot_general %hot, %table, contracting_dims = [1] x [0]
      : (tensor<5x4xf32>, tensor<4x3xf32>) -> tensor<5x3xf32>
  check.expect_eq_const %rows, dense<[[-1.0, -2.0, -3.0], [0.0, 0.0, 0.0], [1.0, 2.0, 3.0], [0.0, 0.0, 0.0],
      [7.0, 8.0, 9.0]]> : tensor<5x3xf32>

  // The gradient of that: rows of the same number are added up.
  %dy = stablehlo.constant dense<[[1.0, 0.5], [2.0, 4.0], [8.0, 16.0], [32.0, 64.0], [128.0, 256.0]]> : tensor<5x2xf32>
  %again = stablehlo.constant dense<[3, 0, 3, 9, 3]> : tensor<5xi32>
  %by2 = stablehlo.broadcast_in_dim %again, dims = [0] : (tensor<5xi32>) -> tensor<5x4xi32>
  %at2 = stablehlo.iota dim = 1 : tensor<5x4xi32>
  %same2 = stablehlo.compare EQ, %by2, %at2 : (tensor<5x4xi32>, tensor<5x4xi32>) -> tensor<5x4xi1>
  %hot2 = stablehlo.convert %same2 : (tensor<5x4xi1>) -> tensor<5x4xf32>
  %sums = stablehlo.dot_general %hot2, %dy, contracting_dims = [0] x [0]
      : (tensor<5x4xf32>, tensor<5x2xf32>) -> tensor<4x2xf32>
  check.expect_eq_const %sums, dense<[[2.0, 4.0], [0.0, 0.0], [0.0, 0.0], [137.0, 272.5]]> : tensor<4x2xf32>

  // Weights instead of ones, in bf16.
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %zeros = stablehlo.broadcast_in_dim %zero, dims = [] : (tensor<f32>) -> tensor<5x4xf32>
  %by3 = stablehlo.broadcast_in_dim %ids, dims = [0] : (tensor<5xi32>) -> tensor<5x4xi32>
  %at3 = stablehlo.iota dim = 1 : tensor<5x4xi32>
  %same3 = stablehlo.compare EQ, %by3, %at3 : (tensor<5x4xi32>, tensor<5x4xi32>) -> tensor<5x4xi1>
  %weights = stablehlo.broadcast_in_dim %gate, dims = [0] : (tensor<5xf32>) -> tensor<5x4xf32>
  %some = stablehlo.select %same3, %weights, %zeros : tensor<5x4xi1>, tensor<5x4xf32>
  %narrow = stablehlo.convert %some : (tensor<5x4xf32>) -> tensor<5x4xbf16>
  %halves = stablehlo.constant dense<[[0.5], [1.0], [1.5], [2.0]]> : tensor<4x1xbf16>
  %weighed = stablehlo.dot_general %narrow, %halves, contracting_dims = [1] x [0]
      : (tensor<5x4xbf16>, tensor<4x1xbf16>) -> tensor<5x1xf32>
  check.expect_eq_const %weighed, dense<[[4.0], [0.0], [4.0], [0.0], [48.0]]> : tensor<5x1xf32>
  return
}
