// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tpuc-opt %s --tpuc-plan-kernels --split-input-file | FileCheck %s
// RUN: tpuc-opt %s --tpuc-plan-kernels=target=v5p --split-input-file | FileCheck %s --check-prefix=TWO

// Blocks become shorter by what leaves no shorter one at a dim's end: 14 by 7, then by 2 and by 1, as no columns are
// cut for the sake of 16 steps.
// CHECK: kernel.plan<grid [parallel d0 = 14 by 1, parallel d1 = 14 by 7, parallel d2 = 32 by 32, parallel d3 = 960 by 960]
// TWO: kernel.plan<grid [parallel d0 = 14 by 1, parallel d1 = 14 by 7, parallel d2 = 32 by 32, parallel d3 = 960 by 960]
func.func @main(%x: tensor<14x14x32x960xbf16>) -> tensor<14x14x32x960xbf16> {
  %0 = kernel.fusion "loop"(%x : tensor<14x14x32x960xbf16>) -> tensor<14x14x32x960xbf16> {
  ^bb0(%a: tensor<14x14x32x960xbf16>):
    %1 = stablehlo.negate %a : tensor<14x14x32x960xbf16>
    kernel.yield %1 : tensor<14x14x32x960xbf16>
  }
  return %0 : tensor<14x14x32x960xbf16>
}

// -----

// A window of three rows: two blocks of 7 rows bring 16 with those around them, seven blocks of 2 rows 28. Halves of
// the features, summed in turn, make four steps of them. Two cores have as much each.
// CHECK: kernel.plan<grid [{{.*}}parallel d1 = 14 by 7, parallel d2 = 14 by 14, sequential d3 = 256 by 128
// TWO: kernel.plan<grid [{{.*}}parallel d1 = 14 by 7, parallel d2 = 14 by 14, sequential d3 = 256 by 128
func.func @main(%x: tensor<1x14x14x64x256xbf16>, %w: tensor<3x3x1x256x256xbf16>) -> tensor<1x14x14x64x256xbf16> {
  %0 = kernel.fusion "conv"(%x, %w : tensor<1x14x14x64x256xbf16>, tensor<3x3x1x256x256xbf16>)
      -> tensor<1x14x14x64x256xbf16> {
  ^bb0(%a: tensor<1x14x14x64x256xbf16>, %b: tensor<3x3x1x256x256xbf16>):
    %1 = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, 1, 2, f]x[0, 1, 2, i, o]->[b, 0, 1, 2, f],
        window = {pad = [[1, 1], [1, 1], [0, 0]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
        : (tensor<1x14x14x64x256xbf16>, tensor<3x3x1x256x256xbf16>) -> tensor<1x14x14x64x256xbf16>
    kernel.yield %1 : tensor<1x14x14x64x256xbf16>
  }
  return %0 : tensor<1x14x14x64x256xbf16>
}

// -----

// Of 5 by 3 every shorter block but single positions leaves a rest: a few steps are better than 50.
// CHECK: kernel.plan<grid [parallel d0 = 2 by 1, parallel d1 = 5 by 3, parallel d2 = 5 by 5, parallel d3 = 33 by 33
func.func @main(%x: tensor<2x5x5x33x300xbf16>) -> tensor<2x5x5x33x300xbf16> {
  %0 = kernel.fusion "loop"(%x : tensor<2x5x5x33x300xbf16>) -> tensor<2x5x5x33x300xbf16> {
  ^bb0(%a: tensor<2x5x5x33x300xbf16>):
    %1 = stablehlo.negate %a : tensor<2x5x5x33x300xbf16>
    kernel.yield %1 : tensor<2x5x5x33x300xbf16>
  }
  return %0 : tensor<2x5x5x33x300xbf16>
}
