// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tpuc-opt %s --tpuc-lower-kernels=target=v5e --split-input-file | FileCheck %s
// Kernels run as their plans say, also where nobody would have planned them so.

// Steps of 256 rows, where 512 would be chosen: 32 of them. Blocks follow from the grid.
// CHECK: tpu.grid @k0 steps 32
// CHECK: tpu.routine @k0
// CHECK-SAME: steps = 32 : i64
// CHECK-SAME: vmem_words = 8192
func.func @main(%x: tensor<8192x1024xf32>) -> tensor<8192x1024xf32> {
  %0 = kernel.fusion "loop"(%x : tensor<8192x1024xf32>) -> tensor<8192x1024xf32> attributes {
      kernel.plan = #kernel.plan<grid [parallel d0 = 8192 by 256, parallel d1 = 1024 by 1024]>} {
  ^bb0(%a: tensor<8192x1024xf32>):
    %1 = stablehlo.exponential %a : tensor<8192x1024xf32>
    kernel.yield %1 : tensor<8192x1024xf32>
  }
  return %0 : tensor<8192x1024xf32>
}

// -----

// A matmul on two of the four arrays, over its rows, in 4 by 2 steps; columns outside.
// CHECK: tpu.grid @k0 steps 8
// CHECK: tpu.routine @k0
// CHECK: tpu.inst "mxu.push.bf16"{{.*}}mxu = 1
// CHECK-NOT: mxu = 2
func.func @main(%x: tensor<512x256xbf16>, %w: tensor<256x512xbf16>) -> tensor<512x512xbf16> {
  %0 = kernel.fusion "dot"(%x, %w : tensor<512x256xbf16>, tensor<256x512xbf16>) -> tensor<512x512xbf16> attributes {
      kernel.plan = #kernel.plan<grid [parallel d2 = 512 by 256, parallel d1 = 512 by 128, sequential d0 = 256 by 256],
                                 arrays = [1, 2, 1, 1], passes = 1, ring = 2>} {
  ^bb0(%a: tensor<512x256xbf16>, %b: tensor<256x512xbf16>):
    %1 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
        : (tensor<512x256xbf16>, tensor<256x512xbf16>) -> tensor<512x512xbf16>
    kernel.yield %1 : tensor<512x512xbf16>
  }
  return %0 : tensor<512x512xbf16>
}

// -----

// A convolution on one array, half an image's rows a step: 2 * 2 of them.
// CHECK: tpu.grid @k0 steps 4
// CHECK: tpu.inst "mxu.push.bf16"
// CHECK-NOT: mxu = 1
func.func @main(%x: tensor<2x16x16x128xbf16>, %w: tensor<3x3x128x128xbf16>) -> tensor<2x16x16x128xbf16> {
  %0 = kernel.fusion "conv"(%x, %w : tensor<2x16x16x128xbf16>, tensor<3x3x128x128xbf16>) -> tensor<2x16x16x128xbf16>
      attributes {kernel.plan = #kernel.plan<grid [parallel d0 = 2 by 1, parallel d1 = 16 by 8,
          parallel d4 = 128 by 128, sequential d2 = 128 by 128, whole d3 = 16], arrays = [1, 1, -1]>} {
  ^bb0(%a: tensor<2x16x16x128xbf16>, %b: tensor<3x3x128x128xbf16>):
    %1 = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
        window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
        : (tensor<2x16x16x128xbf16>, tensor<3x3x128x128xbf16>) -> tensor<2x16x16x128xbf16>
    kernel.yield %1 : tensor<2x16x16x128xbf16>
  }
  return %0 : tensor<2x16x16x128xbf16>
}

// -----

// Tiles of 128 x 128, one a step; the same transpose element by element, by the scalar unit.
// CHECK: tpu.grid @k0 steps 4
// CHECK: tpu.grid @k1 steps 1
// CHECK: tpu.routine @k0
// CHECK: x.tr.push
// CHECK: tpu.routine @k1
// CHECK-NOT: x.tr.push
func.func @main(%x: tensor<256x256xf32>) -> (tensor<256x256xf32>, tensor<256x256xf32>) {
  %0 = kernel.fusion "copy"(%x : tensor<256x256xf32>) -> tensor<256x256xf32> attributes {
      kernel.plan = #kernel.plan<grid [parallel d0 = 256 by 128, parallel d1 = 256 by 128], transposes>} {
  ^bb0(%a: tensor<256x256xf32>):
    %2 = stablehlo.transpose %a, dims = [1, 0] : (tensor<256x256xf32>) -> tensor<256x256xf32>
    kernel.yield %2 : tensor<256x256xf32>
  }
  %1 = kernel.fusion "copy"(%x : tensor<256x256xf32>) -> tensor<256x256xf32> attributes {
      kernel.plan = #kernel.plan<grid [], transfers>} {
  ^bb0(%a: tensor<256x256xf32>):
    %2 = stablehlo.transpose %a, dims = [1, 0] : (tensor<256x256xf32>) -> tensor<256x256xf32>
    kernel.yield %2 : tensor<256x256xf32>
  }
  return %0, %1 : tensor<256x256xf32>, tensor<256x256xf32>
}

// -----

// Lookups in a vector, 8 rows of them a step; the same by the scalar unit, element by element.
// CHECK: tpu.grid @k0 steps 2
// CHECK: tpu.grid @k1 steps 1
// CHECK: tpu.routine @k0
// CHECK: x.perm.lane
// CHECK: tpu.routine @k1
// CHECK: s.ldw
// CHECK: tpu.dma_start "hbm" @arg0{{.*}} to "hbm" @res1{{.*}} run 4
// CHECK-NOT: x.perm.lane
func.func @main(%t: tensor<1000xf32>, %i: tensor<16x128xi32>) -> (tensor<16x128xf32>, tensor<16x128xf32>) {
  %0 = kernel.fusion "copy"(%t, %i : tensor<1000xf32>, tensor<16x128xi32>) -> tensor<16x128xf32> attributes {
      kernel.plan = #kernel.plan<grid [parallel d0 = 16 by 8, parallel d1 = 128 by 128]>} {
  ^bb0(%a: tensor<1000xf32>, %b: tensor<16x128xi32>):
    %2 = "stablehlo.gather"(%a, %b) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0],
        start_index_map = [0], index_vector_dim = 2>, slice_sizes = array<i64: 1>}>
        : (tensor<1000xf32>, tensor<16x128xi32>) -> tensor<16x128xf32>
    kernel.yield %2 : tensor<16x128xf32>
  }
  %1 = kernel.fusion "copy"(%t, %i : tensor<1000xf32>, tensor<16x128xi32>) -> tensor<16x128xf32> attributes {
      kernel.plan = #kernel.plan<grid [], transfers>} {
  ^bb0(%a: tensor<1000xf32>, %b: tensor<16x128xi32>):
    %2 = "stablehlo.gather"(%a, %b) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0],
        start_index_map = [0], index_vector_dim = 2>, slice_sizes = array<i64: 1>}>
        : (tensor<1000xf32>, tensor<16x128xi32>) -> tensor<16x128xf32>
    kernel.yield %2 : tensor<16x128xf32>
  }
  return %0, %1 : tensor<16x128xf32>, tensor<16x128xf32>
}

// -----

// A gather's windows in parts of 3 rows, where one core runs both: each is a step. Rows start one by one, as the second
// part's first is the fourth.
// CHECK: tpu.grid @k0 steps 2
// CHECK: tpu.routine @k0
// CHECK: tpu.dma_start "hbm" @arg0{{.*}} to "hbm" @res0{{.*}} run 512
func.func @main(%t: tensor<100x128xf32>, %i: tensor<6xi32>) -> tensor<6x128xf32> {
  %0 = kernel.fusion "copy"(%t, %i : tensor<100x128xf32>, tensor<6xi32>) -> tensor<6x128xf32> attributes {
      kernel.plan = #kernel.plan<grid [parallel d0 = 6 by 3], transfers>} {
  ^bb0(%a: tensor<100x128xf32>, %b: tensor<6xi32>):
    %1 = "stablehlo.gather"(%a, %b) <{dimension_numbers = #stablehlo.gather<offset_dims = [1],
        collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 128>}>
        : (tensor<100x128xf32>, tensor<6xi32>) -> tensor<6x128xf32>
    kernel.yield %1 : tensor<6x128xf32>
  }
  return %0 : tensor<6x128xf32>
}
