// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tpuc-opt %s --tpuc-fuse-kernels --split-input-file | FileCheck %s
// Distances of all pairs of points: one kernel reads the points twice, the second time as a view.
// CHECK-LABEL: @pairs
// CHECK: %[[VIEW:.*]] = kernel.view %arg0 : tensor<512x3xf32> -> tensor<512x3xf32>
// CHECK: kernel.fusion "loop"
// CHECK-SAME: tensor<512x3xf32>, tensor<512x3xf32>) -> tensor<512x512xf32>
// CHECK-NOT: kernel.fusion
func.func @pairs(%x: tensor<512x3xf32>) -> tensor<512x512xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %x, dims = [0, 2] : (tensor<512x3xf32>) -> tensor<512x512x3xf32>
  %1 = stablehlo.broadcast_in_dim %x, dims = [1, 2] : (tensor<512x3xf32>) -> tensor<512x512x3xf32>
  %2 = stablehlo.subtract %0, %1 : tensor<512x512x3xf32>
  %3 = stablehlo.multiply %2, %2 : tensor<512x512x3xf32>
  %4 = stablehlo.reduce(%3 init: %zero) applies stablehlo.add across dimensions = [2]
      : (tensor<512x512x3xf32>, tensor<f32>) -> tensor<512x512xf32>
  return %4 : tensor<512x512xf32>
}

// -----

// What is computed first is an array, and that is read twice: not what it is computed from. The same places twice are
// one read.
// CHECK-LABEL: @computed
// CHECK: %[[EXP:.*]] = kernel.fusion "loop"(%arg0 : tensor<300xf32>) -> tensor<300xf32>
// CHECK: %[[VIEW:.*]] = kernel.view %[[EXP]] : tensor<300xf32> -> tensor<300xf32>
// CHECK-NOT: kernel.view
// CHECK: kernel.fusion "loop"
// CHECK-SAME: (%[[EXP]], %[[VIEW]] : tensor<300xf32>, tensor<300xf32>) -> tensor<300x300xf32>
// CHECK-NOT: kernel.view
func.func @computed(%x: tensor<300xf32>) -> (tensor<300x300xf32>, tensor<300xf32>) {
  %0 = stablehlo.exponential %x : tensor<300xf32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<300xf32>) -> tensor<300x300xf32>
  %2 = stablehlo.broadcast_in_dim %0, dims = [1] : (tensor<300xf32>) -> tensor<300x300xf32>
  %3 = stablehlo.add %1, %2 : tensor<300x300xf32>
  %4 = stablehlo.multiply %3, %2 : tensor<300x300xf32>
  %5 = stablehlo.multiply %x, %0 : tensor<300xf32>
  return %4, %5 : tensor<300x300xf32>, tensor<300xf32>
}
