// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tpuc-opt %s --tpuc-plan-kernels=target=v5e --tpuc-verify-plan | FileCheck %s

// A weight's gradient sums over images and their rows, in sequence. With all 64 images in a step, 128 columns of one
// operand are 64 * 208 / 2 = 6656 words, and a kernel's share of 32768 words holds few columns of either: each of these
// would come many times. An image at a time, all 3072 columns are 24 * 208 / 2 = 2496 words in two slots, and one
// operand comes once, the other twice.
// CHECK: kernel.fusion "dot"
// CHECK-SAME: grid [parallel d2 = 768 by 384, parallel d3 = 3072 by 3072, sequential d0 = 64 by 1,
// CHECK-SAME: sequential d1 = 197 by 197],
// CHECK-SAME: reads {{\[\[}}1, 197, 384] {{.*}} in hbm slots 2, [1, 197, 3072] {{.*}} in hbm slots 2]
func.func @main(%x: tensor<64x197x768xbf16>, %y: tensor<64x197x3072xbf16>) -> tensor<768x3072xbf16> {
  %0 = kernel.fusion "dot"(%x, %y : tensor<64x197x768xbf16>, tensor<64x197x3072xbf16>) -> tensor<768x3072xbf16> {
  ^bb0(%a: tensor<64x197x768xbf16>, %b: tensor<64x197x3072xbf16>):
    %1 = stablehlo.dot_general %a, %b, contracting_dims = [0, 1] x [0, 1]
        : (tensor<64x197x768xbf16>, tensor<64x197x3072xbf16>) -> tensor<768x3072xbf16>
    kernel.yield %1 : tensor<768x3072xbf16>
  }
  return %0 : tensor<768x3072xbf16>
}
