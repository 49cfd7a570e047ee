// RUN: tpuc-opt %s --tpuc-expand-picks | FileCheck %s

// The element of each row that its index says: clamped to [0, 511]; bits, so that -0.0 stays -0.0.
// CHECK-LABEL: @gather
// CHECK: %[[I:.*]] = stablehlo.broadcast_in_dim %{{.*}}, dims = [0, 1] : (tensor<4x64xi32>) -> tensor<4x64x512xi32>
// CHECK: %[[C:.*]] = stablehlo.clamp %{{.*}}, %[[I]], %{{.*}}
// CHECK: %[[B:.*]] = stablehlo.bitcast_convert %arg0 : (tensor<4x64x512xf32>) -> tensor<4x64x512xi32>
// CHECK: stablehlo.iota dim = 2
// CHECK: %[[AT:.*]] = stablehlo.compare EQ, %{{.*}}, %[[C]]
// CHECK: stablehlo.select %[[AT]], %[[B]]
// CHECK: stablehlo.reduce{{.*}} applies stablehlo.or across dimensions = [2]
// CHECK-NOT: gather
func.func @gather(%x: tensor<4x64x512xf32>, %i: tensor<4x64x1x1xi32>) -> tensor<4x64x1xf32> {
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [2],
      operand_batching_dims = [0, 1], start_indices_batching_dims = [0, 1], start_index_map = [2],
      index_vector_dim = 3>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 1>}>
      : (tensor<4x64x512xf32>, tensor<4x64x1x1xi32>) -> tensor<4x64x1xf32>
  return %0 : tensor<4x64x1xf32>
}

// Its gradient: out of range matches nothing.
// CHECK-LABEL: @scatter
// CHECK: %[[SUM:.*]] = stablehlo.add %arg0, %{{.*}}
// CHECK-NOT: clamp
// CHECK: stablehlo.select %{{.*}}, %[[SUM]], %arg0
// CHECK-NOT: stablehlo.scatter
func.func @scatter(%x: tensor<4x512xf32>, %i: tensor<4x1xi32>, %u: tensor<4xf32>) -> tensor<4x512xf32> {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{indices_are_sorted = false,
      scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0],
      scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>,
      unique_indices = false}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<4x512xf32>, tensor<4x1xi32>, tensor<4xf32>) -> tensor<4x512xf32>
  return %0 : tensor<4x512xf32>
}

// Two picks a row would walk the row twice; rows of 2^20 are longer than a fetch.
// CHECK-LABEL: @others
// CHECK-COUNT-2: stablehlo.gather
func.func @others(%x: tensor<4x512xf32>, %i: tensor<4x2x1xi32>, %y: tensor<4x1048576xf32>, %j: tensor<4x1xi32>)
    -> (tensor<4x2xf32>, tensor<4xf32>) {
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1],
      operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>,
      indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<4x512xf32>, tensor<4x2x1xi32>)
      -> tensor<4x2xf32>
  %1 = "stablehlo.gather"(%y, %j) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1],
      operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>,
      indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<4x1048576xf32>, tensor<4x1xi32>)
      -> tensor<4xf32>
  return %0, %1 : tensor<4x2xf32>, tensor<4xf32>
}
