// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tpuc-opt %s --tpuc-sort-scatters --split-input-file | FileCheck %s

// Rows in order: the sort is stable and brings positions along; rows out of range become row 1000000, behind the last
// one.
// CHECK-LABEL: @rows
// CHECK-SAME: (%[[T:.*]]: tensor<1000000x256xf32>, %[[I:.*]]: tensor<4x16x1xi32>, %[[U:.*]]: tensor<4x16x256xf32>)
// CHECK-DAG: %[[LAST:.*]] = stablehlo.constant dense<999999> : tensor<64xi32>
// CHECK-DAG: %[[END:.*]] = stablehlo.constant dense<1000000> : tensor<64xi32>
// CHECK: %[[K:.*]] = stablehlo.select {{.*}}, %[[END]]
// CHECK: %[[S:.*]]:2 = "stablehlo.sort"(%[[K]], {{.*}}) <{dimension = 0 : i64, is_stable = true}>
// CHECK: compare{{ *}} LT
// CHECK: %[[F:.*]] = stablehlo.reshape %[[U]] : (tensor<4x16x256xf32>) -> tensor<64x256xf32>
// CHECK: %[[G:.*]] = "stablehlo.gather"(%[[F]], %[[S]]#1)
// CHECK: "stablehlo.scatter"(%[[T]], %[[S]]#0, %[[G]]) <{indices_are_sorted = true
// CHECK: kernel.sorted_rows
func.func @rows(%t: tensor<1000000x256xf32>, %i: tensor<4x16x1xi32>, %u: tensor<4x16x256xf32>)
    -> tensor<1000000x256xf32> {
  %0 = "stablehlo.scatter"(%t, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2],
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %1 = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %1 : tensor<f32>
    }) : (tensor<1000000x256xf32>, tensor<4x16x1xi32>, tensor<4x16x256xf32>) -> tensor<1000000x256xf32>
  return %0 : tensor<1000000x256xf32>
}

// -----

// A table that VMEM holds: its rows are summed up there, in the order of the updates, as arrays of rows.
// CHECK-LABEL: @held
// CHECK-SAME: (%[[T:.*]]: tensor<100x256xf32>, %[[I:.*]]: tensor<4x16x1xi32>, %[[U:.*]]: tensor<4x16x256xf32>)
// CHECK-NOT: stablehlo.sort
// CHECK-DAG: %[[F:.*]] = stablehlo.reshape %[[U]] : (tensor<4x16x256xf32>) -> tensor<64x256xf32>
// CHECK-DAG: %[[K:.*]] = stablehlo.reshape %[[I]] : (tensor<4x16x1xi32>) -> tensor<64xi32>
// CHECK: "stablehlo.scatter"(%[[T]], %[[K]], %[[F]])
func.func @held(%t: tensor<100x256xf32>, %i: tensor<4x16x1xi32>, %u: tensor<4x16x256xf32>) -> tensor<100x256xf32> {
  %0 = "stablehlo.scatter"(%t, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2],
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %1 = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %1 : tensor<f32>
    }) : (tensor<100x256xf32>, tensor<4x16x1xi32>, tensor<4x16x256xf32>) -> tensor<100x256xf32>
  return %0 : tensor<100x256xf32>
}

// -----

// Elements of a vector too: as rows of one, where there are many updates.
// CHECK-LABEL: @elements
// CHECK-SAME: (%[[T:.*]]: tensor<169343xf32>, %[[I:.*]]: tensor<1166243xi32>, %[[U:.*]]: tensor<1166243xf32>)
// CHECK-NOT: stablehlo.sort
// CHECK-DAG: %[[R:.*]] = stablehlo.reshape %[[T]] : (tensor<169343xf32>) -> tensor<169343x1xf32>
// CHECK-DAG: %[[F:.*]] = stablehlo.reshape %[[U]] : (tensor<1166243xf32>) -> tensor<1166243x1xf32>
// CHECK: %[[S:.*]] = "stablehlo.scatter"(%[[R]], %[[I]], %[[F]])
// CHECK: stablehlo.reshape %[[S]] : (tensor<169343x1xf32>) -> tensor<169343xf32>
func.func @elements(%t: tensor<169343xf32>, %i: tensor<1166243xi32>, %u: tensor<1166243xf32>) -> tensor<169343xf32> {
  %0 = "stablehlo.scatter"(%t, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0],
      scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %1 = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %1 : tensor<f32>
    }) : (tensor<169343xf32>, tensor<1166243xi32>, tensor<1166243xf32>) -> tensor<169343xf32>
  return %0 : tensor<169343xf32>
}

// -----

// Parts of rows, and columns, are no rows.
// CHECK-LABEL: @parts
// CHECK-NOT: stablehlo.sort
func.func @parts(%t: tensor<100x256xf32>, %i: tensor<64x1xi32>, %u: tensor<64x255xf32>, %v: tensor<64x100xf32>)
    -> (tensor<100x256xf32>, tensor<100x256xf32>) {
  %0 = "stablehlo.scatter"(%t, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1],
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %2 = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<100x256xf32>, tensor<64x1xi32>, tensor<64x255xf32>) -> tensor<100x256xf32>
  %1 = "stablehlo.scatter"(%t, %i, %v) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1],
      inserted_window_dims = [1], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %2 = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<100x256xf32>, tensor<64x1xi32>, tensor<64x100xf32>) -> tensor<100x256xf32>
  return %0, %1 : tensor<100x256xf32>, tensor<100x256xf32>
}

// -----

// Few rows are there before a sort is.
// CHECK-LABEL: @few
// CHECK-NOT: stablehlo.sort
func.func @few(%t: tensor<100x256xf32>, %i: tensor<4x1xi32>, %u: tensor<4x256xf32>) -> tensor<100x256xf32> {
  %0 = "stablehlo.scatter"(%t, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1],
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %1 = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %1 : tensor<f32>
    }) : (tensor<100x256xf32>, tensor<4x1xi32>, tensor<4x256xf32>) -> tensor<100x256xf32>
  return %0 : tensor<100x256xf32>
}

// -----

// A program's own word for it counts for nothing.
// CHECK-LABEL: @claimed
// CHECK-NOT: kernel.sorted_rows
func.func @claimed(%t: tensor<100x256xf32>, %i: tensor<4xi32>, %f: tensor<4xi32>, %u: tensor<4x256xf32>)
    -> tensor<100x256xf32> {
  %0 = "stablehlo.gather"(%u, %f) <{dimension_numbers = #stablehlo.gather<offset_dims = [1],
      collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 256>}>
      : (tensor<4x256xf32>, tensor<4xi32>) -> tensor<4x256xf32>
  %1 = "stablehlo.scatter"(%t, %i, %0) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<
      update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0],
      index_vector_dim = 1>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %2 = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) {kernel.sorted_rows} : (tensor<100x256xf32>, tensor<4xi32>, tensor<4x256xf32>) -> tensor<100x256xf32>
  return %1 : tensor<100x256xf32>
}
