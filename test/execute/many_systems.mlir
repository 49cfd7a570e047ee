// A long batch of small systems: it goes to the lanes, and products of its matrices are sums of products. Systems of
// the ends and of the middle are solved again by themselves, a matrix a tile; their products take the matrix unit.
// RUN: tpuc run %s --target=v4 --check
// RUN: tpuc run %s --target=v4 --cpu-level=portable
// RUN: tpuc run %s --target=v4 --constants=arrays
func.func @main() {
  // min(i, j) + 1, and more along the diagonal.
  %i = stablehlo.iota dim = 1 : tensor<1000x3x3xi32>
  %j = stablehlo.iota dim = 2 : tensor<1000x3x3xi32>
  %b = stablehlo.iota dim = 0 : tensor<1000x3x3xi32>
  %zero = stablehlo.constant dense<0> : tensor<1000x3x3xi32>
  %one = stablehlo.constant dense<1> : tensor<1000x3x3xi32>
  %seven = stablehlo.constant dense<7> : tensor<1000x3x3xi32>
  %least = stablehlo.minimum %i, %j : tensor<1000x3x3xi32>
  %low = stablehlo.add %least, %one : tensor<1000x3x3xi32>
  %more = stablehlo.remainder %b, %seven : tensor<1000x3x3xi32>
  %diagonal = stablehlo.compare EQ, %i, %j : (tensor<1000x3x3xi32>, tensor<1000x3x3xi32>) -> tensor<1000x3x3xi1>
  %added = stablehlo.select %diagonal, %more, %zero : tensor<1000x3x3xi1>, tensor<1000x3x3xi32>
  %whole = stablehlo.add %low, %added : tensor<1000x3x3xi32>
  %m = stablehlo.convert %whole : (tensor<1000x3x3xi32>) -> tensor<1000x3x3xf32>
  %l = stablehlo.cholesky %m, lower = true : tensor<1000x3x3xf32>
  %s = "stablehlo.triangular_solve"(%l, %m) <{left_side = true, lower = true,
      transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}>
      : (tensor<1000x3x3xf32>, tensor<1000x3x3xf32>) -> tensor<1000x3x3xf32>

  %m0 = stablehlo.slice %m [0:8, 0:3, 0:3] : (tensor<1000x3x3xf32>) -> tensor<8x3x3xf32>
  %e0 = stablehlo.cholesky %m0, lower = true : tensor<8x3x3xf32>
  %f0 = "stablehlo.triangular_solve"(%e0, %m0) <{left_side = true, lower = true,
      transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}>
      : (tensor<8x3x3xf32>, tensor<8x3x3xf32>) -> tensor<8x3x3xf32>
  %l0 = stablehlo.slice %l [0:8, 0:3, 0:3] : (tensor<1000x3x3xf32>) -> tensor<8x3x3xf32>
  %s0 = stablehlo.slice %s [0:8, 0:3, 0:3] : (tensor<1000x3x3xf32>) -> tensor<8x3x3xf32>
  check.expect_eq %l0, %e0 : tensor<8x3x3xf32>
  check.expect_close %s0, %f0 : tensor<8x3x3xf32>, tensor<8x3x3xf32>

  %m1 = stablehlo.slice %m [504:512, 0:3, 0:3] : (tensor<1000x3x3xf32>) -> tensor<8x3x3xf32>
  %e1 = stablehlo.cholesky %m1, lower = true : tensor<8x3x3xf32>
  %f1 = "stablehlo.triangular_solve"(%e1, %m1) <{left_side = true, lower = true,
      transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}>
      : (tensor<8x3x3xf32>, tensor<8x3x3xf32>) -> tensor<8x3x3xf32>
  %l1 = stablehlo.slice %l [504:512, 0:3, 0:3] : (tensor<1000x3x3xf32>) -> tensor<8x3x3xf32>
  %s1 = stablehlo.slice %s [504:512, 0:3, 0:3] : (tensor<1000x3x3xf32>) -> tensor<8x3x3xf32>
  check.expect_eq %l1, %e1 : tensor<8x3x3xf32>
  check.expect_close %s1, %f1 : tensor<8x3x3xf32>, tensor<8x3x3xf32>

  %m2 = stablehlo.slice %m [992:1000, 0:3, 0:3] : (tensor<1000x3x3xf32>) -> tensor<8x3x3xf32>
  %e2 = stablehlo.cholesky %m2, lower = true : tensor<8x3x3xf32>
  %f2 = "stablehlo.triangular_solve"(%e2, %m2) <{left_side = true, lower = true,
      transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}>
      : (tensor<8x3x3xf32>, tensor<8x3x3xf32>) -> tensor<8x3x3xf32>
  %l2 = stablehlo.slice %l [992:1000, 0:3, 0:3] : (tensor<1000x3x3xf32>) -> tensor<8x3x3xf32>
  %s2 = stablehlo.slice %s [992:1000, 0:3, 0:3] : (tensor<1000x3x3xf32>) -> tensor<8x3x3xf32>
  check.expect_eq %l2, %e2 : tensor<8x3x3xf32>
  check.expect_close %s2, %f2 : tensor<8x3x3xf32>, tensor<8x3x3xf32>
  return
}
