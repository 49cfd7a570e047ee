// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tpuc-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(tpuc-fuse-kernels),tpuc-plan-kernels{target=v5e},tpuc-lower-kernels{target=v5e})' \
// RUN:   | FileCheck %s
// Sums along lanes whose last tile is not full.

// 1290 columns are ten tiles and ten columns. Four sums take turns over eight tiles, two tiles are left, and the last
// one is masked; three additions join the sums.
// CHECK-LABEL: tpu.routine @k0
// CHECK: scf.for %{{.*}} = %c0_i64 to %c8_i64 step %c4_i64 iter_args({{.*}}) -> (!tpu.vreg, !tpu.vreg, !tpu.vreg, !tpu.vreg)
// CHECK-COUNT-4: "v.add.f32"
// CHECK: scf.yield
// CHECK-COUNT-2: "v.add.f32"
// CHECK: "v.sel"
// CHECK-COUNT-4: "v.add.f32"
// CHECK: "x.sum.lane.f32"
func.func @main(%x: tensor<64x1290xf32>) -> tensor<64xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1]
      : (tensor<64x1290xf32>, tensor<f32>) -> tensor<64xf32>
  return %0 : tensor<64xf32>
}

// -----

// 1000 columns are seven tiles and a masked one: eight have four sums too, two of each, which three additions join.
// CHECK-LABEL: tpu.routine @k0
// CHECK-COUNT-7: "v.add.f32"
// CHECK: "v.sel"
// CHECK-COUNT-4: "v.add.f32"
// CHECK-NOT: "v.add.f32"
// CHECK: "v.st"
func.func @main(%x: tensor<8x1000xf32>) -> tensor<8xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1]
      : (tensor<8x1000xf32>, tensor<f32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
