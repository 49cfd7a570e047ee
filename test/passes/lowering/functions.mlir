// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tpuc-opt %s --tpuc-plan-kernels --tpuc-lower-kernels | FileCheck %s
// A function of lanes is its instructions wherever it is applied, here in the loop over two vregs of rows, once for
// both of its results. The module keeps no functions.

// CHECK-NOT: kernel.function
// CHECK: tpu.routine @k0
// CHECK: %[[X:.*]] = tpu.inst "v.xor"
// CHECK-NEXT: %[[Y:.*]] = tpu.inst "v.add.i32"(%[[X]],
// CHECK-DAG: "v.st"(%[[X]],
// CHECK-DAG: "v.st"(%[[Y]],
// CHECK-NOT: "v.xor"
// CHECK: tpu.return
// CHECK-NOT: kernel.apply
kernel.function @both {
^bb0(%x: tensor<ui32>, %y: tensor<ui32>):
  %0 = stablehlo.xor %x, %y : tensor<ui32>
  %1 = stablehlo.add %0, %y : tensor<ui32>
  kernel.return %0, %1 : tensor<ui32>, tensor<ui32>
}
func.func @main(%x: tensor<16x128xui32>, %y: tensor<16x128xui32>) -> (tensor<16x128xui32>, tensor<16x128xui32>) {
  %0:2 = kernel.fusion "loop"(%x, %y : tensor<16x128xui32>, tensor<16x128xui32>)
      -> tensor<16x128xui32>, tensor<16x128xui32> {
  ^bb0(%a: tensor<16x128xui32>, %b: tensor<16x128xui32>):
    %1:2 = kernel.apply @both(%a, %b)
        : (tensor<16x128xui32>, tensor<16x128xui32>) -> (tensor<16x128xui32>, tensor<16x128xui32>)
    kernel.yield %1#0, %1#1 : tensor<16x128xui32>, tensor<16x128xui32>
  }
  return %0#0, %0#1 : tensor<16x128xui32>, tensor<16x128xui32>
}
