// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tpuc-opt %s --tpuc-plan-kernels=target=v4 --tpuc-verify-plan --split-input-file | FileCheck %s
// RUN: tpuc-opt %s --tpuc-plan-kernels=target=v2 --tpuc-verify-plan --split-input-file | FileCheck %s --check-prefix=V2
// How v4's two cores share a gather's windows, and how many parts of indices v2's SMEM has room for.

// Seven rows: four and three.
// CHECK-LABEL: @main(%arg0: tensor<100x256xf32>
// CHECK: kernel.plan = #kernel.plan<grid [parallel d0 = 7 by 4], transfers>
func.func @main(%t: tensor<100x256xf32>, %i: tensor<7xi32>) -> tensor<7x256xf32> {
  %0 = kernel.fusion "copy"(%t, %i : tensor<100x256xf32>, tensor<7xi32>) -> tensor<7x256xf32> {
  ^bb0(%a: tensor<100x256xf32>, %b: tensor<7xi32>):
    %1 = "stablehlo.gather"(%a, %b) <{dimension_numbers = #stablehlo.gather<offset_dims = [1],
        collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 256>}>
        : (tensor<100x256xf32>, tensor<7xi32>) -> tensor<7x256xf32>
    kernel.yield %1 : tensor<7x256xf32>
  }
  return %0 : tensor<7x256xf32>
}

// -----

// The dim of one is not cut. Rows are started eight at a time, so 50 are 32 and 18: half of them is 25, of which eight
// at a time make 32.
// CHECK-LABEL: @main(%arg0: tensor<100x256xf32>
// CHECK: kernel.plan = #kernel.plan<grid [parallel d0 = 1 by 1, parallel d1 = 50 by 32], transfers>
func.func @main(%t: tensor<100x256xf32>, %i: tensor<1x50xi32>) -> tensor<1x50x256xf32> {
  %0 = kernel.fusion "copy"(%t, %i : tensor<100x256xf32>, tensor<1x50xi32>) -> tensor<1x50x256xf32> {
  ^bb0(%a: tensor<100x256xf32>, %b: tensor<1x50xi32>):
    %1 = "stablehlo.gather"(%a, %b) <{dimension_numbers = #stablehlo.gather<offset_dims = [2],
        collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, slice_sizes = array<i64: 1, 256>}>
        : (tensor<100x256xf32>, tensor<1x50xi32>) -> tensor<1x50x256xf32>
    kernel.yield %1 : tensor<1x50x256xf32>
  }
  return %0 : tensor<1x50x256xf32>
}

// -----

// 129 rows of bf16 are nine tiles of 16: five and four.
// CHECK-LABEL: @main(%arg0: tensor<1000x300xbf16>
// CHECK: kernel.plan = #kernel.plan<grid [parallel d0 = 9 by 5], tiles_at_once = 8
func.func @main(%t: tensor<1000x300xbf16>, %i: tensor<129x1xi32>) -> tensor<129x300xbf16> {
  %0 = kernel.fusion "copy"(%t, %i : tensor<1000x300xbf16>, tensor<129x1xi32>) -> tensor<129x300xbf16> {
  ^bb0(%a: tensor<1000x300xbf16>, %b: tensor<129x1xi32>):
    %1 = "stablehlo.gather"(%a, %b) <{dimension_numbers = #stablehlo.gather<offset_dims = [1],
        collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 300>}>
        : (tensor<1000x300xbf16>, tensor<129x1xi32>) -> tensor<129x300xbf16>
    kernel.yield %1 : tensor<129x300xbf16>
  }
  return %0 : tensor<129x300xbf16>
}

// -----

// 20000 bytes of indices. v2 has 16384 of SMEM, seven eighths of it for them: three parts of 4096 bytes and what lies
// beside each, of which a power of two is two. v4 holds them all.
// CHECK-LABEL: @main(%arg0: tensor<1000000x128xf32>
// CHECK: kernel.plan = #kernel.plan<grid [], transfers>
// V2: kernel.plan = #kernel.plan<grid [], index_parts = 2, transfers>
func.func @main(%t: tensor<1000000x128xf32>, %i: tensor<5000x1xi32>, %u: tensor<5000x128xf32>)
    -> tensor<1000000x128xf32> {
  %0 = kernel.fusion "copy"(%t, %i, %u : tensor<1000000x128xf32>, tensor<5000x1xi32>, tensor<5000x128xf32>)
      -> tensor<1000000x128xf32> {
  ^bb0(%a: tensor<1000000x128xf32>, %b: tensor<5000x1xi32>, %c: tensor<5000x128xf32>):
    %1 = "stablehlo.scatter"(%a, %b, %c) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1],
        inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
      ^bb0(%p: tensor<f32>, %q: tensor<f32>):
        stablehlo.return %q : tensor<f32>
      }) : (tensor<1000000x128xf32>, tensor<5000x1xi32>, tensor<5000x128xf32>) -> tensor<1000000x128xf32>
    kernel.yield %1 : tensor<1000000x128xf32>
  }
  return %0 : tensor<1000000x128xf32>
}
