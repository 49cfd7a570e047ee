// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tpuc-opt %s --tpuc-plan-kernels="target=v5e set=core.vmem_bytes=8388608" | FileCheck %s

// 251 tiles of 128 lanes: of blocks of four or two tiles the last one is shorter, and its loops are of other trips. One
// tile is a quarter of what fits, and divides all.
// CHECK: kernel.plan<grid [parallel d1 = 32128 by 128, sequential d0 = 512 by 512]
func.func @main(%x: tensor<512x32128xf32>) -> tensor<512x32128xf32> {
  %0 = kernel.fusion "loop"(%x : tensor<512x32128xf32>) -> tensor<512x32128xf32> {
  ^bb0(%a: tensor<512x32128xf32>):
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %1 = stablehlo.reduce(%a init: %zero) applies stablehlo.add across dimensions = [0]
        : (tensor<512x32128xf32>, tensor<f32>) -> tensor<32128xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [1] : (tensor<32128xf32>) -> tensor<512x32128xf32>
    %3 = stablehlo.subtract %a, %2 : tensor<512x32128xf32>
    kernel.yield %3 : tensor<512x32128xf32>
  }
  return %0 : tensor<512x32128xf32>
}
