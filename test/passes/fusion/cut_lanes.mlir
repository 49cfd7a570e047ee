// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums along lanes by rows in two dims that their result has in one tile. All rows of a tile of lanes have room in
// VMEM, all lanes do not: lanes are walked in steps, so what is summed is made by the kernel that sums it.
// RUN: tpuc-opt %s --pass-pipeline='builtin.module(func.func(tpuc-fuse-kernels{target=v5e}),tpuc-plan-kernels{target=v5e})' \
// RUN:   | FileCheck %s

// CHECK-LABEL: func.func @main
// CHECK: kernel.fusion "loop"(%arg1, %arg0 :
// CHECK-SAME: sequential d2 = 33278 by
// CHECK: stablehlo.select
// CHECK: stablehlo.reduce
// CHECK-NOT: kernel.fusion
func.func @main(%x: tensor<64x70x33278xf32>, %label: tensor<64x70xi32>) -> tensor<64x70xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %zeros = stablehlo.constant dense<0.0> : tensor<64x70x33278xf32>
  %labels = stablehlo.broadcast_in_dim %label, dims = [0, 1] : (tensor<64x70xi32>) -> tensor<64x70x33278xi32>
  %index = stablehlo.iota dim = 2 : tensor<64x70x33278xi32>
  %is = stablehlo.compare EQ, %index, %labels
      : (tensor<64x70x33278xi32>, tensor<64x70x33278xi32>) -> tensor<64x70x33278xi1>
  %chosen = stablehlo.select %is, %x, %zeros : tensor<64x70x33278xi1>, tensor<64x70x33278xf32>
  %picked = stablehlo.reduce(%chosen init: %z) applies stablehlo.add across dimensions = [2]
      : (tensor<64x70x33278xf32>, tensor<f32>) -> tensor<64x70xf32>
  return %picked : tensor<64x70xf32>
}
