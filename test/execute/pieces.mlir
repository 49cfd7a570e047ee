// Layers of stacked arrays that kernels read and write where they lie: by loops forward and backward, from positions
// out of range, of arrays that are read again after they were written, under other shapes; against products of all
// layers at once.
// RUN: tpuc run %s --check --target=v5e --matmul-precision=highest
// RUN: tpuc run %s --check --target=v5p --matmul-precision=highest
// RUN: tpuc run %s --target=v4 --matmul-precision=highest --constants=arrays
func.func @main() {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %four = stablehlo.constant dense<4> : tensor<i32>
  %five = stablehlo.constant dense<5> : tensor<i32>
  %begin = stablehlo.constant dense<0.0> : tensor<f32>
  %nothing = stablehlo.constant dense<0.0> : tensor<5x24x136xf32>
  %n0 = stablehlo.iota dim = 0 : tensor<5x40x136xf32>
  %n1 = stablehlo.iota dim = 2 : tensor<5x40x136xf32>
  %n2 = stablehlo.iota dim = 1 : tensor<5x40x136xf32>
  %n3 = stablehlo.multiply %n0, %n1 : tensor<5x40x136xf32>
  %n4 = stablehlo.subtract %n3, %n2 : tensor<5x40x136xf32>
  %w = stablehlo.optimization_barrier %n4 : tensor<5x40x136xf32>
  %x0 = stablehlo.iota dim = 0 : tensor<24x40xf32>
  %x1 = stablehlo.iota dim = 1 : tensor<24x40xf32>
  %x2 = stablehlo.subtract %x0, %x1 : tensor<24x40xf32>
  %x = stablehlo.optimization_barrier %x2 : tensor<24x40xf32>

  // y[i] = x w[i], z[4 - i] = x w[i] + y[i]; the last layer twice: positions 5 and 9 are out of range.
  %0:4 = stablehlo.while(%i = %zero, %y = %nothing, %z = %nothing, %t = %nothing)
      : tensor<i32>, tensor<5x24x136xf32>, tensor<5x24x136xf32>, tensor<5x24x136xf32>
    cond {
      %p = stablehlo.compare LT, %i, %five, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %1 = stablehlo.dynamic_slice %w, %i, %zero, %zero, sizes = [1, 40, 136]
          : (tensor<5x40x136xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x40x136xf32>
      %2 = stablehlo.reshape %1 : (tensor<1x40x136xf32>) -> tensor<40x136xf32>
      %3 = stablehlo.dot_general %x, %2, contracting_dims = [1] x [0]
          : (tensor<24x40xf32>, tensor<40x136xf32>) -> tensor<24x136xf32>
      %4 = stablehlo.reshape %3 : (tensor<24x136xf32>) -> tensor<1x24x136xf32>
      %5 = stablehlo.dynamic_update_slice %y, %4, %i, %zero, %zero
          : (tensor<5x24x136xf32>, tensor<1x24x136xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<5x24x136xf32>
      // What was just put there.
      %6 = stablehlo.dynamic_slice %5, %i, %zero, %zero, sizes = [1, 24, 136]
          : (tensor<5x24x136xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x24x136xf32>
      %7 = stablehlo.add %4, %6 : tensor<1x24x136xf32>
      %8 = stablehlo.subtract %four, %i : tensor<i32>
      %9 = stablehlo.dynamic_update_slice %z, %7, %8, %zero, %zero
          : (tensor<5x24x136xf32>, tensor<1x24x136xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<5x24x136xf32>
      // Layers i + 1, and the last one again: t[min(2 i, 4)].
      %next = stablehlo.add %i, %one : tensor<i32>
      %10 = stablehlo.dynamic_slice %w, %next, %zero, %zero, sizes = [1, 40, 136]
          : (tensor<5x40x136xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x40x136xf32>
      %11 = stablehlo.slice %10 [0:1, 0:24, 0:136] : (tensor<1x40x136xf32>) -> tensor<1x24x136xf32>
      %12 = stablehlo.add %i, %i : tensor<i32>
      %13 = stablehlo.dynamic_update_slice %t, %11, %12, %zero, %zero
          : (tensor<5x24x136xf32>, tensor<1x24x136xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<5x24x136xf32>
      stablehlo.return %next, %5, %9, %13 : tensor<i32>, tensor<5x24x136xf32>, tensor<5x24x136xf32>,
          tensor<5x24x136xf32>
    }
  %all = stablehlo.dot_general %w, %x, contracting_dims = [1] x [1]
      : (tensor<5x40x136xf32>, tensor<24x40xf32>) -> tensor<5x136x24xf32>
  %products = stablehlo.transpose %all, dims = [0, 2, 1] : (tensor<5x136x24xf32>) -> tensor<5x24x136xf32>
  check.expect_eq %0#1, %products : tensor<5x24x136xf32>
  %twice = stablehlo.add %products, %products : tensor<5x24x136xf32>
  %back = stablehlo.reverse %twice, dims = [0] : tensor<5x24x136xf32>
  check.expect_eq %0#2, %back : tensor<5x24x136xf32>
  // t: w[1], zeros, w[2], zeros, w[4].
  %rows = stablehlo.slice %w [0:5, 0:24, 0:136] : (tensor<5x40x136xf32>) -> tensor<5x24x136xf32>
  %w1 = stablehlo.slice %rows [1:2, 0:24, 0:136] : (tensor<5x24x136xf32>) -> tensor<1x24x136xf32>
  %w2 = stablehlo.slice %rows [2:3, 0:24, 0:136] : (tensor<5x24x136xf32>) -> tensor<1x24x136xf32>
  %w4 = stablehlo.slice %rows [4:5, 0:24, 0:136] : (tensor<5x24x136xf32>) -> tensor<1x24x136xf32>
  %none = stablehlo.constant dense<0.0> : tensor<1x24x136xf32>
  %parts = stablehlo.concatenate %w1, %none, %w2, %none, %w4, dim = 0 : (tensor<1x24x136xf32>, tensor<1x24x136xf32>,
      tensor<1x24x136xf32>, tensor<1x24x136xf32>, tensor<1x24x136xf32>) -> tensor<5x24x136xf32>
  check.expect_eq %0#3, %parts : tensor<5x24x136xf32>

  // A layer that is known, as a matrix's operand.
  %third = stablehlo.slice %w [3:4, 0:40, 0:136] : (tensor<5x40x136xf32>) -> tensor<1x40x136xf32>
  %matrix = stablehlo.reshape %third : (tensor<1x40x136xf32>) -> tensor<40x136xf32>
  %one_product = stablehlo.dot_general %x, %matrix, contracting_dims = [1] x [0]
      : (tensor<24x40xf32>, tensor<40x136xf32>) -> tensor<24x136xf32>
  %wanted = stablehlo.slice %products [3:4, 0:24, 0:136] : (tensor<5x24x136xf32>) -> tensor<1x24x136xf32>
  %wanted_matrix = stablehlo.reshape %wanted : (tensor<1x24x136xf32>) -> tensor<24x136xf32>
  check.expect_eq %one_product, %wanted_matrix : tensor<24x136xf32>

  // Each layer is replaced by what is made of it and of the one before it, which a later one must not have replaced.
  %2:2 = stablehlo.while(%i = %one, %a = %w) : tensor<i32>, tensor<5x40x136xf32>
    cond {
      %p = stablehlo.compare LT, %i, %five, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %before = stablehlo.subtract %i, %one : tensor<i32>
      %3 = stablehlo.dynamic_slice %a, %i, %zero, %zero, sizes = [1, 40, 136]
          : (tensor<5x40x136xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x40x136xf32>
      %4 = stablehlo.dynamic_slice %a, %before, %zero, %zero, sizes = [1, 40, 136]
          : (tensor<5x40x136xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x40x136xf32>
      %5 = stablehlo.add %3, %4 : tensor<1x40x136xf32>
      %6 = stablehlo.dynamic_update_slice %a, %5, %i, %zero, %zero
          : (tensor<5x40x136xf32>, tensor<1x40x136xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<5x40x136xf32>
      %7 = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %7, %6 : tensor<i32>, tensor<5x40x136xf32>
    }
  %sums = "stablehlo.reduce_window"(%w, %begin) <{padding = dense<[[4, 0], [0, 0], [0, 0]]> : tensor<3x2xi64>,
      window_dimensions = array<i64: 5, 1, 1>, window_strides = array<i64: 1, 1, 1>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %3 = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %3 : tensor<f32>
    }) : (tensor<5x40x136xf32>, tensor<f32>) -> tensor<5x40x136xf32>
  check.expect_eq %2#1, %sums : tensor<5x40x136xf32>

  // Rows of matrices, which tiles hold among others: of 200 numbers and of 60, read and written.
  %r0 = stablehlo.iota dim = 0 : tensor<11x200xf32>
  %r1 = stablehlo.iota dim = 1 : tensor<11x200xf32>
  %r2 = stablehlo.multiply %r0, %r1 : tensor<11x200xf32>
  %r = stablehlo.optimization_barrier %r2 : tensor<11x200xf32>
  %q0 = stablehlo.iota dim = 0 : tensor<11x60xi32>
  %q = stablehlo.optimization_barrier %q0 : tensor<11x60xi32>
  %m0 = stablehlo.iota dim = 0 : tensor<24x200xf32>
  %m = stablehlo.optimization_barrier %m0 : tensor<24x200xf32>
  %ten = stablehlo.constant dense<10> : tensor<i32>
  %eleven = stablehlo.constant dense<11> : tensor<i32>
  %no_sums = stablehlo.constant dense<0.0> : tensor<11x200xf32>
  %no_tens = stablehlo.constant dense<0> : tensor<11x60xi32>
  %no_largest = stablehlo.constant dense<0.0> : tensor<24x200xf32>
  %3:4 = stablehlo.while(%i = %zero, %s = %no_sums, %t = %no_tens, %l = %no_largest)
      : tensor<i32>, tensor<11x200xf32>, tensor<11x60xi32>, tensor<24x200xf32>
    cond {
      %p = stablehlo.compare LT, %i, %eleven, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %4 = stablehlo.dynamic_slice %r, %i, %zero, sizes = [1, 200]
          : (tensor<11x200xf32>, tensor<i32>, tensor<i32>) -> tensor<1x200xf32>
      %5 = stablehlo.reshape %4 : (tensor<1x200xf32>) -> tensor<200xf32>
      %6 = stablehlo.broadcast_in_dim %5, dims = [1] : (tensor<200xf32>) -> tensor<24x200xf32>
      %7 = stablehlo.add %m, %6 : tensor<24x200xf32>
      %8 = stablehlo.maximum %7, %l : tensor<24x200xf32>
      %9 = stablehlo.reduce(%7 init: %begin) applies stablehlo.add across dimensions = [0]
          : (tensor<24x200xf32>, tensor<f32>) -> tensor<200xf32>
      %10 = stablehlo.reshape %9 : (tensor<200xf32>) -> tensor<1x200xf32>
      %11 = stablehlo.subtract %ten, %i : tensor<i32>
      %12 = stablehlo.dynamic_update_slice %s, %10, %11, %zero
          : (tensor<11x200xf32>, tensor<1x200xf32>, tensor<i32>, tensor<i32>) -> tensor<11x200xf32>
      %13 = stablehlo.dynamic_slice %q, %11, %zero, sizes = [1, 60]
          : (tensor<11x60xi32>, tensor<i32>, tensor<i32>) -> tensor<1x60xi32>
      %14 = stablehlo.add %13, %13 : tensor<1x60xi32>
      %15 = stablehlo.dynamic_update_slice %t, %14, %i, %zero
          : (tensor<11x60xi32>, tensor<1x60xi32>, tensor<i32>, tensor<i32>) -> tensor<11x60xi32>
      %16 = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %16, %12, %15, %8 : tensor<i32>, tensor<11x200xf32>, tensor<11x60xi32>, tensor<24x200xf32>
    }
  // Row 10 - i: 24 r[i] and 0 + 1 + .. + 23.
  %times = stablehlo.constant dense<24.0> : tensor<11x200xf32>
  %places = stablehlo.constant dense<276.0> : tensor<11x200xf32>
  %17 = stablehlo.multiply %r, %times : tensor<11x200xf32>
  %18 = stablehlo.add %17, %places : tensor<11x200xf32>
  %19 = stablehlo.reverse %18, dims = [0] : tensor<11x200xf32>
  check.expect_eq %3#1, %19 : tensor<11x200xf32>
  %20 = stablehlo.add %q, %q : tensor<11x60xi32>
  %21 = stablehlo.reverse %20, dims = [0] : tensor<11x60xi32>
  check.expect_eq %3#2, %21 : tensor<11x60xi32>
  %last = stablehlo.slice %r [10:11, 0:200] : (tensor<11x200xf32>) -> tensor<1x200xf32>
  %last_row = stablehlo.reshape %last : (tensor<1x200xf32>) -> tensor<200xf32>
  %last_rows = stablehlo.broadcast_in_dim %last_row, dims = [1] : (tensor<200xf32>) -> tensor<24x200xf32>
  %22 = stablehlo.add %m, %last_rows : tensor<24x200xf32>
  check.expect_eq %3#3, %22 : tensor<24x200xf32>
  return
}
