// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tpuc-opt %s --pass-pipeline='builtin.module(func.func(tpuc-fuse-kernels),tpuc-plan-kernels{target=v5e},tpuc-lower-kernels{target=v5e})' \
// RUN:   | FileCheck %s

// The squares are never stored. A row of 256 is two vregs, which are added up, and then their lanes. 32 rows are 4
// groups of 8. The second column tile lies 32 words behind the first.
// CHECK-LABEL: tpu.routine @k0 facts
// CHECK-SAME: kind = "loop"
// CHECK: scf.for %{{.*}} = %c0_i64 to %c4_i64
// CHECK: %[[A:.*]] = tpu.inst "v.ld"(%[[AT:.*]]) {stride = 1 : i64} region 0
// CHECK: "v.mul.f32"(%[[A]], %[[A]])
// CHECK: %[[B:.*]] = tpu.inst "v.ld"(%[[AT]]) {off = 32 : i64, stride = 1 : i64} region 0
// CHECK: "v.mul.f32"(%[[B]], %[[B]])
// CHECK: %[[SUM:.*]] = tpu.inst "v.add.f32"
// CHECK-NEXT: "x.sum.lane.f32"(%[[SUM]])
func.func @main(%x: tensor<32x256xf32>) -> tensor<32xf32> {
  %zero = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %0 = stablehlo.multiply %x, %x : tensor<32x256xf32>
  %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [1]
      : (tensor<32x256xf32>, tensor<f32>) -> tensor<32xf32>
  return %1 : tensor<32xf32>
}
