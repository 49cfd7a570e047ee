// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tpuc-opt %s --tpuc-use-counters --split-input-file | FileCheck %s

// Forwards and backwards; the position behind a select that no iteration takes the other way, as JAX writes x[i]. What
// else reads the counter reads it as before.
// CHECK-LABEL: @both_ways
// CHECK: } do {
// CHECK-DAG: %[[UP:.*]] = kernel.counter 0 by 1 : tensor<i32>
// CHECK-DAG: %[[DOWN:.*]] = kernel.counter 7 by -1 : tensor<i32>
// CHECK: stablehlo.dynamic_slice %{{.*}}, %[[DOWN]], %{{.*}} sizes = [1, 128]
// CHECK: stablehlo.dynamic_update_slice %{{.*}}, %{{.*}}, %[[UP]], %
// CHECK: stablehlo.convert %iterArg
func.func @both_ways(%x: tensor<8x128xf32>) -> (tensor<8x128xf32>, tensor<f32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %none = stablehlo.constant dense<0.0> : tensor<f32>
  %0:3 = stablehlo.while(%i = %zero, %y = %x, %s = %none) : tensor<i32>, tensor<8x128xf32>, tensor<f32>
      attributes {kernel.trip_count = 8 : i64}
  cond {
    %p = stablehlo.constant dense<true> : tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %seven = stablehlo.constant dense<7> : tensor<i32>
    %eight = stablehlo.constant dense<8> : tensor<i32>
    %down = stablehlo.subtract %seven, %i : tensor<i32>
    %isLess = stablehlo.compare LT, %down, %zero, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %wrapped = stablehlo.add %down, %eight : tensor<i32>
    %at = stablehlo.select %isLess, %wrapped, %down : tensor<i1>, tensor<i32>
    %row = stablehlo.dynamic_slice %x, %at, %zero, sizes = [1, 128]
        : (tensor<8x128xf32>, tensor<i32>, tensor<i32>) -> tensor<1x128xf32>
    %z = stablehlo.dynamic_update_slice %y, %row, %i, %zero
        : (tensor<8x128xf32>, tensor<1x128xf32>, tensor<i32>, tensor<i32>) -> tensor<8x128xf32>
    %f = stablehlo.convert %i : (tensor<i32>) -> tensor<f32>
    %t = stablehlo.add %s, %f : tensor<f32>
    %n = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %n, %z, %t : tensor<i32>, tensor<8x128xf32>, tensor<f32>
  }
  return %0#1, %0#2 : tensor<8x128xf32>, tensor<f32>
}

// -----

// Not what steps unevenly, nor what data decides; nor anything in a loop that is not counted.
// CHECK-LABEL: @other_positions
// CHECK-NOT: kernel.counter
func.func @other_positions(%x: tensor<8x128xf32>, %where: tensor<i32>) -> tensor<1x128xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %sum = stablehlo.constant dense<0.0> : tensor<1x128xf32>
  %0:3 = stablehlo.while(%i = %zero, %w = %where, %s = %sum) : tensor<i32>, tensor<i32>, tensor<1x128xf32>
      attributes {kernel.trip_count = 8 : i64}
  cond {
    %p = stablehlo.constant dense<true> : tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %square = stablehlo.multiply %i, %i : tensor<i32>
    %a = stablehlo.dynamic_slice %x, %square, %zero, sizes = [1, 128]
        : (tensor<8x128xf32>, tensor<i32>, tensor<i32>) -> tensor<1x128xf32>
    %b = stablehlo.dynamic_slice %x, %w, %zero, sizes = [1, 128]
        : (tensor<8x128xf32>, tensor<i32>, tensor<i32>) -> tensor<1x128xf32>
    %c = stablehlo.add %a, %b : tensor<1x128xf32>
    %t = stablehlo.add %s, %c : tensor<1x128xf32>
    %n = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %n, %w, %t : tensor<i32>, tensor<i32>, tensor<1x128xf32>
  }
  %1:2 = stablehlo.while(%i = %zero, %s = %0#2) : tensor<i32>, tensor<1x128xf32>
  cond {
    %p = stablehlo.compare LT, %i, %where, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %a = stablehlo.dynamic_slice %x, %i, %zero, sizes = [1, 128]
        : (tensor<8x128xf32>, tensor<i32>, tensor<i32>) -> tensor<1x128xf32>
    %t = stablehlo.add %s, %a : tensor<1x128xf32>
    %n = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %n, %t : tensor<i32>, tensor<1x128xf32>
  }
  return %1#1 : tensor<1x128xf32>
}

// -----

// A loop in a loop: the inner one reads both counters, each where its loop's body begins.
// CHECK-LABEL: @nested
// CHECK: } do {
// CHECK: %[[OUTER:.*]] = kernel.counter 0 by 2 : tensor<i32>
// CHECK: } do {
// CHECK: %[[INNER:.*]] = kernel.counter 3 by 1 : tensor<i32>
// CHECK: stablehlo.dynamic_slice %{{.*}}, %[[OUTER]], %[[INNER]], %
func.func @nested(%x: tensor<8x16x128xf32>) -> tensor<1x1x128xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %sum = stablehlo.constant dense<0.0> : tensor<1x1x128xf32>
  %0:2 = stablehlo.while(%i = %zero, %s = %sum) : tensor<i32>, tensor<1x1x128xf32>
      attributes {kernel.trip_count = 4 : i64}
  cond {
    %p = stablehlo.constant dense<true> : tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %two = stablehlo.constant dense<2> : tensor<i32>
    %1:2 = stablehlo.while(%k = %three, %r = %s) : tensor<i32>, tensor<1x1x128xf32>
        attributes {kernel.trip_count = 5 : i64}
    cond {
      %p = stablehlo.constant dense<true> : tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %one = stablehlo.constant dense<1> : tensor<i32>
      %a = stablehlo.dynamic_slice %x, %i, %k, %zero, sizes = [1, 1, 128]
          : (tensor<8x16x128xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x1x128xf32>
      %t = stablehlo.add %r, %a : tensor<1x1x128xf32>
      %n = stablehlo.add %k, %one : tensor<i32>
      stablehlo.return %n, %t : tensor<i32>, tensor<1x1x128xf32>
    }
    %n = stablehlo.add %i, %two : tensor<i32>
    stablehlo.return %n, %1#1 : tensor<i32>, tensor<1x1x128xf32>
  }
  return %0#1 : tensor<1x1x128xf32>
}
