// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tpuc-opt %s --pass-pipeline='builtin.module(func.func(tpuc-fuse-kernels),tpuc-plan-kernels{target=v5e},tpuc-lower-kernels{target=v5e})' \
// RUN:   --split-input-file | FileCheck %s

// Of 32 by 32 results each meets 4 of 16 taps: a tap takes every second row of an image, and of that every second
// position, as a load with a stride has them. Popped rows of the two phases are put side by side by such stores.
// CHECK-LABEL: tpu.routine @k0 facts
// CHECK: "mxu.swap"
// CHECK: tpu.inst "v.ld"({{.*}}stride = 2 : i64} region 1000
// CHECK: "mxu.push.bf16"
// CHECK: "mxu.pop"
// CHECK: tpu.inst "v.st"({{.*}}stride = 2 : i64} region 1004
// CHECK: tpu.inst "v.ld"({{.*}}stride = 1 : i64} region 1004
// CHECK: "v.pack.bf16"
func.func @main(%x: tensor<1x16x16x128xbf16>, %w: tensor<4x4x128x128xbf16>) -> tensor<1x32x32x128xbf16> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {
      pad = [[2, 2], [2, 2]], lhs_dilate = [2, 2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<1x16x16x128xbf16>, tensor<4x4x128x128xbf16>) -> tensor<1x32x32x128xbf16>
  return %0 : tensor<1x32x32x128xbf16>
}

// -----

// Of 16 positions a phase would be as many units of rows: only the rows of an image are in phases.
// CHECK-LABEL: tpu.routine @k0 facts
// CHECK: "mxu.swap"
// CHECK: tpu.inst "v.ld"({{.*}}stride = 1 : i64} region 1000
// CHECK: "mxu.push.bf16"
// CHECK-NOT: region 1004
// CHECK: tpu.return
func.func @main(%x: tensor<1x8x8x128xbf16>, %w: tensor<4x4x128x128xbf16>) -> tensor<1x16x16x128xbf16> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {
      pad = [[2, 2], [2, 2]], lhs_dilate = [2, 2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<1x8x8x128xbf16>, tensor<4x4x128x128xbf16>) -> tensor<1x16x16x128xbf16>
  return %0 : tensor<1x16x16x128xbf16>
}
