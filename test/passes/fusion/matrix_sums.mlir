// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tpuc-opt %s --tpuc-fuse-kernels --split-input-file | FileCheck %s
// 24 x 24 products and sums with the batch along lanes are a matmul on the vector unit: each factor meets 24 others.
// What makes a factor would be made 24 times: it is an array. What is computed with the sums is part of the kernel.
// CHECK-LABEL: @factors
// CHECK: %[[TANH:.*]] = kernel.fusion "loop"(%arg0
// CHECK: stablehlo.tanh
// CHECK: kernel.fusion "loop"
// CHECK-SAME: %[[TANH]]
// CHECK: stablehlo.reduce
// CHECK: stablehlo.exponential
// CHECK-NOT: kernel.fusion
func.func @factors(%a: tensor<24x24x1024xf32>, %b: tensor<24x24x1024xf32>) -> tensor<24x24x1024xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.tanh %a : tensor<24x24x1024xf32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1, 3] : (tensor<24x24x1024xf32>) -> tensor<24x24x24x1024xf32>
  %2 = stablehlo.broadcast_in_dim %b, dims = [0, 2, 3] : (tensor<24x24x1024xf32>) -> tensor<24x24x24x1024xf32>
  %3 = stablehlo.multiply %1, %2 : tensor<24x24x24x1024xf32>
  %4 = stablehlo.reduce(%3 init: %zero) applies stablehlo.add across dimensions = [0]
      : (tensor<24x24x24x1024xf32>, tensor<f32>) -> tensor<24x24x1024xf32>
  %5 = stablehlo.exponential %4 : tensor<24x24x1024xf32>
  return %5 : tensor<24x24x1024xf32>
}

// -----

// A reduction of the sums is a kernel of its own: several sums are made together only where they are alone.
// CHECK-LABEL: @two
// CHECK: kernel.fusion "loop"(%arg0, %arg1
// CHECK: stablehlo.reduce
// CHECK-NOT: stablehlo.reduce
// CHECK: kernel.fusion "loop"
// CHECK: applies stablehlo.maximum
func.func @two(%a: tensor<24x24x1024xf32>, %b: tensor<24x24x1024xf32>) -> tensor<24x1024xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %1 = stablehlo.broadcast_in_dim %a, dims = [0, 1, 3] : (tensor<24x24x1024xf32>) -> tensor<24x24x24x1024xf32>
  %2 = stablehlo.broadcast_in_dim %b, dims = [0, 2, 3] : (tensor<24x24x1024xf32>) -> tensor<24x24x24x1024xf32>
  %3 = stablehlo.multiply %1, %2 : tensor<24x24x24x1024xf32>
  %4 = stablehlo.reduce(%3 init: %zero) applies stablehlo.add across dimensions = [0]
      : (tensor<24x24x24x1024xf32>, tensor<f32>) -> tensor<24x24x1024xf32>
  %5 = stablehlo.reduce(%4 init: %zero) applies stablehlo.maximum across dimensions = [0]
      : (tensor<24x24x1024xf32>, tensor<f32>) -> tensor<24x1024xf32>
  return %5 : tensor<24x1024xf32>
}
