// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tpuc-opt %s --tpuc-sort-scatters=set=core.vmem_bytes=65536 --split-input-file | FileCheck %s
// Rows that VMEM does not hold stay as they come: blocks may use 112 words of 512 bytes.

// 2048 columns are 16 words: two slots of an update, old contents and a sum take 96, and what does not go back 2.
// CHECK-LABEL: @held
// CHECK: kernel.sorted_rows
func.func @held(%t: tensor<100x2048xf32>, %i: tensor<64xi32>, %u: tensor<64x2048xf32>) -> tensor<100x2048xf32> {
  %0 = "stablehlo.scatter"(%t, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1],
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %1 = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %1 : tensor<f32>
    }) : (tensor<100x2048xf32>, tensor<64xi32>, tensor<64x2048xf32>) -> tensor<100x2048xf32>
  return %0 : tensor<100x2048xf32>
}

// -----

// One column more makes it 24 words, in whole tiles: 144.
// CHECK-LABEL: @too_long
// CHECK-NOT: kernel.sorted_rows
func.func @too_long(%t: tensor<100x2049xf32>, %i: tensor<64xi32>, %u: tensor<64x2049xf32>) -> tensor<100x2049xf32> {
  %0 = "stablehlo.scatter"(%t, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1],
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %1 = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %1 : tensor<f32>
    }) : (tensor<100x2049xf32>, tensor<64xi32>, tensor<64x2049xf32>) -> tensor<100x2049xf32>
  return %0 : tensor<100x2049xf32>
}
