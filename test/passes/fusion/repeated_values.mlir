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

// -----

// A chain of 40 instructions on 32 numbers, as random bits have some 300: an array of 32 is made, and read for 12,544
// vregs.
// CHECK-LABEL: func.func @main
// CHECK: %[[BITS:.*]] = kernel.fusion "loop"(%arg0 : tensor<32xi32>) -> tensor<32xi32>
// CHECK: kernel.fusion "loop"({{.*}}%[[BITS]]
// CHECK-NOT: kernel.fusion
func.func @main(%key: tensor<32xi32>, %x: tensor<32x56x56x96xi32>) -> tensor<32x56x56x96xi32> {
  %0 = stablehlo.add %key, %key : tensor<32xi32>
  %1 = stablehlo.xor %0, %key : tensor<32xi32>
  %2 = stablehlo.add %1, %key : tensor<32xi32>
  %3 = stablehlo.xor %2, %1 : tensor<32xi32>
  %4 = stablehlo.add %3, %key : tensor<32xi32>
  %5 = stablehlo.xor %4, %3 : tensor<32xi32>
  %6 = stablehlo.add %5, %key : tensor<32xi32>
  %7 = stablehlo.xor %6, %5 : tensor<32xi32>
  %8 = stablehlo.add %7, %key : tensor<32xi32>
  %9 = stablehlo.xor %8, %7 : tensor<32xi32>
  %10 = stablehlo.add %9, %key : tensor<32xi32>
  %11 = stablehlo.xor %10, %9 : tensor<32xi32>
  %12 = stablehlo.add %11, %key : tensor<32xi32>
  %13 = stablehlo.xor %12, %11 : tensor<32xi32>
  %14 = stablehlo.add %13, %key : tensor<32xi32>
  %15 = stablehlo.xor %14, %13 : tensor<32xi32>
  %16 = stablehlo.add %15, %key : tensor<32xi32>
  %17 = stablehlo.xor %16, %15 : tensor<32xi32>
  %18 = stablehlo.add %17, %key : tensor<32xi32>
  %19 = stablehlo.xor %18, %17 : tensor<32xi32>
  %20 = stablehlo.add %19, %key : tensor<32xi32>
  %21 = stablehlo.xor %20, %19 : tensor<32xi32>
  %22 = stablehlo.add %21, %key : tensor<32xi32>
  %23 = stablehlo.xor %22, %21 : tensor<32xi32>
  %24 = stablehlo.add %23, %key : tensor<32xi32>
  %25 = stablehlo.xor %24, %23 : tensor<32xi32>
  %26 = stablehlo.add %25, %key : tensor<32xi32>
  %27 = stablehlo.xor %26, %25 : tensor<32xi32>
  %28 = stablehlo.add %27, %key : tensor<32xi32>
  %29 = stablehlo.xor %28, %27 : tensor<32xi32>
  %30 = stablehlo.add %29, %key : tensor<32xi32>
  %31 = stablehlo.xor %30, %29 : tensor<32xi32>
  %32 = stablehlo.add %31, %key : tensor<32xi32>
  %33 = stablehlo.xor %32, %31 : tensor<32xi32>
  %34 = stablehlo.add %33, %key : tensor<32xi32>
  %35 = stablehlo.xor %34, %33 : tensor<32xi32>
  %36 = stablehlo.add %35, %key : tensor<32xi32>
  %37 = stablehlo.xor %36, %35 : tensor<32xi32>
  %38 = stablehlo.add %37, %key : tensor<32xi32>
  %39 = stablehlo.xor %38, %37 : tensor<32xi32>
  %all = stablehlo.broadcast_in_dim %39, dims = [0] : (tensor<32xi32>) -> tensor<32x56x56x96xi32>
  %out = stablehlo.add %x, %all : tensor<32x56x56x96xi32>
  return %out : tensor<32x56x56x96xi32>
}
