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

// -----

// 12 iterations over 2 x 3 heads of 2 blocks: i / 2 counts heads, i rem 2 blocks, (i / 2) rem 3 the heads of each of
// the 2, in steps of 8. i * i / 4 is 0, 0, 1, 2, 4: no such number.
// CHECK-LABEL: @repeats
// CHECK: } do {
// CHECK: %[[NUMBER:.*]] = kernel.counter 0 by 1 : tensor<i32>
// CHECK: %[[HEAD:.*]] = kernel.counter 0 by 1 every 2 : tensor<i32>
// CHECK: %[[BLOCK:.*]] = kernel.counter 0 by 1 of 2 : tensor<i32>
// CHECK: %[[OWN:.*]] = kernel.counter 0 by 8 every 2 of 3 : tensor<i32>
// CHECK-NOT: kernel.counter
// CHECK: stablehlo.dynamic_slice %{{.*}}, %[[HEAD]], %[[BLOCK]], %
// CHECK: stablehlo.dynamic_slice %{{.*}}, %[[OWN]], %{{.*}}, %
// CHECK: %[[SQUARE:.*]] = stablehlo.multiply %iterArg, %iterArg
// CHECK: %[[QUARTER:.*]] = stablehlo.divide %[[SQUARE]]
// CHECK: stablehlo.dynamic_slice %{{.*}}, %[[QUARTER]], %
func.func @repeats(%x: tensor<6x2x8x128xf32>, %y: tensor<24x8x128xf32>) -> tensor<1x8x128xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %sum = stablehlo.constant dense<0.0> : tensor<1x8x128xf32>
  %0:2 = stablehlo.while(%i = %zero, %s = %sum) : tensor<i32>, tensor<1x8x128xf32>
      attributes {kernel.trip_count = 12 : i64}
  cond {
    %p = stablehlo.constant dense<true> : tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %two = stablehlo.constant dense<2> : tensor<i32>
    %three = stablehlo.constant dense<3> : tensor<i32>
    %four = stablehlo.constant dense<4> : tensor<i32>
    %eight = stablehlo.constant dense<8> : tensor<i32>
    %head = stablehlo.divide %i, %two : tensor<i32>
    %block = stablehlo.remainder %i, %two : tensor<i32>
    %a = stablehlo.dynamic_slice %x, %head, %block, %zero, %zero, sizes = [1, 1, 8, 128] : (tensor<6x2x8x128xf32>,
        tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x1x8x128xf32>
    %of = stablehlo.remainder %head, %three : tensor<i32>
    %own = stablehlo.multiply %of, %eight : tensor<i32>
    %b = stablehlo.dynamic_slice %y, %own, %zero, %zero, sizes = [1, 8, 128]
        : (tensor<24x8x128xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x128xf32>
    %square = stablehlo.multiply %i, %i : tensor<i32>
    %quarter = stablehlo.divide %square, %four : tensor<i32>
    %c = stablehlo.dynamic_slice %y, %quarter, %zero, %zero, sizes = [1, 8, 128]
        : (tensor<24x8x128xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x128xf32>
    %a1 = stablehlo.reshape %a : (tensor<1x1x8x128xf32>) -> tensor<1x8x128xf32>
    %d = stablehlo.multiply %a1, %b : tensor<1x8x128xf32>
    %e = stablehlo.multiply %d, %c : tensor<1x8x128xf32>
    %t = stablehlo.add %s, %e : tensor<1x8x128xf32>
    %n = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %n, %t : tensor<i32>, tensor<1x8x128xf32>
  }
  return %0#1 : tensor<1x8x128xf32>
}
