// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tpuc-opt %s --tpuc-plan-kernels=target=v5p | FileCheck %s

// The mask's elements, one for each matrix of 4 rows, are taken one by one: rows come in units of 8, not of 32 as four
// bytes a word would have them. With these, blocks of a tile of the mask would be over VMEM.
// CHECK: grid [parallel d0 = 400000 by 1024,
// CHECK-SAME: [1024, 4, 64] (d0, d1, d2) -> (d0, d1, d2) in hbm slots 2
func.func @main(%mask: tensor<400000xi1>, %x: tensor<400000x4x64xf32>, %y: tensor<400000x4x64xf32>)
    -> (tensor<400000x4x64xf32>, tensor<400000x4x64xf32>) {
  %0:2 = kernel.fusion "loop"(%mask, %x, %y : tensor<400000xi1>, tensor<400000x4x64xf32>, tensor<400000x4x64xf32>)
      -> tensor<400000x4x64xf32>, tensor<400000x4x64xf32> {
  ^bb0(%m: tensor<400000xi1>, %a: tensor<400000x4x64xf32>, %b: tensor<400000x4x64xf32>):
    %zero = stablehlo.constant dense<0.0> : tensor<400000x4x64xf32>
    %1 = stablehlo.broadcast_in_dim %m, dims = [0] : (tensor<400000xi1>) -> tensor<400000x4x64xi1>
    %2 = stablehlo.select %1, %a, %zero : tensor<400000x4x64xi1>, tensor<400000x4x64xf32>
    %3 = stablehlo.multiply %b, %2 : tensor<400000x4x64xf32>
    kernel.yield %2, %3 : tensor<400000x4x64xf32>, tensor<400000x4x64xf32>
  }
  return %0#0, %0#1 : tensor<400000x4x64xf32>, tensor<400000x4x64xf32>
}
