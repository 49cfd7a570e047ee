// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tpuc-opt %s --tpuc-search-plans=kernels=1 2>/dev/null | FileCheck %s
// Kernels that are alike get a plan together, whatever their arrays: a - b of x and y, and of y and x. The one between
// them computes b - a: it is another kernel, though its ops and types are the same.

// CHECK: grid [parallel d0 = 8192 by 128,
// CHECK: stablehlo.subtract %[[A:.*]], %[[B:.*]] :
// CHECK: grid [parallel d0 = 8192 by 16,
// CHECK: stablehlo.subtract
// CHECK: grid [parallel d0 = 8192 by 128,
// CHECK: stablehlo.subtract
func.func @main(%x: tensor<8192x1024xf32>, %y: tensor<8192x1024xf32>)
    -> (tensor<8192x1024xf32>, tensor<8192x1024xf32>, tensor<8192x1024xf32>) {
  %0 = kernel.fusion "loop"(%x, %y : tensor<8192x1024xf32>, tensor<8192x1024xf32>) -> tensor<8192x1024xf32>
      attributes {kernel.plan = #kernel.plan<grid [parallel d0 = 8192 by 16, parallel d1 = 1024 by 1024]>} {
  ^bb0(%a: tensor<8192x1024xf32>, %b: tensor<8192x1024xf32>):
    %3 = stablehlo.subtract %a, %b : tensor<8192x1024xf32>
    kernel.yield %3 : tensor<8192x1024xf32>
  }
  %1 = kernel.fusion "loop"(%x, %y : tensor<8192x1024xf32>, tensor<8192x1024xf32>) -> tensor<8192x1024xf32>
      attributes {kernel.plan = #kernel.plan<grid [parallel d0 = 8192 by 16, parallel d1 = 1024 by 1024]>} {
  ^bb0(%a: tensor<8192x1024xf32>, %b: tensor<8192x1024xf32>):
    %3 = stablehlo.subtract %b, %a : tensor<8192x1024xf32>
    kernel.yield %3 : tensor<8192x1024xf32>
  }
  %2 = kernel.fusion "loop"(%y, %x : tensor<8192x1024xf32>, tensor<8192x1024xf32>) -> tensor<8192x1024xf32>
      attributes {kernel.plan = #kernel.plan<grid [parallel d0 = 8192 by 16, parallel d1 = 1024 by 1024]>} {
  ^bb0(%a: tensor<8192x1024xf32>, %b: tensor<8192x1024xf32>):
    %3 = stablehlo.subtract %a, %b : tensor<8192x1024xf32>
    kernel.yield %3 : tensor<8192x1024xf32>
  }
  return %0, %1, %2 : tensor<8192x1024xf32>, tensor<8192x1024xf32>, tensor<8192x1024xf32>
}
