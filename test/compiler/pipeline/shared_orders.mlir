// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shared arrays whose last dims are small lie with two other dims under the tiles: weights, their momentum, what comes
// of them.
// RUN: tpuc compile %s -o %t.own.tpuc
// RUN: tpuc compile %s --io-layouts=default -o %t.tpuc && tpuc disasm %t.tpuc | FileCheck %s
// Features of 64 by 128 and a window of 3x3: 9 planes of 64x128 f32 are 294912 bytes, 8192 windows of a tile each
// 33554432.
// CHECK: .buffer kind: ARGUMENT {{.*}}index: 1 {{.*}}order: 2 {{.*}}order: 3 {{.*}}order: 0 {{.*}}order: 1
// CHECK: .buffer kind: RESULT {{.*}}order: 2 {{.*}}order: 3 {{.*}}order: 0 {{.*}}order: 1
// The numbers are the same.
// RUN: rm -rf %t.a %t.b && tpuc run %t.own.tpuc --random=3 --save=%t.a && tpuc run %t.tpuc --random=3 --save=%t.b
// RUN: cmp %t.a/output.0.npy %t.b/output.0.npy && cmp %t.a/output.1.npy %t.b/output.1.npy && cmp %t.a/output.2.npy \
// RUN:   %t.b/output.2.npy

// An argument that is returned as it is, one that nobody reads, and one that its result takes over.
func.func @main(%x: tensor<1x128x5x5xf32>, %w: tensor<64x128x3x3xf32> {tf.aliasing_output = 1 : i32},
    %m: tensor<64x128x3x3xf32>,
                %unused: tensor<64x128x3x3xf32>)
                    -> (tensor<1x64x3x3xf32>, tensor<64x128x3x3xf32>, tensor<64x128x3x3xf32>) {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1],
      window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<1x128x5x5xf32>, tensor<64x128x3x3xf32>) -> tensor<1x64x3x3xf32>
  %1 = stablehlo.add %w, %m : tensor<64x128x3x3xf32>
  return %0, %1, %m : tensor<1x64x3x3xf32>, tensor<64x128x3x3xf32>, tensor<64x128x3x3xf32>
}
