// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tpuc-opt %s --tpuc-legalize-chlo --split-input-file | FileCheck %s

// 4096 rows of 16 groups: 8 tiles of 512 rows, cut where a group begins, are 8 + 16 pieces of one tile and one group.
// 24 * 512 rows are multiplied, not 16 * 4096. Rows that are not the piece's keep what they have.
// CHECK-LABEL: @rows
// CHECK: stablehlo.sort
// CHECK: stablehlo.while
// CHECK: %[[TILE:.*]] = stablehlo.dynamic_slice %{{.*}}, sizes = [1, 512, 64]
// CHECK: %[[GROUP:.*]] = stablehlo.dynamic_slice %arg1, {{.*}}, sizes = [1, 64, 32]
// CHECK: %[[PRODUCT:.*]] = stablehlo.dot_general {{.*}} (tensor<512x64xbf16>, tensor<64x32xbf16>) -> tensor<512x32xbf16>
// CHECK: stablehlo.select %{{.*}}, %[[PRODUCT]], %{{.*}} : tensor<512x32xi1>, tensor<512x32xbf16>
// CHECK: stablehlo.dynamic_update_slice
// CHECK: return %{{.*}} : tensor<4096x32xbf16>
func.func @rows(%x: tensor<4096x64xbf16>, %w: tensor<16x64x32xbf16>, %sizes: tensor<16xi32>) -> tensor<4096x32xbf16> {
  %0 = "chlo.ragged_dot"(%x, %w, %sizes) {ragged_dot_dimension_numbers = #chlo.ragged_dot<
      lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0],
      rhs_group_dimensions = [0]>} : (tensor<4096x64xbf16>, tensor<16x64x32xbf16>, tensor<16xi32>)
      -> tensor<4096x32xbf16>
  return %0 : tensor<4096x32xbf16>
}

// -----

// Sums of a group's rows are added up in f32, of a piece's rows alone.
// CHECK-LABEL: @sums
// CHECK: stablehlo.while
// CHECK: %[[LEFT:.*]] = stablehlo.select %{{.*}} : tensor<512x64xi1>, tensor<512x64xbf16>
// CHECK: %[[RIGHT:.*]] = stablehlo.select %{{.*}} : tensor<512x32xi1>, tensor<512x32xbf16>
// CHECK: stablehlo.dot_general %[[LEFT]], %[[RIGHT]], {{.*}} (tensor<512x64xbf16>, tensor<512x32xbf16>) -> tensor<64x32xf32>
// CHECK: stablehlo.add {{.*}} : tensor<64x32xf32>
// CHECK: stablehlo.convert %{{.*}} : (tensor<16x64x32xf32>) -> tensor<16x64x32xbf16>
func.func @sums(%x: tensor<4096x64xbf16>, %y: tensor<4096x32xbf16>, %sizes: tensor<16xi32>) -> tensor<16x64x32xbf16> {
  %0 = "chlo.ragged_dot"(%x, %y, %sizes) {ragged_dot_dimension_numbers = #chlo.ragged_dot<
      lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0], lhs_ragged_dimensions = [0]>}
      : (tensor<4096x64xbf16>, tensor<4096x32xbf16>, tensor<16xi32>) -> tensor<16x64x32xbf16>
  return %0 : tensor<16x64x32xbf16>
}

// -----

// Two groups: a product with both is as few rows. Rows that no tile divides, and programs of several chips, whose
// sharding knows products, go that way too.
// CHECK-LABEL: @few
// CHECK-NOT: stablehlo.while
// CHECK: return
func.func @few(%x: tensor<4096x64xbf16>, %w: tensor<2x64x32xbf16>, %sizes: tensor<2xi32>, %y: tensor<4000x64xbf16>,
    %v: tensor<16x64x32xbf16>, %others: tensor<16xi32>) -> (tensor<4096x32xbf16>, tensor<4000x32xbf16>) {
  %0 = "chlo.ragged_dot"(%x, %w, %sizes) {ragged_dot_dimension_numbers = #chlo.ragged_dot<
      lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0],
      rhs_group_dimensions = [0]>} : (tensor<4096x64xbf16>, tensor<2x64x32xbf16>, tensor<2xi32>)
      -> tensor<4096x32xbf16>
  %1 = "chlo.ragged_dot"(%y, %v, %others) {ragged_dot_dimension_numbers = #chlo.ragged_dot<
      lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0],
      rhs_group_dimensions = [0]>} : (tensor<4000x64xbf16>, tensor<16x64x32xbf16>, tensor<16xi32>)
      -> tensor<4000x32xbf16>
  return %0, %1 : tensor<4096x32xbf16>, tensor<4000x32xbf16>
}

// -----

module attributes {mhlo.num_partitions = 4 : i32} {
  // CHECK-LABEL: @sharded
  // CHECK-NOT: stablehlo.while
  // CHECK: return
  func.func @sharded(%x: tensor<4096x64xbf16>, %w: tensor<16x64x32xbf16>, %sizes: tensor<16xi32>)
      -> tensor<4096x32xbf16> {
    %0 = "chlo.ragged_dot"(%x, %w, %sizes) {ragged_dot_dimension_numbers = #chlo.ragged_dot<
        lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0],
        rhs_group_dimensions = [0]>} : (tensor<4096x64xbf16>, tensor<16x64x32xbf16>, tensor<16xi32>)
        -> tensor<4096x32xbf16>
    return %0 : tensor<4096x32xbf16>
  }
}
