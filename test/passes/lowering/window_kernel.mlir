// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tpuc-opt %s --pass-pipeline='builtin.module(func.func(tpuc-fuse-kernels),tpuc-plan-kernels{target=v5e},tpuc-lower-kernels{target=v5e})' \
// RUN:   --split-input-file | FileCheck %s

// Nine positions: nine products of a shifted load, on the vector unit.
// CHECK-LABEL: tpu.routine @k0 facts
// CHECK-SAME: kind = "window"
// CHECK-NOT: mxu
// CHECK: "v.mul.f32"
// CHECK-COUNT-8: "v.fma.f32"
func.func @main(%x: tensor<1x8x8x128xf32>, %w: tensor<3x3x1x128xf32>) -> tensor<1x6x6x128xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1,
      1]} {batch_group_count = 1 : i64, feature_group_count = 128 : i64}
      : (tensor<1x8x8x128xf32>, tensor<3x3x1x128xf32>) -> tensor<1x6x6x128xf32>
  return %0 : tensor<1x6x6x128xf32>
}

// -----

// Every second position along sublanes: a load's stride. Nothing is padded, and the block has rows of 32-bit lanes: it
// is read where it lies, and only the results are stored.
// CHECK-LABEL: tpu.routine @k0 facts
// CHECK-SAME: kind = "window"
// CHECK-NOT: "v.st"
// CHECK: "v.ld"(%{{.*}}) {stride = 2 : i64} region 0
// CHECK: "v.max.f32"
func.func @main(%x: tensor<1x16x16x128xf32>) -> tensor<1x8x8x128xf32> {
  %init = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %init) <{window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1,
      2, 2, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<1x16x16x128xf32>, tensor<f32>) -> tensor<1x8x8x128xf32>
  return %0 : tensor<1x8x8x128xf32>
}

// -----

// The last window meets one position of padding: the block's 16th row is
// nobody's, the copy has what padding is.
// CHECK-LABEL: tpu.routine @k0 facts
// CHECK-SAME: kind = "window"
// CHECK: "v.st"
// CHECK: "v.ld"(%{{.*}}) {{{.*}}stride = 2
func.func @main(%x: tensor<1x16x15x128xf32>) -> tensor<1x8x8x128xf32> {
  %init = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %init) <{window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1,
      2, 2, 1>, padding = dense<[[0, 0], [0, 0], [0, 1], [0, 0]]> : tensor<4x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<1x16x15x128xf32>, tensor<f32>) -> tensor<1x8x8x128xf32>
  return %0 : tensor<1x8x8x128xf32>
}

// -----

// A padded copy of 10 rows of 18 positions. Before the grid its first and last row are filled, 3 stores each, the first
// position, and what lies between the positions of two rows: 2 words of a store's 8. The block overwrites the others.
// CHECK-LABEL: tpu.routine @k0 facts
// CHECK-SAME: kind = "window"
// CHECK: %[[FILL:.*]] = tpu.inst "v.li"() {imm = 4286578688 : i64}
// CHECK-COUNT-7: tpu.inst "v.st"(%[[FILL]], %c0_i64)
// CHECK: scf.for %{{.*}} = %c0_i64 to %c5_i64
// CHECK-COUNT-2: tpu.inst "v.st"(%[[FILL]]
// CHECK-NEXT: } {independent}
// CHECK: tpu.dma_start "hbm" @arg0
func.func @main(%x: tensor<1x8x16x128xf32>) -> tensor<1x8x16x128xf32> {
  %init = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %init) <{window_dimensions = array<i64: 1, 3, 3, 1>,
      padding = dense<[[0, 0], [1, 1], [1, 1], [0, 0]]> : tensor<4x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %m = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %m : tensor<f32>
  }) : (tensor<1x8x16x128xf32>, tensor<f32>) -> tensor<1x8x16x128xf32>
  return %0 : tensor<1x8x16x128xf32>
}
