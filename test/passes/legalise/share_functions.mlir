// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tpuc-opt %s --split-input-file --tpuc-legalise-wide | FileCheck %s

// Two of 8000 instructions each are one; users of the first come after it, wherever they stood.
// CHECK-LABEL: func.func @pair
// CHECK: stablehlo.concatenate {{.*}}, dim = 0 : (tensor<1x4x5xui32>, tensor<1x4x5xui32>) -> tensor<2x4x5xui32>
// CHECK: kernel.apply @lgamma_f64({{.*}} -> (tensor<2x4x5xui32>, tensor<2x4x5xui32>)
// CHECK: stablehlo.slice {{.*}} [0:1, 0:4, 0:5]
// CHECK: stablehlo.slice {{.*}} [1:2, 0:4, 0:5]
func.func @pair(%a: tensor<4x5xf64>, %b: tensor<4x5xf64>, %c: tensor<4x5xf64>) -> (tensor<4x5xf64>, tensor<4x5xf64>) {
  %0 = chlo.lgamma %a : tensor<4x5xf64> -> tensor<4x5xf64>
  %1 = stablehlo.maximum %c, %0 : tensor<4x5xf64>
  %2 = stablehlo.negate %b : tensor<4x5xf64>
  %3 = chlo.lgamma %2 : tensor<4x5xf64> -> tensor<4x5xf64>
  return %1, %3 : tensor<4x5xf64>, tensor<4x5xf64>
}

// -----

// Not one that needs the other, by whatever way, nor another function, shape or type; nor exponentials, which are
// short.
// CHECK-LABEL: func.func @apart
// CHECK-NOT: concatenate
func.func @apart(%a: tensor<4x5xf64>, %b: tensor<5x4xf64>, %n: tensor<4x5xf32>, %p: tensor<i1>)
    -> (tensor<4x5xf64>, tensor<5x4xf64>, tensor<4x5xf64>, tensor<4x5xf32>, tensor<4x5xf64>, tensor<4x5xf64>) {
  %0 = chlo.lgamma %a : tensor<4x5xf64> -> tensor<4x5xf64>
  %1 = "stablehlo.if"(%p) ({
    %9 = stablehlo.negate %0 : tensor<4x5xf64>
    stablehlo.return %9 : tensor<4x5xf64>
  }, {
    stablehlo.return %a : tensor<4x5xf64>
  }) : (tensor<i1>) -> tensor<4x5xf64>
  %2 = chlo.lgamma %1 : tensor<4x5xf64> -> tensor<4x5xf64>
  %3 = chlo.lgamma %b : tensor<5x4xf64> -> tensor<5x4xf64>
  %4 = chlo.digamma %a : tensor<4x5xf64> -> tensor<4x5xf64>
  %5 = stablehlo.exponential %n : tensor<4x5xf32>
  %6 = stablehlo.exponential %a : tensor<4x5xf64>
  %7 = stablehlo.exponential %2 : tensor<4x5xf64>
  return %2, %3, %4, %5, %6, %7 : tensor<4x5xf64>, tensor<5x4xf64>, tensor<4x5xf64>, tensor<4x5xf32>, tensor<4x5xf64>,
      tensor<4x5xf64>
}

// -----

// A lgamma leads to a digamma and another digamma to a lgamma: either pair could be one function, both could not.
// CHECK-LABEL: func.func @crossed
// CHECK-NOT: concatenate
func.func @crossed(%a: tensor<4x5xf64>, %b: tensor<4x5xf64>) -> (tensor<4x5xf64>, tensor<4x5xf64>) {
  %0 = chlo.lgamma %a : tensor<4x5xf64> -> tensor<4x5xf64>
  %2 = chlo.digamma %b : tensor<4x5xf64> -> tensor<4x5xf64>
  %1 = chlo.lgamma %2 : tensor<4x5xf64> -> tensor<4x5xf64>
  %3 = chlo.digamma %0 : tensor<4x5xf64> -> tensor<4x5xf64>
  return %1, %3 : tensor<4x5xf64>, tensor<4x5xf64>
}

// -----

// Three powers; scalars get a tile each.
// CHECK-LABEL: func.func @scalars
// CHECK: stablehlo.concatenate {{.*}} -> tensor<3x1x1xui32>
func.func @scalars(%a: tensor<f64>, %b: tensor<f64>) -> (tensor<f64>, tensor<f64>, tensor<f64>) {
  %0 = stablehlo.power %a, %a : tensor<f64>
  %1 = stablehlo.power %a, %b : tensor<f64>
  %2 = stablehlo.power %b, %a : tensor<f64>
  return %0, %1, %2 : tensor<f64>, tensor<f64>, tensor<f64>
}
