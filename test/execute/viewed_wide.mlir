// 64-bit results that are views of one array: all planes arrive in each.
// RUN: tpuc run %s
// RUN: tpuc run %s --constants=arrays
func.func @main() -> (tensor<2x8x2xi64>, tensor<2x1x8x2xi64>) {
  %zero = stablehlo.constant dense<0> : tensor<2x8x2xi64>
  %none = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %step = stablehlo.constant dense<4294967299> : tensor<2x8x2xi64>
  %i = stablehlo.iota dim = 1 : tensor<2x8x2xi64>
  %0 = stablehlo.multiply %i, %step : tensor<2x8x2xi64>
  %1:2 = stablehlo.while(%k = %none, %sum = %zero) : tensor<i32>, tensor<2x8x2xi64>
  cond {
    %more = stablehlo.compare LT, %k, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %next = stablehlo.add %k, %one : tensor<i32>
    %added = stablehlo.add %sum, %0 : tensor<2x8x2xi64>
    stablehlo.return %next, %added : tensor<i32>, tensor<2x8x2xi64>
  }
  %2 = stablehlo.reshape %1#1 : (tensor<2x8x2xi64>) -> tensor<2x1x8x2xi64>
  check.expect_eq_const %1#1, dense<[[[0, 0], [12884901897, 12884901897], [25769803794, 25769803794], [38654705691,
      38654705691], [51539607588, 51539607588], [64424509485, 64424509485], [77309411382, 77309411382], [90194313279,
      90194313279]], [[0, 0], [12884901897, 12884901897], [25769803794, 25769803794], [38654705691, 38654705691],
      [51539607588, 51539607588], [64424509485, 64424509485], [77309411382, 77309411382], [90194313279,
      90194313279]]]> : tensor<2x8x2xi64>
  check.expect_eq_const %2, dense<[[[[0, 0], [12884901897, 12884901897], [25769803794, 25769803794], [38654705691,
      38654705691], [51539607588, 51539607588], [64424509485, 64424509485], [77309411382, 77309411382], [90194313279,
      90194313279]]], [[[0, 0], [12884901897, 12884901897], [25769803794, 25769803794], [38654705691, 38654705691],
      [51539607588, 51539607588], [64424509485, 64424509485], [77309411382, 77309411382], [90194313279,
      90194313279]]]]> : tensor<2x1x8x2xi64>
  return %1#1, %2 : tensor<2x8x2xi64>, tensor<2x1x8x2xi64>
}
