// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pages of a cache whose heads fill half a tile: positions lie along sublanes instead. The same rows are written and
// read as rows of a matrix.
// RUN: tpuc run %s --check
// RUN: tpuc run %s --check --target=v5p
// RUN: tpuc compile %s --stop-after=expand | FileCheck %s
// CHECK: "stablehlo.scatter"{{.*}}
// CHECK: (tensor<64x4x8x128xf32>, tensor<16x2xi32>, tensor<16x4x128xf32>) -> tensor<64x4x8x128xf32>
func.func @main() {
  %page = stablehlo.constant dense<[1, 4, 7, 10, 13, 16, 19, 22, 25, 28, 31, 34, 37, 40, 43, 46]> : tensor<16xi32>
  %slot = stablehlo.constant dense<[0, 1, 2, 3, 4, 5, 6, 7, 7, 5, 3, 1, 0, 2, 4, 6]> : tensor<16xi32>
  %table = stablehlo.constant dense<[[1, 4, 2, 63], [7, 10, 10, 5], [31, 0, 28, 46], [43, 40, 37, 9]]> : tensor<4x4xi32>
  // As pages.
  %p0 = stablehlo.iota dim = 0 : tensor<64x8x4x128xf32>
  %p1 = stablehlo.iota dim = 1 : tensor<64x8x4x128xf32>
  %p2 = stablehlo.iota dim = 2 : tensor<64x8x4x128xf32>
  %p3 = stablehlo.iota dim = 3 : tensor<64x8x4x128xf32>
  %4096 = stablehlo.constant dense<4096.0> : tensor<64x8x4x128xf32>
  %512 = stablehlo.constant dense<512.0> : tensor<64x8x4x128xf32>
  %128 = stablehlo.constant dense<128.0> : tensor<64x8x4x128xf32>
  %p4 = stablehlo.multiply %p0, %4096 : tensor<64x8x4x128xf32>
  %p5 = stablehlo.multiply %p1, %512 : tensor<64x8x4x128xf32>
  %p6 = stablehlo.multiply %p2, %128 : tensor<64x8x4x128xf32>
  %p7 = stablehlo.add %p4, %p5 : tensor<64x8x4x128xf32>
  %p8 = stablehlo.add %p6, %p3 : tensor<64x8x4x128xf32>
  %pages = stablehlo.add %p7, %p8 : tensor<64x8x4x128xf32>
  %r0 = stablehlo.iota dim = 0 : tensor<16x4x128xf32>
  %r1 = stablehlo.iota dim = 1 : tensor<16x4x128xf32>
  %r2 = stablehlo.iota dim = 2 : tensor<16x4x128xf32>
  %r3 = stablehlo.constant dense<-512.0> : tensor<16x4x128xf32>
  %r4 = stablehlo.constant dense<-128.0> : tensor<16x4x128xf32>
  %r5 = stablehlo.multiply %r0, %r3 : tensor<16x4x128xf32>
  %r6 = stablehlo.multiply %r1, %r4 : tensor<16x4x128xf32>
  %r7 = stablehlo.add %r5, %r6 : tensor<16x4x128xf32>
  %rows = stablehlo.subtract %r7, %r2 : tensor<16x4x128xf32>
  %p = stablehlo.reshape %page : (tensor<16xi32>) -> tensor<16x1xi32>
  %s = stablehlo.reshape %slot : (tensor<16xi32>) -> tensor<16x1xi32>
  %places = stablehlo.concatenate %p, %s, dim = 1 : (tensor<16x1xi32>, tensor<16x1xi32>) -> tensor<16x2xi32>
  %written = "stablehlo.scatter"(%pages, %places, %rows) <{scatter_dimension_numbers = #stablehlo.scatter<
      update_window_dims = [1, 2], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1],
      index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) : (tensor<64x8x4x128xf32>, tensor<16x2xi32>, tensor<16x4x128xf32>) -> tensor<64x8x4x128xf32>
  %read = "stablehlo.gather"(%written, %table) <{dimension_numbers = #stablehlo.gather<offset_dims = [2, 3, 4],
      collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>,
      slice_sizes = array<i64: 1, 8, 4, 128>}> : (tensor<64x8x4x128xf32>, tensor<4x4xi32>) -> tensor<4x4x8x4x128xf32>
  %keys = stablehlo.reshape %read : (tensor<4x4x8x4x128xf32>) -> tensor<4x32x4x128xf32>
  %twice = stablehlo.add %keys, %keys : tensor<4x32x4x128xf32>

  // As rows.
  %m0 = stablehlo.iota dim = 0 : tensor<512x512xf32>
  %m1 = stablehlo.iota dim = 1 : tensor<512x512xf32>
  %m2 = stablehlo.constant dense<512.0> : tensor<512x512xf32>
  %m3 = stablehlo.multiply %m0, %m2 : tensor<512x512xf32>
  %matrix = stablehlo.add %m3, %m1 : tensor<512x512xf32>
  %u0 = stablehlo.iota dim = 0 : tensor<16x512xf32>
  %u1 = stablehlo.iota dim = 1 : tensor<16x512xf32>
  %u2 = stablehlo.constant dense<-512.0> : tensor<16x512xf32>
  %u3 = stablehlo.multiply %u0, %u2 : tensor<16x512xf32>
  %updates = stablehlo.subtract %u3, %u1 : tensor<16x512xf32>
  %eight = stablehlo.constant dense<8> : tensor<16xi32>
  %first = stablehlo.multiply %page, %eight : tensor<16xi32>
  %row = stablehlo.add %first, %slot : tensor<16xi32>
  %set = "stablehlo.scatter"(%matrix, %row, %updates) <{scatter_dimension_numbers = #stablehlo.scatter<
      update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0],
      index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) : (tensor<512x512xf32>, tensor<16xi32>, tensor<16x512xf32>) -> tensor<512x512xf32>
  %pageOf = stablehlo.broadcast_in_dim %table, dims = [0, 1] : (tensor<4x4xi32>) -> tensor<4x4x8xi32>
  %position = stablehlo.iota dim = 2 : tensor<4x4x8xi32>
  %eights = stablehlo.constant dense<8> : tensor<4x4x8xi32>
  %start = stablehlo.multiply %pageOf, %eights : tensor<4x4x8xi32>
  %numbers = stablehlo.add %start, %position : tensor<4x4x8xi32>
  %flat = stablehlo.reshape %numbers : (tensor<4x4x8xi32>) -> tensor<128xi32>
  %got = "stablehlo.gather"(%set, %flat) <{dimension_numbers = #stablehlo.gather<offset_dims = [1],
      collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 512>}>
      : (tensor<512x512xf32>, tensor<128xi32>) -> tensor<128x512xf32>
  %also = stablehlo.reshape %got : (tensor<128x512xf32>) -> tensor<4x32x4x128xf32>
  %sum = stablehlo.add %also, %also : tensor<4x32x4x128xf32>
  check.expect_eq %twice, %sum : tensor<4x32x4x128xf32>
  return
}
