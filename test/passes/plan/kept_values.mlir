// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tpuc-opt %s --tpuc-plan-kernels=target=v5e --tpuc-verify-plan --split-input-file | FileCheck %s

// What a reduction walks and others walk again is kept in VMEM if it is dear to compute, as an elementary function is.
// CHECK-LABEL: @main
// CHECK: kernel.plan = #kernel.plan<
// CHECK-SAME: keeps
func.func @main(%x: tensor<4096x8192xf32>) -> tensor<4096x8192xf32> {
  %0 = kernel.fusion "loop"(%x : tensor<4096x8192xf32>) -> tensor<4096x8192xf32> {
  ^bb0(%a: tensor<4096x8192xf32>):
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %1 = stablehlo.cbrt %a : tensor<4096x8192xf32>
    %2 = stablehlo.reduce(%1 init: %zero) applies stablehlo.add across dimensions = [1]
        : (tensor<4096x8192xf32>, tensor<f32>) -> tensor<4096xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<4096xf32>) -> tensor<4096x8192xf32>
    %4 = stablehlo.subtract %1, %3 : tensor<4096x8192xf32>
    kernel.yield %4 : tensor<4096x8192xf32>
  }
  return %0 : tensor<4096x8192xf32>
}

// -----

// A product is computed twice.
// CHECK-LABEL: @main
// CHECK: kernel.plan = #kernel.plan<
// CHECK-NOT: keeps
// CHECK: return
func.func @main(%x: tensor<4096x8192xf32>) -> tensor<4096x8192xf32> {
  %0 = kernel.fusion "loop"(%x : tensor<4096x8192xf32>) -> tensor<4096x8192xf32> {
  ^bb0(%a: tensor<4096x8192xf32>):
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %1 = stablehlo.multiply %a, %a : tensor<4096x8192xf32>
    %2 = stablehlo.reduce(%1 init: %zero) applies stablehlo.add across dimensions = [1]
        : (tensor<4096x8192xf32>, tensor<f32>) -> tensor<4096xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<4096xf32>) -> tensor<4096x8192xf32>
    %4 = stablehlo.subtract %1, %3 : tensor<4096x8192xf32>
    kernel.yield %4 : tensor<4096x8192xf32>
  }
  return %0 : tensor<4096x8192xf32>
}
