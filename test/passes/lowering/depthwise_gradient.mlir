// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tpuc-opt %s --pass-pipeline='builtin.module(func.func(tpuc-fuse-kernels),tpuc-plan-kernels{target=v5e},tpuc-lower-kernels{target=v5e})' \
// RUN:   | FileCheck %s

// The gradient of depthwise weights: a sum for each of the 9 taps. Of 16 positions, 2 groups of 8, 4 rows of x meet 2
// rows of dy: 2 * 4 * 3 loads for 2 * 2 * 9 products, and one for each row of dy. A loop walks these and carries the
// sums.
// CHECK-LABEL: tpu.routine @k0 facts
// CHECK-SAME: kind = "conv"
// CHECK: scf.for
// CHECK-COUNT-36: "v.fma.f32"
// CHECK-NOT: "v.fma.f32"
// CHECK: "x.{{.*}}sub
func.func @main(%x: tensor<2x10x18x128xbf16>, %dy: tensor<2x10x16x128xbf16>) -> tensor<3x3x1x128xf32> {
  %0 = stablehlo.convolution(%x, %dy) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f],
      window = {pad = [[1, 1], [0, 0]]} {batch_group_count = 128 : i64, feature_group_count = 1 : i64}
      : (tensor<2x10x18x128xbf16>, tensor<2x10x16x128xbf16>) -> tensor<3x3x1x128xf32>
  return %0 : tensor<3x3x1x128xf32>
}
