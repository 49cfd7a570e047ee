// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tpuc-opt %s --tpuc-cut-batches="room=6291456" --split-input-file | FileCheck %s

// 8 products of 512 by 512 are 4 MiB of bf16. 6 MiB do not hold both arrays, but one at a time, without a loop: in it
// they would save nothing, and the shares that are read outside would go through HBM.
// CHECK-LABEL: @one_at_a_time
// CHECK-NOT: stablehlo.while
func.func @one_at_a_time(%q: tensor<8x512x64xbf16>, %k: tensor<8x512x64xbf16>)
    -> (tensor<8x512x64xbf16>, tensor<8x512x512xbf16>) {
  %s = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2]
      : (tensor<8x512x64xbf16>, tensor<8x512x64xbf16>) -> tensor<8x512x512xbf16>
  %t = stablehlo.tanh %s : tensor<8x512x512xbf16>
  %o = stablehlo.dot_general %t, %k, batching_dims = [0] x [0], contracting_dims = [2] x [1]
      : (tensor<8x512x512xbf16>, tensor<8x512x64xbf16>) -> tensor<8x512x64xbf16>
  return %o, %t : tensor<8x512x64xbf16>, tensor<8x512x512xbf16>
}

// -----

// 8 MiB of f32 each: none would stay.
// CHECK-LABEL: @none
// CHECK: stablehlo.while
func.func @none(%q: tensor<8x512x64xf32>, %k: tensor<8x512x64xf32>)
    -> (tensor<8x512x64xf32>, tensor<8x512x512xf32>) {
  %s = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2]
      : (tensor<8x512x64xf32>, tensor<8x512x64xf32>) -> tensor<8x512x512xf32>
  %t = stablehlo.tanh %s : tensor<8x512x512xf32>
  %o = stablehlo.dot_general %t, %k, batching_dims = [0] x [0], contracting_dims = [2] x [1]
      : (tensor<8x512x512xf32>, tensor<8x512x64xf32>) -> tensor<8x512x64xf32>
  return %o, %t : tensor<8x512x64xf32>, tensor<8x512x512xf32>
}
