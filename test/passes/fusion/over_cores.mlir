// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tpuc-opt %s --tpuc-cut-batches="room=33554432 cores=2" --split-input-file | FileCheck %s

// A core's VMEM would hold all eight products, and what is made of them, but nothing stays there without a loop: each
// of the two cores gets four.
// CHECK-LABEL: @heads
// CHECK: stablehlo.while{{.*}} : tensor<i32>, tensor<2x4x512x64xf32> attributes {kernel.over_cores}
// CHECK: stablehlo.dot_general {{.*}} -> tensor<4x512x512xf32>
func.func @heads(%q: tensor<8x512x64xf32>, %k: tensor<8x512x64xf32>) -> tensor<8x512x64xf32> {
  %s = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2]
      : (tensor<8x512x64xf32>, tensor<8x512x64xf32>) -> tensor<8x512x512xf32>
  %t = stablehlo.tanh %s : tensor<8x512x512xf32>
  %o = stablehlo.dot_general %t, %k, batching_dims = [0] x [0], contracting_dims = [2] x [1]
      : (tensor<8x512x512xf32>, tensor<8x512x64xf32>) -> tensor<8x512x64xf32>
  return %o : tensor<8x512x64xf32>
}

// -----

// A layer of an array of layers is not taken out of it: the pieces are its own, in layer %i.
// CHECK-LABEL: @layer
// CHECK-SAME: (%{{.*}}: tensor<8x512x64xf32>, %[[ALL:.*]]: tensor<5x1x8x512x64xf32>, %[[LAYER:.*]]: tensor<i32>)
// CHECK: stablehlo.while(%[[N:[A-Za-z0-9_]+]] = {{.*}} attributes {kernel.over_cores}
// CHECK: %[[FIRST:.*]] = stablehlo.multiply %[[N]], %
// CHECK: stablehlo.dynamic_slice %[[ALL]], %[[LAYER]], %{{.*}}, %[[FIRST]], {{.*}} sizes = [1, 1, 4, 512, 64]
func.func @layer(%q: tensor<8x512x64xf32>, %all: tensor<5x1x8x512x64xf32>, %i: tensor<i32>) -> tensor<8x512x64xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %slice = stablehlo.dynamic_slice %all, %i, %zero, %zero, %zero, %zero, sizes = [1, 1, 8, 512, 64]
      : (tensor<5x1x8x512x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>)
      -> tensor<1x1x8x512x64xf32>
  %k = stablehlo.reshape %slice : (tensor<1x1x8x512x64xf32>) -> tensor<8x512x64xf32>
  %s = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2]
      : (tensor<8x512x64xf32>, tensor<8x512x64xf32>) -> tensor<8x512x512xf32>
  %t = stablehlo.tanh %s : tensor<8x512x512xf32>
  %o = stablehlo.dot_general %t, %k, batching_dims = [0] x [0], contracting_dims = [2] x [1]
      : (tensor<8x512x512xf32>, tensor<8x512x64xf32>) -> tensor<8x512x64xf32>
  return %o : tensor<8x512x64xf32>
}

// -----

// Of three batches one core would have two, and the other would wait: they are not cut.
// CHECK-LABEL: @three
// CHECK-NOT: stablehlo.while
func.func @three(%q: tensor<3x1024x64xf32>, %k: tensor<3x1024x64xf32>) -> tensor<3x1024x64xf32> {
  %s = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2]
      : (tensor<3x1024x64xf32>, tensor<3x1024x64xf32>) -> tensor<3x1024x1024xf32>
  %t = stablehlo.tanh %s : tensor<3x1024x1024xf32>
  %o = stablehlo.dot_general %t, %k, batching_dims = [0] x [0], contracting_dims = [2] x [1]
      : (tensor<3x1024x1024xf32>, tensor<3x1024x64xf32>) -> tensor<3x1024x64xf32>
  return %o : tensor<3x1024x64xf32>
}

// -----

// A single batch is one core's.
// CHECK-LABEL: @one
// CHECK-NOT: stablehlo.while
func.func @one(%q: tensor<1x2048x64xf32>, %k: tensor<1x2048x64xf32>) -> tensor<1x2048x64xf32> {
  %s = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2]
      : (tensor<1x2048x64xf32>, tensor<1x2048x64xf32>) -> tensor<1x2048x2048xf32>
  %t = stablehlo.tanh %s : tensor<1x2048x2048xf32>
  %o = stablehlo.dot_general %t, %k, batching_dims = [0] x [0], contracting_dims = [2] x [1]
      : (tensor<1x2048x2048xf32>, tensor<1x2048x64xf32>) -> tensor<1x2048x64xf32>
  return %o : tensor<1x2048x64xf32>
}
