// Windows that a constant is scattered over: its gaps are a view, which is of an array and not of a number at every
// position.
// RUN: tpuc run %s --check
// RUN: tpuc run %s --constants=arrays
module {
  func.func @main() {
    %x = stablehlo.constant dense<[[1, 5, 2], [7, 3, 4], [6, 8, 9]]> : tensor<3x3xi32>
    %two = stablehlo.constant dense<2> : tensor<3x1xi32>
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %0 = "stablehlo.select_and_scatter"(%x, %two, %zero) <{window_dimensions = array<i64: 1, 2>,
        window_strides = array<i64: 1, 2>}> ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %1 = stablehlo.compare GE, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    }, {
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %1 = stablehlo.add %a, %b : tensor<i32>
      stablehlo.return %1 : tensor<i32>
    }) : (tensor<3x3xi32>, tensor<3x1xi32>, tensor<i32>) -> tensor<3x3xi32>
    check.expect_eq_const %0, dense<[[0, 2, 0], [2, 0, 0], [0, 2, 0]]> : tensor<3x3xi32>
    return
  }
}
