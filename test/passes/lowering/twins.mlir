// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tpuc-opt %s --tpuc-plan-kernels=target=v5p --tpuc-lower-kernels=target=v5p --tpuc-verify-lower | FileCheck %s
// RUN: tpuc-opt %s --tpuc-plan-kernels=target=v5p --tpuc-lower-kernels=target=v5p \
// RUN:   --tpuc-schedule-bundles=target=v5p --tpuc-verify-schedule | FileCheck %s --check-prefix=CODE
// Kernels that differ in their arrays and lines alone are lowered once.

// CHECK: tpu.routine @k0
// CHECK: tpu.twin @k1 of @k0 from [@arg0, @arg1, @res0] to [@arg1, @arg2, @res1] lines [
// CHECK-SAME: facts {{.*}}kind = "loop"{{.*}}number = 1
// One array twice is not two arrays.
// CHECK: tpu.routine @k2
// Another constant.
// CHECK: tpu.routine @k3
// Other operands of the same op.
// CHECK: tpu.routine @k4
// CHECK-NOT: tpu.routine @k5

// The same instructions, on descriptors of its own.
// CODE: tpu.bundles @k0
// CODE-NEXT: at "model.py:3"
// CODE: dma.start [[A:.*]] desc=[[#FIRST:]]"
// CODE: v.sub.f32
// CODE: tpu.bundles @k1
// CODE-NEXT: at "model.py:4"
// CODE-NOT: desc=[[#FIRST]]"
// CODE: dma.start [[A]] desc={{.*}}"
// CODE: v.sub.f32
func.func @main(%x: tensor<16x128xf32>, %y: tensor<16x128xf32>, %z: tensor<16x128xf32>)
    -> (tensor<16x128xf32>, tensor<16x128xf32>, tensor<16x128xf32>, tensor<16x128xf32>, tensor<16x128xf32>) {
  %0 = kernel.fusion "loop"(%x, %y : tensor<16x128xf32>, tensor<16x128xf32>) -> tensor<16x128xf32> {
  ^bb0(%a: tensor<16x128xf32>, %b: tensor<16x128xf32>):
    %c = stablehlo.constant dense<2.0> : tensor<16x128xf32>
    %m = stablehlo.multiply %a, %c : tensor<16x128xf32> loc("model.py":3:1)
    %s = stablehlo.subtract %m, %b : tensor<16x128xf32> loc("model.py":3:1)
    kernel.yield %s : tensor<16x128xf32> loc("model.py":3:1)
  } loc("model.py":3:1)
  %1 = kernel.fusion "loop"(%y, %z : tensor<16x128xf32>, tensor<16x128xf32>) -> tensor<16x128xf32> {
  ^bb0(%a: tensor<16x128xf32>, %b: tensor<16x128xf32>):
    %c = stablehlo.constant dense<2.0> : tensor<16x128xf32>
    %m = stablehlo.multiply %a, %c : tensor<16x128xf32> loc("model.py":4:1)
    %s = stablehlo.subtract %m, %b : tensor<16x128xf32> loc("model.py":4:1)
    kernel.yield %s : tensor<16x128xf32> loc("model.py":4:1)
  } loc("model.py":4:1)
  %2 = kernel.fusion "loop"(%x, %x : tensor<16x128xf32>, tensor<16x128xf32>) -> tensor<16x128xf32> {
  ^bb0(%a: tensor<16x128xf32>, %b: tensor<16x128xf32>):
    %c = stablehlo.constant dense<2.0> : tensor<16x128xf32>
    %m = stablehlo.multiply %a, %c : tensor<16x128xf32>
    %s = stablehlo.subtract %m, %b : tensor<16x128xf32>
    kernel.yield %s : tensor<16x128xf32>
  }
  %3 = kernel.fusion "loop"(%x, %y : tensor<16x128xf32>, tensor<16x128xf32>) -> tensor<16x128xf32> {
  ^bb0(%a: tensor<16x128xf32>, %b: tensor<16x128xf32>):
    %c = stablehlo.constant dense<3.0> : tensor<16x128xf32>
    %m = stablehlo.multiply %a, %c : tensor<16x128xf32>
    %s = stablehlo.subtract %m, %b : tensor<16x128xf32>
    kernel.yield %s : tensor<16x128xf32>
  }
  %4 = kernel.fusion "loop"(%x, %y : tensor<16x128xf32>, tensor<16x128xf32>) -> tensor<16x128xf32> {
  ^bb0(%a: tensor<16x128xf32>, %b: tensor<16x128xf32>):
    %c = stablehlo.constant dense<2.0> : tensor<16x128xf32>
    %m = stablehlo.multiply %a, %c : tensor<16x128xf32>
    %s = stablehlo.subtract %b, %m : tensor<16x128xf32>
    kernel.yield %s : tensor<16x128xf32>
  }
  return %0, %1, %2, %3, %4
      : tensor<16x128xf32>, tensor<16x128xf32>, tensor<16x128xf32>, tensor<16x128xf32>, tensor<16x128xf32>
}
