// Taps of turned images on arrays of 256 rows: k of 48 is one tile of 128 lanes, and no tile of zeros is made beside.
// RUN: tpuc-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(tpuc-fuse-kernels),tpuc-plan-kernels{target=v6e},tpuc-lower-kernels{target=v6e})' \
// RUN:   | FileCheck %s

// CHECK-COUNT-6: "x.tr.push"(%{{.*}}) {{.*}}: (!tpu.vreg)
// Four images of 32 positions are 16 vregs.
// CHECK-COUNT-16: "x.tr.pop"
// CHECK-NOT: "x.tr.pop"
// CHECK: "x.tr.push"
// CHECK: "mxu.push.bf16"
func.func @main(%x: tensor<8x3x32x32xf32>, %w: tensor<3x3x3x32xf32>) -> tensor<8x32x32x32xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, f, 0, 1]x[0, 1, i, o]->[b, 0, 1, f], window = {
      pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<8x3x32x32xf32>, tensor<3x3x3x32xf32>) -> tensor<8x32x32x32xf32>
  return %0 : tensor<8x32x32x32xf32>
}

// -----

// 147 taps of three dims: a row's seven are four groups of two, and 21 rows of taps 84 vregs, in six turns of 16.
// CHECK-COUNT-96: "x.tr.push"
// CHECK-NOT: "x.tr.push"
// CHECK: "mxu.push.bf16"
func.func @main(%x: tensor<2x6x16x3x32xf32>, %w: tensor<3x7x7x3x32xf32>) -> tensor<2x4x16x32x32xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f, 2]x[0, 1, 2, i, o]->[b, 0, 1, 2, f], window = {
      pad = [[0, 0], [3, 3], [3, 3]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<2x6x16x3x32xf32>, tensor<3x7x7x3x32xf32>) -> tensor<2x4x16x32x32xf32>
  return %0 : tensor<2x4x16x32x32xf32>
}
