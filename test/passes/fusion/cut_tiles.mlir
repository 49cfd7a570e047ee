// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tpuc-opt %s --tpuc-fuse-kernels --split-input-file | FileCheck %s
// A reduction over sublanes, whose results have the dim outside of it along theirs: 16 rows of 4096 results are enough
// for a block, and the conversion is part of the kernel. 4096 of them would be 64 MiB.
// CHECK-LABEL: func.func @main
// CHECK: kernel.fusion "loop"(%arg0 : tensor<4096x16x512xbf16>) -> tensor<4096x512xf32>
// CHECK-NOT: kernel.fusion
func.func @main(%x: tensor<4096x16x512xbf16>) -> tensor<4096x512xf32> {
  %wide = stablehlo.convert %x : (tensor<4096x16x512xbf16>) -> tensor<4096x16x512xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %sum = stablehlo.reduce(%wide init: %zero) applies stablehlo.add across dimensions = [1]
      : (tensor<4096x16x512xf32>, tensor<f32>) -> tensor<4096x512xf32>
  return %sum : tensor<4096x512xf32>
}

// -----

// Rows along the lanes of the sums, vectors by matrices: 8 vectors at a time, where all of them would have 128 rows
// each. The product of 268 MB was an array.
// CHECK-LABEL: func.func @main
// CHECK: kernel.fusion "loop"(%arg0, %arg1 : tensor<2048x512xf32>, tensor<2048x64x512xf32>) -> tensor<2048x64xf32>
// CHECK-NOT: kernel.fusion
func.func @main(%x: tensor<2048x512xf32>, %y: tensor<2048x64x512xf32>) -> tensor<2048x64xf32> {
  %spread = stablehlo.broadcast_in_dim %x, dims = [0, 2] : (tensor<2048x512xf32>) -> tensor<2048x64x512xf32>
  %product = stablehlo.multiply %spread, %y : tensor<2048x64x512xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %sum = stablehlo.reduce(%product init: %zero) applies stablehlo.add across dimensions = [2]
      : (tensor<2048x64x512xf32>, tensor<f32>) -> tensor<2048x64xf32>
  return %sum : tensor<2048x64xf32>
}
