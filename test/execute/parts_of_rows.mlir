// Rows of a matrix that a kernel reads where they lie, of which it takes an element: the last row ends with the array's
// tile, and nothing behind it is read.
// RUN: tpuc run %s --check --target=v5e --matmul-precision=highest
// RUN: tpuc run %s --matmul-precision=highest --constants=arrays
func.func @main() {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %eight = stablehlo.constant dense<8> : tensor<i32>
  %nothing = stablehlo.constant dense<0.0> : tensor<16x12xf32>
  %t0 = stablehlo.iota dim = 0 : tensor<8x300xf32>
  %t1 = stablehlo.iota dim = 1 : tensor<8x300xf32>
  %t2 = stablehlo.multiply %t0, %t1 : tensor<8x300xf32>
  %table = stablehlo.optimization_barrier %t2 : tensor<8x300xf32>
  %0:2 = stablehlo.while(%i = %zero, %sum = %nothing) : tensor<i32>, tensor<16x12xf32>
    cond {
      %p = stablehlo.compare LE, %i, %eight, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %1 = stablehlo.dynamic_slice %table, %i, %zero, sizes = [1, 300]
          : (tensor<8x300xf32>, tensor<i32>, tensor<i32>) -> tensor<1x300xf32>
      // One element for all.
      %2 = stablehlo.slice %1 [0:1, 290:291] : (tensor<1x300xf32>) -> tensor<1x1xf32>
      %3 = stablehlo.reshape %2 : (tensor<1x1xf32>) -> tensor<f32>
      %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<f32>) -> tensor<16x12xf32>
      %5 = stablehlo.add %sum, %4 : tensor<16x12xf32>
      %9 = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %9, %5 : tensor<i32>, tensor<16x12xf32>
    }
  // Rows 0 to 7, and 7 again for position 8: 28 + 7 times the column.
  check.expect_eq_const %0#1, dense<10150.0> : tensor<16x12xf32>
  return
}
