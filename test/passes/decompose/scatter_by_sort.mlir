// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tpuc-opt %s --tpuc-scatter-by-sort --split-input-file | FileCheck %s
// Scatters whose indices are a sort's order.

// A gradient, added to zeros or others: the updates are sorted by the order, and added once.
// CHECK-LABEL: func.func @main
// CHECK: %[[SORTED:.*]]:2 = "stablehlo.sort"(%arg0, %{{.*}})
// CHECK: %[[BACK:.*]]:2 = "stablehlo.sort"(%[[SORTED]]#1, %arg2) <{dimension = 1 : i64
// CHECK: stablehlo.compare LT, %{{.*}}, %{{.*}} : (tensor<i32>, tensor<i32>)
// CHECK: %[[SUM:.*]] = stablehlo.add %arg1, %[[BACK]]#1
// CHECK: return %[[SUM]]
func.func @main(%x: tensor<64x512xf32>, %y: tensor<64x512xf32>, %z: tensor<64x512xf32>) -> tensor<64x512xf32> {
  %0 = stablehlo.iota dim = 1 : tensor<64x512xi32>
  %1:2 = "stablehlo.sort"(%x, %0) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %i: tensor<i32>, %j: tensor<i32>):
    %p = stablehlo.compare LT, %a, %b, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }) : (tensor<64x512xf32>, tensor<64x512xi32>) -> (tensor<64x512xf32>, tensor<64x512xi32>)
  %2 = stablehlo.reshape %1#1 : (tensor<64x512xi32>) -> tensor<64x512x1xi32>
  %3 = "stablehlo.scatter"(%y, %2, %z) <{scatter_dimension_numbers = #stablehlo.scatter<
      inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0],
      scatter_dims_to_operand_dims = [1], index_vector_dim = 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<64x512xf32>, tensor<64x512x1xi32>, tensor<64x512xf32>) -> tensor<64x512xf32>
  return %3 : tensor<64x512xf32>
}

// -----

// The inverse of a permutation: nothing is left of the operand. An operation meets its sides in their order.
// CHECK-LABEL: func.func @main
// CHECK: %[[BACK:.*]]:2 = "stablehlo.sort"(%{{.*}}#1, %arg2)
// CHECK: %[[OTHER:.*]]:2 = "stablehlo.sort"(%{{.*}}#1, %arg2)
// CHECK: %[[D:.*]] = stablehlo.subtract %[[OTHER]]#1, %arg1
// CHECK: return %[[BACK]]#1, %[[D]]
func.func @main(%x: tensor<8xf32>, %y: tensor<8xf32>, %z: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %0 = stablehlo.iota dim = 0 : tensor<8xi32>
  %1:2 = "stablehlo.sort"(%x, %0) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %i: tensor<i32>, %j: tensor<i32>):
    %p = stablehlo.compare LT, %a, %b, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }) : (tensor<8xf32>, tensor<8xi32>) -> (tensor<8xf32>, tensor<8xi32>)
  %2 = "stablehlo.scatter"(%y, %1#1, %z) <{scatter_dimension_numbers = #stablehlo.scatter<
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) : (tensor<8xf32>, tensor<8xi32>, tensor<8xf32>) -> tensor<8xf32>
  %3 = "stablehlo.scatter"(%y, %1#1, %z) <{scatter_dimension_numbers = #stablehlo.scatter<
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %d = stablehlo.subtract %b, %a : tensor<f32>
    stablehlo.return %d : tensor<f32>
  }) : (tensor<8xf32>, tensor<8xi32>, tensor<8xf32>) -> tensor<8xf32>
  return %2, %3 : tensor<8xf32>, tensor<8xf32>
}

// -----

// The first of an order leave places out.
// CHECK-LABEL: func.func @main
// CHECK: stablehlo.scatter
func.func @main(%x: tensor<8xf32>, %y: tensor<8xf32>, %z: tensor<3xf32>) -> tensor<8xf32> {
  %0 = stablehlo.iota dim = 0 : tensor<8xi32>
  %1:2 = "stablehlo.sort"(%x, %0) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %i: tensor<i32>, %j: tensor<i32>):
    %p = stablehlo.compare LT, %a, %b, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }) : (tensor<8xf32>, tensor<8xi32>) -> (tensor<8xf32>, tensor<8xi32>)
  %2 = stablehlo.slice %1#1 [0:3] : (tensor<8xi32>) -> tensor<3xi32>
  %3 = "stablehlo.scatter"(%y, %2, %z) <{scatter_dimension_numbers = #stablehlo.scatter<
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) : (tensor<8xf32>, tensor<3xi32>, tensor<3xf32>) -> tensor<8xf32>
  return %3 : tensor<8xf32>
}

// -----

// Numbers of jnp.sort's gradient are unsigned, and signed as indices.
// CHECK-LABEL: func.func @main
// CHECK-COUNT-2: "stablehlo.sort"
// CHECK-NOT: stablehlo.scatter
func.func @main(%x: tensor<8xf32>, %y: tensor<8xf32>, %z: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.iota dim = 0 : tensor<8xui32>
  %1:2 = "stablehlo.sort"(%x, %0) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %i: tensor<ui32>, %j: tensor<ui32>):
    %p = stablehlo.compare LT, %a, %b, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }) : (tensor<8xf32>, tensor<8xui32>) -> (tensor<8xf32>, tensor<8xui32>)
  %most = stablehlo.constant dense<2147483647> : tensor<8x1xui32>
  %2 = stablehlo.reshape %1#1 : (tensor<8xui32>) -> tensor<8x1xui32>
  %3 = stablehlo.minimum %2, %most : tensor<8x1xui32>
  %4 = stablehlo.bitcast_convert %3 : (tensor<8x1xui32>) -> tensor<8x1xi32>
  %5 = "stablehlo.scatter"(%y, %4, %z) <{scatter_dimension_numbers = #stablehlo.scatter<
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<8xf32>, tensor<8x1xi32>, tensor<8xf32>) -> tensor<8xf32>
  return %5 : tensor<8xf32>
}

// -----

// A bound that numbers of the order pass is no order.
// CHECK-LABEL: func.func @main
// CHECK: stablehlo.scatter
func.func @main(%x: tensor<8xf32>, %y: tensor<8xf32>, %z: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.iota dim = 0 : tensor<8xi32>
  %1:2 = "stablehlo.sort"(%x, %0) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %i: tensor<i32>, %j: tensor<i32>):
    %p = stablehlo.compare LT, %a, %b, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }) : (tensor<8xf32>, tensor<8xi32>) -> (tensor<8xf32>, tensor<8xi32>)
  %most = stablehlo.constant dense<5> : tensor<8xi32>
  %2 = stablehlo.minimum %1#1, %most : tensor<8xi32>
  %3 = "stablehlo.scatter"(%y, %2, %z) <{scatter_dimension_numbers = #stablehlo.scatter<
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) : (tensor<8xf32>, tensor<8xi32>, tensor<8xf32>) -> tensor<8xf32>
  return %3 : tensor<8xf32>
}

// -----

// Short rows are compared with their indices sooner than sorted (expand_tallies).
// CHECK-LABEL: func.func @main
// CHECK: stablehlo.scatter
func.func @main(%x: tensor<64x10xf32>, %y: tensor<64x10xf32>, %z: tensor<64x10xf32>) -> tensor<64x10xf32> {
  %0 = stablehlo.iota dim = 1 : tensor<64x10xi32>
  %1:2 = "stablehlo.sort"(%x, %0) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %i: tensor<i32>, %j: tensor<i32>):
    %p = stablehlo.compare LT, %a, %b, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }) : (tensor<64x10xf32>, tensor<64x10xi32>) -> (tensor<64x10xf32>, tensor<64x10xi32>)
  %2 = stablehlo.reshape %1#1 : (tensor<64x10xi32>) -> tensor<64x10x1xi32>
  %3 = "stablehlo.scatter"(%y, %2, %z) <{scatter_dimension_numbers = #stablehlo.scatter<
      inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0],
      scatter_dims_to_operand_dims = [1], index_vector_dim = 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<64x10xf32>, tensor<64x10x1xi32>, tensor<64x10xf32>) -> tensor<64x10xf32>
  return %3 : tensor<64x10xf32>
}
