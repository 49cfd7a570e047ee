// A constant that is reduced has dims, also where others take it for a number at any position: its sum is that of all
// its elements. Along either dim, of two operands of which it is the first one, of integers.
// RUN: tpuc run %s --check
// RUN: tpuc run %s --check --no-fuse
func.func @main() {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %y = stablehlo.constant dense<0.125> : tensor<3x6xf32>
  %six = stablehlo.constant dense<6.0> : tensor<3xf32>
  %0 = stablehlo.reduce(%y init: %zero) applies stablehlo.add across dimensions = [1]
      : (tensor<3x6xf32>, tensor<f32>) -> tensor<3xf32>
  %mean = stablehlo.divide %0, %six : tensor<3xf32>
  %1 = stablehlo.broadcast_in_dim %mean, dims = [0] : (tensor<3xf32>) -> tensor<3x6xf32>
  %2 = stablehlo.subtract %y, %1 : tensor<3x6xf32>
  check.expect_eq_const %mean, dense<0.125> : tensor<3xf32>
  check.expect_eq_const %2, dense<0.0> : tensor<3x6xf32>

  // Squares: rows and columns.
  %five = stablehlo.constant dense<5> : tensor<200x200xi32>
  %none = stablehlo.constant dense<0> : tensor<i32>
  %rows = stablehlo.reduce(%five init: %none) applies stablehlo.add across dimensions = [1]
      : (tensor<200x200xi32>, tensor<i32>) -> tensor<200xi32>
  %columns = stablehlo.reduce(%five init: %none) applies stablehlo.add across dimensions = [0]
      : (tensor<200x200xi32>, tensor<i32>) -> tensor<200xi32>
  %down = stablehlo.broadcast_in_dim %rows, dims = [0] : (tensor<200xi32>) -> tensor<200x200xi32>
  %across = stablehlo.broadcast_in_dim %columns, dims = [1] : (tensor<200xi32>) -> tensor<200x200xi32>
  %3 = stablehlo.add %down, %across : tensor<200x200xi32>
  %4 = stablehlo.subtract %3, %five : tensor<200x200xi32>
  check.expect_eq_const %4, dense<1995> : tensor<200x200xi32>

  // A constant beside an array; both sums.
  %i = stablehlo.iota dim = 1 : tensor<3x6xf32>
  %5:2 = stablehlo.reduce(%y init: %zero), (%i init: %zero) across dimensions = [1]
      : (tensor<3x6xf32>, tensor<3x6xf32>, tensor<f32>, tensor<f32>) -> (tensor<3xf32>, tensor<3xf32>)
   reducer(%a: tensor<f32>, %c: tensor<f32>) (%b: tensor<f32>, %d: tensor<f32>) {
    %6 = stablehlo.add %a, %c : tensor<f32>
    %7 = stablehlo.add %b, %d : tensor<f32>
    stablehlo.return %6, %7 : tensor<f32>, tensor<f32>
  }
  %8 = stablehlo.multiply %5#0, %5#1 : tensor<3xf32>
  %9 = stablehlo.broadcast_in_dim %8, dims = [0] : (tensor<3xf32>) -> tensor<3x6xf32>
  %10 = stablehlo.add %9, %y : tensor<3x6xf32>
  check.expect_eq_const %10, dense<11.375> : tensor<3x6xf32>
  func.return
}
