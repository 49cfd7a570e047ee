// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums, products, extremes and a region's own reduction over steps of a grid, of which the last one is shorter. What
// the step before has left is taken up; the first step takes up nothing.
// RUN: tpuc run %s --check
// RUN: tpuc run %s --check --target=v5p
// RUN: tpuc run %s --check --target=v2
func.func @main() {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %none = stablehlo.constant dense<0> : tensor<i32>

  // Rows in two dims, of which the inner one is no whole tile: 33,278 along lanes are walked in steps.
  %row = stablehlo.iota dim = 1 : tensor<16x70x33278xf32>
  %column = stablehlo.iota dim = 2 : tensor<16x70x33278xf32>
  %x0 = stablehlo.add %row, %column : tensor<16x70x33278xf32>
  %x = stablehlo.optimization_barrier %x0 : tensor<16x70x33278xf32>
  %largest = stablehlo.reduce(%x init: %low) applies stablehlo.maximum across dimensions = [2]
      : (tensor<16x70x33278xf32>, tensor<f32>) -> tensor<16x70xf32>
  %r = stablehlo.iota dim = 1 : tensor<16x70xf32>
  %last = stablehlo.constant dense<33277.0> : tensor<16x70xf32>
  %e = stablehlo.add %r, %last : tensor<16x70xf32>
  check.expect_eq %largest, %e : tensor<16x70xf32>

  // The one that is picked, by the labels.
  %label0 = stablehlo.iota dim = 1 : tensor<16x70xi32>
  %475 = stablehlo.constant dense<475> : tensor<16x70xi32>
  %label1 = stablehlo.multiply %label0, %475 : tensor<16x70xi32>
  %label = stablehlo.optimization_barrier %label1 : tensor<16x70xi32>
  %labels = stablehlo.broadcast_in_dim %label, dims = [0, 1] : (tensor<16x70xi32>) -> tensor<16x70x33278xi32>
  %index = stablehlo.iota dim = 2 : tensor<16x70x33278xi32>
  %is = stablehlo.compare EQ, %index, %labels
      : (tensor<16x70x33278xi32>, tensor<16x70x33278xi32>) -> tensor<16x70x33278xi1>
  %zeros = stablehlo.constant dense<0.0> : tensor<16x70x33278xf32>
  %chosen = stablehlo.select %is, %x, %zeros : tensor<16x70x33278xi1>, tensor<16x70x33278xf32>
  %picked = stablehlo.reduce(%chosen init: %zero) applies stablehlo.add across dimensions = [2]
      : (tensor<16x70x33278xf32>, tensor<f32>) -> tensor<16x70xf32>
  %476 = stablehlo.constant dense<476.0> : tensor<16x70xf32>
  %p = stablehlo.multiply %r, %476 : tensor<16x70xf32>
  check.expect_eq %picked, %p : tensor<16x70xf32>

  // Rows and the first dim, with an initial value of its own.
  %five = stablehlo.constant dense<5> : tensor<i32>
  %ones0 = stablehlo.constant dense<1> : tensor<24x3001x640xi32>
  %ones = stablehlo.optimization_barrier %ones0 : tensor<24x3001x640xi32>
  %count = stablehlo.reduce(%ones init: %five) applies stablehlo.add across dimensions = [0, 1]
      : (tensor<24x3001x640xi32>, tensor<i32>) -> tensor<640xi32>
  %n = stablehlo.constant dense<72029> : tensor<640xi32>
  check.expect_eq %count, %n : tensor<640xi32>

  // The largest and where it lies: a region of its own.
  %y0 = stablehlo.iota dim = 0 : tensor<70001x128xi32>
  %k7 = stablehlo.constant dense<7> : tensor<70001x128xi32>
  %y1 = stablehlo.xor %y0, %k7 : tensor<70001x128xi32>
  %y = stablehlo.optimization_barrier %y1 : tensor<70001x128xi32>
  %at:2 = stablehlo.reduce(%y init: %none), (%y0 init: %none) across dimensions = [0]
      : (tensor<70001x128xi32>, tensor<70001x128xi32>, tensor<i32>, tensor<i32>) -> (tensor<128xi32>, tensor<128xi32>)
   reducer(%a: tensor<i32>, %b: tensor<i32>) (%i: tensor<i32>, %j: tensor<i32>) {
    %more = stablehlo.compare GT, %b, %a : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %v = stablehlo.select %more, %b, %a : tensor<i1>, tensor<i32>
    %w = stablehlo.select %more, %j, %i : tensor<i1>, tensor<i32>
    stablehlo.return %v, %w : tensor<i32>, tensor<i32>
  }
  %most = stablehlo.constant dense<70007> : tensor<128xi32>
  %place = stablehlo.constant dense<70000> : tensor<128xi32>
  check.expect_eq %at#0, %most : tensor<128xi32>
  check.expect_eq %at#1, %place : tensor<128xi32>
  return
}
