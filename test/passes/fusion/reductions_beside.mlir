// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What reductions of one kernel keep beside one another has room in VMEM, or they are several kernels.
// RUN: tpuc-opt %s --split-input-file \
// RUN:   --pass-pipeline='builtin.module(func.func(tpuc-fuse-kernels{target=v4},tpuc-merge-kernels{target=v4}), \
// RUN:   tpuc-plan-kernels{target=v4})' \
// RUN:   | FileCheck %s

// The sums of 12 rows lie in one tile, so a kernel with both sums would keep all 12 MiB of the first.
// CHECK-LABEL: func.func @main
// CHECK-COUNT-2: kernel.fusion "loop"
// CHECK-NOT: kernel.fusion
func.func @main(%x: tensor<12x16x512x512xbf16>) -> (tensor<12x512x512xf32>, tensor<12xf32>) {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %c = stablehlo.convert %x : (tensor<12x16x512x512xbf16>) -> tensor<12x16x512x512xf32>
  %r = stablehlo.reduce(%c init: %z) applies stablehlo.add across dimensions = [1]
      : (tensor<12x16x512x512xf32>, tensor<f32>) -> tensor<12x512x512xf32>
  %s = stablehlo.reduce(%c init: %z) applies stablehlo.add across dimensions = [1, 2, 3]
      : (tensor<12x16x512x512xf32>, tensor<f32>) -> tensor<12xf32>
  return %r, %s : tensor<12x512x512xf32>, tensor<12xf32>
}

// -----

// Short vectors of two dims leave rows to cut: the planner has found blocks that fit.
// CHECK-LABEL: func.func @main
// CHECK-COUNT-1: kernel.fusion "loop"
// CHECK-NOT: kernel.fusion
func.func @main(%x: tensor<8x64x96x256xbf16>, %s: tensor<8xf32>) -> tensor<8x64x96x256xf32> {
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = stablehlo.convert %x : (tensor<8x64x96x256xbf16>) -> tensor<8x64x96x256xf32>
  %1 = stablehlo.reduce(%0 init: %low) applies stablehlo.maximum across dimensions = [0, 2, 3]
      : (tensor<8x64x96x256xf32>, tensor<f32>) -> tensor<64xf32>
  %2 = stablehlo.broadcast_in_dim %1, dims = [1] : (tensor<64xf32>) -> tensor<8x64x96x256xf32>
  %3 = stablehlo.subtract %0, %2 : tensor<8x64x96x256xf32>
  %4 = stablehlo.reduce(%3 init: %low) applies stablehlo.maximum across dimensions = [0, 3]
      : (tensor<8x64x96x256xf32>, tensor<f32>) -> tensor<64x96xf32>
  %5 = stablehlo.broadcast_in_dim %4, dims = [1, 2] : (tensor<64x96xf32>) -> tensor<8x64x96x256xf32>
  %6 = stablehlo.subtract %3, %5 : tensor<8x64x96x256xf32>
  %7 = stablehlo.broadcast_in_dim %s, dims = [0] : (tensor<8xf32>) -> tensor<8x64x96x256xf32>
  %8 = stablehlo.multiply %6, %7 : tensor<8x64x96x256xf32>
  return %8 : tensor<8x64x96x256xf32>
}
