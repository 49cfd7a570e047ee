// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tpuc-opt %s --tpuc-split-gathers --split-input-file | FileCheck %s
// Gathers at a product of indices are gathers along one dim each.

// Windows: 1000 x 1000 granules of 512 bytes. Rows: 1000 of 16 KiB; columns: lookups in these.
// CHECK-LABEL: func.func @main(%arg0
// CHECK-SAME: %arg1
// CHECK: %[[ROWS:.*]] = "stablehlo.gather"(%arg0, %arg1) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>{{.*}}slice_sizes = array<i64: 1, 4096>{{.*}} -> tensor<1000x4096xf32>
// CHECK: %[[BOTH:.*]] = "stablehlo.gather"(%[[ROWS]], %arg2) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1], start_index_map = [1], index_vector_dim = 1>{{.*}}slice_sizes = array<i64: 1000, 1>{{.*}} -> tensor<1000x1000xf32>
// CHECK: return %[[BOTH]]
func.func @main(%x: tensor<4096x4096xf32>, %i: tensor<1000xi32>, %j: tensor<1000xi32>) -> tensor<1000x1000xf32> {
  %0 = stablehlo.broadcast_in_dim %i, dims = [0] : (tensor<1000xi32>) -> tensor<1000x1000x1xi32>
  %1 = stablehlo.broadcast_in_dim %j, dims = [1] : (tensor<1000xi32>) -> tensor<1000x1000x1xi32>
  %2 = stablehlo.concatenate %0, %1, dim = 2 : (tensor<1000x1000x1xi32>, tensor<1000x1000x1xi32>)
      -> tensor<1000x1000x2xi32>
  %3 = "stablehlo.gather"(%x, %2) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1],
      start_index_map = [0, 1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1>}>
      : (tensor<4096x4096xf32>, tensor<1000x1000x2xi32>) -> tensor<1000x1000xf32>
  return %3 : tensor<1000x1000xf32>
}

// -----

// PyTorch's interpolation brings the indexed dims to the front, and what it has back: neither is left. The dim whose
// numbers leave least comes first.
// CHECK-LABEL: func.func @main(%arg0
// CHECK: %[[ROWS:.*]] = "stablehlo.gather"(%arg0, %arg2) {{.*}}offset_dims = [0, 1, 2], collapsed_slice_dims = [3]{{.*}} -> tensor<8x64x64x32xf32>
// CHECK: %[[BOTH:.*]] = "stablehlo.gather"(%[[ROWS]], %arg1) {{.*}}offset_dims = [0, 1, 3], collapsed_slice_dims = [2]{{.*}} -> tensor<8x64x128x32xf32>
// CHECK: return %[[BOTH]]
func.func @main(%x: tensor<8x64x64x64xf32>, %i: tensor<128xi32>, %j: tensor<32xi32>) -> tensor<8x64x128x32xf32> {
  %0 = stablehlo.transpose %x, dims = [2, 3, 0, 1] : (tensor<8x64x64x64xf32>) -> tensor<64x64x8x64xf32>
  %1 = stablehlo.broadcast_in_dim %i, dims = [0] : (tensor<128xi32>) -> tensor<128x32x1xi32>
  %2 = stablehlo.broadcast_in_dim %j, dims = [1] : (tensor<32xi32>) -> tensor<128x32x1xi32>
  %3 = stablehlo.concatenate %1, %2, dim = 2 : (tensor<128x32x1xi32>, tensor<128x32x1xi32>) -> tensor<128x32x2xi32>
  %4 = "stablehlo.gather"(%0, %3) <{dimension_numbers = #stablehlo.gather<offset_dims = [2, 3],
      collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 2>,
      slice_sizes = array<i64: 1, 1, 8, 64>}> : (tensor<64x64x8x64xf32>, tensor<128x32x2xi32>)
      -> tensor<128x32x8x64xf32>
  %5 = stablehlo.transpose %4, dims = [2, 3, 0, 1] : (tensor<128x32x8x64xf32>) -> tensor<8x64x128x32xf32>
  return %5 : tensor<8x64x128x32xf32>
}

// -----

// The second numbers run along the result's first dim, the first ones along two others: a transpose is left.
// CHECK-LABEL: func.func @main(%arg0
// CHECK: %[[I:.*]] = stablehlo.reshape %arg1 : (tensor<20x30xi32>) -> tensor<600xi32>
// CHECK-DAG: "stablehlo.gather"({{.*}}, %[[I]]) {{.*}}collapsed_slice_dims = [0]
// CHECK-DAG: "stablehlo.gather"({{.*}}, %arg2) {{.*}}collapsed_slice_dims = [1]
// CHECK: %[[APART:.*]] = stablehlo.reshape {{.*}} : (tensor<600x500xf32>) -> tensor<20x30x500xf32>
// CHECK: stablehlo.transpose %[[APART]], dims = [2, 0, 1]
func.func @main(%x: tensor<512x1024xf32>, %i: tensor<20x30xi32>, %j: tensor<500xi32>) -> tensor<500x20x30xf32> {
  %0 = stablehlo.broadcast_in_dim %i, dims = [1, 2] : (tensor<20x30xi32>) -> tensor<500x20x30x1xi32>
  %1 = stablehlo.broadcast_in_dim %j, dims = [0] : (tensor<500xi32>) -> tensor<500x20x30x1xi32>
  %2 = stablehlo.concatenate %0, %1, dim = 3 : (tensor<500x20x30x1xi32>, tensor<500x20x30x1xi32>)
      -> tensor<500x20x30x2xi32>
  %3 = "stablehlo.gather"(%x, %2) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1],
      start_index_map = [0, 1], index_vector_dim = 3>, slice_sizes = array<i64: 1, 1>}>
      : (tensor<512x1024xf32>, tensor<500x20x30x2xi32>) -> tensor<500x20x30xf32>
  return %3 : tensor<500x20x30xf32>
}

// -----

// Both components along one dim (x[i, j]); a component of all indices; windows of two rows; two of 4096 rows and
// columns, whose windows are four.
// CHECK-LABEL: func.func @main
// CHECK-COUNT-4: "stablehlo.gather"({{.*}}start_index_map = [0, 1]
// CHECK-NOT: "stablehlo.gather"
func.func @main(%x: tensor<4096x4096xf32>, %i: tensor<1000x1xi32>, %j: tensor<1000x1xi32>, %k: tensor<1000x1000x1xi32>,
                %two: tensor<2xi32>)
    -> (tensor<1000xf32>, tensor<1000x1000xf32>, tensor<1000x1000x2xf32>, tensor<2x2xf32>) {
  %0 = stablehlo.concatenate %i, %j, dim = 1 : (tensor<1000x1xi32>, tensor<1000x1xi32>) -> tensor<1000x2xi32>
  %1 = "stablehlo.gather"(%x, %0) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1],
      start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>}>
      : (tensor<4096x4096xf32>, tensor<1000x2xi32>) -> tensor<1000xf32>
  %2 = stablehlo.broadcast_in_dim %i, dims = [0, 2] : (tensor<1000x1xi32>) -> tensor<1000x1000x1xi32>
  %3 = stablehlo.concatenate %2, %k, dim = 2 : (tensor<1000x1000x1xi32>, tensor<1000x1000x1xi32>)
      -> tensor<1000x1000x2xi32>
  %4 = "stablehlo.gather"(%x, %3) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1],
      start_index_map = [0, 1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1>}>
      : (tensor<4096x4096xf32>, tensor<1000x1000x2xi32>) -> tensor<1000x1000xf32>
  %5 = stablehlo.broadcast_in_dim %j, dims = [1, 2] : (tensor<1000x1xi32>) -> tensor<1000x1000x1xi32>
  %6 = stablehlo.concatenate %2, %5, dim = 2 : (tensor<1000x1000x1xi32>, tensor<1000x1000x1xi32>)
      -> tensor<1000x1000x2xi32>
  %7 = "stablehlo.gather"(%x, %6) <{dimension_numbers = #stablehlo.gather<offset_dims = [2],
      collapsed_slice_dims = [1], start_index_map = [0, 1], index_vector_dim = 2>, slice_sizes = array<i64: 2, 1>}>
      : (tensor<4096x4096xf32>, tensor<1000x1000x2xi32>) -> tensor<1000x1000x2xf32>
  %8 = stablehlo.broadcast_in_dim %two, dims = [0] : (tensor<2xi32>) -> tensor<2x2x1xi32>
  %9 = stablehlo.broadcast_in_dim %two, dims = [1] : (tensor<2xi32>) -> tensor<2x2x1xi32>
  %10 = stablehlo.concatenate %8, %9, dim = 2 : (tensor<2x2x1xi32>, tensor<2x2x1xi32>) -> tensor<2x2x2xi32>
  %11 = "stablehlo.gather"(%x, %10) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1],
      start_index_map = [0, 1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1>}>
      : (tensor<4096x4096xf32>, tensor<2x2x2xi32>) -> tensor<2x2xf32>
  return %1, %4, %7, %11 : tensor<1000xf32>, tensor<1000x1000xf32>, tensor<1000x1000x2xf32>, tensor<2x2xf32>
}
