// RUN: tpuc-opt %s | tpuc-opt | FileCheck %s
// RUN: tpuc-opt %s --mlir-print-op-generic | tpuc-opt | FileCheck %s

// CHECK-LABEL: func @slices
func.func @slices(%x: tensor<4x8xf32>, %u: tensor<2x8xf32>, %i: tensor<i32>) {
  // CHECK: stablehlo.dynamic_slice %{{.*}}, %{{.*}}, %{{.*}}, sizes = [2, 8] : (tensor<4x8xf32>, tensor<i32>, tensor<i32>) -> tensor<2x8xf32>
  %0 = stablehlo.dynamic_slice %x, %i, %i, sizes = [2, 8] : (tensor<4x8xf32>, tensor<i32>, tensor<i32>)
      -> tensor<2x8xf32>
  // CHECK-NEXT: stablehlo.dynamic_update_slice %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : (tensor<4x8xf32>, tensor<2x8xf32>, tensor<i32>, tensor<i32>) -> tensor<4x8xf32>
  %1 = stablehlo.dynamic_update_slice %x, %u, %i, %i : (tensor<4x8xf32>, tensor<2x8xf32>, tensor<i32>, tensor<i32>)
      -> tensor<4x8xf32>
  return
}

// Rows of a table: the row number is dropped, the row stays.
// CHECK-LABEL: func @gather
func.func @gather(%table: tensor<100x64xf32>, %rows: tensor<5x7x1xi32>, %b: tensor<5x100x64xf32>,
    %sizes: tensor<2xi32>) {
  // CHECK: "stablehlo.gather"(%{{.*}}, %{{.*}}) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 64>}>
  %0 = "stablehlo.gather"(%table, %rows) <{dimension_numbers = #stablehlo.gather<offset_dims = [2],
      collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false,
      slice_sizes = array<i64: 1, 64>}> : (tensor<100x64xf32>, tensor<5x7x1xi32>) -> tensor<5x7x64xf32>
  // A comma may follow the last field.
  // CHECK: "stablehlo.gather"({{.*}}#stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>
  %1 = "stablehlo.gather"(%b, %rows) {
    dimension_numbers = #stablehlo.gather<
      offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0],
      start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2,
    >, slice_sizes = array<i64: 1, 1, 64>
  } : (tensor<5x100x64xf32>, tensor<5x7x1xi32>) -> tensor<5x7x64xf32>
  // CHECK: "stablehlo.dynamic_gather"
  %2 = "stablehlo.dynamic_gather"(%table, %rows, %sizes) <{dimension_numbers = #stablehlo.gather<offset_dims = [2],
      collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>}>
      : (tensor<100x64xf32>, tensor<5x7x1xi32>, tensor<2xi32>) -> tensor<5x7x?xf32>
  // CHECK: "stablehlo.torch_index_select"
  %3 = "stablehlo.torch_index_select"(%table, %sizes) <{batch_dims = 0 : i64, dim = 0 : i64}>
      : (tensor<100x64xf32>, tensor<2xi32>) -> tensor<2x64xf32>
  return
}

// CHECK-LABEL: func @scatter
func.func @scatter(%table: tensor<100x64xf32>, %rows: tensor<5x1xi32>, %u: tensor<5x64xf32>) {
  // CHECK: "stablehlo.scatter"(%{{.*}}, %{{.*}}, %{{.*}}) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}>
  %0 = "stablehlo.scatter"(%table, %rows, %u) <{indices_are_sorted = false,
      scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0],
      scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<100x64xf32>, tensor<5x1xi32>, tensor<5x64xf32>) -> tensor<100x64xf32>
  // Two arrays at once: inputs, indices, updates.
  // CHECK: "stablehlo.scatter"(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}})
  %1:2 = "stablehlo.scatter"(%table, %table, %rows, %u,
      %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0],
      scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>, %d: tensor<f32>):
    stablehlo.return %c, %d : tensor<f32>, tensor<f32>
  }) : (tensor<100x64xf32>, tensor<100x64xf32>, tensor<5x1xi32>, tensor<5x64xf32>, tensor<5x64xf32>)
      -> (tensor<100x64xf32>, tensor<100x64xf32>)
  return
}
