// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tpuc-opt %s --tpuc-carry-gathers --split-input-file | FileCheck %s
// Gathers whose indices are a sort's order.

// Of the sort's key, and of its negation: no operand is added.
// CHECK-LABEL: func.func @main
// CHECK: %[[KEY:.*]] = stablehlo.negate %arg0
// CHECK: %[[SORTED:.*]]:2 = "stablehlo.sort"(%[[KEY]], %{{.*}})
// CHECK-NOT: stablehlo.gather
// CHECK: %[[X:.*]] = stablehlo.negate %[[SORTED]]#0
// CHECK: return %[[SORTED]]#0, %[[X]]
func.func @main(%x: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %0 = stablehlo.negate %x : tensor<4x8xf32>
  %1 = stablehlo.iota dim = 0 : tensor<8xi32>
  %2 = stablehlo.broadcast_in_dim %1, dims = [1] : (tensor<8xi32>) -> tensor<4x8xi32>
  %3:2 = "stablehlo.sort"(%0, %2) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %i: tensor<i32>, %j: tensor<i32>):
    %p = stablehlo.compare LT, %a, %b, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }) : (tensor<4x8xf32>, tensor<4x8xi32>) -> (tensor<4x8xf32>, tensor<4x8xi32>)
  %4 = stablehlo.reshape %3#1 : (tensor<4x8xi32>) -> tensor<4x8x1xi32>
  %5 = "stablehlo.gather"(%0, %4) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1],
      operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>,
      slice_sizes = array<i64: 1, 1>}> : (tensor<4x8xf32>, tensor<4x8x1xi32>) -> tensor<4x8xf32>
  %6 = "stablehlo.gather"(%x, %4) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1],
      operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>,
      slice_sizes = array<i64: 1, 1>}> : (tensor<4x8xf32>, tensor<4x8x1xi32>) -> tensor<4x8xf32>
  return %5, %6 : tensor<4x8xf32>, tensor<4x8xf32>
}

// -----

// Of the first elements of the order: the first of the sorted key.
// CHECK-LABEL: func.func @main
// CHECK: %[[SORTED:.*]]:2 = "stablehlo.sort"
// CHECK-NOT: stablehlo.gather
// CHECK: %[[FIRST:.*]] = stablehlo.slice %[[SORTED]]#0 [0:3]
// CHECK: return %[[FIRST]]
func.func @main(%x: tensor<8xf32>) -> tensor<3xf32> {
  %0 = stablehlo.iota dim = 0 : tensor<8xi32>
  %1:2 = "stablehlo.sort"(%x, %0) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %i: tensor<i32>, %j: tensor<i32>):
    %p = stablehlo.compare LT, %a, %b, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }) : (tensor<8xf32>, tensor<8xi32>) -> (tensor<8xf32>, tensor<8xi32>)
  %2 = stablehlo.slice %1#1 [0:3] : (tensor<8xi32>) -> tensor<3xi32>
  %3 = "stablehlo.gather"(%x, %2) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0],
      start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>}>
      : (tensor<8xf32>, tensor<3xi32>) -> tensor<3xf32>
  return %3 : tensor<3xf32>
}

// -----

// Of another array, which the sort carries along.
// CHECK-LABEL: func.func @main
// CHECK: %[[SORTED:.*]]:3 = "stablehlo.sort"(%arg0, %{{.*}}, %arg1) <{dimension = 0 : i64, is_stable = true}> ({
// CHECK-NEXT: ^bb0(%{{.*}}: tensor<f32>, %{{.*}}: tensor<f32>, %{{.*}}: tensor<i32>, %{{.*}}: tensor<i32>, %{{.*}}: tensor<bf16>, %{{.*}}: tensor<bf16>):
// CHECK-NOT: stablehlo.gather
// CHECK: return %[[SORTED]]#2, %[[SORTED]]#1
func.func @main(%x: tensor<8xf32>, %y: tensor<8xbf16>) -> (tensor<8xbf16>, tensor<8xi32>) {
  %0 = stablehlo.iota dim = 0 : tensor<8xi32>
  %1:2 = "stablehlo.sort"(%x, %0) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %i: tensor<i32>, %j: tensor<i32>):
    %p = stablehlo.compare LT, %a, %b, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }) : (tensor<8xf32>, tensor<8xi32>) -> (tensor<8xf32>, tensor<8xi32>)
  %2 = "stablehlo.gather"(%y, %1#1) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0],
      start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>}>
      : (tensor<8xbf16>, tensor<8xi32>) -> tensor<8xbf16>
  return %2, %1#1 : tensor<8xbf16>, tensor<8xi32>
}

// -----

// What is computed from the order cannot be carried in finding it, and the first few of another array are looked up.
// Numbers that count along another dim are no order.
// CHECK-LABEL: func.func @main
// CHECK-COUNT-3: "stablehlo.gather"
func.func @main(%x: tensor<8xf32>, %y: tensor<8xf32>, %z: tensor<8x8xf32>)
    -> (tensor<8xf32>, tensor<3xf32>, tensor<8x8xf32>) {
  %0 = stablehlo.iota dim = 0 : tensor<8xi32>
  %1:2 = "stablehlo.sort"(%x, %0) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %i: tensor<i32>, %j: tensor<i32>):
    %p = stablehlo.compare LT, %a, %b, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }) : (tensor<8xf32>, tensor<8xi32>) -> (tensor<8xf32>, tensor<8xi32>)
  %2 = stablehlo.convert %1#1 : (tensor<8xi32>) -> tensor<8xf32>
  %3 = "stablehlo.gather"(%2, %1#1) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0],
      start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>}>
      : (tensor<8xf32>, tensor<8xi32>) -> tensor<8xf32>
  %4 = stablehlo.slice %1#1 [0:3] : (tensor<8xi32>) -> tensor<3xi32>
  %5 = "stablehlo.gather"(%y, %4) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0],
      start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>}>
      : (tensor<8xf32>, tensor<3xi32>) -> tensor<3xf32>
  %6 = stablehlo.iota dim = 0 : tensor<8x8xi32>
  %7:2 = "stablehlo.sort"(%z, %6) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %i: tensor<i32>, %j: tensor<i32>):
    %p = stablehlo.compare LT, %a, %b, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }) : (tensor<8x8xf32>, tensor<8x8xi32>) -> (tensor<8x8xf32>, tensor<8x8xi32>)
  %8 = "stablehlo.gather"(%z, %7#1) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1],
      operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>,
      slice_sizes = array<i64: 1, 1>}> : (tensor<8x8xf32>, tensor<8x8xi32>) -> tensor<8x8xf32>
  return %3, %5, %8 : tensor<8xf32>, tensor<3xf32>, tensor<8x8xf32>
}

// -----

// The first two columns of an order that was taken apart into other rows are not its first.
// CHECK-LABEL: func.func @main
// CHECK: "stablehlo.gather"
func.func @main(%x: tensor<2x8xf32>) -> tensor<2x4xf32> {
  %0 = stablehlo.iota dim = 1 : tensor<2x8xi32>
  %1:2 = "stablehlo.sort"(%x, %0) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %i: tensor<i32>, %j: tensor<i32>):
    %p = stablehlo.compare LT, %a, %b, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }) : (tensor<2x8xf32>, tensor<2x8xi32>) -> (tensor<2x8xf32>, tensor<2x8xi32>)
  %2 = stablehlo.reshape %1#1 : (tensor<2x8xi32>) -> tensor<4x4xi32>
  %3 = stablehlo.slice %2 [0:4, 0:2] : (tensor<4x4xi32>) -> tensor<4x2xi32>
  %4 = stablehlo.reshape %3 : (tensor<4x2xi32>) -> tensor<2x4xi32>
  %5 = "stablehlo.gather"(%x, %4) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1],
      operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>,
      slice_sizes = array<i64: 1, 1>}> : (tensor<2x8xf32>, tensor<2x4xi32>) -> tensor<2x4xf32>
  return %5 : tensor<2x4xf32>
}
