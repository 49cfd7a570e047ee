// RUN: tpuc-opt %s --tpuc-normalise-sorts --split-input-file | FileCheck %s

// The sorted dim of 7 goes last, the others become 3 * 4 = 12 rows.
// CHECK-LABEL: @main
// CHECK: stablehlo.transpose %arg0, dims = [1, 2, 0] : (tensor<7x3x4xf32>) -> tensor<3x4x7xf32>
// CHECK: stablehlo.reshape %{{.*}} -> tensor<12x7xf32>
// CHECK: "stablehlo.sort"(%{{.*}}) <{dimension = 1 : i64}>
// CHECK: stablehlo.transpose %{{.*}}, dims = [2, 0, 1] : (tensor<3x4x7xf32>) -> tensor<7x3x4xf32>
func.func @main(%x: tensor<7x3x4xf32>) -> tensor<7x3x4xf32> {
  %0 = "stablehlo.sort"(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %p = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }) {dimension = 0 : i64} : (tensor<7x3x4xf32>) -> tensor<7x3x4xf32>
  return %0 : tensor<7x3x4xf32>
}

// -----

// Counted from the end: -3 of three dims is the first.
// CHECK-LABEL: @main
// CHECK: stablehlo.transpose %arg0, dims = [1, 2, 0] : (tensor<7x3x4xf32>) -> tensor<3x4x7xf32>
func.func @main(%x: tensor<7x3x4xf32>) -> tensor<7x3x4xf32> {
  %0 = "stablehlo.sort"(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %p = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }) {dimension = -3 : i64} : (tensor<7x3x4xf32>) -> tensor<7x3x4xf32>
  return %0 : tensor<7x3x4xf32>
}
