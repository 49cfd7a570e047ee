// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tpuc-opt %s --tpuc-number-rows --split-input-file | FileCheck %s

// Row i of batch b is row 4096 b + i; one that is not inside of its own table follows the last of all, 4 * 4096.
// CHECK-LABEL: @batches
// CHECK-SAME: (%[[T:.*]]: tensor<4x4096x128xf32>, %[[I:.*]]: tensor<4x1024x1xi32>, %[[U:.*]]: tensor<4x1024x128xf32>)
// CHECK: %[[GIVEN:.*]] = stablehlo.reshape %[[I]]
// CHECK: %[[LAST:.*]] = stablehlo.constant dense<4095> : tensor<4x1024xi32>
// CHECK: %[[CLAMPED:.*]] = stablehlo.clamp %{{.*}}, %[[GIVEN]], %[[LAST]]
// CHECK: %[[INSIDE:.*]] = stablehlo.compare EQ, %[[GIVEN]], %[[CLAMPED]]
// CHECK: %[[B:.*]] = stablehlo.iota dim = 0 : tensor<4x1024xi32>
// CHECK: %[[ROWS:.*]] = stablehlo.constant dense<4096> : tensor<4x1024xi32>
// CHECK: %[[FIRST:.*]] = stablehlo.multiply %[[B]], %[[ROWS]]
// CHECK: %[[SUM:.*]] = stablehlo.add %[[CLAMPED]], %[[FIRST]]
// CHECK: %[[ALL:.*]] = stablehlo.constant dense<16384> : tensor<4x1024xi32>
// CHECK: %[[N:.*]] = stablehlo.select %[[INSIDE]], %[[SUM]], %[[ALL]]
// CHECK: %[[J:.*]] = stablehlo.reshape %[[T]] : (tensor<4x4096x128xf32>) -> tensor<16384x128xf32>
// CHECK: %[[S:.*]] = "stablehlo.scatter"(%[[J]], %[[N]], %[[U]])
// CHECK-SAME: update_window_dims = [2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>
// CHECK: stablehlo.reshape %[[S]] : (tensor<16384x128xf32>) -> tensor<4x4096x128xf32>
func.func @batches(%t: tensor<4x4096x128xf32>, %i: tensor<4x1024x1xi32>, %u: tensor<4x1024x128xf32>)
    -> tensor<4x4096x128xf32> {
  %0 = "stablehlo.scatter"(%t, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2],
      inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0],
      scatter_dims_to_operand_dims = [1], index_vector_dim = 2>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %1 = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %1 : tensor<f32>
    }) : (tensor<4x4096x128xf32>, tensor<4x1024x1xi32>, tensor<4x1024x128xf32>) -> tensor<4x4096x128xf32>
  return %0 : tensor<4x4096x128xf32>
}

// -----

// A tile of bf16 has 16 rows: 100 become 112, and zeros are zeros. Of two components the second is the first dim's.
// CHECK-LABEL: @ragged
// CHECK: stablehlo.constant dense<112> : tensor<640xi32>
// CHECK: stablehlo.constant dense<3584> : tensor<640xi32>
// CHECK: %[[Z:.*]] = stablehlo.constant dense<0.000000e+00> : tensor<3584x768xbf16>
// CHECK: %[[S:.*]] = "stablehlo.scatter"(%[[Z]],
// CHECK: %[[P:.*]] = stablehlo.reshape %[[S]] : (tensor<3584x768xbf16>) -> tensor<32x112x768xbf16>
// CHECK: stablehlo.slice %[[P]] [0:32, 0:100, 0:768]
func.func @ragged(%i: tensor<640x2xi32>, %u: tensor<640x768xbf16>) -> tensor<32x100x768xbf16> {
  %z = stablehlo.constant dense<0.0> : tensor<32x100x768xbf16>
  %0 = "stablehlo.scatter"(%z, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1],
      inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [1, 0], index_vector_dim = 1>}> ({
    ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
      %1 = stablehlo.add %a, %b : tensor<bf16>
      stablehlo.return %1 : tensor<bf16>
    }) : (tensor<32x100x768xbf16>, tensor<640x2xi32>, tensor<640x768xbf16>) -> tensor<32x100x768xbf16>
  return %0 : tensor<32x100x768xbf16>
}

// -----

// Rows that take the place of those of their own batches wait for none; parts of rows, and columns, are no rows; two
// rows wait for less than it takes to pad a long table.
// CHECK-LABEL: @stay
// CHECK-COUNT-4: "stablehlo.scatter"(%arg{{.*}}input_batching_dims = [0]
func.func @stay(%t: tensor<64x4096x128xf32>, %i: tensor<64x1xi32>, %u: tensor<64x128xf32>, %v: tensor<64x100xf32>,
                %w: tensor<64x4096xf32>, %x: tensor<2x40001x128xf32>, %j: tensor<2x1x1xi32>, %y: tensor<2x1x128xf32>)
    -> (tensor<64x4096x128xf32>, tensor<64x4096x128xf32>, tensor<64x4096x128xf32>, tensor<2x40001x128xf32>) {
  %0 = "stablehlo.scatter"(%t, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1],
      inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0],
      scatter_dims_to_operand_dims = [1], index_vector_dim = 1>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      stablehlo.return %b : tensor<f32>
    }) : (tensor<64x4096x128xf32>, tensor<64x1xi32>, tensor<64x128xf32>) -> tensor<64x4096x128xf32>
  %1 = "stablehlo.scatter"(%t, %i, %v) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1],
      inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0],
      scatter_dims_to_operand_dims = [1], index_vector_dim = 1>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %4 = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %4 : tensor<f32>
    }) : (tensor<64x4096x128xf32>, tensor<64x1xi32>, tensor<64x100xf32>) -> tensor<64x4096x128xf32>
  %2 = "stablehlo.scatter"(%t, %i, %w) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1],
      inserted_window_dims = [2], input_batching_dims = [0], scatter_indices_batching_dims = [0],
      scatter_dims_to_operand_dims = [2], index_vector_dim = 1>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %4 = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %4 : tensor<f32>
    }) : (tensor<64x4096x128xf32>, tensor<64x1xi32>, tensor<64x4096xf32>) -> tensor<64x4096x128xf32>
  %3 = "stablehlo.scatter"(%x, %j, %y) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2],
      inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0],
      scatter_dims_to_operand_dims = [1], index_vector_dim = 2>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %4 = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %4 : tensor<f32>
    }) : (tensor<2x40001x128xf32>, tensor<2x1x1xi32>, tensor<2x1x128xf32>) -> tensor<2x40001x128xf32>
  return %0, %1, %2, %3 : tensor<64x4096x128xf32>, tensor<64x4096x128xf32>, tensor<64x4096x128xf32>,
      tensor<2x40001x128xf32>
}

// -----

// Indices of a gather are clamped. Rows that share words have one number each; of 131072 indices, which SMEM does not
// hold, a vector is made, for its parts have many.
// CHECK-LABEL: @gathers
// CHECK: %[[J:.*]] = stablehlo.reshape %arg0 : (tensor<4x4096x128xbf16>) -> tensor<16384x128xbf16>
// CHECK: "stablehlo.gather"(%[[J]], %{{.*}} : (tensor<16384x128xbf16>, tensor<4x20xi32>) -> tensor<4x20x128xbf16>
// CHECK-DAG: %[[L:.*]] = stablehlo.reshape %arg1 : (tensor<4x4096x128xf32>) -> tensor<16384x128xf32>
// CHECK-DAG: %[[N:.*]] = stablehlo.reshape %{{.*}} : (tensor<4x32768xi32>) -> tensor<131072xi32>
// CHECK: %[[G:.*]] = "stablehlo.gather"(%[[L]], %[[N]]) {{.*}} -> tensor<131072x128xf32>
// CHECK: stablehlo.reshape %[[G]] : (tensor<131072x128xf32>) -> tensor<4x32768x128xf32>
// CHECK: "stablehlo.gather"(%arg1, {{.*}}operand_batching_dims = [0]
func.func @gathers(%t: tensor<4x4096x128xbf16>, %s: tensor<4x4096x128xf32>, %i: tensor<4x20xi32>,
                   %j: tensor<4x32768xi32>)
    -> (tensor<4x20x128xbf16>, tensor<4x32768x128xf32>, tensor<4x20x128xf32>) {
  %0 = "stablehlo.gather"(%t, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2],
      collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0],
      start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 128>}>
      : (tensor<4x4096x128xbf16>, tensor<4x20xi32>) -> tensor<4x20x128xbf16>
  %1 = "stablehlo.gather"(%s, %j) <{dimension_numbers = #stablehlo.gather<offset_dims = [2],
      collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0],
      start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 128>}>
      : (tensor<4x4096x128xf32>, tensor<4x32768xi32>) -> tensor<4x32768x128xf32>
  %2 = "stablehlo.gather"(%s, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2],
      collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0],
      start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 128>}>
      : (tensor<4x4096x128xf32>, tensor<4x20xi32>) -> tensor<4x20x128xf32>
  return %0, %1, %2 : tensor<4x20x128xbf16>, tensor<4x32768x128xf32>, tensor<4x20x128xf32>
}

// -----

// Tables of 4090 rows are padded to tiles where VMEM holds the joined one and rows are many. A few are not worth it.
// CHECK-LABEL: @padded
// CHECK: %[[P:.*]] = stablehlo.pad %arg0, {{.*}} high = [0, 6, 0]
// CHECK: %[[J:.*]] = stablehlo.reshape %[[P]] : (tensor<4x4096x128xf32>) -> tensor<16384x128xf32>
// CHECK: "stablehlo.gather"(%[[J]], %{{.*}} : (tensor<16384x128xf32>, tensor<32000xi32>) -> tensor<32000x128xf32>
// CHECK: "stablehlo.gather"(%arg0, {{.*}}operand_batching_dims = [0]
func.func @padded(%t: tensor<4x4090x128xf32>, %i: tensor<4x8000xi32>, %j: tensor<4x20xi32>)
    -> (tensor<4x8000x128xf32>, tensor<4x20x128xf32>) {
  %0 = "stablehlo.gather"(%t, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2],
      collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0],
      start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 128>}>
      : (tensor<4x4090x128xf32>, tensor<4x8000xi32>) -> tensor<4x8000x128xf32>
  %1 = "stablehlo.gather"(%t, %j) <{dimension_numbers = #stablehlo.gather<offset_dims = [2],
      collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0],
      start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 128>}>
      : (tensor<4x4090x128xf32>, tensor<4x20xi32>) -> tensor<4x20x128xf32>
  return %0, %1 : tensor<4x8000x128xf32>, tensor<4x20x128xf32>
}

// -----

// Rows that the program says are apart may have the one number of all places out of range.
// CHECK-LABEL: @apart
// CHECK: "stablehlo.scatter"
// CHECK-SAME: unique_indices = false
func.func @apart(%table: tensor<4x4096x128xf32>, %rows: tensor<4x1024xi32>, %updates: tensor<4x1024x128xf32>)
    -> tensor<4x4096x128xf32> {
  %0 = "stablehlo.scatter"(%table, %rows, %updates) <{scatter_dimension_numbers = #stablehlo.scatter<
      update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0],
      scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>,
      unique_indices = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<4x4096x128xf32>, tensor<4x1024xi32>, tensor<4x1024x128xf32>) -> tensor<4x4096x128xf32>
  return %0 : tensor<4x4096x128xf32>
}

// -----

// 14 rows do not fill tiles of 8: 300 * 14 * 16 = 67,200 are taken from the table, of 50 * 72 = 3,600 rows once padded,
// and the first 14 of each 16 are what was asked for.
// CHECK-LABEL: @short_of_tiles
// CHECK: %[[P:.*]] = stablehlo.pad {{.*}} high = [0, 0, 2], interior = [0, 0, 0] : (tensor<300x14x14xi32>, tensor<i32>)
// CHECK: %[[N:.*]] = stablehlo.reshape %[[P]] : (tensor<300x14x16xi32>) -> tensor<67200xi32>
// CHECK: %[[T:.*]] = stablehlo.reshape %{{.*}} : (tensor<50x72x256xf32>) -> tensor<3600x256xf32>
// CHECK: %[[G:.*]] = "stablehlo.gather"(%[[T]], %[[N]]) {{.*}} -> tensor<67200x256xf32>
// CHECK: %[[W:.*]] = stablehlo.reshape %[[G]] : (tensor<67200x256xf32>) -> tensor<300x14x16x256xf32>
// CHECK: stablehlo.slice %[[W]] [0:300, 0:14, 0:14, 0:256]
// Of few rows the table is not worth holding.
// CHECK: "stablehlo.gather"(%arg0, %arg2)
func.func @short_of_tiles(%t: tensor<50x68x256xf32>, %i: tensor<300x14x14x2xi32>, %j: tensor<3x14x2xi32>)
    -> (tensor<300x14x14x256xf32>, tensor<3x14x256xf32>) {
  %0 = "stablehlo.gather"(%t, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [3],
      collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 3>,
      slice_sizes = array<i64: 1, 1, 256>}> : (tensor<50x68x256xf32>, tensor<300x14x14x2xi32>)
      -> tensor<300x14x14x256xf32>
  %1 = "stablehlo.gather"(%t, %j) <{dimension_numbers = #stablehlo.gather<offset_dims = [2],
      collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 2>,
      slice_sizes = array<i64: 1, 1, 256>}> : (tensor<50x68x256xf32>, tensor<3x14x2xi32>) -> tensor<3x14x256xf32>
  return %0, %1 : tensor<300x14x14x256xf32>, tensor<3x14x256xf32>
}
