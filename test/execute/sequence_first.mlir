// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attention over arrays with their sequence first, as einsums trace it: the values times the probabilities, and a
// transpose. The same with the batch first.
// RUN: tpuc run %s --random=1 --check --matmul-precision=highest
// RUN: tpuc run %s --random=1 --check --matmul-precision=highest --target=v4
// RUN: tpuc run %s --random=1 --check --matmul-precision=highest --target=v6e
func.func @main(%q: tensor<136x3x64xf32>, %k: tensor<40x3x64xf32>, %v: tensor<40x3x64xf32>) -> tensor<136x3x64xf32> {
  %0 = stablehlo.dot_general %q, %k, batching_dims = [1] x [1], contracting_dims = [2] x [2]
      : (tensor<136x3x64xf32>, tensor<40x3x64xf32>) -> tensor<3x136x40xf32>
  %1 = stablehlo.exponential %0 : tensor<3x136x40xf32>
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %2 = stablehlo.reduce(%1 init: %z) applies stablehlo.add across dimensions = [2]
      : (tensor<3x136x40xf32>, tensor<f32>) -> tensor<3x136xf32>
  %3 = stablehlo.broadcast_in_dim %2, dims = [0, 1] : (tensor<3x136xf32>) -> tensor<3x136x40xf32>
  %p = stablehlo.divide %1, %3 : tensor<3x136x40xf32>
  %4 = stablehlo.dot_general %v, %p, batching_dims = [1] x [0], contracting_dims = [0] x [2]
      : (tensor<40x3x64xf32>, tensor<3x136x40xf32>) -> tensor<3x64x136xf32>
  %5 = stablehlo.transpose %4, dims = [2, 0, 1] : (tensor<3x64x136xf32>) -> tensor<136x3x64xf32>
  %w = stablehlo.transpose %v, dims = [1, 0, 2] : (tensor<40x3x64xf32>) -> tensor<3x40x64xf32>
  %6 = stablehlo.dot_general %p, %w, batching_dims = [0] x [0], contracting_dims = [2] x [1]
      : (tensor<3x136x40xf32>, tensor<3x40x64xf32>) -> tensor<3x136x64xf32>
  %7 = stablehlo.transpose %6, dims = [1, 0, 2] : (tensor<3x136x64xf32>) -> tensor<136x3x64xf32>
  check.expect_close %5, %7, max_ulp_difference = 64 : tensor<136x3x64xf32>, tensor<136x3x64xf32>
  return %5 : tensor<136x3x64xf32>
}
