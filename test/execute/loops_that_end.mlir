// Loops in computations that end for the elements there are, powers of two halved until 1, but not for 0, which stands
// where no element is.
// RUN: tpuc run %s
// RUN: tpuc run %s --check --target=v2
// RUN: tpuc run %s --constants=arrays
func.func @main() {
  %x = stablehlo.constant dense<[8, 2, 4, 16, 1]> : tensor<5xi32>
  %init = stablehlo.constant dense<100> : tensor<i32>
  // The window of 0 is outside. 8 + 4 + 1, 4 + 2 + 1.
  %indices = stablehlo.constant dense<[[0], [7], [2]]> : tensor<3x1xi32>
  %updates = stablehlo.constant dense<[4, 0, 2]> : tensor<3xi32>
  %put = "stablehlo.scatter"(%x, %indices,
      %updates) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0],
      scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %one = stablehlo.constant dense<1> : tensor<i32>
    %w = stablehlo.while(%t = %b) : tensor<i32>
    cond {
      %c = stablehlo.compare NE, %t, %one : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %h = stablehlo.shift_right_logical %t, %one : tensor<i32>
      stablehlo.return %h : tensor<i32>
    }
    %d = stablehlo.add %a, %b : tensor<i32>
    %e = stablehlo.add %d, %w : tensor<i32>
    stablehlo.return %e : tensor<i32>
  }) : (tensor<5xi32>, tensor<3x1xi32>, tensor<3xi32>) -> tensor<5xi32>
  check.expect_eq_const %put, dense<[13, 2, 7, 16, 1]> : tensor<5xi32>
  // Windows [padding, 8, 2], [2, 4, 16] and [16, 1, padding]: 8 takes 8; 16 takes 2 and 4; each 1 more.
  %source = stablehlo.constant dense<[8, 2, 4]> : tensor<3xi32>
  %pool = "stablehlo.select_and_scatter"(%x, %source, %init) <{window_dimensions = array<i64: 3>,
      window_strides = array<i64: 2>, padding = dense<1> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %one = stablehlo.constant dense<1> : tensor<i32>
    %w = stablehlo.while(%t = %b) : tensor<i32>
    cond {
      %c = stablehlo.compare NE, %t, %one : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %h = stablehlo.shift_right_logical %t, %one : tensor<i32>
      stablehlo.return %h : tensor<i32>
    }
    %bit = stablehlo.multiply %a, %w : tensor<i32>
    %ge = stablehlo.compare GE, %bit, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %ge : tensor<i1>
  }, {
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %one = stablehlo.constant dense<1> : tensor<i32>
    %w = stablehlo.while(%t = %b) : tensor<i32>
    cond {
      %c = stablehlo.compare NE, %t, %one : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %h = stablehlo.shift_right_logical %t, %one : tensor<i32>
      stablehlo.return %h : tensor<i32>
    }
    %d = stablehlo.add %a, %b : tensor<i32>
    %e = stablehlo.add %d, %w : tensor<i32>
    stablehlo.return %e : tensor<i32>
  }) : (tensor<5xi32>, tensor<3xi32>, tensor<i32>) -> tensor<5xi32>
  check.expect_eq_const %pool, dense<[109, 100, 100, 108, 100]> : tensor<5xi32>
  // The loop's operands are the same with the sides exchanged; what it reads of outside is not: the last of each
  // column.
  %y = stablehlo.constant dense<[[3, 9], [4, 16], [1, 7]]> : tensor<3x2xi32>
  %last = "stablehlo.reduce"(%y, %init) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %one = stablehlo.constant dense<1> : tensor<i32>
    %none = stablehlo.constant dense<0> : tensor<i32>
    %w:2 = stablehlo.while(%s = %none, %t = %none) : tensor<i32>, tensor<i32>
    cond {
      %c = stablehlo.compare LT, %s, %one : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %n = stablehlo.add %s, %one : tensor<i32>
      stablehlo.return %n, %b : tensor<i32>, tensor<i32>
    }
    stablehlo.return %w#1 : tensor<i32>
  }) : (tensor<3x2xi32>, tensor<i32>) -> tensor<2xi32>
  check.expect_eq_const %last, dense<[1, 7]> : tensor<2xi32>
  return
}
