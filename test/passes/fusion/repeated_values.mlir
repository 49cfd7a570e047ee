// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tpuc-opt %s --tpuc-fuse-kernels --split-input-file | FileCheck %s
// What a kernel would compute wherever it broadcasts it.

// A million indices, brought into range by four instructions, meet 1000 places: 1000 times 977 vregs of four are a
// million cycles on v5e, an array of them is launched and moved in some 20,000.
// CHECK-LABEL: func.func @main
// CHECK: %[[INDEX:.*]] = kernel.fusion "loop"(%arg0 : tensor<1000000xi32>) -> tensor<1000000xi32>
// CHECK: kernel.fusion "loop"(%[[INDEX]] : tensor<1000000xi32>) -> tensor<1000xi32>
func.func @main(%i: tensor<1000000xi32>) -> tensor<1000xi32> {
  %zero = stablehlo.constant dense<0> : tensor<1000000xi32>
  %n = stablehlo.constant dense<1000> : tensor<1000000xi32>
  %one = stablehlo.constant dense<1> : tensor<1000x1000000xi32>
  %none = stablehlo.constant dense<0> : tensor<1000x1000000xi32>
  %init = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.compare LT, %i, %zero : (tensor<1000000xi32>, tensor<1000000xi32>) -> tensor<1000000xi1>
  %1 = stablehlo.add %i, %n : tensor<1000000xi32>
  %2 = stablehlo.select %0, %1, %i : tensor<1000000xi1>, tensor<1000000xi32>
  %3 = stablehlo.maximum %2, %zero : tensor<1000000xi32>
  %4 = stablehlo.broadcast_in_dim %3, dims = [1] : (tensor<1000000xi32>) -> tensor<1000x1000000xi32>
  %5 = stablehlo.iota dim = 0 : tensor<1000x1000000xi32>
  %6 = stablehlo.compare EQ, %5, %4 : (tensor<1000x1000000xi32>, tensor<1000x1000000xi32>) -> tensor<1000x1000000xi1>
  %7 = stablehlo.select %6, %one, %none : tensor<1000x1000000xi1>, tensor<1000x1000000xi32>
  %8 = stablehlo.reduce(%7 init: %init) applies stablehlo.add across dimensions = [1]
      : (tensor<1000x1000000xi32>, tensor<i32>) -> tensor<1000xi32>
  return %8 : tensor<1000xi32>
}

// -----

// A scale of 768 columns for 512 rows: computed in the kernel, at less than a launch.
// CHECK-LABEL: func.func @main
// CHECK-COUNT-1: kernel.fusion
// CHECK-NOT: kernel.fusion
func.func @main(%x: tensor<512x768xf32>, %s: tensor<768xf32>) -> tensor<512x768xf32> {
  %one = stablehlo.constant dense<1.0> : tensor<768xf32>
  %0 = stablehlo.multiply %s, %s : tensor<768xf32>
  %1 = stablehlo.add %0, %one : tensor<768xf32>
  %2 = stablehlo.rsqrt %1 : tensor<768xf32>
  %3 = stablehlo.broadcast_in_dim %2, dims = [1] : (tensor<768xf32>) -> tensor<512x768xf32>
  %4 = stablehlo.multiply %x, %3 : tensor<512x768xf32>
  return %4 : tensor<512x768xf32>
}
