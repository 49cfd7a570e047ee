// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Powers of f64 that are computed together, of scalars and of rows, in a loop too: each user has its own.
// RUN: tpuc run %s --check
module {
  func.func @main() {
    %two = stablehlo.constant dense<2.0> : tensor<f64>
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %x = stablehlo.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf64>
    %y = stablehlo.constant dense<[3.0, 2.0, -1.0]> : tensor<3xf64>
    %0:4 = stablehlo.while(%i = %zero, %a = %two, %b = %two, %c = %two)
        : tensor<i32>, tensor<f64>, tensor<f64>, tensor<f64>
      cond {
        %1 = stablehlo.compare LT, %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %1 : tensor<i1>
      } do {
        %three = stablehlo.constant dense<3.0> : tensor<f64>
        %half = stablehlo.constant dense<0.5> : tensor<f64>
        %1 = stablehlo.power %a, %three : tensor<f64>
        %2 = stablehlo.power %three, %b : tensor<f64>
        %3 = stablehlo.power %half, %c : tensor<f64>
        %4 = stablehlo.add %i, %one : tensor<i32>
        stablehlo.return %4, %1, %2, %3 : tensor<i32>, tensor<f64>, tensor<f64>, tensor<f64>
      }
    check.expect_almost_eq_const %0#1, dense<8.0> : tensor<f64>
    check.expect_almost_eq_const %0#2, dense<9.0> : tensor<f64>
    check.expect_almost_eq_const %0#3, dense<0.25> : tensor<f64>
    %5 = stablehlo.power %x, %y : tensor<3xf64>
    %6 = stablehlo.power %y, %x : tensor<3xf64>
    %7 = stablehlo.power %x, %x : tensor<3xf64>
    check.expect_almost_eq_const %5, dense<[1.0, 4.0, 0.33333333333333331]> : tensor<3xf64>
    check.expect_almost_eq_const %6, dense<[3.0, 4.0, -1.0]> : tensor<3xf64>
    check.expect_almost_eq_const %7, dense<[1.0, 4.0, 27.0]> : tensor<3xf64>
    return
  }
}
