// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tpuc-opt %s --tpuc-fuse-kernels --split-input-file | FileCheck %s
// PyTorch's pixel shuffle: 256 lanes are 64 features of 2 x 2 pixels. Every fourth lane is read four times; what comes
// of that is put in its place in rows of 64. [.., 64, 2, 2] would be a tile of 1024 for 4 elements.
// CHECK-LABEL: @shuffle
// CHECK-NOT: tensor<8x64x64x64x2x2
// CHECK: stablehlo.slice %{{.*}} [0:8, 0:64, 0:64, 0:256:4] : (tensor<8x64x64x256xbf16>) -> tensor<8x64x64x64xbf16>
// CHECK: stablehlo.slice %{{.*}} [0:8, 0:64, 0:64, 1:256:4]
// CHECK: stablehlo.slice %{{.*}} [0:8, 0:64, 0:64, 2:256:4]
// CHECK: stablehlo.slice %{{.*}} [0:8, 0:64, 0:64, 3:256:4]
// CHECK-NOT: tensor<8x64x64x64x2x2
// CHECK: return
func.func @shuffle(%x: tensor<8x64x64x256xbf16>) -> tensor<8x128x128x64xbf16> {
  %0 = stablehlo.reshape %x : (tensor<8x64x64x256xbf16>) -> tensor<8x64x64x64x2x2xbf16>
  %1 = stablehlo.transpose %0, dims = [0, 1, 4, 2, 5, 3]
      : (tensor<8x64x64x64x2x2xbf16>) -> tensor<8x64x2x64x2x64xbf16>
  %2 = stablehlo.reshape %1 : (tensor<8x64x2x64x2x64xbf16>) -> tensor<8x128x128x64xbf16>
  return %2 : tensor<8x128x128x64xbf16>
}

// -----

// 24 to a feature: every eighth lane, and of these every third.
// CHECK-LABEL: @steps
// CHECK: stablehlo.slice %{{.*}} [0:512, 1:1536:8] : (tensor<512x1536xf32>) -> tensor<512x192xf32>
// CHECK: stablehlo.slice %{{.*}} [0:512, 0:192:3] : (tensor<512x192xf32>) -> tensor<512x64xf32>
func.func @steps(%x: tensor<512x1536xf32>) -> tensor<4x6x512x64xf32> {
  %0 = stablehlo.reshape %x : (tensor<512x1536xf32>) -> tensor<512x64x4x6xf32>
  %1 = stablehlo.transpose %0, dims = [2, 3, 0, 1] : (tensor<512x64x4x6xf32>) -> tensor<4x6x512x64xf32>
  return %1 : tensor<4x6x512x64xf32>
}

// -----

// Sixteen side by side are runs of a transfer; eleven are no steps of a loop; few elements are moved one by one.
// CHECK-LABEL: @others
// CHECK-NOT: stablehlo.slice
func.func @others(%x: tensor<512x1024xf32>, %y: tensor<4x128xf32>, %z: tensor<512x704xf32>)
    -> (tensor<16x512x64xf32>, tensor<2x4x64xf32>, tensor<11x512x64xf32>) {
  %0 = stablehlo.reshape %x : (tensor<512x1024xf32>) -> tensor<512x64x16xf32>
  %1 = stablehlo.transpose %0, dims = [2, 0, 1] : (tensor<512x64x16xf32>) -> tensor<16x512x64xf32>
  %2 = stablehlo.reshape %y : (tensor<4x128xf32>) -> tensor<4x64x2xf32>
  %3 = stablehlo.transpose %2, dims = [2, 0, 1] : (tensor<4x64x2xf32>) -> tensor<2x4x64xf32>
  %4 = stablehlo.reshape %z : (tensor<512x704xf32>) -> tensor<512x64x11xf32>
  %5 = stablehlo.transpose %4, dims = [2, 0, 1] : (tensor<512x64x11xf32>) -> tensor<11x512x64xf32>
  return %1, %3, %5 : tensor<16x512x64xf32>, tensor<2x4x64xf32>, tensor<11x512x64xf32>
}
