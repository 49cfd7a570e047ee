// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tpuc-opt %s --pass-pipeline='builtin.module(func.func(tpuc-fuse-kernels),tpuc-plan-kernels{target=v5e},tpuc-lower-kernels{target=v5e})' \
// RUN:   | FileCheck %s

// What each window selects, then every element's sum over the windows that have it: no scatter. A row of 8 elements is
// under windows at 2 of the 4 positions: 8 * 2 numbers are compared.
// CHECK-LABEL: tpu.routine @k0 facts
// CHECK-SAME: kind = "window"
// CHECK: "v.le.f32"
// CHECK-COUNT-16: "v.eq.i32"
// CHECK-NOT: "v.eq.i32"
func.func @main(%x: tensor<1x8x8x128xf32>, %v: tensor<1x4x4x128xf32>) -> tensor<1x8x8x128xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.select_and_scatter"(%x, %v, %zero) <{window_dimensions = array<i64: 1, 2, 2, 1>,
      window_strides = array<i64: 1, 2, 2, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<1x8x8x128xf32>, tensor<1x4x4x128xf32>, tensor<f32>) -> tensor<1x8x8x128xf32>
  return %0 : tensor<1x8x8x128xf32>
}
