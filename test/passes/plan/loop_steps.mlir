// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Steps of loop kernels, by estimated cycles.
// RUN: tpuc-opt %s --tpuc-plan-kernels=target=v6e --split-input-file | FileCheck %s

// 4 MiB in and out are 9 kcycles of transfers, beside which is less work. Each step costs 100 cycles, and one that
// moves little waits for HBM's latency: four steps take 12.3 kcycles, 16 take 15.1.
// CHECK: kernel.plan<grid [parallel d0 = 1024 by 256, parallel d1 = 1024 by 1024]
func.func @main(%x: tensor<1024x1024xf32>) -> tensor<1024x1024xf32> {
  %0 = kernel.fusion "loop"(%x : tensor<1024x1024xf32>) -> tensor<1024x1024xf32> {
  ^bb0(%a: tensor<1024x1024xf32>):
    %1 = stablehlo.tanh %a : tensor<1024x1024xf32>
    kernel.yield %1 : tensor<1024x1024xf32>
  }
  return %0 : tensor<1024x1024xf32>
}
