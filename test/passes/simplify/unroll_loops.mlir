// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tpuc-opt %s --tpuc-unroll-loops --split-input-file | FileCheck %s
// Loops of few iterations as straight code.

// Rounds whose rotations are parts of two vectors of constants, which change places.
// CHECK-LABEL: func.func @main
// CHECK-NOT: stablehlo.while
// CHECK: stablehlo.constant dense<13> : tensor<1xui32>
// CHECK: stablehlo.shift_left
// CHECK: stablehlo.constant dense<17> : tensor<1xui32>
// CHECK: stablehlo.shift_left
// CHECK: stablehlo.constant dense<13> : tensor<1xui32>
// CHECK: stablehlo.shift_left
// CHECK-NOT: stablehlo.shift_left
func.func @main(%x: tensor<8x128xui32>) -> tensor<8x128xui32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %a = stablehlo.constant dense<[13, 15]> : tensor<2xui32>
  %b = stablehlo.constant dense<[17, 29]> : tensor<2xui32>
  %0:4 = stablehlo.while(%i = %zero, %y = %x, %p = %a, %q = %b)
      : tensor<i32>, tensor<8x128xui32>, tensor<2xui32>, tensor<2xui32>
  cond {
    %n = stablehlo.constant dense<3> : tensor<i32>
    %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %next = stablehlo.add %i, %one : tensor<i32>
    %r = stablehlo.slice %p [0:1] : (tensor<2xui32>) -> tensor<1xui32>
    %s = stablehlo.reshape %r : (tensor<1xui32>) -> tensor<ui32>
    %t = stablehlo.broadcast_in_dim %s, dims = [] : (tensor<ui32>) -> tensor<8x128xui32>
    %z = stablehlo.shift_left %y, %t : tensor<8x128xui32>
    stablehlo.return %next, %z, %q, %p : tensor<i32>, tensor<8x128xui32>, tensor<2xui32>, tensor<2xui32>
  }
  return %0#1 : tensor<8x128xui32>
}

// -----

// Nine iterations, a matmul, and an end that data decides.
// CHECK-LABEL: func.func @main
// CHECK-COUNT-3: stablehlo.while
func.func @main(%x: tensor<8x8xf32>, %m: tensor<i32>) -> (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %nine = stablehlo.constant dense<9> : tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %y = %x) : tensor<i32>, tensor<8x8xf32>
  cond {
    %c = stablehlo.compare LT, %i, %nine : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %next = stablehlo.add %i, %one : tensor<i32>
    %z = stablehlo.tanh %y : tensor<8x8xf32>
    stablehlo.return %next, %z : tensor<i32>, tensor<8x8xf32>
  }
  %1:2 = stablehlo.while(%i = %zero, %y = %x) : tensor<i32>, tensor<8x8xf32>
  cond {
    %c = stablehlo.compare LT, %i, %two : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %next = stablehlo.add %i, %one : tensor<i32>
    %z = stablehlo.dot_general %y, %x, contracting_dims = [1] x [0]
        : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    stablehlo.return %next, %z : tensor<i32>, tensor<8x8xf32>
  }
  %2:2 = stablehlo.while(%i = %zero, %y = %x) : tensor<i32>, tensor<8x8xf32>
  cond {
    %c = stablehlo.compare LT, %i, %m : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %next = stablehlo.add %i, %one : tensor<i32>
    %z = stablehlo.tanh %y : tensor<8x8xf32>
    stablehlo.return %next, %z : tensor<i32>, tensor<8x8xf32>
  }
  return %0#1, %1#1, %2#1 : tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>
}
