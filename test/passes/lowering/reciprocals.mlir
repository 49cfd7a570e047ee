// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tpuc-opt %s --tpuc-plan-kernels=target=v5e --tpuc-lower-kernels=target=v5e | FileCheck %s

// The unit's reciprocal is rounded correctly: nothing is scaled and there is no residual.
// CHECK-LABEL: tpu.routine @k0
// CHECK: tpu.inst "v.ld"
// CHECK-NEXT: tpu.inst "e.rcp"
// CHECK-NOT: "v.fma.f32"
// CHECK: tpu.return
func.func @main(%x: tensor<8x128xf32>) -> tensor<8x128xf32> {
  %0 = kernel.fusion "loop"(%x : tensor<8x128xf32>) -> tensor<8x128xf32> {
  ^bb0(%a: tensor<8x128xf32>):
    %one = stablehlo.constant dense<1.000000e+00> : tensor<8x128xf32>
    %1 = stablehlo.divide %one, %a : tensor<8x128xf32>
    kernel.yield %1 : tensor<8x128xf32>
  }
  // Of another number the quotient is not: two fused products for the residual.
  // CHECK-LABEL: tpu.routine @k1
  // CHECK: tpu.inst "e.rcp"
  // CHECK-COUNT-2: tpu.inst "v.fma.f32"
  // CHECK: tpu.return
  %2 = kernel.fusion "loop"(%0 : tensor<8x128xf32>) -> tensor<8x128xf32> {
  ^bb0(%a: tensor<8x128xf32>):
    %three = stablehlo.constant dense<3.000000e+00> : tensor<8x128xf32>
    %3 = stablehlo.divide %three, %a : tensor<8x128xf32>
    kernel.yield %3 : tensor<8x128xf32>
  }
  return %2 : tensor<8x128xf32>
}
