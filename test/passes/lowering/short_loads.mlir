// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tpuc-opt %s --pass-pipeline='builtin.module(func.func(tpuc-fuse-kernels),tpuc-plan-kernels{target=v5e},tpuc-lower-kernels{target=v5e})' \
// RUN:   --split-input-file | FileCheck %s

// Of rows of 16 features the copy has 16 lanes; three positions side by side are 48, and zeros behind them to push.
// CHECK-LABEL: tpu.routine @k0 facts
// CHECK: "v.st"({{.*}}) {lanes = 16 : i64, off = 528 : i64, stride = 1 : i64} region 1000
// CHECK: %[[ROW:.*]] = tpu.inst "v.ld"({{.*}}) {lanes = 16 : i64, stride = 1 : i64} region 0
// CHECK-NEXT: "v.st"(%[[ROW]], {{.*}}) {lanes = 16 : i64, off = 539 : i64, stride = 1 : i64} region 1000
// CHECK: "v.ld"({{.*}}) {lanes = 16 : i64, off = 528 : i64, stride = 1 : i64} region 1000
// CHECK: %[[NEXT:.*]] = tpu.inst "v.ld"({{.*}}) {lanes = 16 : i64, off = 529 : i64, stride = 1 : i64} region 1000
// CHECK: "x.rot.lane"(%[[NEXT]]) {imm = 16 : i64}
// CHECK: "v.st"({{.*}}) {lanes = 48 : i64, off = 800 : i64, stride = 1 : i64} region 1001
// CHECK: "v.ld"({{.*}}) {lanes = 48 : i64, stride = 1 : i64} region 1001
// CHECK: "mxu.push.bf16"
func.func @main(%x: tensor<2x8x8x16xf32>, %w: tensor<3x3x16x32xf32>) -> tensor<2x8x8x32xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
    window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
    : (tensor<2x8x8x16xf32>, tensor<3x3x16x32xf32>) -> tensor<2x8x8x32xf32>
  return %0 : tensor<2x8x8x32xf32>
}

// -----

// More features than a tile has lanes: the last tile's rest are zeros in the copy.
// CHECK-LABEL: tpu.routine @k0 facts
// CHECK: %[[V:.*]] = tpu.inst "v.sel"
// CHECK: "v.st"(%[[V]], {{.*}}) {off = {{[0-9]+}} : i64, stride = 1 : i64} region 1000
func.func @main(%x: tensor<2x8x8x160xf32>, %w: tensor<3x3x160x32xf32>) -> tensor<2x8x8x32xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
    window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
    : (tensor<2x8x8x160xf32>, tensor<3x3x160x32xf32>) -> tensor<2x8x8x32xf32>
  return %0 : tensor<2x8x8x32xf32>
}

// -----

// Sums of 32 features: of their scratch too, nobody needs the other lanes.
// CHECK-LABEL: tpu.routine @k0 facts
// CHECK: "v.st"({{.*}}) {lanes = 32 : i64, off = 128 : i64, stride = 1 : i64} region 2
// CHECK: "x.sum.sub.f32"
// CHECK: "v.st"({{.*}}) {lanes = 32 : i64, off = 128 : i64, stride = 1 : i64} region 2
func.func @main(%x: tensor<4x14x32xf32>) -> tensor<4x14x32xf32> {
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.reduce(%x init: %c) applies stablehlo.add across dimensions = [0, 1]
    : (tensor<4x14x32xf32>, tensor<f32>) -> tensor<32xf32>
  %b = stablehlo.broadcast_in_dim %s, dims = [2] : (tensor<32xf32>) -> tensor<4x14x32xf32>
  %0 = stablehlo.subtract %x, %b : tensor<4x14x32xf32>
  return %0 : tensor<4x14x32xf32>
}
