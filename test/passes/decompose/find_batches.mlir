// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tpuc-opt %s --tpuc-find-batches --split-input-file | FileCheck %s
// Index vectors of which a component is the number of its own row.

// x[arange(8)[:, None], i]: negative indices would count from the end, but an iota has none.
// CHECK-LABEL: func.func @main
// CHECK: "stablehlo.gather"(%arg0, %{{.*}}) {{.*}}collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>{{.*}} : (tensor<8x64xf32>, tensor<8x5x1xi32>)
func.func @main(%x: tensor<8x64xf32>, %i: tensor<8x5xi32>) -> tensor<8x5xf32> {
  %zero = stablehlo.constant dense<0> : tensor<8x1xi32>
  %n = stablehlo.constant dense<8> : tensor<8x1xi32>
  %0 = stablehlo.iota dim = 0 : tensor<8x1xi32>
  %1 = stablehlo.compare LT, %0, %zero : (tensor<8x1xi32>, tensor<8x1xi32>) -> tensor<8x1xi1>
  %2 = stablehlo.add %0, %n : tensor<8x1xi32>
  %3 = stablehlo.select %1, %2, %0 : tensor<8x1xi1>, tensor<8x1xi32>
  %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<8x1xi32>) -> tensor<8x5x1xi32>
  %5 = stablehlo.reshape %i : (tensor<8x5xi32>) -> tensor<8x5x1xi32>
  %6 = stablehlo.concatenate %4, %5, dim = 2 : (tensor<8x5x1xi32>, tensor<8x5x1xi32>) -> tensor<8x5x2xi32>
  %7 = "stablehlo.gather"(%x, %6) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1],
      start_index_map = [0, 1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1>}>
      : (tensor<8x64xf32>, tensor<8x5x2xi32>) -> tensor<8x5xf32>
  return %7 : tensor<8x5xf32>
}

// -----

// Of three components, in an order of their own, two count: batches are in the operand's order.
// CHECK-LABEL: func.func @main
// CHECK: "stablehlo.scatter"(%arg0, %{{.*}}, %arg2)
// CHECK-SAME: inserted_window_dims = [2], input_batching_dims = [0, 1], scatter_indices_batching_dims = [1, 0], scatter_dims_to_operand_dims = [2], index_vector_dim = 2>
func.func @main(%x: tensor<6x7x64xf32>, %i: tensor<7x6x1xi32>, %u: tensor<7x6xf32>) -> tensor<6x7x64xf32> {
  %0 = stablehlo.iota dim = 0 : tensor<7x6x1xi32>
  %1 = stablehlo.iota dim = 1 : tensor<7x6x1xi32>
  %2 = stablehlo.concatenate %i, %0, %1, dim = 2 : (tensor<7x6x1xi32>, tensor<7x6x1xi32>, tensor<7x6x1xi32>)
      -> tensor<7x6x3xi32>
  %3 = "stablehlo.scatter"(%x, %2, %u) <{scatter_dimension_numbers = #stablehlo.scatter<
      inserted_window_dims = [0, 1, 2], scatter_dims_to_operand_dims = [2, 1, 0], index_vector_dim = 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) : (tensor<6x7x64xf32>, tensor<7x6x3xi32>, tensor<7x6xf32>) -> tensor<6x7x64xf32>
  return %3 : tensor<6x7x64xf32>
}

// -----

// Eight of sixteen rows; the diagonal's second number, as an index is left; 300 numbers of eight bits, which wrap.
// CHECK-LABEL: func.func @main
// CHECK: "stablehlo.gather"(%arg0, %{{.*}}){{.*}}collapsed_slice_dims = [0, 1], start_index_map = [0, 1]
// CHECK: "stablehlo.gather"(%arg2, %{{.*}}){{.*}}collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1]
// CHECK: "stablehlo.gather"(%arg3, %{{.*}}){{.*}}collapsed_slice_dims = [0, 1], start_index_map = [0, 1]
func.func @main(%x: tensor<16x64xf32>, %i: tensor<8x1xi32>, %y: tensor<8x8xf32>, %z: tensor<300x4xf32>,
                %j: tensor<300x1xi8>) -> (tensor<8xf32>, tensor<8xf32>, tensor<300xf32>) {
  %0 = stablehlo.iota dim = 0 : tensor<8x1xi32>
  %1 = stablehlo.concatenate %0, %i, dim = 1 : (tensor<8x1xi32>, tensor<8x1xi32>) -> tensor<8x2xi32>
  %2 = "stablehlo.gather"(%x, %1) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1],
      start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>}>
      : (tensor<16x64xf32>, tensor<8x2xi32>) -> tensor<8xf32>
  %3 = stablehlo.concatenate %0, %0, dim = 1 : (tensor<8x1xi32>, tensor<8x1xi32>) -> tensor<8x2xi32>
  %4 = "stablehlo.gather"(%y, %3) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1],
      start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>}>
      : (tensor<8x8xf32>, tensor<8x2xi32>) -> tensor<8xf32>
  %5 = stablehlo.iota dim = 0 : tensor<300x1xi8>
  %6 = stablehlo.concatenate %5, %j, dim = 1 : (tensor<300x1xi8>, tensor<300x1xi8>) -> tensor<300x2xi8>
  %7 = "stablehlo.gather"(%z, %6) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1],
      start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>}>
      : (tensor<300x4xf32>, tensor<300x2xi8>) -> tensor<300xf32>
  return %2, %4, %7 : tensor<8xf32>, tensor<8xf32>, tensor<300xf32>
}
