// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tpuc-opt %s --pass-pipeline='builtin.module(func.func(tpuc-fuse-kernels),tpuc-plan-kernels{target=v5e})' \
// RUN:   --split-input-file | FileCheck %s

// Rows by turns meet other taps: a block holds whole pairs, 64 rows for 57, and four arrays take eight pairs each.
// CHECK: kernel.fusion "conv"
// CHECK-SAME: parallel d1 = 57 by 64
// CHECK-SAME: arrays = [1, 4, 1]
func.func @main(%x: tensor<2x29x29x128xbf16>, %w: tensor<3x3x128x128xbf16>) -> tensor<2x57x57x128xbf16> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {
      pad = [[1, 1], [1, 1]], lhs_dilate = [2, 2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<2x29x29x128xbf16>, tensor<3x3x128x128xbf16>) -> tensor<2x57x57x128xbf16>
  return %0 : tensor<2x57x57x128xbf16>
}

// -----

// With a stride too, results lie apart as the elements do: all meet the same taps. Four arrays take eight rows each.
// CHECK: kernel.fusion "conv"
// CHECK-SAME: parallel d1 = 29 by 32
// CHECK-SAME: arrays = [1, 4, 1]
func.func @main(%x: tensor<2x29x29x128xbf16>, %w: tensor<3x3x128x128xbf16>) -> tensor<2x29x29x128xbf16> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2],
      pad = [[1, 1], [1, 1]], lhs_dilate = [2, 2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<2x29x29x128xbf16>, tensor<3x3x128x128xbf16>) -> tensor<2x29x29x128xbf16>
  return %0 : tensor<2x29x29x128xbf16>
}
