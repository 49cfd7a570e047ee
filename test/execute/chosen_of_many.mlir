// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which of 40 numbers a window selects, among equal ones and NaNs: a comparison with a NaN takes the later of the two,
// so a NaN is selected, then given up for what follows, and the last one hides all before it. Rows have none, one at
// the start, in the middle or at the end, or two. The places are those of a walk along each row in numpy.
// RUN: tpuc run --split-input-file --check %s
// RUN: tpuc run --split-input-file --check --target=v4 %s
// RUN: tpuc run --split-input-file --constants=arrays %s
func.func @main() {
  %row = stablehlo.iota dim = 0 : tensor<8x40xi32>
  %column = stablehlo.iota dim = 1 : tensor<8x40xi32>
  %three = stablehlo.constant dense<3> : tensor<8x40xi32>
  %seven = stablehlo.constant dense<7> : tensor<8x40xi32>
  %eleven = stablehlo.constant dense<11> : tensor<8x40xi32>
  %0 = stablehlo.multiply %column, %seven : tensor<8x40xi32>
  %1 = stablehlo.multiply %row, %three : tensor<8x40xi32>
  %2 = stablehlo.add %0, %1 : tensor<8x40xi32>
  %3 = stablehlo.remainder %2, %eleven : tensor<8x40xi32>
  %value = stablehlo.convert %3 : (tensor<8x40xi32>) -> tensor<8x40xf32>
  %first = stablehlo.constant dense<[[-1], [0], [17], [39], [5], [38], [-1], [20]]> : tensor<8x1xi32>
  %second = stablehlo.constant dense<[[-1], [-1], [-1], [-1], [30], [39], [-1], [38]]> : tensor<8x1xi32>
  %first_at = stablehlo.broadcast_in_dim %first, dims = [0, 1] : (tensor<8x1xi32>) -> tensor<8x40xi32>
  %second_at = stablehlo.broadcast_in_dim %second, dims = [0, 1] : (tensor<8x1xi32>) -> tensor<8x40xi32>
  %4 = stablehlo.compare EQ, %column, %first_at : (tensor<8x40xi32>, tensor<8x40xi32>) -> tensor<8x40xi1>
  %5 = stablehlo.compare EQ, %column, %second_at : (tensor<8x40xi32>, tensor<8x40xi32>) -> tensor<8x40xi1>
  %6 = stablehlo.or %4, %5 : tensor<8x40xi1>
  %nan = stablehlo.constant dense<0x7FC00000> : tensor<8x40xf32>
  %x = stablehlo.select %6, %nan, %value : tensor<8x40xi1>, tensor<8x40xf32>
  %ones = stablehlo.constant dense<1.0> : tensor<8x1xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %none = stablehlo.constant dense<0> : tensor<i32>
  %r0 = "stablehlo.select_and_scatter"(%x, %ones, %zero) <{window_dimensions = array<i64: 1, 40>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %s : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<8x40xf32>, tensor<8x1xf32>, tensor<f32>) -> tensor<8x40xf32>
  %i0 = stablehlo.convert %r0 : (tensor<8x40xf32>) -> tensor<8x40xi32>
  %m0 = stablehlo.multiply %i0, %column : tensor<8x40xi32>
  %p0 = stablehlo.reduce(%m0 init: %none) applies stablehlo.add across dimensions = [1]
      : (tensor<8x40xi32>, tensor<i32>) -> tensor<8xi32>
  check.expect_eq_const %p0, dense<[3, 1, 21, 39, 39, 39, 2, 39]> : tensor<8xi32>
  %r1 = "stablehlo.select_and_scatter"(%x, %ones, %zero) <{window_dimensions = array<i64: 1, 40>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %s : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<8x40xf32>, tensor<8x1xf32>, tensor<f32>) -> tensor<8x40xf32>
  %i1 = stablehlo.convert %r1 : (tensor<8x40xf32>) -> tensor<8x40xi32>
  %m1 = stablehlo.multiply %i1, %column : tensor<8x40xi32>
  %p1 = stablehlo.reduce(%m1 init: %none) applies stablehlo.add across dimensions = [1]
      : (tensor<8x40xi32>, tensor<i32>) -> tensor<8xi32>
  check.expect_eq_const %p1, dense<[36, 34, 32, 39, 39, 39, 35, 39]> : tensor<8xi32>
  %r2 = "stablehlo.select_and_scatter"(%x, %ones, %zero) <{window_dimensions = array<i64: 1, 40>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.compare LE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %s : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<8x40xf32>, tensor<8x1xf32>, tensor<f32>) -> tensor<8x40xf32>
  %i2 = stablehlo.convert %r2 : (tensor<8x40xf32>) -> tensor<8x40xi32>
  %m2 = stablehlo.multiply %i2, %column : tensor<8x40xi32>
  %p2 = stablehlo.reduce(%m2 init: %none) applies stablehlo.add across dimensions = [1]
      : (tensor<8x40xi32>, tensor<i32>) -> tensor<8xi32>
  check.expect_eq_const %p2, dense<[0, 9, 18, 39, 36, 39, 10, 39]> : tensor<8xi32>
  %r3 = "stablehlo.select_and_scatter"(%x, %ones, %zero) <{window_dimensions = array<i64: 1, 40>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %s : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<8x40xf32>, tensor<8x1xf32>, tensor<f32>) -> tensor<8x40xf32>
  %i3 = stablehlo.convert %r3 : (tensor<8x40xf32>) -> tensor<8x40xi32>
  %m3 = stablehlo.multiply %i3, %column : tensor<8x40xi32>
  %p3 = stablehlo.reduce(%m3 init: %none) applies stablehlo.add across dimensions = [1]
      : (tensor<8x40xi32>, tensor<i32>) -> tensor<8xi32>
  check.expect_eq_const %p3, dense<[33, 31, 29, 39, 36, 39, 32, 39]> : tensor<8xi32>
  return
}

// -----
// By reductions on bf16, of which words hold two; and in loops, as any other computation.
func.func @main() {
  %row = stablehlo.iota dim = 0 : tensor<8x40xi32>
  %column = stablehlo.iota dim = 1 : tensor<8x40xi32>
  %three = stablehlo.constant dense<3> : tensor<8x40xi32>
  %seven = stablehlo.constant dense<7> : tensor<8x40xi32>
  %eleven = stablehlo.constant dense<11> : tensor<8x40xi32>
  %0 = stablehlo.multiply %column, %seven : tensor<8x40xi32>
  %1 = stablehlo.multiply %row, %three : tensor<8x40xi32>
  %2 = stablehlo.add %0, %1 : tensor<8x40xi32>
  %3 = stablehlo.remainder %2, %eleven : tensor<8x40xi32>
  %value = stablehlo.convert %3 : (tensor<8x40xi32>) -> tensor<8x40xbf16>
  %first = stablehlo.constant dense<[[-1], [0], [17], [39], [5], [38], [-1], [20]]> : tensor<8x1xi32>
  %second = stablehlo.constant dense<[[-1], [-1], [-1], [-1], [30], [39], [-1], [38]]> : tensor<8x1xi32>
  %first_at = stablehlo.broadcast_in_dim %first, dims = [0, 1] : (tensor<8x1xi32>) -> tensor<8x40xi32>
  %second_at = stablehlo.broadcast_in_dim %second, dims = [0, 1] : (tensor<8x1xi32>) -> tensor<8x40xi32>
  %4 = stablehlo.compare EQ, %column, %first_at : (tensor<8x40xi32>, tensor<8x40xi32>) -> tensor<8x40xi1>
  %5 = stablehlo.compare EQ, %column, %second_at : (tensor<8x40xi32>, tensor<8x40xi32>) -> tensor<8x40xi1>
  %6 = stablehlo.or %4, %5 : tensor<8x40xi1>
  %nan = stablehlo.constant dense<0x7FC0> : tensor<8x40xbf16>
  %x = stablehlo.select %6, %nan, %value : tensor<8x40xi1>, tensor<8x40xbf16>
  %ones = stablehlo.constant dense<1.0> : tensor<8x1xbf16>
  %zero = stablehlo.constant dense<0.0> : tensor<bf16>
  %none = stablehlo.constant dense<0> : tensor<i32>
  %r0 = "stablehlo.select_and_scatter"(%x, %ones, %zero) <{window_dimensions = array<i64: 1, 40>}> ({
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    %s = stablehlo.compare GT, %b, %a : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
    stablehlo.return %s : tensor<i1>
  }, {
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    %s = stablehlo.add %a, %b : tensor<bf16>
    stablehlo.return %s : tensor<bf16>
  }) : (tensor<8x40xbf16>, tensor<8x1xbf16>, tensor<bf16>) -> tensor<8x40xbf16>
  %i0 = stablehlo.convert %r0 : (tensor<8x40xbf16>) -> tensor<8x40xi32>
  %m0 = stablehlo.multiply %i0, %column : tensor<8x40xi32>
  %p0 = stablehlo.reduce(%m0 init: %none) applies stablehlo.add across dimensions = [1]
      : (tensor<8x40xi32>, tensor<i32>) -> tensor<8xi32>
  check.expect_eq_const %p0, dense<[33, 31, 29, 39, 36, 39, 32, 39]> : tensor<8xi32>
  %r1 = "stablehlo.select_and_scatter"(%x, %ones, %zero) <{window_dimensions = array<i64: 1, 40>}> ({
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    %p = stablehlo.add %a, %a : tensor<bf16>
    %q = stablehlo.add %b, %b : tensor<bf16>
    %s = stablehlo.compare GE, %p, %q : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
    stablehlo.return %s : tensor<i1>
  }, {
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    %s = stablehlo.add %a, %b : tensor<bf16>
    stablehlo.return %s : tensor<bf16>
  }) : (tensor<8x40xbf16>, tensor<8x1xbf16>, tensor<bf16>) -> tensor<8x40xbf16>
  %i1 = stablehlo.convert %r1 : (tensor<8x40xbf16>) -> tensor<8x40xi32>
  %m1 = stablehlo.multiply %i1, %column : tensor<8x40xi32>
  %p1 = stablehlo.reduce(%m1 init: %none) applies stablehlo.add across dimensions = [1]
      : (tensor<8x40xi32>, tensor<i32>) -> tensor<8xi32>
  check.expect_eq_const %p1, dense<[3, 1, 21, 39, 39, 39, 2, 39]> : tensor<8xi32>
  %r2 = "stablehlo.select_and_scatter"(%x, %ones, %zero) <{window_dimensions = array<i64: 1, 40>}> ({
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    %p = stablehlo.add %a, %a : tensor<bf16>
    %q = stablehlo.add %b, %b : tensor<bf16>
    %s = stablehlo.compare LT, %p, %q : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
    stablehlo.return %s : tensor<i1>
  }, {
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    %s = stablehlo.add %a, %b : tensor<bf16>
    stablehlo.return %s : tensor<bf16>
  }) : (tensor<8x40xbf16>, tensor<8x1xbf16>, tensor<bf16>) -> tensor<8x40xbf16>
  %i2 = stablehlo.convert %r2 : (tensor<8x40xbf16>) -> tensor<8x40xi32>
  %m2 = stablehlo.multiply %i2, %column : tensor<8x40xi32>
  %p2 = stablehlo.reduce(%m2 init: %none) applies stablehlo.add across dimensions = [1]
      : (tensor<8x40xi32>, tensor<i32>) -> tensor<8xi32>
  check.expect_eq_const %p2, dense<[33, 31, 29, 39, 36, 39, 32, 39]> : tensor<8xi32>
  return
}

// -----
// Whole numbers.
func.func @main() {
  %row = stablehlo.iota dim = 0 : tensor<8x40xi32>
  %column = stablehlo.iota dim = 1 : tensor<8x40xi32>
  %three = stablehlo.constant dense<3> : tensor<8x40xi32>
  %seven = stablehlo.constant dense<7> : tensor<8x40xi32>
  %eleven = stablehlo.constant dense<11> : tensor<8x40xi32>
  %0 = stablehlo.multiply %column, %seven : tensor<8x40xi32>
  %1 = stablehlo.multiply %row, %three : tensor<8x40xi32>
  %2 = stablehlo.add %0, %1 : tensor<8x40xi32>
  %3 = stablehlo.remainder %2, %eleven : tensor<8x40xi32>
  %x = stablehlo.optimization_barrier %3 : tensor<8x40xi32>
  %ones = stablehlo.constant dense<1> : tensor<8x1xi32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %none = stablehlo.constant dense<0> : tensor<i32>
  %r0 = "stablehlo.select_and_scatter"(%x, %ones, %zero) <{window_dimensions = array<i64: 1, 40>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = stablehlo.compare GE, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %s : tensor<i1>
  }, {
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) : (tensor<8x40xi32>, tensor<8x1xi32>, tensor<i32>) -> tensor<8x40xi32>
  %i0 = stablehlo.convert %r0 : (tensor<8x40xi32>) -> tensor<8x40xi32>
  %m0 = stablehlo.multiply %i0, %column : tensor<8x40xi32>
  %p0 = stablehlo.reduce(%m0 init: %none) applies stablehlo.add across dimensions = [1]
      : (tensor<8x40xi32>, tensor<i32>) -> tensor<8xi32>
  check.expect_eq_const %p0, dense<[3, 1, 10, 8, 6, 4, 2, 0]> : tensor<8xi32>
  %r1 = "stablehlo.select_and_scatter"(%x, %ones, %zero) <{window_dimensions = array<i64: 1, 40>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = stablehlo.compare GT, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %s : tensor<i1>
  }, {
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) : (tensor<8x40xi32>, tensor<8x1xi32>, tensor<i32>) -> tensor<8x40xi32>
  %i1 = stablehlo.convert %r1 : (tensor<8x40xi32>) -> tensor<8x40xi32>
  %m1 = stablehlo.multiply %i1, %column : tensor<8x40xi32>
  %p1 = stablehlo.reduce(%m1 init: %none) applies stablehlo.add across dimensions = [1]
      : (tensor<8x40xi32>, tensor<i32>) -> tensor<8xi32>
  check.expect_eq_const %p1, dense<[36, 34, 32, 30, 39, 37, 35, 33]> : tensor<8xi32>
  %r2 = "stablehlo.select_and_scatter"(%x, %ones, %zero) <{window_dimensions = array<i64: 1, 40>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %p = stablehlo.add %a, %a : tensor<i32>
    %q = stablehlo.add %b, %b : tensor<i32>
    %s = stablehlo.compare LE, %p, %q : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %s : tensor<i1>
  }, {
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) : (tensor<8x40xi32>, tensor<8x1xi32>, tensor<i32>) -> tensor<8x40xi32>
  %i2 = stablehlo.convert %r2 : (tensor<8x40xi32>) -> tensor<8x40xi32>
  %m2 = stablehlo.multiply %i2, %column : tensor<8x40xi32>
  %p2 = stablehlo.reduce(%m2 init: %none) applies stablehlo.add across dimensions = [1]
      : (tensor<8x40xi32>, tensor<i32>) -> tensor<8xi32>
  check.expect_eq_const %p2, dense<[0, 9, 7, 5, 3, 1, 10, 8]> : tensor<8xi32>
  return
}

// -----
// Windows of 40 at 11 places of each row, with padding at both ends: how many of them select each number.
func.func @main() {
  %row = stablehlo.iota dim = 0 : tensor<8x40xi32>
  %column = stablehlo.iota dim = 1 : tensor<8x40xi32>
  %three = stablehlo.constant dense<3> : tensor<8x40xi32>
  %seven = stablehlo.constant dense<7> : tensor<8x40xi32>
  %eleven = stablehlo.constant dense<11> : tensor<8x40xi32>
  %0 = stablehlo.multiply %column, %seven : tensor<8x40xi32>
  %1 = stablehlo.multiply %row, %three : tensor<8x40xi32>
  %2 = stablehlo.add %0, %1 : tensor<8x40xi32>
  %3 = stablehlo.remainder %2, %eleven : tensor<8x40xi32>
  %value = stablehlo.convert %3 : (tensor<8x40xi32>) -> tensor<8x40xf32>
  %first = stablehlo.constant dense<[[-1], [0], [17], [39], [5], [38], [-1], [20]]> : tensor<8x1xi32>
  %second = stablehlo.constant dense<[[-1], [-1], [-1], [-1], [30], [39], [-1], [38]]> : tensor<8x1xi32>
  %first_at = stablehlo.broadcast_in_dim %first, dims = [0, 1] : (tensor<8x1xi32>) -> tensor<8x40xi32>
  %second_at = stablehlo.broadcast_in_dim %second, dims = [0, 1] : (tensor<8x1xi32>) -> tensor<8x40xi32>
  %4 = stablehlo.compare EQ, %column, %first_at : (tensor<8x40xi32>, tensor<8x40xi32>) -> tensor<8x40xi1>
  %5 = stablehlo.compare EQ, %column, %second_at : (tensor<8x40xi32>, tensor<8x40xi32>) -> tensor<8x40xi1>
  %6 = stablehlo.or %4, %5 : tensor<8x40xi1>
  %nan = stablehlo.constant dense<0x7FC00000> : tensor<8x40xf32>
  %x = stablehlo.select %6, %nan, %value : tensor<8x40xi1>, tensor<8x40xf32>
  %ones = stablehlo.constant dense<1.0> : tensor<8x11xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %r = "stablehlo.select_and_scatter"(%x, %ones, %zero) <{padding = dense<[[0, 0], [10, 10]]> : tensor<2x2xi64>,
      window_dimensions = array<i64: 1, 40>, window_strides = array<i64: 1, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %s : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<8x40xf32>, tensor<8x11xf32>, tensor<f32>) -> tensor<8x40xf32>
  %i = stablehlo.convert %r : (tensor<8x40xf32>) -> tensor<8x40xi32>
  check.expect_eq_const %i, dense<[
      [0,0,0,7,0,0,0,0,0,0,0,0,0,0,4,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0],
      [0,6,0,0,0,0,0,0,0,0,0,0,5,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0],
      [0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,11,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0],
      [0,0,0,0,0,0,0,0,5,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,6],
      [0,0,0,0,0,0,1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,4,0,0,0,0,0,0,0,6],
      [0,0,0,0,5,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,6],
      [0,0,7,0,0,0,0,0,0,0,0,0,0,4,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0],
      [0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,5,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,6]]> : tensor<8x40xi32>
  return
}
