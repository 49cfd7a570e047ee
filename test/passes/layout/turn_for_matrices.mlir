// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tpuc-opt %s --tpuc-turn-for-matrices --split-input-file | FileCheck %s
// Products with matrices along dims of an array, one after the other: these dims last, if estimates say so.

// jax.image.resize. Three features along lanes would be padded to 128 in each of four moves.
// CHECK-LABEL: func.func @main
// CHECK: %[[IN:.*]] = stablehlo.transpose %arg0, dims = [0, 3, 1, 2]
// CHECK: %[[ROWS:.*]] = stablehlo.dot_general %arg1, %[[IN]], contracting_dims = [0] x [2], precision = [HIGHEST, HIGHEST] : {{.*}} -> tensor<1024x8x3x512xf32>
// CHECK: %[[BACK:.*]] = stablehlo.transpose %[[ROWS]], dims = [1, 2, 0, 3]
// CHECK: %[[BOTH:.*]] = stablehlo.dot_general %[[BACK]], %arg2, contracting_dims = [3] x [0], precision = [HIGHEST, HIGHEST] : {{.*}} -> tensor<8x3x1024x1024xf32>
// CHECK: %[[OUT:.*]] = stablehlo.transpose %[[BOTH]], dims = [0, 2, 3, 1]
// CHECK: return %[[OUT]]
func.func @main(%x: tensor<8x512x512x3xf32>, %h: tensor<512x1024xf32>, %w: tensor<512x1024xf32>)
    -> tensor<8x1024x1024x3xf32> {
  %0 = stablehlo.dot_general %h, %x, contracting_dims = [0] x [1], precision = [HIGHEST, HIGHEST]
      : (tensor<512x1024xf32>, tensor<8x512x512x3xf32>) -> tensor<1024x8x512x3xf32>
  %1 = stablehlo.dot_general %0, %w, contracting_dims = [2] x [0], precision = [HIGHEST, HIGHEST]
      : (tensor<1024x8x512x3xf32>, tensor<512x1024xf32>) -> tensor<1024x8x3x1024xf32>
  %2 = stablehlo.transpose %1, dims = [1, 0, 3, 2] : (tensor<1024x8x3x1024xf32>) -> tensor<8x1024x1024x3xf32>
  return %2 : tensor<8x1024x1024x3xf32>
}

// -----

// Its gradient: columns first, the matrices' second dims, and a transpose between the two. The precision of operands
// that are exchanged is too.
// CHECK-LABEL: func.func @main
// CHECK: %[[IN:.*]] = stablehlo.transpose %arg0, dims = [0, 3, 1, 2]
// CHECK: %[[LANES:.*]] = stablehlo.dot_general %[[IN]], %arg2, contracting_dims = [3] x [1], precision = [DEFAULT, HIGHEST] : {{.*}} -> tensor<8x3x1024x512xf32>
// CHECK: %[[BOTH:.*]] = stablehlo.dot_general %arg1, %[[LANES]], contracting_dims = [1] x [2] : {{.*}} -> tensor<512x8x3x512xf32>
// CHECK: %[[BACK:.*]] = stablehlo.transpose %[[BOTH]], dims = [1, 2, 0, 3]
// CHECK: stablehlo.transpose %[[BACK]], dims = [2, 0, 3, 1]
func.func @main(%x: tensor<8x1024x1024x3xf32>, %h: tensor<512x1024xf32>, %w: tensor<512x1024xf32>)
    -> tensor<512x8x512x3xf32> {
  %0 = stablehlo.dot_general %w, %x, contracting_dims = [1] x [2], precision = [HIGHEST, DEFAULT]
      : (tensor<512x1024xf32>, tensor<8x1024x1024x3xf32>) -> tensor<512x8x1024x3xf32>
  %1 = stablehlo.transpose %0, dims = [1, 2, 0, 3] : (tensor<512x8x1024x3xf32>) -> tensor<8x1024x512x3xf32>
  %2 = stablehlo.dot_general %h, %1, contracting_dims = [1] x [1]
      : (tensor<512x1024xf32>, tensor<8x1024x512x3xf32>) -> tensor<512x8x512x3xf32>
  return %2 : tensor<512x8x512x3xf32>
}

// -----

// Images of 7 x 7 would leave most lanes empty, and 512 features fill them.
// CHECK-LABEL: func.func @main
// CHECK-NOT: transpose
// CHECK: return
func.func @main(%x: tensor<8x7x7x512xf32>, %h: tensor<7x14xf32>, %w: tensor<7x14xf32>) -> tensor<14x8x512x14xf32> {
  %0 = stablehlo.dot_general %h, %x, contracting_dims = [0] x [1]
      : (tensor<7x14xf32>, tensor<8x7x7x512xf32>) -> tensor<14x8x7x512xf32>
  %1 = stablehlo.dot_general %0, %w, contracting_dims = [2] x [0]
      : (tensor<14x8x7x512xf32>, tensor<7x14xf32>) -> tensor<14x8x512x14xf32>
  return %1 : tensor<14x8x512x14xf32>
}

// -----

// One matrix alone; two of the same dim; another reader between two.
// CHECK-LABEL: func.func @main
// CHECK-NOT: transpose
// CHECK: return
func.func @main(%x: tensor<8x512x512x3xf32>, %h: tensor<512x1024xf32>, %w: tensor<1024x512xf32>)
    -> (tensor<8x512x3x1024xf32>, tensor<512x8x512x3xf32>, tensor<1024x8x512x3xf32>, tensor<1024x8x3x1024xf32>) {
  %0 = stablehlo.dot_general %x, %h, contracting_dims = [1] x [0]
      : (tensor<8x512x512x3xf32>, tensor<512x1024xf32>) -> tensor<8x512x3x1024xf32>
  %1 = stablehlo.dot_general %h, %x, contracting_dims = [0] x [1]
      : (tensor<512x1024xf32>, tensor<8x512x512x3xf32>) -> tensor<1024x8x512x3xf32>
  %2 = stablehlo.dot_general %w, %1, contracting_dims = [0] x [0]
      : (tensor<1024x512xf32>, tensor<1024x8x512x3xf32>) -> tensor<512x8x512x3xf32>
  %3 = stablehlo.dot_general %h, %x, contracting_dims = [0] x [1]
      : (tensor<512x1024xf32>, tensor<8x512x512x3xf32>) -> tensor<1024x8x512x3xf32>
  %4 = stablehlo.dot_general %3, %h, contracting_dims = [2] x [0]
      : (tensor<1024x8x512x3xf32>, tensor<512x1024xf32>) -> tensor<1024x8x3x1024xf32>
  return %0, %2, %3, %4
      : tensor<8x512x3x1024xf32>, tensor<512x8x512x3xf32>, tensor<1024x8x512x3xf32>, tensor<1024x8x3x1024xf32>
}
