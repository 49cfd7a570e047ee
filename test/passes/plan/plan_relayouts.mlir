// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tpuc-opt %s --tpuc-plan-kernels=target=v5e --tpuc-verify-plan --split-input-file | FileCheck %s
// Both sides are cut along factors that are outermost in a dim of each.

// Pixels of a shuffle: leading dims are their factors, of 64 rows of pixels a step takes 32, which are 64 of the
// result's. Of bf16, in words, and each twice: 32 * 64 / 16 tiles of 2 * 8 words come, 64 * 128 / 16 tiles of 8 leave;
// copies with a word a row are twice as large: 2 * (2048 + 4096) + 2 * (2048 + 4096) = 24576.
// CHECK-LABEL: @main(%arg0: tensor<8x64x64x256xbf16>)
// CHECK: grid [parallel d0 = 8 by 1, parallel d1 = 64 by 32, parallel d2 = 2 by 2, parallel d3 = 64 by 64,
// CHECK-SAME: reads {{\[}}[1, 32, 64, 256] (d0, d1, d2, d3, d4, d5) -> (d0, d1, d3, d2) in hbm slots 2]
// CHECK-SAME: writes {{\[}}[1, 32, 2, 128, 64] (d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3, 0) in hbm slots 2]
// CHECK-SAME: vmem 24576 of 229376>
func.func @main(%x: tensor<8x64x64x256xbf16>) -> tensor<8x128x128x64xbf16> {
  %0 = kernel.fusion "relayout"(%x : tensor<8x64x64x256xbf16>) -> tensor<8x128x128x64xbf16> {
  ^bb0(%a: tensor<8x64x64x256xbf16>):
    %1 = stablehlo.reshape %a : (tensor<8x64x64x256xbf16>) -> tensor<8x64x64x2x2x64xbf16>
    %2 = stablehlo.transpose %1, dims = [0, 1, 3, 2, 4, 5]
        : (tensor<8x64x64x2x2x64xbf16>) -> tensor<8x64x2x64x2x64xbf16>
    %3 = stablehlo.reshape %2 : (tensor<8x64x2x64x2x64xbf16>) -> tensor<8x128x128x64xbf16>
    kernel.yield %3 : tensor<8x128x128x64xbf16>
  }
  return %0 : tensor<8x128x128x64xbf16>
}

// -----

// A tile repeated: it is brought once, and cut along its copies alone, which are the inner steps.
// CHECK-LABEL: @main(%arg0: tensor<1024x1024xf32>)
// CHECK: grid [parallel d1 = 1024 by 1024, parallel d0 = 4 by 1, parallel d2 = 4 by 1,
// CHECK-SAME: reads {{\[}}[1024, 1024] (d0, d1, d2, d3, d4) -> (d1, 0) in hbm slots 1]
// CHECK-SAME: writes {{\[}}[1, 1024, 1024] (d0, d1, d2, d3, d4) -> (d0, d1, d2) in hbm slots 2]
// CHECK-SAME: vmem 24576 of 229376>
func.func @main(%x: tensor<1024x1024xf32>) -> tensor<4096x4096xf32> {
  %0 = kernel.fusion "relayout"(%x : tensor<1024x1024xf32>) -> tensor<4096x4096xf32> {
  ^bb0(%a: tensor<1024x1024xf32>):
    %1 = stablehlo.broadcast_in_dim %a, dims = [1, 3] : (tensor<1024x1024xf32>) -> tensor<4x1024x4x1024xf32>
    %2 = stablehlo.reshape %1 : (tensor<4x1024x4x1024xf32>) -> tensor<4096x4096xf32>
    kernel.yield %2 : tensor<4096x4096xf32>
  }
  return %0 : tensor<4096x4096xf32>
}
