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

// -----

// 3 * 40 others fill lanes: the sorted dim comes first. Only the two that are kept move back.
// CHECK-LABEL: @main
// CHECK: stablehlo.transpose %arg0, dims = [1, 0, 2] : (tensor<3x7x40xf32>) -> tensor<7x3x40xf32>
// CHECK: stablehlo.reshape %{{.*}} -> tensor<7x120xf32>
// CHECK: %[[S:.*]] = "stablehlo.sort"(%{{.*}}) <{dimension = 0 : i64}>
// CHECK: stablehlo.slice %[[S]] [0:2, 0:120]
// CHECK: stablehlo.transpose %{{.*}}, dims = [1, 0, 2] : (tensor<2x3x40xf32>) -> tensor<3x2x40xf32>
func.func @main(%x: tensor<3x7x40xf32>) -> tensor<3x2x40xf32> {
  %0 = "stablehlo.sort"(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %p = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }) {dimension = 1 : i64} : (tensor<3x7x40xf32>) -> tensor<3x7x40xf32>
  %1 = stablehlo.slice %0 [0:3, 0:2, 0:40] : (tensor<3x7x40xf32>) -> tensor<3x2x40xf32>
  return %1 : tensor<3x2x40xf32>
}
