// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tpuc-opt %s --tpuc-lower-kernels=target=v5e | FileCheck %s
// Sums over grid steps of one tile each. The first step clears them, so that the loop over rows has no branch and is
// pipelined.

// CHECK: tpu.routine @k0
// CHECK: %[[ZERO:.*]] = arith.constant 0 : i64
// CHECK: scf.if
// CHECK: "v.li"
// CHECK: "v.st"
// CHECK: scf.for
// CHECK-NOT: scf.if
// CHECK: "v.ld"
// CHECK: "v.ld"
// CHECK: "v.add.f32"
// CHECK: "v.st"
// CHECK: scf.yield
func.func @main(%x: tensor<64x1024xf32>) -> tensor<64xf32> {
  %0 = kernel.fusion "loop"(%x : tensor<64x1024xf32>) -> tensor<64xf32> attributes {
      kernel.plan = #kernel.plan<grid [parallel d0 = 64 by 64, sequential d1 = 1024 by 128]>} {
  ^bb0(%a: tensor<64x1024xf32>):
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %1 = stablehlo.reduce(%a init: %zero) applies stablehlo.add across dimensions = [1]
        : (tensor<64x1024xf32>, tensor<f32>) -> tensor<64xf32>
    kernel.yield %1 : tensor<64xf32>
  }
  return %0 : tensor<64xf32>
}
