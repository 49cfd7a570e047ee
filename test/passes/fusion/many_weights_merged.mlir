// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tpuc-opt %s \
// RUN:   --pass-pipeline='builtin.module(func.func(tpuc-fuse-kernels{target=v5e},tpuc-merge-kernels{target=v5e}))' \
// RUN:   | FileCheck %s

// Work on a depthwise window's result that two values need: 25 weights leave registers for it, 49 of 64 do not.
// CHECK: kernel.fusion "window"
// CHECK: stablehlo.multiply
// CHECK: kernel.yield
// CHECK: %[[MANY:.*]] = kernel.fusion "window"
// CHECK-NOT: stablehlo.add
// CHECK: kernel.yield
// CHECK: kernel.fusion "loop"({{.*}}%[[MANY]]
// CHECK: stablehlo.add
// CHECK: stablehlo.multiply
func.func @main(%x: tensor<8x16x16x128xbf16>, %v: tensor<5x5x1x128xbf16>, %w: tensor<7x7x1x128xbf16>,
    %y: tensor<8x16x16x128xbf16>, %z: tensor<8x16x16x128xbf16>)
    -> (tensor<8x16x16x128xbf16>, tensor<8x16x16x128xbf16>, tensor<8x16x16x128xbf16>, tensor<8x16x16x128xbf16>) {
  %0 = stablehlo.convolution(%x, %v) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
      window = {pad = [[2, 2], [2, 2]]} {batch_group_count = 1 : i64, feature_group_count = 128 : i64}
      : (tensor<8x16x16x128xbf16>, tensor<5x5x1x128xbf16>) -> tensor<8x16x16x128xbf16>
  %1 = stablehlo.add %0, %y : tensor<8x16x16x128xbf16>
  %2 = stablehlo.multiply %1, %z : tensor<8x16x16x128xbf16>
  %3 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
      window = {pad = [[3, 3], [3, 3]]} {batch_group_count = 1 : i64, feature_group_count = 128 : i64}
      : (tensor<8x16x16x128xbf16>, tensor<7x7x1x128xbf16>) -> tensor<8x16x16x128xbf16>
  %4 = stablehlo.add %3, %y : tensor<8x16x16x128xbf16>
  %5 = stablehlo.multiply %4, %z : tensor<8x16x16x128xbf16>
  return %1, %2, %4, %5 : tensor<8x16x16x128xbf16>, tensor<8x16x16x128xbf16>, tensor<8x16x16x128xbf16>,
      tensor<8x16x16x128xbf16>
}
