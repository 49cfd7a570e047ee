// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tpuc-opt %s --tpuc-fuse-kernels=target=v6e --split-input-file | FileCheck %s

// The transpose would put the batch along sublanes, where a step holds all of it: 96 times 64 rows of sums, of 4096.
// CHECK-LABEL: @many
// CHECK: kernel.fusion "dot"
// CHECK-NOT: transpose
// CHECK: kernel.yield
// CHECK: kernel.fusion
// CHECK: stablehlo.transpose
func.func @many(%a: tensor<96x64x512xf32>, %p: tensor<96x512x512xf32>) -> tensor<512x96x64xf32> {
  %0 = stablehlo.dot_general %a, %p, batching_dims = [0] x [0], contracting_dims = [2] x [1]
      : (tensor<96x64x512xf32>, tensor<96x512x512xf32>) -> tensor<96x64x512xf32>
  %1 = stablehlo.transpose %0, dims = [2, 0, 1] : (tensor<96x64x512xf32>) -> tensor<512x96x64xf32>
  return %1 : tensor<512x96x64xf32>
}

// -----

// CHECK-LABEL: @few
// CHECK: kernel.fusion "dot"
// CHECK: stablehlo.dot_general
// CHECK-NEXT: stablehlo.transpose
func.func @few(%a: tensor<8x64x512xf32>, %p: tensor<8x512x512xf32>) -> tensor<512x8x64xf32> {
  %0 = stablehlo.dot_general %a, %p, batching_dims = [0] x [0], contracting_dims = [2] x [1]
      : (tensor<8x64x512xf32>, tensor<8x512x512xf32>) -> tensor<8x64x512xf32>
  %1 = stablehlo.transpose %0, dims = [2, 0, 1] : (tensor<8x64x512xf32>) -> tensor<512x8x64xf32>
  return %1 : tensor<512x8x64xf32>
}
