// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %python %S/../tools/Inputs/npy.py %t.x.npy "<f4" 4x33x150x3 0.7 -1.25 0.3 2 -0.1 1.9 -3.3
// RUN: %python %S/../tools/Inputs/npy.py %t.w.npy "<f4" 5x7x3x24 0.21 -0.35 1.1 0.9 -2.3 0.05 -0.6 1.7 -1.45 0.33 0.8
// RUN: %python %S/../tools/Inputs/npy.py %t.y.npy "<f4" 4x17x75x24 1.3 -0.2 0.75 -1.1 0.4
// RUN: tpuc run %s --input=%t.x.npy --input=%t.x.npy --input=%t.w.npy --input=%t.y.npy --matmul-precision=highest --check
// RUN: tpuc compile %s --stop-after=expand -o - | FileCheck %s

// Images of 3 features: of the first argument these are planes of 33 rows, with 150 positions along lanes, and the
// kernels turn them. The second is the same images behind a barrier, with features along lanes. A convolution and its
// weights' gradient come to the same sums of both, in the same order.
// CHECK: %arg0: tensor<4x3x33x150xf32> {tpuc.order = array<i64: 0, 3, 1, 2>}
// CHECK-SAME: %arg1: tensor<4x33x150x3xf32>
// CHECK: convolution({{.*}}dim_numbers = [b, f, 0, 1]x[0, 1, i, o]->[b, 0, 1, f]
// CHECK: convolution({{.*}}dim_numbers = [f, b, 0, 1]x[i, 0, 1, o]->[0, 1, b, f]
func.func @main(%x: tensor<4x33x150x3xf32>, %same: tensor<4x33x150x3xf32>, %w: tensor<5x7x3x24xf32>,
                %dy: tensor<4x17x75x24xf32>) {
  %apart = stablehlo.optimization_barrier %same : tensor<4x33x150x3xf32>
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
      window = {stride = [2, 2], pad = [[2, 2], [3, 3]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<4x33x150x3xf32>, tensor<5x7x3x24xf32>) -> tensor<4x17x75x24xf32>
  %1 = stablehlo.convolution(%apart, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
      window = {stride = [2, 2], pad = [[2, 2], [3, 3]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<4x33x150x3xf32>, tensor<5x7x3x24xf32>) -> tensor<4x17x75x24xf32>
  check.expect_eq %0, %1 : tensor<4x17x75x24xf32>
  %2 = stablehlo.convolution(%x, %dy) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f],
      window = {pad = [[2, 2], [3, 2]], rhs_dilate = [2, 2]}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<4x33x150x3xf32>, tensor<4x17x75x24xf32>) -> tensor<5x7x3x24xf32>
  %3 = stablehlo.convolution(%apart, %dy) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f],
      window = {pad = [[2, 2], [3, 2]], rhs_dilate = [2, 2]}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<4x33x150x3xf32>, tensor<4x17x75x24xf32>) -> tensor<5x7x3x24xf32>
  check.expect_eq %2, %3 : tensor<5x7x3x24xf32>
  return
}
