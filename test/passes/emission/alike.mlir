// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tpuc-opt %s --tpuc-plan-kernels=target=v5p --tpuc-lower-kernels=target=v5p \
// RUN:   --tpuc-schedule-bundles=target=v5p | FileCheck %s
// Two routines that are alike are scheduled once: the bundles are the same, descriptors and lines are each one's own.

// CHECK: tpu.bundles @k0
// CHECK-NEXT: at "first.py:1"
// CHECK: dma.start {{.*}} desc=0"
// CHECK: v.xor v3, v1, v0
// CHECK: dma.start {{.*}} desc=1"
// CHECK: tpu.bundles @k1
// CHECK-NEXT: at "second.py:2"
// CHECK: dma.start {{.*}} desc=2"
// CHECK: v.xor v3, v1, v0
// CHECK: dma.start {{.*}} desc=3"
func.func @main(%x: tensor<16x128xf32>, %y: tensor<16x128xf32>) -> (tensor<16x128xf32>, tensor<16x128xf32>) {
  %0 = kernel.fusion "loop"(%x : tensor<16x128xf32>) -> tensor<16x128xf32> {
  ^bb0(%a: tensor<16x128xf32>):
    %1 = stablehlo.negate %a : tensor<16x128xf32> loc("first.py":1:1)
    kernel.yield %1 : tensor<16x128xf32> loc("first.py":1:1)
  } loc("first.py":1:1)
  %2 = kernel.fusion "loop"(%y : tensor<16x128xf32>) -> tensor<16x128xf32> {
  ^bb0(%a: tensor<16x128xf32>):
    %3 = stablehlo.negate %a : tensor<16x128xf32> loc("second.py":2:1)
    kernel.yield %3 : tensor<16x128xf32> loc("second.py":2:1)
  } loc("second.py":2:1)
  return %0, %2 : tensor<16x128xf32>, tensor<16x128xf32>
}
