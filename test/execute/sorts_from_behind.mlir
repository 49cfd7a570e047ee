// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sorted dim may be counted from behind, where a comparator has a loop too.
// RUN: tpuc run %s
// RUN: tpuc run %s --check --target=v2
func.func @main() {
  %a = stablehlo.constant dense<[[3, 1, 2], [1, 4, 0]]> : tensor<2x3xi32>
  %x = stablehlo.optimization_barrier %a : tensor<2x3xi32>
  %rows = "stablehlo.sort"(%x) <{dimension = -1 : i64, is_stable = true}> ({
  ^bb0(%p: tensor<i32>, %q: tensor<i32>):
    %c = stablehlo.compare LT, %p, %q : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) : (tensor<2x3xi32>) -> tensor<2x3xi32>
  check.expect_eq_const %rows, dense<[[1, 2, 3], [0, 1, 4]]> : tensor<2x3xi32>
  %columns = "stablehlo.sort"(%x) <{dimension = -2 : i64, is_stable = true}> ({
  ^bb0(%p: tensor<i32>, %q: tensor<i32>):
    %c = stablehlo.compare LT, %p, %q : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) : (tensor<2x3xi32>) -> tensor<2x3xi32>
  check.expect_eq_const %columns, dense<[[1, 1, 0], [3, 4, 2]]> : tensor<2x3xi32>
  // By twice the number: it is added once for each of its units.
  %loops:2 = "stablehlo.sort"(%x, %x) <{dimension = -1 : i64, is_stable = true}> ({
  ^bb0(%p: tensor<i32>, %q: tensor<i32>, %unused: tensor<i32>, %unused_too: tensor<i32>):
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %r:2 = stablehlo.while(%left = %p, %sum = %p) : tensor<i32>, tensor<i32>
     cond {
      %more = stablehlo.compare GT, %left, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %more : tensor<i1>
    } do {
      %next = stablehlo.subtract %left, %one : tensor<i32>
      %added = stablehlo.add %sum, %one : tensor<i32>
      stablehlo.return %next, %added : tensor<i32>, tensor<i32>
    }
    %twice = stablehlo.add %q, %q : tensor<i32>
    %c = stablehlo.compare LT, %r#1, %twice : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) : (tensor<2x3xi32>, tensor<2x3xi32>) -> (tensor<2x3xi32>, tensor<2x3xi32>)
  check.expect_eq_const %loops#0, dense<[[1, 2, 3], [0, 1, 4]]> : tensor<2x3xi32>
  check.expect_eq_const %loops#1, dense<[[1, 2, 3], [0, 1, 4]]> : tensor<2x3xi32>
  return
}
