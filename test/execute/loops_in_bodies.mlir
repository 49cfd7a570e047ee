// Loops in the computations of maps, reductions, windows, scatters and sorts: greatest common divisors, and an order by
// the steps that halving even and tripling odd numbers takes down to 1.
// RUN: tpuc run %s
// RUN: tpuc run %s --check --target=v2
// RUN: tpuc run %s --constants=arrays
func.func @main() {
  %x = stablehlo.constant dense<[48, 36, 60, 84, 90, 100, 64, 81]> : tensor<8xi32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  // 0 is the divisor of nothing: all of 48, 36, 60, 84, 90, 100, 64, 81.
  %all = stablehlo.reduce(%x init: %zero) across dimensions = [0] : (tensor<8xi32>, tensor<i32>) -> tensor<i32>
   reducer(%a: tensor<i32>, %b: tensor<i32>) {
    %none = stablehlo.constant dense<0> : tensor<i32>
    %w:2 = stablehlo.while(%s = %a, %t = %b) : tensor<i32>, tensor<i32>
    cond {
      %c = stablehlo.compare NE, %t, %none : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %r = stablehlo.remainder %s, %t : tensor<i32>
      stablehlo.return %t, %r : tensor<i32>, tensor<i32>
    }
    stablehlo.return %w#0 : tensor<i32>
  }
  check.expect_eq_const %all, dense<1> : tensor<i32>
  %pairs = "stablehlo.reduce_window"(%x, %zero) <{window_dimensions = array<i64: 2>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %none = stablehlo.constant dense<0> : tensor<i32>
    %w:2 = stablehlo.while(%s = %a, %t = %b) : tensor<i32>, tensor<i32>
    cond {
      %c = stablehlo.compare NE, %t, %none : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %r = stablehlo.remainder %s, %t : tensor<i32>
      stablehlo.return %t, %r : tensor<i32>, tensor<i32>
    }
    stablehlo.return %w#0 : tensor<i32>
  }) : (tensor<8xi32>, tensor<i32>) -> tensor<7xi32>
  check.expect_eq_const %pairs, dense<[12, 12, 12, 6, 10, 4, 1]> : tensor<7xi32>
  // 48, 36 and 27; 84, 56 and 21; 81 and 54; place 9 is none.
  %indices = stablehlo.constant dense<[[0], [3], [0], [9], [7], [3]]> : tensor<6x1xi32>
  %updates = stablehlo.constant dense<[36, 56, 27, 5, 54, 21]> : tensor<6xi32>
  %divided = "stablehlo.scatter"(%x, %indices,
      %updates) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0],
      scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %none = stablehlo.constant dense<0> : tensor<i32>
    %w:2 = stablehlo.while(%s = %a, %t = %b) : tensor<i32>, tensor<i32>
    cond {
      %c = stablehlo.compare NE, %t, %none : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %r = stablehlo.remainder %s, %t : tensor<i32>
      stablehlo.return %t, %r : tensor<i32>, tensor<i32>
    }
    stablehlo.return %w#0 : tensor<i32>
  }) : (tensor<8xi32>, tensor<6x1xi32>, tensor<6xi32>) -> tensor<8xi32>
  check.expect_eq_const %divided, dense<[3, 36, 60, 7, 90, 100, 64, 27]> : tensor<8xi32>
  // Each row's windows of two, one row a batch: [48, 36], [60, 84], [90, 100], [64, 81] with updates of two from place
  // 0 or 2, which is outside.
  %rows = stablehlo.reshape %x : (tensor<8xi32>) -> tensor<4x2xi32>
  %starts = stablehlo.constant dense<[[[0], [2]], [[0], [0]], [[1], [0]], [[0], [-1]]]> : tensor<4x2x1xi8>
  %wide = stablehlo.constant dense<[[[36, 24], [1, 1]], [[40, 21], [50, 14]], [[7, 7], [27, 15]], [[24, 6], [1,
      1]]]> : tensor<4x2x2xi32>
  %batched = "stablehlo.scatter"(%rows, %starts,
      %wide) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], input_batching_dims = [0],
      scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %none = stablehlo.constant dense<0> : tensor<i32>
    %w:2 = stablehlo.while(%s = %a, %t = %b) : tensor<i32>, tensor<i32>
    cond {
      %c = stablehlo.compare NE, %t, %none : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %r = stablehlo.remainder %s, %t : tensor<i32>
      stablehlo.return %t, %r : tensor<i32>, tensor<i32>
    }
    stablehlo.return %w#0 : tensor<i32>
  }) : (tensor<4x2xi32>, tensor<4x2x1xi8>, tensor<4x2x2xi32>) -> tensor<4x2xi32>
  check.expect_eq_const %batched, dense<[[12, 12], [10, 7], [9, 5], [8, 3]]> : tensor<4x2xi32>

  %numbers = stablehlo.constant dense<[21, 23, 25, 4, 24, 7, 5, 40, 29, 6, 1, 27, 3, 35, 39, 26, 20, 11, 37,
      19]> : tensor<20xi32>
  %steps = "stablehlo.map"(%numbers) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<i32>):
    %none = stablehlo.constant dense<0> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %three = stablehlo.constant dense<3> : tensor<i32>
    %w:2 = stablehlo.while(%s = %a, %n = %none) : tensor<i32>, tensor<i32>
    cond {
      %c = stablehlo.compare GT, %s, %one : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %odd = stablehlo.and %s, %one : tensor<i32>
      %next = "stablehlo.case"(%odd) ({
        %half = stablehlo.shift_right_logical %s, %one : tensor<i32>
        stablehlo.return %half : tensor<i32>
      }, {
        %triple = stablehlo.multiply %s, %three : tensor<i32>
        %more = stablehlo.add %triple, %one : tensor<i32>
        stablehlo.return %more : tensor<i32>
      }) : (tensor<i32>) -> tensor<i32>
      %m = stablehlo.add %n, %one : tensor<i32>
      stablehlo.return %next, %m : tensor<i32>, tensor<i32>
    }
    stablehlo.return %w#1 : tensor<i32>
  }) : (tensor<20xi32>) -> tensor<20xi32>
  check.expect_eq_const %steps, dense<[7, 15, 23, 2, 10, 16, 5, 8, 18, 8, 0, 111, 7, 13, 34, 10, 7, 14, 21, 20]>
      : tensor<20xi32>
  // Who gets to 1 first, with both going on together; numbers of as many steps stay in order.
  %sorted = "stablehlo.sort"(%numbers) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %one = stablehlo.constant dense<1> : tensor<i32>
    %three = stablehlo.constant dense<3> : tensor<i32>
    %w:2 = stablehlo.while(%s = %a, %t = %b) : tensor<i32>, tensor<i32>
    cond {
      %p = stablehlo.compare GT, %s, %one : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %q = stablehlo.compare GT, %t, %one : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %both = stablehlo.and %p, %q : tensor<i1>
      stablehlo.return %both : tensor<i1>
    } do {
      %bit = stablehlo.and %s, %one : tensor<i32>
      %even = stablehlo.compare NE, %bit, %one : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %s2 = "stablehlo.if"(%even) ({
        %half = stablehlo.shift_right_logical %s, %one : tensor<i32>
        stablehlo.return %half : tensor<i32>
      }, {
        %triple = stablehlo.multiply %s, %three : tensor<i32>
        %more = stablehlo.add %triple, %one : tensor<i32>
        stablehlo.return %more : tensor<i32>
      }) : (tensor<i1>) -> tensor<i32>
      %other = stablehlo.and %t, %one : tensor<i32>
      %t2 = "stablehlo.case"(%other) ({
        %half = stablehlo.shift_right_logical %t, %one : tensor<i32>
        stablehlo.return %half : tensor<i32>
      }, {
        %triple = stablehlo.multiply %t, %three : tensor<i32>
        %more = stablehlo.add %triple, %one : tensor<i32>
        stablehlo.return %more : tensor<i32>
      }) : (tensor<i32>) -> tensor<i32>
      stablehlo.return %s2, %t2 : tensor<i32>, tensor<i32>
    }
    %first = stablehlo.compare EQ, %w#0, %one : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %later = stablehlo.compare GT, %w#1, %one : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %lt = stablehlo.and %first, %later : tensor<i1>
    stablehlo.return %lt : tensor<i1>
  }) : (tensor<20xi32>) -> tensor<20xi32>
  check.expect_eq_const %sorted, dense<[1, 4, 5, 21, 3, 20, 40, 6, 24, 26, 35, 11, 23, 7, 29, 19, 37, 25, 39,
      27]> : tensor<20xi32>
  return
}
