// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tpuc-opt %s --tpuc-fuse-kernels | FileCheck %s

// What a window's kernel reads it reads as an array. Its source is reshaped in a kernel of its own, although the
// window's epilogue would have the same reshape.
// CHECK-LABEL: @main
// CHECK: kernel.fusion "window"({{.*}}tensor<4x1x1x2xf32>, tensor<4x1x1x2xf32>
// CHECK-NEXT: ^bb0(%[[X:[a-z0-9]*]]: tensor<4x1x1x2xf32>, %[[S:[a-z0-9]*]]: tensor<4x1x1x2xf32>
// CHECK: select_and_scatter"(%[[X]], %[[S]]
func.func @main(%x: tensor<4x1x1x2xf32>, %s: tensor<4x2xf32>) -> tensor<4x1x1x2xf32> {
  %three = stablehlo.constant dense<3.0> : tensor<f32>
  %source = stablehlo.reshape %s : (tensor<4x2xf32>) -> tensor<4x1x1x2xf32>
  %0 = "stablehlo.select_and_scatter"(%x, %source, %three) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) {window_dimensions = array<i64: 1, 1, 1, 1>, window_strides = array<i64: 1, 2, 2, 1>,
      padding = dense<0> : tensor<4x2xi64>}
      : (tensor<4x1x1x2xf32>, tensor<4x1x1x2xf32>, tensor<f32>) -> tensor<4x1x1x2xf32>
  %1 = stablehlo.add %0, %source : tensor<4x1x1x2xf32>
  return %1 : tensor<4x1x1x2xf32>
}
