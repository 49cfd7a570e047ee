// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 200 products of 24 x 20 by 20 x 17, as sums with the batch along lanes. What compares them leaves the order open. All
// operands are small numbers: row i of batch b has b + i in every column, column j of the other one j + 1 in every row,
// so the product is 20 (b + i) (j + 1). One matrix that meets itself, too.
// RUN: tpuc run %s --check
// RUN: tpuc run %s --check --target=v6e
// RUN: tpuc run %s --check --target=v4
func.func @main() {
  %b = stablehlo.iota dim = 0 : tensor<200x24x20xf32>
  %i = stablehlo.iota dim = 1 : tensor<200x24x20xf32>
  %x = stablehlo.add %b, %i : tensor<200x24x20xf32>
  %j = stablehlo.iota dim = 2 : tensor<200x20x17xf32>
  %one = stablehlo.constant dense<1.0> : tensor<200x20x17xf32>
  %y = stablehlo.add %j, %one : tensor<200x20x17xf32>
  %0 = stablehlo.dot_general %x, %y, batching_dims = [0] x [0], contracting_dims = [2] x [1]
      : (tensor<200x24x20xf32>, tensor<200x20x17xf32>) -> tensor<200x24x17xf32>
  %ob = stablehlo.iota dim = 0 : tensor<200x24x17xf32>
  %oi = stablehlo.iota dim = 1 : tensor<200x24x17xf32>
  %oj = stablehlo.iota dim = 2 : tensor<200x24x17xf32>
  %c1 = stablehlo.constant dense<1.0> : tensor<200x24x17xf32>
  %c20 = stablehlo.constant dense<20.0> : tensor<200x24x17xf32>
  %bi = stablehlo.add %ob, %oi : tensor<200x24x17xf32>
  %j1 = stablehlo.add %oj, %c1 : tensor<200x24x17xf32>
  %each = stablehlo.multiply %bi, %j1 : tensor<200x24x17xf32>
  %want = stablehlo.multiply %each, %c20 : tensor<200x24x17xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %off = stablehlo.subtract %0, %want : tensor<200x24x17xf32>
  %far = stablehlo.abs %off : tensor<200x24x17xf32>
  %most = stablehlo.reduce(%far init: %zero) applies stablehlo.maximum across dimensions = [0, 1, 2]
      : (tensor<200x24x17xf32>, tensor<f32>) -> tensor<f32>
  check.expect_eq %most, %zero : tensor<f32>

  %1 = stablehlo.dot_general %x, %x, batching_dims = [0] x [0], contracting_dims = [2] x [2]
      : (tensor<200x24x20xf32>, tensor<200x24x20xf32>) -> tensor<200x24x24xf32>
  %pb = stablehlo.iota dim = 0 : tensor<200x24x24xf32>
  %pi = stablehlo.iota dim = 1 : tensor<200x24x24xf32>
  %pj = stablehlo.iota dim = 2 : tensor<200x24x24xf32>
  %left = stablehlo.add %pb, %pi : tensor<200x24x24xf32>
  %right = stablehlo.add %pb, %pj : tensor<200x24x24xf32>
  %product = stablehlo.multiply %left, %right : tensor<200x24x24xf32>
  %p20 = stablehlo.constant dense<20.0> : tensor<200x24x24xf32>
  %want_self = stablehlo.multiply %product, %p20 : tensor<200x24x24xf32>
  %off_self = stablehlo.subtract %1, %want_self : tensor<200x24x24xf32>
  %far_self = stablehlo.abs %off_self : tensor<200x24x24xf32>
  %most_self = stablehlo.reduce(%far_self init: %zero) applies stablehlo.maximum across dimensions = [0, 1, 2]
      : (tensor<200x24x24xf32>, tensor<f32>) -> tensor<f32>
  check.expect_eq %most_self, %zero : tensor<f32>
  return
}
