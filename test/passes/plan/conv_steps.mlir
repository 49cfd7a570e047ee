// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tpuc compile %s --target=v5e --stop-after=plan -o - | FileCheck %s

// Eight images in one step would leave nothing to do while they come: four come beside the work on the others.
// CHECK: kernel.fusion "conv"
// CHECK-SAME: parallel d0 = 8 by 4,
func.func @main(%x: tensor<8x32x32x3xf32>, %w: tensor<3x3x3x32xf32>) -> tensor<8x32x32x32xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
      window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<8x32x32x3xf32>, tensor<3x3x3x32xf32>) -> tensor<8x32x32x32xf32>
  return %0 : tensor<8x32x32x32xf32>
}
