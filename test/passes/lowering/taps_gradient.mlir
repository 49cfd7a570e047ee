// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tpuc-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(tpuc-fuse-kernels),tpuc-plan-kernels{target=v5e},tpuc-lower-kernels{target=v5e})' \
// RUN:   | FileCheck %s

// The gradient of its weights: the taps of two images' rows of 48 results are rows to push, 28 vregs of which two are
// one of bf16, and dy's 96 positions are weights, 6 vregs. Four arrays take a row of results each, and their sums are
// added. Nothing goes through the transpose buffer.
// CHECK-LABEL: tpu.routine @k0 facts
// CHECK-SAME: kind = "conv"
// CHECK-NOT: "x.tr.
// CHECK: "x.perm.lane"
// CHECK-NOT: "x.tr.
// CHECK: "mxu.ldw.bf16"(%{{.*}}) {row = 5
// CHECK-NOT: row = 6
// CHECK: "mxu.swap"(){{.*}} {mxu = 3
// CHECK-COUNT-56: "mxu.push.bf16"
// CHECK-NEXT: scf.yield
// CHECK-COUNT-4: "mxu.pop"
// CHECK: "v.add.f32"
// CHECK-NOT: "x.tr.
// CHECK: tpu.return
func.func @main(%x: tensor<8x3x96x96xbf16>, %dy: tensor<8x48x48x64xbf16>) -> tensor<7x7x3x64xf32> {
  %0 = stablehlo.convolution(%x, %dy) dim_numbers = [f, b, 0, 1]x[i, 0, 1, o]->[0, 1, b, f], window = {
      pad = [[3, 2], [3, 2]], rhs_dilate = [2, 2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<8x3x96x96xbf16>, tensor<8x48x48x64xbf16>) -> tensor<7x7x3x64xf32>
  return %0 : tensor<7x7x3x64xf32>
}

// -----

// 245 taps of three dims, 35 rows of seven in four groups of two: 140 vregs, which too are rows to push as they lie.
// CHECK-LABEL: tpu.routine @k0 facts
// CHECK-SAME: kind = "conv"
// CHECK-NOT: "x.tr.
// CHECK: "x.perm.lane"
// CHECK-NOT: "x.tr.
// CHECK: tpu.return
func.func @main(%x: tensor<2x8x48x3x96xbf16>, %dy: tensor<2x4x24x48x64xbf16>) -> tensor<5x7x7x3x64xf32> {
  %0 = stablehlo.convolution(%x, %dy) dim_numbers = [f, 0, 1, b, 2]x[i, 0, 1, 2, o]->[0, 1, 2, b, f], window = {
      pad = [[0, 0], [3, 2], [3, 2]], rhs_dilate = [1, 2, 2]} {batch_group_count = 1 : i64,
      feature_group_count = 1 : i64} : (tensor<2x8x48x3x96xbf16>, tensor<2x4x24x48x64xbf16>) -> tensor<5x7x7x3x64xf32>
  return %0 : tensor<5x7x7x3x64xf32>
}
