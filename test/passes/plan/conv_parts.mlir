// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tpuc-opt %s --tpuc-plan-kernels=target=v5p --tpuc-verify-plan --split-input-file | FileCheck %s

// All 1344 x 768 weights leave room for one or two rows of an image, for which every tile of weights would enter the
// arrays again. With a third of the columns there is room for four images.
// CHECK: kernel.fusion "conv"
// CHECK-SAME: grid [parallel d4 = 768 by 256, parallel d0 = 8 by 4, parallel d1 = 8 by 8, sequential d2 = 1344 by 1344,
func.func @main(%x: tensor<8x8x8x1344xbf16>, %w: tensor<3x3x1344x768xbf16>) -> tensor<8x8x8x768xbf16> {
  %0 = kernel.fusion "conv"(%x, %w : tensor<8x8x8x1344xbf16>, tensor<3x3x1344x768xbf16>) -> tensor<8x8x8x768xbf16> {
  ^bb0(%a: tensor<8x8x8x1344xbf16>, %b: tensor<3x3x1344x768xbf16>):
    %1 = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
        window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
        : (tensor<8x8x8x1344xbf16>, tensor<3x3x1344x768xbf16>) -> tensor<8x8x8x768xbf16>
    kernel.yield %1 : tensor<8x8x8x768xbf16>
  }
  return %0 : tensor<8x8x8x768xbf16>
}

// -----

// Few positions wait for their weights, which come in parts of both features while the arrays work on others.
// CHECK: kernel.fusion "conv"
// CHECK-SAME: parallel d4 = 1280 by 512, sequential d2 = 2560 by 512,
func.func @main(%x: tensor<2x8x8x2560xbf16>, %w: tensor<3x3x2560x1280xbf16>) -> tensor<2x8x8x1280xbf16> {
  %0 = kernel.fusion "conv"(%x, %w : tensor<2x8x8x2560xbf16>, tensor<3x3x2560x1280xbf16>) -> tensor<2x8x8x1280xbf16> {
  ^bb0(%a: tensor<2x8x8x2560xbf16>, %b: tensor<3x3x2560x1280xbf16>):
    %1 = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
        window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
        : (tensor<2x8x8x2560xbf16>, tensor<3x3x2560x1280xbf16>) -> tensor<2x8x8x1280xbf16>
    kernel.yield %1 : tensor<2x8x8x1280xbf16>
  }
  return %0 : tensor<2x8x8x1280xbf16>
}

// -----

// The array that is added has its images along sublanes, all of them in a block: blocks of single images would bring
// each of its words 64 times. Blocks have all images, and rows of them are cut.
// CHECK: kernel.fusion "conv"
// CHECK-SAME: parallel d0 = 64 by 64, parallel d1 = 28 by
func.func @main(%x: tensor<64x56x56x256xbf16>, %w: tensor<1x1x256x512xbf16>, %y: tensor<28x28x64x512xf32>)
    -> tensor<64x28x28x512xbf16> {
  %0 = kernel.fusion "conv"(%x, %w, %y : tensor<64x56x56x256xbf16>, tensor<1x1x256x512xbf16>,
                            tensor<28x28x64x512xf32>) -> tensor<64x28x28x512xbf16> {
  ^bb0(%a: tensor<64x56x56x256xbf16>, %b: tensor<1x1x256x512xbf16>, %c: tensor<28x28x64x512xf32>):
    %1 = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
        window = {stride = [2, 2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
        : (tensor<64x56x56x256xbf16>, tensor<1x1x256x512xbf16>) -> tensor<64x28x28x512xbf16>
    %2 = stablehlo.transpose %c, dims = [2, 0, 1, 3] : (tensor<28x28x64x512xf32>) -> tensor<64x28x28x512xf32>
    %3 = stablehlo.convert %2 : (tensor<64x28x28x512xf32>) -> tensor<64x28x28x512xbf16>
    %4 = stablehlo.add %1, %3 : tensor<64x28x28x512xbf16>
    kernel.yield %4 : tensor<64x28x28x512xbf16>
  }
  return %0 : tensor<64x28x28x512xbf16>
}
