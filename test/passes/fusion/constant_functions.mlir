// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tpuc-opt %s --tpuc-fuse-kernels=fuse=false | FileCheck %s
// RUN: tpuc-opt %s --tpuc-fuse-kernels | FileCheck %s

// A function of numbers alone, which nothing folds: its two results are of one shape and of one kernel.
kernel.function @twice {
^bb0(%a: tensor<ui32>, %b: tensor<ui32>):
  %0 = stablehlo.add %a, %a : tensor<ui32>
  %1 = stablehlo.add %b, %b : tensor<ui32>
  kernel.return %0, %1 : tensor<ui32>, tensor<ui32>
}
// CHECK-LABEL: func.func @main
// CHECK: kernel.fusion "loop"
// CHECK: kernel.apply @twice
// CHECK-NOT: kernel.fusion "copy"
func.func @main() -> (tensor<2x33xui32>, tensor<2x33xui32>) {
  %0 = stablehlo.constant dense<1> : tensor<2x33xui32>
  %1 = stablehlo.constant dense<2> : tensor<2x33xui32>
  %2:2 = kernel.apply @twice(%0, %1) : (tensor<2x33xui32>, tensor<2x33xui32>) -> (tensor<2x33xui32>, tensor<2x33xui32>)
  return %2#0, %2#1 : tensor<2x33xui32>, tensor<2x33xui32>
}
