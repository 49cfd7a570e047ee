// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tpuc compile %s --target=v4 --stop-after=plan -o - | FileCheck %s

// 16 sums lie in one tile, so a kernel that makes them of the rows' own sums holds all 16 rows at once: 12 MiB of each
// array, which v4's VMEM does not. They are two kernels.
// CHECK-LABEL: func.func @main
// CHECK-COUNT-2: kernel.fusion "loop"
// CHECK-NOT: kernel.fusion
func.func @main(%x: tensor<16x3x500x128xf32>, %y: tensor<16x3x500x128xf32>) -> tensor<16xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.multiply %x, %y : tensor<16x3x500x128xf32>
  %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [1, 2, 3]
      : (tensor<16x3x500x128xf32>, tensor<f32>) -> tensor<16xf32>
  %2 = stablehlo.broadcast_in_dim %1, dims = [0] : (tensor<16xf32>) -> tensor<16x3x500x128xf32>
  %3 = stablehlo.multiply %2, %x : tensor<16x3x500x128xf32>
  %4 = stablehlo.reduce(%3 init: %zero) applies stablehlo.add across dimensions = [1, 2, 3]
      : (tensor<16x3x500x128xf32>, tensor<f32>) -> tensor<16xf32>
  return %4 : tensor<16xf32>
}
