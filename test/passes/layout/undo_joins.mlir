// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tpuc-opt %s --tpuc-undo-joins --split-input-file | FileCheck %s

// Batch and heads as PyTorch joins them, with a mask for all of them and one for each of the batch: 24 is 4 by 6.
// CHECK-LABEL: @attention
// CHECK-NOT: tensor<24x
// CHECK: stablehlo.reshape %arg0 : (tensor<40x4x96xf32>) -> tensor<40x4x6x16xf32>
// CHECK: stablehlo.transpose {{.*}}, dims = [1, 2, 0, 3]
// CHECK: stablehlo.dot_general {{.*}}, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [HIGHEST, DEFAULT]
// CHECK-SAME: -> tensor<4x6x40x40xf32>
// CHECK: stablehlo.broadcast_in_dim %arg1, dims = [2, 3] : (tensor<40x40xf32>) -> tensor<4x6x40x40xf32>
// CHECK: stablehlo.broadcast_in_dim {{.*}}, dims = [0, 1, 2, 3] : (tensor<4x6x1x40xf32>) -> tensor<4x6x40x40xf32>
// CHECK: stablehlo.reduce({{.*}} across dimensions = [3] : (tensor<4x6x40x40xf32>, tensor<f32>) -> tensor<4x6x40xf32>
// CHECK: stablehlo.transpose {{.*}}, dims = [2, 0, 1, 3] : (tensor<4x6x40x16xf32>) -> tensor<40x4x6x16xf32>
// CHECK: stablehlo.reshape {{.*}} -> tensor<160x96xf32>
// CHECK-NOT: tensor<24x
func.func @attention(%x: tensor<40x4x96xf32>, %mask: tensor<40x40xf32>, %pad: tensor<4x40xf32>) -> tensor<160x96xf32> {
  %0 = stablehlo.reshape %x : (tensor<40x4x96xf32>) -> tensor<40x24x16xf32>
  %1 = stablehlo.transpose %0, dims = [1, 0, 2] : (tensor<40x24x16xf32>) -> tensor<24x40x16xf32>
  %2 = stablehlo.transpose %1, dims = [0, 2, 1] : (tensor<24x40x16xf32>) -> tensor<24x16x40xf32>
  %3 = stablehlo.dot_general %1, %2, batching_dims = [0] x [0], contracting_dims = [2] x [1],
      precision = [HIGHEST, DEFAULT] : (tensor<24x40x16xf32>, tensor<24x16x40xf32>) -> tensor<24x40x40xf32>
  %4 = stablehlo.broadcast_in_dim %mask, dims = [1, 2] : (tensor<40x40xf32>) -> tensor<24x40x40xf32>
  %5 = stablehlo.add %3, %4 : tensor<24x40x40xf32>
  %6 = stablehlo.broadcast_in_dim %pad, dims = [0, 2] : (tensor<4x40xf32>) -> tensor<4x6x40xf32>
  %7 = stablehlo.reshape %6 : (tensor<4x6x40xf32>) -> tensor<24x1x40xf32>
  %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2] : (tensor<24x1x40xf32>) -> tensor<24x40x40xf32>
  %9 = stablehlo.add %5, %8 : tensor<24x40x40xf32>
  %10 = stablehlo.exponential %9 : tensor<24x40x40xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %11 = stablehlo.reduce(%10 init: %zero) applies stablehlo.add across dimensions = [2]
      : (tensor<24x40x40xf32>, tensor<f32>) -> tensor<24x40xf32>
  %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1] : (tensor<24x40xf32>) -> tensor<24x40x40xf32>
  %13 = stablehlo.divide %10, %12 : tensor<24x40x40xf32>
  %14 = stablehlo.dot_general %13, %1, batching_dims = [0] x [0], contracting_dims = [2] x [1]
      : (tensor<24x40x40xf32>, tensor<24x40x16xf32>) -> tensor<24x40x16xf32>
  %15 = stablehlo.transpose %14, dims = [1, 0, 2] : (tensor<24x40x16xf32>) -> tensor<40x24x16xf32>
  %16 = stablehlo.reshape %15 : (tensor<40x24x16xf32>) -> tensor<160x96xf32>
  return %16 : tensor<160x96xf32>
}

// -----

// Probabilities that are given as they are: parts of their outer dim lie where they lay. They are given back so, too.
// CHECK-LABEL: @ends
// CHECK: %[[P:.*]] = stablehlo.reshape %arg1 : (tensor<24x40x40xf32>) -> tensor<4x6x40x40xf32>
// CHECK: %[[N:.*]] = stablehlo.negate %[[P]] : tensor<4x6x40x40xf32>
// CHECK: %[[B:.*]] = stablehlo.reshape %[[N]] : (tensor<4x6x40x40xf32>) -> tensor<24x40x40xf32>
// CHECK: stablehlo.dot_general %[[N]], {{.*}}, batching_dims = [0, 1] x [1, 2], contracting_dims = [3] x [0]
// CHECK: return {{.*}}, %[[B]]
func.func @ends(%x: tensor<40x4x96xf32>, %p: tensor<24x40x40xf32>) -> (tensor<40x4x96xf32>, tensor<24x40x40xf32>) {
  %0 = stablehlo.reshape %x : (tensor<40x4x96xf32>) -> tensor<40x24x16xf32>
  %1 = stablehlo.negate %p : tensor<24x40x40xf32>
  %2 = stablehlo.dot_general %1, %0, batching_dims = [0] x [1], contracting_dims = [2] x [0]
      : (tensor<24x40x40xf32>, tensor<40x24x16xf32>) -> tensor<24x40x16xf32>
  %3 = stablehlo.transpose %2, dims = [1, 0, 2] : (tensor<24x40x16xf32>) -> tensor<40x24x16xf32>
  %4 = stablehlo.reshape %3 : (tensor<40x24x16xf32>) -> tensor<40x4x96xf32>
  return %4, %1 : tensor<40x4x96xf32>, tensor<24x40x40xf32>
}

// -----

// Parts of what is contracted, put side by side and padded stay what they are; so does an iota along another dim.
// CHECK-LABEL: @along_others
// CHECK: stablehlo.pad {{.*}}, low = [0, 0, 0, 0], high = [0, 0, 0, 2], interior = [0, 0, 0, 0]
// CHECK: stablehlo.slice {{.*}} [0:4, 0:6, 8:48, 0:16]
// CHECK: stablehlo.concatenate {{.*}}, dim = 3
// CHECK: stablehlo.iota dim = 2 : tensor<4x6x40x34xf32>
// CHECK: stablehlo.constant dense<2.000000e+00> : tensor<4x6x40x34xf32>
// CHECK: stablehlo.dot_general {{.*}} -> tensor<4x6x40x40xf32>
func.func @along_others(%x: tensor<48x4x96xf32>) -> tensor<24x40x40xf32> {
  %0 = stablehlo.reshape %x : (tensor<48x4x96xf32>) -> tensor<48x24x16xf32>
  %1 = stablehlo.transpose %0, dims = [1, 0, 2] : (tensor<48x24x16xf32>) -> tensor<24x48x16xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %2 = stablehlo.slice %1 [0:24, 8:48, 0:16] : (tensor<24x48x16xf32>) -> tensor<24x40x16xf32>
  %3 = stablehlo.pad %2, %zero, low = [0, 0, 0], high = [0, 0, 2], interior = [0, 0, 0]
      : (tensor<24x40x16xf32>, tensor<f32>) -> tensor<24x40x18xf32>
  %4 = stablehlo.slice %1 [0:24, 8:48, 0:16] : (tensor<24x48x16xf32>) -> tensor<24x40x16xf32>
  %5 = stablehlo.concatenate %3, %4, dim = 2 : (tensor<24x40x18xf32>, tensor<24x40x16xf32>) -> tensor<24x40x34xf32>
  %6 = stablehlo.iota dim = 1 : tensor<24x40x34xf32>
  %7 = stablehlo.add %5, %6 : tensor<24x40x34xf32>
  %two = stablehlo.constant dense<2.0> : tensor<24x40x34xf32>
  %8 = stablehlo.multiply %7, %two : tensor<24x40x34xf32>
  %9 = stablehlo.dot_general %7, %8, batching_dims = [0] x [0], contracting_dims = [2] x [2]
      : (tensor<24x40x34xf32>, tensor<24x40x34xf32>) -> tensor<24x40x40xf32>
  return %9 : tensor<24x40x40xf32>
}

// -----

// No batch: rows of a matmul, and elementwise work.
// CHECK-LABEL: @rows
// CHECK: stablehlo.reshape %arg0 : (tensor<128x6x128xf32>) -> tensor<384x256xf32>
// CHECK: stablehlo.dot_general
// CHECK-SAME: tensor<384x64xf32>
// CHECK: stablehlo.reshape %arg0 : (tensor<128x6x128xf32>) -> tensor<128x12x64xf32>
// CHECK: stablehlo.exponential
func.func @rows(%x: tensor<128x6x128xf32>, %w: tensor<256x64xf32>) -> (tensor<384x64xf32>, tensor<128x6x128xf32>) {
  %0 = stablehlo.reshape %x : (tensor<128x6x128xf32>) -> tensor<384x256xf32>
  %1 = stablehlo.dot_general %0, %w, contracting_dims = [1] x [0]
      : (tensor<384x256xf32>, tensor<256x64xf32>) -> tensor<384x64xf32>
  %2 = stablehlo.reshape %x : (tensor<128x6x128xf32>) -> tensor<128x12x64xf32>
  %3 = stablehlo.exponential %2 : tensor<128x12x64xf32>
  %4 = stablehlo.reshape %3 : (tensor<128x12x64xf32>) -> tensor<128x6x128xf32>
  return %1, %4 : tensor<384x64xf32>, tensor<128x6x128xf32>
}

// -----

// Whole dims that are joined and split again: no reshape is left. Transposes that then follow one another are one.
// CHECK-LABEL: @whole
// CHECK-NEXT: %[[D:.*]] = stablehlo.dot_general %arg0, %arg0, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3]
// CHECK-NEXT: %[[T:.*]] = stablehlo.transpose %[[D]], dims = [0, 3, 1, 2]
// CHECK-NEXT: return %[[T]]
func.func @whole(%x: tensor<4x6x40x16xf32>) -> tensor<4x40x6x40xf32> {
  %0 = stablehlo.reshape %x : (tensor<4x6x40x16xf32>) -> tensor<24x40x16xf32>
  %1 = stablehlo.dot_general %0, %0, batching_dims = [0] x [0], contracting_dims = [2] x [2]
      : (tensor<24x40x16xf32>, tensor<24x40x16xf32>) -> tensor<24x40x40xf32>
  %2 = stablehlo.transpose %1, dims = [0, 2, 1] : (tensor<24x40x40xf32>) -> tensor<24x40x40xf32>
  %3 = stablehlo.reshape %2 : (tensor<24x40x40xf32>) -> tensor<4x6x40x40xf32>
  %4 = stablehlo.transpose %3, dims = [0, 2, 1, 3] : (tensor<4x6x40x40xf32>) -> tensor<4x40x6x40xf32>
  return %4 : tensor<4x40x6x40xf32>
}

// -----

// Whole dims that stay joined at one end, are rows of a matmul, or lie among others.
// CHECK-LABEL: @stay_joined
// CHECK: stablehlo.dot_general {{.*}} -> tensor<24x40x40xf32>
// CHECK: stablehlo.dot_general {{.*}} -> tensor<240x8xf32>
// CHECK: stablehlo.dot_general {{.*}} -> tensor<24x40x40xf32>
func.func @stay_joined(%x: tensor<4x6x40x16xf32>, %y: tensor<24x40x16xf32>, %z: tensor<6x40x16xf32>,
                       %w: tensor<16x8xf32>, %u: tensor<40x4x6x16xf32>)
    -> (tensor<24x40x40xf32>, tensor<6x40x8xf32>, tensor<24x40x40xf32>) {
  %0 = stablehlo.reshape %x : (tensor<4x6x40x16xf32>) -> tensor<24x40x16xf32>
  %1 = stablehlo.dot_general %0, %y, batching_dims = [0] x [0], contracting_dims = [2] x [2]
      : (tensor<24x40x16xf32>, tensor<24x40x16xf32>) -> tensor<24x40x40xf32>
  %2 = stablehlo.reshape %z : (tensor<6x40x16xf32>) -> tensor<240x16xf32>
  %3 = stablehlo.dot_general %2, %w, contracting_dims = [1] x [0]
      : (tensor<240x16xf32>, tensor<16x8xf32>) -> tensor<240x8xf32>
  %4 = stablehlo.reshape %3 : (tensor<240x8xf32>) -> tensor<6x40x8xf32>
  %5 = stablehlo.reshape %u : (tensor<40x4x6x16xf32>) -> tensor<40x24x16xf32>
  %6 = stablehlo.dot_general %5, %5, batching_dims = [1] x [1], contracting_dims = [2] x [2]
      : (tensor<40x24x16xf32>, tensor<40x24x16xf32>) -> tensor<24x40x40xf32>
  return %1, %4, %6 : tensor<24x40x40xf32>, tensor<6x40x8xf32>, tensor<24x40x40xf32>
}

// -----

// What takes the dim whole, where it lies among others: as much would move as before.
// CHECK-LABEL: @taken_whole
// CHECK: stablehlo.reshape %arg0 : (tensor<40x4x96xf32>) -> tensor<40x24x16xf32>
// CHECK: stablehlo.dot_general {{.*}} -> tensor<25x40x40xf32>
func.func @taken_whole(%x: tensor<40x4x96xf32>, %y: tensor<40x1x16xf32>) -> tensor<25x40x40xf32> {
  %0 = stablehlo.reshape %x : (tensor<40x4x96xf32>) -> tensor<40x24x16xf32>
  %1 = stablehlo.concatenate %0, %y, dim = 1 : (tensor<40x24x16xf32>, tensor<40x1x16xf32>) -> tensor<40x25x16xf32>
  %2 = stablehlo.dot_general %1, %1, batching_dims = [1] x [1], contracting_dims = [2] x [2]
      : (tensor<40x25x16xf32>, tensor<40x25x16xf32>) -> tensor<25x40x40xf32>
  return %2 : tensor<25x40x40xf32>
}

// -----

// Parts that do not fit one another: 24 as 4 by 6 and as 3 by 8.
// CHECK-LABEL: @two_ways
// CHECK: stablehlo.dot_general {{.*}} -> tensor<24x40x40xf32>
func.func @two_ways(%x: tensor<40x4x96xf32>, %y: tensor<40x3x128xf32>) -> tensor<24x40x40xf32> {
  %0 = stablehlo.reshape %x : (tensor<40x4x96xf32>) -> tensor<40x24x16xf32>
  %1 = stablehlo.reshape %y : (tensor<40x3x128xf32>) -> tensor<40x24x16xf32>
  %2 = stablehlo.dot_general %0, %1, batching_dims = [1] x [1], contracting_dims = [2] x [2]
      : (tensor<40x24x16xf32>, tensor<40x24x16xf32>) -> tensor<24x40x40xf32>
  return %2 : tensor<24x40x40xf32>
}

// -----

// Moves and elementwise work alone, of which nothing is left to move at the ends.
// CHECK-LABEL: @moves
// CHECK: stablehlo.reshape %arg0 : (tensor<40x4x96xf32>) -> tensor<40x4x6x16xf32>
// CHECK: stablehlo.transpose {{.*}}, dims = [1, 2, 0, 3]
// CHECK-NOT: tensor<24x
func.func @moves(%x: tensor<40x4x96xf32>) -> tensor<4x6x40x16xf32> {
  %0 = stablehlo.reshape %x : (tensor<40x4x96xf32>) -> tensor<40x24x16xf32>
  %1 = stablehlo.transpose %0, dims = [1, 0, 2] : (tensor<40x24x16xf32>) -> tensor<24x40x16xf32>
  %2 = stablehlo.negate %1 : tensor<24x40x16xf32>
  %3 = stablehlo.reshape %2 : (tensor<24x40x16xf32>) -> tensor<4x6x40x16xf32>
  return %3 : tensor<4x6x40x16xf32>
}

// -----

// A mask for each of the batch, spread over its heads: no product has its dim, but all of it is moved and added to.
// CHECK-LABEL: @mask
// CHECK-NOT: stablehlo.reshape {{.*}} -> tensor<24x
// CHECK: stablehlo.broadcast_in_dim {{.*}} -> tensor<4x6x40x40xf32>
// CHECK-NOT: tensor<24x
func.func @mask(%pad: tensor<4x40xf32>, %m: tensor<40x40xf32>) -> tensor<4x6x40x40xf32> {
  %0 = stablehlo.broadcast_in_dim %pad, dims = [0, 3] : (tensor<4x40xf32>) -> tensor<4x6x1x40xf32>
  %1 = stablehlo.reshape %0 : (tensor<4x6x1x40xf32>) -> tensor<24x1x40xf32>
  %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1, 2] : (tensor<24x1x40xf32>) -> tensor<24x40x40xf32>
  %3 = stablehlo.broadcast_in_dim %m, dims = [1, 2] : (tensor<40x40xf32>) -> tensor<24x40x40xf32>
  %4 = stablehlo.add %2, %3 : tensor<24x40x40xf32>
  %5 = stablehlo.reshape %4 : (tensor<24x40x40xf32>) -> tensor<4x6x40x40xf32>
  return %5 : tensor<4x6x40x40xf32>
}
