// RUN: tpuc-opt %s --tpuc-legalize-chlo --cse | FileCheck %s
// RUN: split-file %s %t
// RUN: tpuc run %t/run.mlir --matmul-precision=highest

//--- run.mlir
// Rows 0 and 1 are of group 0, row 2 of group 1, row 3 of none: 1 * 2, 2 * 2, 3 * 5, nothing.
// CHECK-LABEL: func @main
func.func @main() {
  %lhs = stablehlo.constant dense<[[1.0], [2.0], [3.0], [4.0]]> : tensor<4x1xf32>
  %rhs = stablehlo.constant dense<[[[2.0, -2.0]], [[5.0, -5.0]]]> : tensor<2x1x2xf32>
  %sizes = stablehlo.constant dense<[2, 1]> : tensor<2xi32>
  // CHECK: %[[D:.*]] = stablehlo.dot_general {{.*}} contracting_dims = [1] x [1] {{.*}} -> tensor<4x2x2xf32>
  // CHECK: %[[E:.*]] = stablehlo.reduce
  // CHECK: %[[M:.*]] = stablehlo.broadcast_in_dim %{{.*}}, dims = [1, 0] : (tensor<2x4xi1>) -> tensor<4x2x2xi1>
  // CHECK: %[[S:.*]] = stablehlo.select %[[M]], %[[D]]
  // CHECK: stablehlo.reduce(%[[S]] init: %{{.*}}) applies stablehlo.add across dimensions = [1]
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %sizes) {ragged_dot_dimension_numbers = #chlo.ragged_dot<
      lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0],
      rhs_group_dimensions = [0]>} : (tensor<4x1xf32>, tensor<2x1x2xf32>, tensor<2xi32>) -> tensor<4x2xf32>
  check.expect_eq_const %0, dense<[[2.0, -2.0], [4.0, -4.0], [15.0, -15.0], [0.0, 0.0]]> : tensor<4x2xf32>
  // Contracting: group 0 is 1 * 1 + 2 * 2, group 1 is 3 * 3.
  %1 = "chlo.ragged_dot"(%lhs, %lhs, %sizes) {ragged_dot_dimension_numbers = #chlo.ragged_dot<
      lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0], lhs_ragged_dimensions = [0]>,
      precision_config = [#chlo<precision DEFAULT>, #chlo<precision HIGHEST>]}
      : (tensor<4x1xf32>, tensor<4x1xf32>, tensor<2xi32>) -> tensor<2x1x1xf32>
  check.expect_eq_const %1, dense<[[[5.0]], [[9.0]]]> : tensor<2x1x1xf32>
  return
}
