// Loops that fill arrays whose initial values nobody reads, forward and backward, and read others that they hand on;
// nested, a value handed on through both. Garbage that were read would be found.
// RUN: tpuc run %s --check --target=v5e
// RUN: tpuc run %s --check --target=v4
// RUN: tpuc run %s --target=v4 --constants=arrays
func.func @main() {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %five = stablehlo.constant dense<5> : tensor<i32>
  %zeros = stablehlo.constant dense<0> : tensor<5x3xi32>
  %nines = stablehlo.constant dense<9> : tensor<5x3xi32>
  %along = stablehlo.iota dim = 0 : tensor<3xi32>
  %w = stablehlo.optimization_barrier %along : tensor<3xi32>
  // y[i] = w + i; z[4 - i] = 4 w + i; t: rows 0 to 3 of a start that is read, the last as it was.
  %0:5 = stablehlo.while(%i = %zero, %v = %w, %y = %zeros, %z = %zeros, %t = %nines)
      : tensor<i32>, tensor<3xi32>, tensor<5x3xi32>, tensor<5x3xi32>, tensor<5x3xi32>
    cond {
      %p = stablehlo.compare LT, %i, %five, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      // s = 4 w, one addition a turn.
      %s:3 = stablehlo.while(%j = %zero, %u = %v, %sum = %v) : tensor<i32>, tensor<3xi32>, tensor<3xi32>
        cond {
          %p = stablehlo.compare LT, %j, %three, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
          stablehlo.return %p : tensor<i1>
        } do {
          %2 = stablehlo.add %sum, %u : tensor<3xi32>
          %3 = stablehlo.add %j, %one : tensor<i32>
          stablehlo.return %3, %u, %2 : tensor<i32>, tensor<3xi32>, tensor<3xi32>
        }
      %b = stablehlo.broadcast_in_dim %i, dims = [] : (tensor<i32>) -> tensor<3xi32>
      %4 = stablehlo.add %v, %b : tensor<3xi32>
      %row = stablehlo.reshape %4 : (tensor<3xi32>) -> tensor<1x3xi32>
      %5 = stablehlo.dynamic_update_slice %y, %row, %i, %zero
          : (tensor<5x3xi32>, tensor<1x3xi32>, tensor<i32>, tensor<i32>) -> tensor<5x3xi32>
      %6 = stablehlo.add %s#2, %b : tensor<3xi32>
      %row2 = stablehlo.reshape %6 : (tensor<3xi32>) -> tensor<1x3xi32>
      %7 = stablehlo.subtract %five, %i : tensor<i32>
      %8 = stablehlo.subtract %7, %one : tensor<i32>
      %9 = stablehlo.dynamic_update_slice %z, %row2, %8, %zero
          : (tensor<5x3xi32>, tensor<1x3xi32>, tensor<i32>, tensor<i32>) -> tensor<5x3xi32>
      // The last turn writes row 3 once more.
      %10 = stablehlo.minimum %i, %three : tensor<i32>
      %11 = stablehlo.dynamic_update_slice %t, %row, %10, %zero
          : (tensor<5x3xi32>, tensor<1x3xi32>, tensor<i32>, tensor<i32>) -> tensor<5x3xi32>
      %12 = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %12, %v, %5, %9, %11
          : tensor<i32>, tensor<3xi32>, tensor<5x3xi32>, tensor<5x3xi32>, tensor<5x3xi32>
    }
  check.expect_eq_const %0#1, dense<[0, 1, 2]> : tensor<3xi32>
  check.expect_eq_const %0#2, dense<[[0, 1, 2], [1, 2, 3], [2, 3, 4], [3, 4, 5], [4, 5, 6]]> : tensor<5x3xi32>
  check.expect_eq_const %0#3, dense<[[4, 8, 12], [3, 7, 11], [2, 6, 10], [1, 5, 9], [0, 4, 8]]> : tensor<5x3xi32>
  check.expect_eq_const %0#4, dense<[[0, 1, 2], [1, 2, 3], [2, 3, 4], [4, 5, 6], [9, 9, 9]]> : tensor<5x3xi32>
  return
}
