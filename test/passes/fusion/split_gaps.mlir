// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tpuc-opt %s --tpuc-fuse-kernels --split-input-file | FileCheck %s
// The even and the odd results of an associative scan, put together: one kernel writes [256, 2], and what is computed
// with them is part of it.
// CHECK-LABEL: @interleave
// CHECK: kernel.fusion "loop"
// CHECK-SAME: (%arg0, %arg1, %{{.*}} : tensor<4x256x16x256xf32>, tensor<4x256x16x256xf32>, tensor<4x256x2x16x256xf32>) -> tensor<4x256x2x16x256xf32>
// CHECK: stablehlo.select
// CHECK: stablehlo.select
// CHECK: stablehlo.add
// CHECK: stablehlo.multiply
// CHECK-NOT: kernel.fusion
// CHECK: kernel.view %{{.*}} : tensor<4x256x2x16x256xf32> -> tensor<4x512x16x256xf32>
func.func @interleave(%a: tensor<4x256x16x256xf32>, %b: tensor<4x256x16x256xf32>, %c: tensor<4x512x16x256xf32>)
    -> tensor<4x512x16x256xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.pad %a, %zero, low = [0, 0, 0, 0], high = [0, 1, 0, 0], interior = [0, 1, 0, 0]
      : (tensor<4x256x16x256xf32>, tensor<f32>) -> tensor<4x512x16x256xf32>
  %1 = stablehlo.pad %b, %zero, low = [0, 1, 0, 0], high = [0, 0, 0, 0], interior = [0, 1, 0, 0]
      : (tensor<4x256x16x256xf32>, tensor<f32>) -> tensor<4x512x16x256xf32>
  %2 = stablehlo.add %0, %1 : tensor<4x512x16x256xf32>
  %3 = stablehlo.multiply %2, %c : tensor<4x512x16x256xf32>
  return %3 : tensor<4x512x16x256xf32>
}

// -----

// One element after the last, and none: 511 are no pairs. Such a pad moves its array, and so does one that is put
// together with nothing.
// CHECK-LABEL: @odd
// CHECK: kernel.fusion "copy"
// CHECK: stablehlo.pad
// CHECK: kernel.fusion "copy"
// CHECK: stablehlo.pad
func.func @odd(%a: tensor<256x16x256xf32>, %b: tensor<511x16x256xf32>)
    -> (tensor<511x16x256xf32>, tensor<512x16x256xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.pad %a, %zero, low = [0, 0, 0], high = [0, 0, 0], interior = [1, 0, 0]
      : (tensor<256x16x256xf32>, tensor<f32>) -> tensor<511x16x256xf32>
  %1 = stablehlo.add %0, %b : tensor<511x16x256xf32>
  %2 = stablehlo.pad %a, %zero, low = [0, 0, 0], high = [1, 0, 0], interior = [1, 0, 0]
      : (tensor<256x16x256xf32>, tensor<f32>) -> tensor<512x16x256xf32>
  return %1, %2 : tensor<511x16x256xf32>, tensor<512x16x256xf32>
}
