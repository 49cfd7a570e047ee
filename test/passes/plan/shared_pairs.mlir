// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tpuc-opt %s --tpuc-fuse-kernels --tpuc-plan-kernels=target=v5p | FileCheck %s
// Little moves, so that one step would do, and one core: but of all pairs of 2048 points each core takes half.
// CHECK-LABEL: @main
// CHECK: kernel.plan = #kernel.plan<grid [parallel d1 = 2048 by 1024
func.func @main(%x: tensor<3x2048xf32>) -> tensor<3x2048xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %x, dims = [0, 1] : (tensor<3x2048xf32>) -> tensor<3x2048x2048xf32>
  %1 = stablehlo.broadcast_in_dim %x, dims = [0, 2] : (tensor<3x2048xf32>) -> tensor<3x2048x2048xf32>
  %2 = stablehlo.subtract %0, %1 : tensor<3x2048x2048xf32>
  %3 = stablehlo.multiply %2, %2 : tensor<3x2048x2048xf32>
  %4 = stablehlo.reduce(%3 init: %zero) applies stablehlo.add across dimensions = [0]
      : (tensor<3x2048x2048xf32>, tensor<f32>) -> tensor<2048x2048xf32>
  %5 = stablehlo.rsqrt %4 : tensor<2048x2048xf32>
  %6 = stablehlo.broadcast_in_dim %5, dims = [1, 2] : (tensor<2048x2048xf32>) -> tensor<3x2048x2048xf32>
  %7 = stablehlo.multiply %2, %6 : tensor<3x2048x2048xf32>
  %8 = stablehlo.reduce(%7 init: %zero) applies stablehlo.add across dimensions = [2]
      : (tensor<3x2048x2048xf32>, tensor<f32>) -> tensor<3x2048xf32>
  return %8 : tensor<3x2048xf32>
}
