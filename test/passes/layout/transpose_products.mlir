// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tpuc-opt %s --tpuc-transpose-products --split-input-file | FileCheck %s

// The transpose in front goes into the one behind. Reshapes that give the array its shape back are passed.
// CHECK-LABEL: @batch_first
// CHECK: %[[D:.*]] = stablehlo.dot_general %arg0, %arg1, contracting_dims = [2] x [2], precision = [HIGHEST, DEFAULT]
// CHECK-SAME: -> tensor<8x40x12x64xf32>
// CHECK: %[[T:.*]] = stablehlo.transpose %[[D]], dims = [0, 2, 1, 3]
// CHECK: return %[[T]]
func.func @batch_first(%x: tensor<8x40x96xf32>, %w: tensor<12x64x96xf32>) -> tensor<8x12x40x64xf32> {
  %0 = stablehlo.transpose %x, dims = [1, 0, 2] : (tensor<8x40x96xf32>) -> tensor<40x8x96xf32>
  %1 = stablehlo.reshape %0 : (tensor<40x8x96xf32>) -> tensor<320x96xf32>
  %2 = stablehlo.reshape %1 : (tensor<320x96xf32>) -> tensor<40x8x96xf32>
  %3 = stablehlo.dot_general %2, %w, contracting_dims = [2] x [2], precision = [HIGHEST, DEFAULT]
      : (tensor<40x8x96xf32>, tensor<12x64x96xf32>) -> tensor<40x8x12x64xf32>
  %4 = stablehlo.transpose %3, dims = [1, 2, 0, 3] : (tensor<40x8x12x64xf32>) -> tensor<8x12x40x64xf32>
  return %4 : tensor<8x12x40x64xf32>
}

// -----

// The right operand's: its dims come last in the result, 64 stays the last one.
// CHECK-LABEL: @right
// CHECK: %[[D:.*]] = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [2]
// CHECK-SAME: -> tensor<40x7x5x64xf32>
// CHECK: stablehlo.transpose %[[D]], dims = [3, 0, 2, 1]
func.func @right(%x: tensor<40x96xf32>, %w: tensor<7x5x96x64xf32>) -> tensor<64x40x5x7xf32> {
  %0 = stablehlo.transpose %w, dims = [1, 0, 2, 3] : (tensor<7x5x96x64xf32>) -> tensor<5x7x96x64xf32>
  %1 = stablehlo.dot_general %x, %0, contracting_dims = [1] x [2]
      : (tensor<40x96xf32>, tensor<5x7x96x64xf32>) -> tensor<40x5x7x64xf32>
  %2 = stablehlo.transpose %1, dims = [3, 0, 1, 2] : (tensor<40x5x7x64xf32>) -> tensor<64x40x5x7xf32>
  return %2 : tensor<64x40x5x7xf32>
}

// -----

// Nothing follows that takes the transpose; what the result has last would change; a batch; free dims in order.
// CHECK-LABEL: @stay
// CHECK: stablehlo.dot_general %0, %arg1, contracting_dims = [2] x [2]
// CHECK: stablehlo.transpose %arg2, dims = [1, 0, 2]
// CHECK: stablehlo.dot_general {{.*}} -> tensor<40x64x12xf32>
// CHECK: stablehlo.dot_general {{.*}}, batching_dims = [0] x [0]
// CHECK-SAME: -> tensor<8x40x3x16xf32>
func.func @stay(%x: tensor<8x40x96xf32>, %w: tensor<12x64x96xf32>, %v: tensor<12x64x96xf32>, %y: tensor<40x96xf32>,
                %b: tensor<8x3x40x96xf32>, %c: tensor<8x16x96xf32>)
    -> (tensor<40x8x12x64xf32>, tensor<12x40x64xf32>, tensor<40x8x3x16xf32>) {
  %0 = stablehlo.transpose %x, dims = [1, 0, 2] : (tensor<8x40x96xf32>) -> tensor<40x8x96xf32>
  %1 = stablehlo.dot_general %0, %w, contracting_dims = [2] x [2]
      : (tensor<40x8x96xf32>, tensor<12x64x96xf32>) -> tensor<40x8x12x64xf32>
  %2 = stablehlo.transpose %v, dims = [1, 0, 2] : (tensor<12x64x96xf32>) -> tensor<64x12x96xf32>
  %3 = stablehlo.dot_general %y, %2, contracting_dims = [1] x [2]
      : (tensor<40x96xf32>, tensor<64x12x96xf32>) -> tensor<40x64x12xf32>
  %4 = stablehlo.transpose %3, dims = [2, 0, 1] : (tensor<40x64x12xf32>) -> tensor<12x40x64xf32>
  %5 = stablehlo.transpose %b, dims = [0, 2, 1, 3] : (tensor<8x3x40x96xf32>) -> tensor<8x40x3x96xf32>
  %6 = stablehlo.dot_general %5, %c, batching_dims = [0] x [0], contracting_dims = [3] x [2]
      : (tensor<8x40x3x96xf32>, tensor<8x16x96xf32>) -> tensor<8x40x3x16xf32>
  %7 = stablehlo.transpose %6, dims = [1, 0, 2, 3] : (tensor<8x40x3x16xf32>) -> tensor<40x8x3x16xf32>
  return %1, %4, %7 : tensor<40x8x12x64xf32>, tensor<12x40x64xf32>, tensor<40x8x3x16xf32>
}

// -----

// A bias and a scale between a product and the transpose: of 512x8x12x64 a block holds 8x12 rows for each of 32, of
// 8x12x512x64 none but these. The old work is gone.
// CHECK-LABEL: @bias
// CHECK: %[[D:.*]] = stablehlo.dot_general
// CHECK: %[[T:.*]] = stablehlo.transpose %[[D]], dims = [1, 2, 0, 3]
// CHECK: %[[B:.*]] = stablehlo.broadcast_in_dim %arg2, dims = [1, 3] : (tensor<12x64xf32>) -> tensor<8x12x512x64xf32>
// CHECK: %[[A:.*]] = stablehlo.add %[[T]], %[[B]] : tensor<8x12x512x64xf32>
// CHECK: %[[C:.*]] = stablehlo.constant dense<2.000000e+00> : tensor<8x12x512x64xf32>
// CHECK: %[[M:.*]] = stablehlo.multiply %[[A]], %[[C]] : tensor<8x12x512x64xf32>
// CHECK-NOT: stablehlo.add
// CHECK: return %[[M]]
func.func @bias(%x: tensor<512x8x768xf32>, %w: tensor<12x64x768xf32>, %b: tensor<12x64xf32>)
    -> tensor<8x12x512x64xf32> {
  %two = stablehlo.constant dense<2.0> : tensor<512x8x12x64xf32>
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [2] x [2]
      : (tensor<512x8x768xf32>, tensor<12x64x768xf32>) -> tensor<512x8x12x64xf32>
  %1 = stablehlo.broadcast_in_dim %b, dims = [2, 3] : (tensor<12x64xf32>) -> tensor<512x8x12x64xf32>
  %2 = stablehlo.add %0, %1 : tensor<512x8x12x64xf32>
  %3 = stablehlo.multiply %2, %two : tensor<512x8x12x64xf32>
  %4 = stablehlo.transpose %3, dims = [1, 2, 0, 3] : (tensor<512x8x12x64xf32>) -> tensor<8x12x512x64xf32>
  return %4 : tensor<8x12x512x64xf32>
}

// -----

// Others read the sum, an array of its own is added, or the product has blocks in its own order.
// CHECK-LABEL: @kept
// CHECK: stablehlo.add {{.*}} : tensor<512x8x12x64xf32>
// CHECK: stablehlo.add {{.*}} : tensor<512x8x12x64xf32>
// CHECK: stablehlo.add {{.*}} : tensor<8x512x12x64xf32>
func.func @kept(%x: tensor<512x8x768xf32>, %w: tensor<12x64x768xf32>, %b: tensor<12x64xf32>,
                %c: tensor<512x8x12x64xf32>, %y: tensor<8x512x768xf32>)
    -> (tensor<8x12x512x64xf32>, tensor<512x8x12x64xf32>, tensor<8x12x512x64xf32>, tensor<8x12x512x64xf32>) {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [2] x [2]
      : (tensor<512x8x768xf32>, tensor<12x64x768xf32>) -> tensor<512x8x12x64xf32>
  %1 = stablehlo.broadcast_in_dim %b, dims = [2, 3] : (tensor<12x64xf32>) -> tensor<512x8x12x64xf32>
  %2 = stablehlo.add %0, %1 : tensor<512x8x12x64xf32>
  %3 = stablehlo.transpose %2, dims = [1, 2, 0, 3] : (tensor<512x8x12x64xf32>) -> tensor<8x12x512x64xf32>
  %4 = stablehlo.dot_general %x, %w, contracting_dims = [2] x [2]
      : (tensor<512x8x768xf32>, tensor<12x64x768xf32>) -> tensor<512x8x12x64xf32>
  %5 = stablehlo.add %4, %c : tensor<512x8x12x64xf32>
  %6 = stablehlo.transpose %5, dims = [1, 2, 0, 3] : (tensor<512x8x12x64xf32>) -> tensor<8x12x512x64xf32>
  %7 = stablehlo.dot_general %y, %w, contracting_dims = [2] x [2]
      : (tensor<8x512x768xf32>, tensor<12x64x768xf32>) -> tensor<8x512x12x64xf32>
  %8 = stablehlo.broadcast_in_dim %b, dims = [2, 3] : (tensor<12x64xf32>) -> tensor<8x512x12x64xf32>
  %9 = stablehlo.add %7, %8 : tensor<8x512x12x64xf32>
  %10 = stablehlo.transpose %9, dims = [0, 2, 1, 3] : (tensor<8x512x12x64xf32>) -> tensor<8x12x512x64xf32>
  return %3, %2, %6, %10
      : tensor<8x12x512x64xf32>, tensor<512x8x12x64xf32>, tensor<8x12x512x64xf32>, tensor<8x12x512x64xf32>
}

// -----

// The keys that a batch of products reads have their batch first. Those that others read too stay.
// CHECK-LABEL: @batches
// CHECK: %[[D:.*]] = stablehlo.dot_general %arg0, %arg1
// CHECK: %[[T:.*]] = stablehlo.transpose %[[D]], dims = [1, 2, 0, 3] : (tensor<512x8x12x64xf32>)
// CHECK: %[[A:.*]] = stablehlo.add %[[T]]
// CHECK: stablehlo.dot_general %arg3, %[[A]], batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3]
// CHECK: %[[E:.*]] = stablehlo.dot_general %arg0, %arg1
// CHECK: stablehlo.dot_general %arg3, %[[E]], batching_dims = [0, 1] x [1, 2], contracting_dims = [3] x [3]
func.func @batches(%x: tensor<512x8x768xf32>, %w: tensor<12x64x768xf32>, %b: tensor<12x64xf32>,
                   %q: tensor<8x12x40x64xf32>)
    -> (tensor<8x12x40x512xf32>, tensor<8x12x40x512xf32>, tensor<512x8x12x64xf32>) {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [2] x [2]
      : (tensor<512x8x768xf32>, tensor<12x64x768xf32>) -> tensor<512x8x12x64xf32>
  %1 = stablehlo.broadcast_in_dim %b, dims = [2, 3] : (tensor<12x64xf32>) -> tensor<512x8x12x64xf32>
  %2 = stablehlo.add %0, %1 : tensor<512x8x12x64xf32>
  %3 = stablehlo.dot_general %q, %2, batching_dims = [0, 1] x [1, 2], contracting_dims = [3] x [3]
      : (tensor<8x12x40x64xf32>, tensor<512x8x12x64xf32>) -> tensor<8x12x40x512xf32>
  %4 = stablehlo.dot_general %x, %w, contracting_dims = [2] x [2]
      : (tensor<512x8x768xf32>, tensor<12x64x768xf32>) -> tensor<512x8x12x64xf32>
  %5 = stablehlo.dot_general %q, %4, batching_dims = [0, 1] x [1, 2], contracting_dims = [3] x [3]
      : (tensor<8x12x40x64xf32>, tensor<512x8x12x64xf32>) -> tensor<8x12x40x512xf32>
  return %3, %5, %4 : tensor<8x12x40x512xf32>, tensor<8x12x40x512xf32>, tensor<512x8x12x64xf32>
}

// -----

// Keys that are scaled behind their transpose, as PyTorch's scaled_dot_product_attention does it. Not where rows alone
// move, where a product makes them, or where the scale is an array.
// CHECK-LABEL: @scaled
// CHECK: %[[M:.*]] = stablehlo.multiply %arg1, {{.*}} : tensor<4x40x64xf32>
// CHECK: %[[T:.*]] = stablehlo.transpose %[[M]], dims = [0, 2, 1] : (tensor<4x40x64xf32>) -> tensor<4x64x40xf32>
// CHECK: stablehlo.dot_general %arg0, %[[T]]
// CHECK: stablehlo.multiply {{.*}} : tensor<4x40x64xf32>
// CHECK: stablehlo.dot_general
// CHECK: stablehlo.multiply {{.*}} : tensor<4x64x40xf32>
// CHECK: stablehlo.dot_general
// CHECK: stablehlo.multiply {{.*}} : tensor<4x64x40xf32>
// CHECK: stablehlo.dot_general
func.func @scaled(%q: tensor<4x40x64xf32>, %k: tensor<4x40x64xf32>, %r: tensor<40x4x64xf32>, %w: tensor<16x64xf32>,
                  %x: tensor<4x40x16xf32>, %s: tensor<4x64x40xf32>)
    -> (tensor<4x40x40xf32>, tensor<4x40x40xf32>, tensor<4x40x40xf32>, tensor<4x40x40xf32>) {
  %c = stablehlo.constant dense<0.125> : tensor<4x64x40xf32>
  %d = stablehlo.constant dense<0.125> : tensor<4x40x64xf32>
  %0 = stablehlo.transpose %k, dims = [0, 2, 1] : (tensor<4x40x64xf32>) -> tensor<4x64x40xf32>
  %1 = stablehlo.multiply %0, %c : tensor<4x64x40xf32>
  %2 = stablehlo.dot_general %q, %1, batching_dims = [0] x [0], contracting_dims = [2] x [1]
      : (tensor<4x40x64xf32>, tensor<4x64x40xf32>) -> tensor<4x40x40xf32>
  %3 = stablehlo.transpose %r, dims = [1, 0, 2] : (tensor<40x4x64xf32>) -> tensor<4x40x64xf32>
  %4 = stablehlo.multiply %3, %d : tensor<4x40x64xf32>
  %5 = stablehlo.dot_general %4, %q, batching_dims = [0] x [0], contracting_dims = [2] x [2]
      : (tensor<4x40x64xf32>, tensor<4x40x64xf32>) -> tensor<4x40x40xf32>
  %6 = stablehlo.dot_general %x, %w, contracting_dims = [2] x [0]
      : (tensor<4x40x16xf32>, tensor<16x64xf32>) -> tensor<4x40x64xf32>
  %7 = stablehlo.transpose %6, dims = [0, 2, 1] : (tensor<4x40x64xf32>) -> tensor<4x64x40xf32>
  %8 = stablehlo.multiply %7, %c : tensor<4x64x40xf32>
  %9 = stablehlo.dot_general %q, %8, batching_dims = [0] x [0], contracting_dims = [2] x [1]
      : (tensor<4x40x64xf32>, tensor<4x64x40xf32>) -> tensor<4x40x40xf32>
  %10 = stablehlo.transpose %k, dims = [0, 2, 1] : (tensor<4x40x64xf32>) -> tensor<4x64x40xf32>
  %11 = stablehlo.multiply %10, %s : tensor<4x64x40xf32>
  %12 = stablehlo.dot_general %q, %11, batching_dims = [0] x [0], contracting_dims = [2] x [1]
      : (tensor<4x40x64xf32>, tensor<4x64x40xf32>) -> tensor<4x40x40xf32>
  return %2, %5, %9, %12 : tensor<4x40x40xf32>, tensor<4x40x40xf32>, tensor<4x40x40xf32>, tensor<4x40x40xf32>
}

// What is spread and added up has no product behind it.
// CHECK-LABEL: @no_product
// CHECK: stablehlo.transpose
func.func @no_product(%a: tensor<40xf32>, %b: tensor<64xf32>) -> tensor<64x40xf32> {
  %0 = stablehlo.broadcast_in_dim %a, dims = [0] : (tensor<40xf32>) -> tensor<40x64xf32>
  %1 = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<64xf32>) -> tensor<40x64xf32>
  %2 = stablehlo.add %0, %1 : tensor<40x64xf32>
  %3 = stablehlo.transpose %2, dims = [1, 0] : (tensor<40x64xf32>) -> tensor<64x40xf32>
  return %3 : tensor<64x40xf32>
}
