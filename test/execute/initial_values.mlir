// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is known of a reduction, a window or a conversion depends on where it starts: initial values that change the
// result, and computations that read another block's argument.
// RUN: tpuc run %s --check
// RUN: tpuc run %s --check --no-fuse
// RUN: tpuc run %s --check --target=v2
func.func @main() {
  // A softmax of -95 whose maximum starts at 0: 300 exponentials of -95, of which none is exp(0). All quotients are
  // 1/300.
  %x = stablehlo.constant dense<-95.0> : tensor<16x300xf32>
  %y = stablehlo.optimization_barrier %x : tensor<16x300xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%y init: %zero) applies stablehlo.maximum across dimensions = [1]
      : (tensor<16x300xf32>, tensor<f32>) -> tensor<16xf32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<16xf32>) -> tensor<16x300xf32>
  %2 = stablehlo.subtract %y, %1 : tensor<16x300xf32>
  %3 = stablehlo.exponential %2 : tensor<16x300xf32>
  %4 = stablehlo.reduce(%3 init: %zero) applies stablehlo.add across dimensions = [1]
      : (tensor<16x300xf32>, tensor<f32>) -> tensor<16xf32>
  %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<16xf32>) -> tensor<16x300xf32>
  %6 = stablehlo.divide %3, %5 : tensor<16x300xf32>
  check.expect_almost_eq_const %6, dense<0.00333333341> : tensor<16x300xf32>

  // Sums of 0 to 129 that stop at 9000, from 5 on: 5 counts once, whatever the lanes and steps.
  %i = stablehlo.iota dim = 1 : tensor<4x130xi32>
  %j = stablehlo.optimization_barrier %i : tensor<4x130xi32>
  %five = stablehlo.constant dense<5> : tensor<i32>
  %7 = stablehlo.reduce(%j init: %five) across dimensions = [1] : (tensor<4x130xi32>, tensor<i32>) -> tensor<4xi32>
   reducer(%a: tensor<i32>, %b: tensor<i32>) {
    %most = stablehlo.constant dense<9000> : tensor<i32>
    %s = stablehlo.add %a, %b : tensor<i32>
    %t = stablehlo.minimum %s, %most : tensor<i32>
    stablehlo.return %t : tensor<i32>
  }
  check.expect_eq_const %7, dense<8390> : tensor<4xi32>
  // Of 64 bits too; and of both dims.
  %wide = stablehlo.convert %j : (tensor<4x130xi32>) -> tensor<4x130xi64>
  %five64 = stablehlo.constant dense<5> : tensor<i64>
  %8 = stablehlo.reduce(%wide init: %five64) across dimensions = [0, 1] : (tensor<4x130xi64>, tensor<i64>)
      -> tensor<i64>
   reducer(%a: tensor<i64>, %b: tensor<i64>) {
    %most = stablehlo.constant dense<90000> : tensor<i64>
    %s = stablehlo.add %a, %b : tensor<i64>
    %t = stablehlo.minimum %s, %most : tensor<i64>
    stablehlo.return %t : tensor<i64>
  }
  check.expect_eq_const %8, dense<33545> : tensor<i64>

  // The least and its place start from one that is less than all.
  %low = stablehlo.constant dense<-3> : tensor<i32>
  %nowhere = stablehlo.constant dense<777> : tensor<i32>
  %9:2 = stablehlo.reduce(%j init: %low), (%j init: %nowhere) across dimensions = [1]
      : (tensor<4x130xi32>, tensor<4x130xi32>, tensor<i32>, tensor<i32>) -> (tensor<4xi32>, tensor<4xi32>)
   reducer(%a: tensor<i32>, %c: tensor<i32>) (%b: tensor<i32>, %d: tensor<i32>) {
    %lt = stablehlo.compare LT, %a, %c : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %eq = stablehlo.compare EQ, %a, %c : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %first = stablehlo.compare LT, %b, %d : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %tie = stablehlo.and %eq, %first : tensor<i1>
    %p = stablehlo.or %lt, %tie : tensor<i1>
    %v = stablehlo.select %p, %a, %c : tensor<i1>, tensor<i32>
    %k = stablehlo.select %p, %b, %d : tensor<i1>, tensor<i32>
    stablehlo.return %v, %k : tensor<i32>, tensor<i32>
  }
  check.expect_eq_const %9#0, dense<-3> : tensor<4xi32>
  check.expect_eq_const %9#1, dense<777> : tensor<4xi32>

  // Whether one of two is true, beside a sum: booleans' maximum starts from false.
  %no = stablehlo.constant dense<[[true, false, false], [false, false, false]]> : tensor<2x3xi1>
  %ones = stablehlo.constant dense<1> : tensor<2x3xi32>
  %false = stablehlo.constant dense<false> : tensor<i1>
  %10:2 = stablehlo.reduce(%no init: %false), (%ones init: %five) across dimensions = [1]
      : (tensor<2x3xi1>, tensor<2x3xi32>, tensor<i1>, tensor<i32>) -> (tensor<2xi1>, tensor<2xi32>)
   reducer(%a: tensor<i1>, %c: tensor<i1>) (%b: tensor<i32>, %d: tensor<i32>) {
    %m = stablehlo.maximum %a, %c : tensor<i1>
    %s = stablehlo.add %b, %d : tensor<i32>
    stablehlo.return %m, %s : tensor<i1>, tensor<i32>
  }
  check.expect_eq_const %10#0, dense<[true, false]> : tensor<2xi1>
  check.expect_eq_const %10#1, dense<8> : tensor<2xi32>

  // Windows whose computation is of the last element and a loop's counter, 1 and then 2, and not of both its sides.
  %start = stablehlo.constant dense<1> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %start2 = stablehlo.constant dense<2> : tensor<i32>
  %least = stablehlo.constant dense<-2147483648> : tensor<i32>
  %k = stablehlo.iota dim = 0 : tensor<20xi32>
  %11:2 = stablehlo.while(%n = %start, %v = %k) : tensor<i32>, tensor<20xi32>
   cond {
    %go = stablehlo.compare LT, %n, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %go : tensor<i1>
  } do {
    %w = "stablehlo.reduce_window"(%v, %least) <{window_dimensions = array<i64: 20>, padding = dense<[[19, 0]]>
        : tensor<1x2xi64>}> ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %s = stablehlo.maximum %b, %n : tensor<i32>
      stablehlo.return %s : tensor<i32>
    }) : (tensor<20xi32>, tensor<i32>) -> tensor<20xi32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %next = stablehlo.add %n, %one : tensor<i32>
    stablehlo.return %next, %w : tensor<i32>, tensor<20xi32>
  }
  %two = stablehlo.constant dense<2> : tensor<20xi32>
  %12 = stablehlo.maximum %k, %two : tensor<20xi32>
  check.expect_eq %11#1, %12 : tensor<20xi32>

  // Padding counts, in a window's kernel, in a scan, between elements that are set apart: 10 + 10 + 1, 10 + 1 + 2, 10 +
  // 2 + 3.
  %few = stablehlo.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %q = stablehlo.optimization_barrier %few : tensor<3xf32>
  %ten = stablehlo.constant dense<10.0> : tensor<f32>
  %padded = "stablehlo.reduce_window"(%q, %ten) <{window_dimensions = array<i64: 2>, padding = dense<[[1, 0]]>
      : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
  check.expect_eq_const %padded, dense<[21.0, 13.0, 15.0]> : tensor<3xf32>
  %square = stablehlo.broadcast_in_dim %q, dims = [1] : (tensor<3xf32>) -> tensor<2x3x4xf32>
  %pool = "stablehlo.reduce_window"(%square, %ten) <{window_dimensions = array<i64: 1, 2, 1>, padding = dense<[[0, 0],
      [1, 0], [0, 0]]> : tensor<3x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<2x3x4xf32>, tensor<f32>) -> tensor<2x3x4xf32>
  %pooled = stablehlo.broadcast_in_dim %padded, dims = [1] : (tensor<3xf32>) -> tensor<2x3x4xf32>
  check.expect_eq %pool, %pooled : tensor<2x3x4xf32>
  // 19 - k elements of padding before element k, 2 each, and 2 once more, under the running sum.
  %scan = "stablehlo.reduce_window"(%k, %start2) <{window_dimensions = array<i64: 20>, padding = dense<[[19,
      0]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) : (tensor<20xi32>, tensor<i32>) -> tensor<20xi32>
  check.expect_eq_const %scan, dense<[40, 39, 39, 40, 42, 45, 49, 54, 60, 67, 75, 84, 94, 105, 117, 130, 144, 159, 175,
      192]> : tensor<20xi32>
  %apart = "stablehlo.reduce_window"(%q, %ten) <{window_dimensions = array<i64: 2>, base_dilations = array<i64: 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<3xf32>, tensor<f32>) -> tensor<4xf32>
  check.expect_eq_const %apart, dense<[21.0, 22.0, 22.0, 23.0]> : tensor<4xf32>

  // An integer through f32: 300 stops at 127, -1 at 0.
  %h = stablehlo.constant dense<[300, -1, 5]> : tensor<3xi16>
  %hb = stablehlo.optimization_barrier %h : tensor<3xi16>
  %f = stablehlo.convert %hb : (tensor<3xi16>) -> tensor<3xf32>
  %13 = stablehlo.convert %f : (tensor<3xf32>) -> tensor<3xi8>
  check.expect_eq_const %13, dense<[127, -1, 5]> : tensor<3xi8>
  %14 = stablehlo.convert %f : (tensor<3xf32>) -> tensor<3xui8>
  check.expect_eq_const %14, dense<[255, 0, 5]> : tensor<3xui8>
  return
}
