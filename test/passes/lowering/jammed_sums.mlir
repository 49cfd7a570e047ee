// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tpuc-opt %s --pass-pipeline='builtin.module(func.func(tpuc-fuse-kernels),tpuc-plan-kernels{target=v5e},tpuc-lower-kernels{target=v5e})' \
// RUN:   | FileCheck %s

// Of 2 rows and a group of 8 columns: a turn loads a row's element of each, spread over sublanes, and 8 columns for
// both, and adds each product to its sum, rounded once.
// CHECK-LABEL: tpu.routine @k0 facts
// CHECK: scf.for {{.*}} iter_args(%[[S0:.*]] = {{.*}}, %[[S1:.*]] = {{.*}}) ->
// CHECK: %[[A0:.*]] = tpu.inst "v.ld"({{.*}}) region 0
// CHECK: %[[B:.*]] = tpu.inst "v.ld"({{.*}}) {off = 32 : i64, stride = 1 : i64} region 1
// CHECK: %[[N0:.*]] = tpu.inst "v.fma.f32"(%[[A0]], %[[B]], %[[S0]])
// CHECK: %[[A1:.*]] = tpu.inst "v.ld"({{.*}}) {off = 16 : i64} region 0
// CHECK: %[[N1:.*]] = tpu.inst "v.fma.f32"(%[[A1]], %[[B]], %[[S1]])
// CHECK: scf.yield %[[N0]], %[[N1]]
func.func @main(%a: tensor<2x16x128xf32>, %b: tensor<16x8x128xf32>) -> tensor<2x8x128xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %a, dims = [0, 1, 3] : (tensor<2x16x128xf32>) -> tensor<2x16x8x128xf32>
  %1 = stablehlo.broadcast_in_dim %b, dims = [1, 2, 3] : (tensor<16x8x128xf32>) -> tensor<2x16x8x128xf32>
  %2 = stablehlo.multiply %0, %1 : tensor<2x16x8x128xf32>
  %3 = stablehlo.reduce(%2 init: %z) applies stablehlo.add across dimensions = [1]
      : (tensor<2x16x8x128xf32>, tensor<f32>) -> tensor<2x8x128xf32>
  return %3 : tensor<2x8x128xf32>
}
