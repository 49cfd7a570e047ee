// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tpuc-opt %s --pass-pipeline='builtin.module(func.func(tpuc-fuse-kernels),tpuc-plan-kernels{target=v5e},tpuc-lower-kernels{target=v5e})' \
// RUN:   | FileCheck %s

// dy is transposed on the cross-lane unit, the sums once more.
// CHECK-LABEL: tpu.routine @k0 facts
// CHECK-SAME: kind = "conv"
// CHECK: "x.tr.push"
// CHECK: "x.tr.pop"
// CHECK: "mxu.push.f32"
// CHECK: "mxu.pop"
// CHECK: "x.tr.push"
func.func @main(%x: tensor<2x14x14x64xf32>, %dy: tensor<2x14x14x32xf32>) -> tensor<3x3x64x32xf32> {
  %0 = stablehlo.convolution(%x, %dy) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1],
      pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64,
      precision_config = [#stablehlo<precision HIGHEST>, #stablehlo<precision HIGHEST>]}
      : (tensor<2x14x14x64xf32>, tensor<2x14x14x32xf32>) -> tensor<3x3x64x32xf32>
  return %0 : tensor<3x3x64x32xf32>
}
