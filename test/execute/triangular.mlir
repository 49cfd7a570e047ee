// Triangular systems: what lies in the other triangle is not read, and a unit diagonal isn't either.
// RUN: tpuc run %s --matmul-precision=highest
// RUN: tpuc run %s --check --target=v2
// RUN: tpuc run %s --matmul-precision=highest --constants=arrays
func.func @main() {
  // 2 * 2, 2 + 3, 3 * 2 + 5 * 3 + 4 * 3; from the right (2, 1 + 3, 3 + 5 * 3 + 4 * 3.75).
  %nan = stablehlo.constant dense<[[2.0, 0x7FC00000, 0x7FC00000], [1.0, 1.0, 0x7FC00000], [3.0, 5.0, 4.0]]>
      : tensor<3x3xf32>
  %b = stablehlo.constant dense<[[4.0], [5.0], [33.0]]> : tensor<3x1xf32>
  %left = "stablehlo.triangular_solve"(%nan, %b) <{left_side = true, lower = true,
      transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<3x3xf32>, tensor<3x1xf32>)
      -> tensor<3x1xf32>
  check.expect_eq_const %left, dense<[[2.0], [3.0], [3.0]]> : tensor<3x1xf32>

  %row = stablehlo.constant dense<[[2.0, 4.0, 33.0]]> : tensor<1x3xf32>
  %right = "stablehlo.triangular_solve"(%nan, %row) <{left_side = false, lower = true,
      transpose_a = #stablehlo<transpose TRANSPOSE>, unit_diagonal = false}> : (tensor<3x3xf32>, tensor<1x3xf32>)
      -> tensor<1x3xf32>
  check.expect_eq_const %right, dense<[[1.0, 3.0, 3.75]]> : tensor<1x3xf32>

  // With ones on the diagonal: x = (4, 5 - 4, 33 - 12 - 5).
  %unit = "stablehlo.triangular_solve"(%nan, %b) <{left_side = true, lower = true,
      transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = true}> : (tensor<3x3xf32>, tensor<3x1xf32>)
      -> tensor<3x1xf32>
  check.expect_eq_const %unit, dense<[[4.0], [1.0], [16.0]]> : tensor<3x1xf32>

  // i - j + 1 on the diagonal and below it, and beyond it what is not read: two blocks of 8 and a part of a third.
  %i = stablehlo.iota dim = 0 : tensor<20x20xf32>
  %j = stablehlo.iota dim = 1 : tensor<20x20xf32>
  %one = stablehlo.constant dense<1.0> : tensor<20x20xf32>
  %d = stablehlo.subtract %i, %j : tensor<20x20xf32>
  %a = stablehlo.add %d, %one : tensor<20x20xf32>
  // Times (1, 2, .., 20): x (x + 1) (x + 2) / 6.
  %k = stablehlo.iota dim = 0 : tensor<20x1xf32>
  %c1 = stablehlo.constant dense<1.0> : tensor<20x1xf32>
  %x = stablehlo.add %k, %c1 : tensor<20x1xf32>
  %x1 = stablehlo.add %x, %c1 : tensor<20x1xf32>
  %x2 = stablehlo.add %x1, %c1 : tensor<20x1xf32>
  %p = stablehlo.multiply %x, %x1 : tensor<20x1xf32>
  %q = stablehlo.multiply %p, %x2 : tensor<20x1xf32>
  %six = stablehlo.constant dense<6.0> : tensor<20x1xf32>
  %sums = stablehlo.divide %q, %six : tensor<20x1xf32>
  %solved = "stablehlo.triangular_solve"(%a, %sums) <{left_side = true, lower = true,
      transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}>
      : (tensor<20x20xf32>, tensor<20x1xf32>) -> tensor<20x1xf32>
  check.expect_eq %solved, %x : tensor<20x1xf32>
  return
}
