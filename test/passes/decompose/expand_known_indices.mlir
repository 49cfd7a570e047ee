// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tpuc-opt %s --tpuc-expand-known-indices --split-input-file | FileCheck %s
// Gathers and scatters at indices that constants and counting decide.

// jax.image.resize(x, 'nearest') to twice the size: floor((i + 0.5) * 4 / 8) is each of 0 to 3 twice.
// CHECK-LABEL: @twice
// CHECK: %[[R:.*]] = stablehlo.broadcast_in_dim %arg0, dims = [0, 1, 3] : (tensor<2x4x16xf32>) -> tensor<2x4x2x16xf32>
// CHECK: stablehlo.reshape %[[R]] : (tensor<2x4x2x16xf32>) -> tensor<2x8x16xf32>
// CHECK-NOT: stablehlo.gather
func.func @twice(%x: tensor<2x4x16xf32>) -> tensor<2x8x16xf32> {
  %half = stablehlo.constant dense<0.5> : tensor<8xf32>
  %four = stablehlo.constant dense<4.0> : tensor<8xf32>
  %eight = stablehlo.constant dense<8.0> : tensor<8xf32>
  %0 = stablehlo.iota dim = 0 : tensor<8xf32>
  %1 = stablehlo.add %0, %half : tensor<8xf32>
  %2 = stablehlo.multiply %1, %four : tensor<8xf32>
  %3 = stablehlo.divide %2, %eight : tensor<8xf32>
  %4 = stablehlo.floor %3 : tensor<8xf32>
  %5 = stablehlo.convert %4 : (tensor<8xf32>) -> tensor<8xi32>
  %6 = stablehlo.reshape %5 : (tensor<8xi32>) -> tensor<8x1xi32>
  %7 = "stablehlo.gather"(%x, %6) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 2],
      collapsed_slice_dims = [1], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 2, 1, 16>}>
      : (tensor<2x4x16xf32>, tensor<8x1xi32>) -> tensor<2x8x16xf32>
  return %7 : tensor<2x8x16xf32>
}

// -----

// Its gradient: sums of neighbours. Of the places 5, 3 and 1, each has one: backwards, two apart, 1 before and 2
// behind.
// CHECK-LABEL: @sums
// CHECK: stablehlo.reshape %arg1 : (tensor<8x16xf32>) -> tensor<4x2x16xf32>
// CHECK: stablehlo.reduce({{.*}}) applies stablehlo.add across dimensions = [1]
// CHECK: stablehlo.add %arg0
// CHECK: %[[R:.*]] = stablehlo.reverse %arg2, dims = [0]
// CHECK: stablehlo.pad %[[R]], %{{.*}}, low = [1, 0], high = [2, 0], interior = [1, 0] : (tensor<3x16xf32>, tensor<f32>) -> tensor<8x16xf32>
func.func @sums(%x: tensor<4x16xf32>, %u: tensor<8x16xf32>, %v: tensor<3x16xf32>)
    -> (tensor<4x16xf32>, tensor<8x16xf32>) {
  %i = stablehlo.constant dense<[0, 0, 1, 1, 2, 2, 3, 3]> : tensor<8xi32>
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1],
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<4x16xf32>, tensor<8xi32>, tensor<8x16xf32>) -> tensor<4x16xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<8x16xf32>
  %j = stablehlo.constant dense<[5, 3, 1]> : tensor<3xi32>
  %1 = "stablehlo.scatter"(%zero, %j, %v) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1],
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<8x16xf32>, tensor<3xi32>, tensor<3x16xf32>) -> tensor<8x16xf32>
  return %0, %1 : tensor<4x16xf32>, tensor<8x16xf32>
}

// -----

// x[:, i, j] above the diagonal of 3 by 3: places 1, 2 and 5 of nine. Put back, each place has its update's number.
// CHECK-LABEL: @above
// CHECK: %[[X:.*]] = stablehlo.reshape %arg0 : (tensor<8x3x3xf32>) -> tensor<8x9xf32>
// CHECK: %[[AT:.*]] = stablehlo.constant dense<[1, 2, 5]> : tensor<3xi32>
// CHECK: "stablehlo.gather"(%[[X]], %[[AT]]){{.*}}start_index_map = [1]
// CHECK: %[[BACK:.*]] = stablehlo.constant dense<[0, 0, 1, 0, 0, 2, 0, 0, 0]> : tensor<9xi32>
// CHECK: %[[FOUND:.*]] = "stablehlo.gather"(%arg1, %[[BACK]])
// CHECK: stablehlo.constant dense<[0, 1, 1, 0, 0, 1, 0, 0, 0]> : tensor<9xi32>
// CHECK: stablehlo.select %{{.*}}, %[[FOUND]], %{{.*}} : tensor<8x9xi1>, tensor<8x9xf32>
func.func @above(%x: tensor<8x3x3xf32>, %u: tensor<8x3xf32>) -> (tensor<8x3xf32>, tensor<8x3x3xf32>) {
  %i = stablehlo.constant dense<[[0, 1], [0, 2], [1, 2]]> : tensor<3x2xi32>
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [0],
      collapsed_slice_dims = [1, 2], start_index_map = [1, 2], index_vector_dim = 1>,
      slice_sizes = array<i64: 8, 1, 1>}>
      : (tensor<8x3x3xf32>, tensor<3x2xi32>) -> tensor<8x3xf32>
  %1 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0],
      inserted_window_dims = [1, 2], scatter_dims_to_operand_dims = [1, 2], index_vector_dim = 1>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      stablehlo.return %b : tensor<f32>
    }) : (tensor<8x3x3xf32>, tensor<3x2xi32>, tensor<8x3xf32>) -> tensor<8x3x3xf32>
  return %0, %1 : tensor<8x3xf32>, tensor<8x3x3xf32>
}

// -----

// Places past the end: a gather takes the last row. A scatter leaves one out, so it stays as it is, as does one at
// places that step unevenly and come twice.
// CHECK-LABEL: @ends
// CHECK: stablehlo.slice %arg0 [1:4, 0:16]
// CHECK-COUNT-2: stablehlo.scatter
func.func @ends(%x: tensor<4x16xf32>, %u: tensor<3x16xf32>) -> (tensor<3x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>) {
  %i = stablehlo.constant dense<[1, 2, 9]> : tensor<3xi32>
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1],
      collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 16>}>
      : (tensor<4x16xf32>, tensor<3xi32>) -> tensor<3x16xf32>
  %1 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1],
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      stablehlo.return %b : tensor<f32>
    }) : (tensor<4x16xf32>, tensor<3xi32>, tensor<3x16xf32>) -> tensor<4x16xf32>
  %j = stablehlo.constant dense<[1, 1, 3]> : tensor<3xi32>
  %2 = "stablehlo.scatter"(%x, %j, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1],
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<4x16xf32>, tensor<3xi32>, tensor<3x16xf32>) -> tensor<4x16xf32>
  return %0, %1, %2 : tensor<3x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>
}

// -----

// Sums at two of very many rows, and an index beyond 32 bits: as they are.
// CHECK-LABEL: @few
// CHECK: stablehlo.scatter
func.func @few(%c: tensor<65536x128xf32>, %u: tensor<2x128xf32>) -> tensor<65536x128xf32> {
  %i = stablehlo.constant dense<[5, 9]> : tensor<2xi32>
  %r = "stablehlo.scatter"(%c, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1],
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<65536x128xf32>, tensor<2xi32>, tensor<2x128xf32>) -> tensor<65536x128xf32>
  return %r : tensor<65536x128xf32>
}

// CHECK-LABEL: @far
// CHECK: "stablehlo.gather"(%arg0
func.func @far(%x: tensor<65536x65536xi8>) -> tensor<3xi8> {
  %i = stablehlo.constant dense<[[0, 1], [40000, 7], [65535, 2]]> : tensor<3x2xi32>
  %r = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1],
      start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>}>
      : (tensor<65536x65536xi8>, tensor<3x2xi32>) -> tensor<3xi8>
  return %r : tensor<3xi8>
}
