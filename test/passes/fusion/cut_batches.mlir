// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tpuc-opt %s --tpuc-cut-batches="room=3145728" --split-input-file | FileCheck %s

// 8 products of 512 by 512 are 8 MiB as f32, and what a tanh of them hands on as much. Three quarters of 3 MiB hold one
// of each: an iteration has one batch.
// CHECK-LABEL: @heads
// CHECK-SAME: (%[[Q:.*]]: tensor<8x512x64xf32>, %[[K:.*]]: tensor<8x512x64xf32>)
// CHECK: %[[U:.*]] = kernel.undefined : tensor<8x512x64xf32>
// CHECK: stablehlo.while(%[[I:.*]] = %{{.*}}, %[[O:.*]] = %[[U]]) : tensor<i32>, tensor<8x512x64xf32>
// CHECK: constant dense<8>
// CHECK: stablehlo.dynamic_slice %[[Q]], %[[I]], {{.*}} sizes = [1, 512, 64]
// CHECK: stablehlo.dynamic_slice %[[K]], %[[I]], {{.*}} sizes = [1, 512, 64]
// CHECK-NOT: dynamic_slice
// CHECK: %[[S:.*]] = stablehlo.dot_general {{.*}}, contracting_dims = [1] x [1] {{.*}} -> tensor<512x512xf32>
// CHECK: %[[T:.*]] = stablehlo.tanh %[[S]] : tensor<512x512xf32>
// CHECK: stablehlo.dot_general %[[T]], {{.*}}, contracting_dims = [1] x [0] {{.*}} -> tensor<512x64xf32>
// CHECK: stablehlo.dynamic_update_slice %[[O]], {{.*}}, %[[I]]
// CHECK-NOT: tensor<8x512x512xf32>
func.func @heads(%q: tensor<8x512x64xf32>, %k: tensor<8x512x64xf32>) -> tensor<8x512x64xf32> {
  %s = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2]
      : (tensor<8x512x64xf32>, tensor<8x512x64xf32>) -> tensor<8x512x512xf32>
  %t = stablehlo.tanh %s : tensor<8x512x512xf32>
  %o = stablehlo.dot_general %t, %k, batching_dims = [0] x [0], contracting_dims = [2] x [1]
      : (tensor<8x512x512xf32>, tensor<8x512x64xf32>) -> tensor<8x512x64xf32>
  return %o : tensor<8x512x64xf32>
}

// -----

// The shares leave for the gradient, which waits for what is made of the result: two loops, of which the first writes
// the shares, and the second reads them. Sums of rows that lead back are of the second loop too.
// CHECK-LABEL: @gradient
// CHECK: %[[F:.*]]:3 = stablehlo.while({{.*}}) : tensor<i32>, tensor<8x512x512xf32>, tensor<8x512x64xf32>
// CHECK: stablehlo.exponential %{{.*}} : tensor<512x512xf32>
// CHECK: %[[P:.*]] = stablehlo.divide %{{.*}} : tensor<512x512xf32>
// CHECK: stablehlo.dot_general %[[P]], {{.*}} -> tensor<512x64xf32>
// CHECK: %[[PIECE:.*]] = stablehlo.reshape %[[P]]
// CHECK: stablehlo.dynamic_update_slice %{{.*}}, %[[PIECE]]
// CHECK: }
// CHECK: stablehlo.dot_general %[[F]]#2, %{{.*}} -> tensor<8x512x64xf32>
// CHECK: stablehlo.reshape %[[F]]#1 : (tensor<8x512x512xf32>) -> tensor<4x2x512x512xf32>
// CHECK: stablehlo.while({{.*}}) : tensor<i32>, tensor<4x2x512x64xf32>, tensor<4x2x512x64xf32>
// CHECK: stablehlo.dot_general {{.*}} -> tensor<2x512x512xf32>
// CHECK: stablehlo.negate %{{.*}} : tensor<2x512xf32>
// CHECK: stablehlo.dot_general {{.*}}, contracting_dims = [2] x [1] {{.*}} -> tensor<2x512x64xf32>
// CHECK: stablehlo.dot_general {{.*}}, contracting_dims = [1] x [1] {{.*}} -> tensor<2x512x64xf32>
// CHECK: }
// CHECK-NOT: stablehlo.dot_general
func.func @gradient(%q: tensor<8x512x64xf32>, %k: tensor<8x512x64xf32>, %v: tensor<8x512x64xf32>, %w: tensor<64x64xf32>)
    -> (tensor<8x512x64xf32>, tensor<8x512x64xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2]
      : (tensor<8x512x64xf32>, tensor<8x512x64xf32>) -> tensor<8x512x512xf32>
  %e = stablehlo.exponential %s : tensor<8x512x512xf32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [2]
      : (tensor<8x512x512xf32>, tensor<f32>) -> tensor<8x512xf32>
  %tb = stablehlo.broadcast_in_dim %t, dims = [0, 1] : (tensor<8x512xf32>) -> tensor<8x512x512xf32>
  %p = stablehlo.divide %e, %tb : tensor<8x512x512xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0] x [0], contracting_dims = [2] x [1]
      : (tensor<8x512x512xf32>, tensor<8x512x64xf32>) -> tensor<8x512x64xf32>
  %y = stablehlo.dot_general %o, %w, contracting_dims = [2] x [0]
      : (tensor<8x512x64xf32>, tensor<64x64xf32>) -> tensor<8x512x64xf32>
  %dp = stablehlo.dot_general %y, %v, batching_dims = [0] x [0], contracting_dims = [2] x [2]
      : (tensor<8x512x64xf32>, tensor<8x512x64xf32>) -> tensor<8x512x512xf32>
  %m = stablehlo.multiply %dp, %p : tensor<8x512x512xf32>
  %r = stablehlo.reduce(%m init: %zero) applies stablehlo.add across dimensions = [2]
      : (tensor<8x512x512xf32>, tensor<f32>) -> tensor<8x512xf32>
  %n = stablehlo.negate %r : tensor<8x512xf32>
  %nb = stablehlo.broadcast_in_dim %n, dims = [0, 1] : (tensor<8x512xf32>) -> tensor<8x512x512xf32>
  %d = stablehlo.add %dp, %nb : tensor<8x512x512xf32>
  %ds = stablehlo.multiply %d, %p : tensor<8x512x512xf32>
  %dq = stablehlo.dot_general %ds, %k, batching_dims = [0] x [0], contracting_dims = [2] x [1]
      : (tensor<8x512x512xf32>, tensor<8x512x64xf32>) -> tensor<8x512x64xf32>
  %dk = stablehlo.dot_general %ds, %q, batching_dims = [0] x [0], contracting_dims = [1] x [1]
      : (tensor<8x512x512xf32>, tensor<8x512x64xf32>) -> tensor<8x512x64xf32>
  return %dq, %dk : tensor<8x512x64xf32>, tensor<8x512x64xf32>
}

// -----

// A mask of positions and a bias of each head are made in each block; what others read of the mask stays. The result is
// converted and transposed: the product makes bf16 as the program stores it.
// CHECK-LABEL: @masked
// CHECK: %[[ALL:.*]] = stablehlo.compare {{.*}} -> tensor<8x512x512xi1>
// CHECK: stablehlo.while(%[[I:[A-Za-z0-9_]*]] = {{.*}}) : tensor<i32>, tensor<4x2x64x512xbf16>
// CHECK: stablehlo.broadcast_in_dim %{{.*}}, dims = [0] : (tensor<2xf32>) -> tensor<2x512x512xf32>
// CHECK: %[[H:.*]] = stablehlo.iota dim = 0 : tensor<2x512x512xi32>
// CHECK: %[[TWO:.*]] = stablehlo.constant dense<2> : tensor<i32>
// CHECK: %[[FIRST:.*]] = stablehlo.multiply %[[I]], %[[TWO]] : tensor<i32>
// CHECK: %[[FB:.*]] = stablehlo.broadcast_in_dim %[[FIRST]]
// CHECK: stablehlo.add %[[H]], %[[FB]] : tensor<2x512x512xi32>
// CHECK: %[[O:.*]] = stablehlo.dot_general {{.*}} -> tensor<2x64x512xf32>
// CHECK: stablehlo.convert %[[O]] : (tensor<2x64x512xf32>) -> tensor<2x64x512xbf16>
// CHECK-NOT: stablehlo.transpose
// CHECK: return %{{.*}}, %[[ALL]]
func.func @masked(%q: tensor<8x512x64xf32>, %k: tensor<8x512x64xf32>, %b: tensor<8xf32>)
    -> (tensor<8x64x512xbf16>, tensor<8x512x512xi1>) {
  %none = stablehlo.constant dense<-1.0e30> : tensor<8x512x512xf32>
  %i = stablehlo.iota dim = 1 : tensor<8x512x512xi32>
  %j = stablehlo.iota dim = 2 : tensor<8x512x512xi32>
  %h = stablehlo.iota dim = 0 : tensor<8x512x512xi32>
  %jh = stablehlo.add %j, %h : tensor<8x512x512xi32>
  %c = stablehlo.compare GE, %i, %jh, SIGNED
      : (tensor<8x512x512xi32>, tensor<8x512x512xi32>) -> tensor<8x512x512xi1>
  %bb = stablehlo.broadcast_in_dim %b, dims = [0] : (tensor<8xf32>) -> tensor<8x512x512xf32>
  %s = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2]
      : (tensor<8x512x64xf32>, tensor<8x512x64xf32>) -> tensor<8x512x512xf32>
  %sb = stablehlo.add %s, %bb : tensor<8x512x512xf32>
  %m = stablehlo.select %c, %sb, %none : tensor<8x512x512xi1>, tensor<8x512x512xf32>
  %t = stablehlo.tanh %m : tensor<8x512x512xf32>
  %o = stablehlo.dot_general %t, %k, batching_dims = [0] x [0], contracting_dims = [2] x [1]
      : (tensor<8x512x512xf32>, tensor<8x512x64xf32>) -> tensor<8x512x64xf32>
  %ot = stablehlo.transpose %o, dims = [0, 2, 1] : (tensor<8x512x64xf32>) -> tensor<8x64x512xf32>
  %on = stablehlo.convert %ot : (tensor<8x64x512xf32>) -> tensor<8x64x512xbf16>
  return %on, %c : tensor<8x64x512xbf16>, tensor<8x512x512xi1>
}

// -----

// Batches are summed up: what makes the sums is read outside of the loop, and written once.
// CHECK-LABEL: @summed
// CHECK: %[[L:.*]]:3 = stablehlo.while({{.*}}) : tensor<i32>, tensor<8x512x512xf32>, tensor<8x512x64xf32>
// CHECK: }
// CHECK: %[[R:.*]] = stablehlo.reduce(%[[L]]#1 {{.*}} across dimensions = [0]
// CHECK: return %[[L]]#2, %[[R]]
func.func @summed(%q: tensor<8x512x64xf32>, %k: tensor<8x512x64xf32>) -> (tensor<8x512x64xf32>, tensor<512x512xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2]
      : (tensor<8x512x64xf32>, tensor<8x512x64xf32>) -> tensor<8x512x512xf32>
  %t = stablehlo.tanh %s : tensor<8x512x512xf32>
  %o = stablehlo.dot_general %t, %k, batching_dims = [0] x [0], contracting_dims = [2] x [1]
      : (tensor<8x512x512xf32>, tensor<8x512x64xf32>) -> tensor<8x512x64xf32>
  %r = stablehlo.reduce(%t init: %zero) applies stablehlo.add across dimensions = [0]
      : (tensor<8x512x512xf32>, tensor<f32>) -> tensor<512x512xf32>
  return %o, %r : tensor<8x512x64xf32>, tensor<512x512xf32>
}

// -----

// VMEM holds all of it, or not a single batch.
// CHECK-LABEL: @small
// CHECK-NOT: stablehlo.while
// CHECK-LABEL: @huge
// CHECK-NOT: stablehlo.while
func.func @small(%q: tensor<2x512x64xf32>, %k: tensor<2x512x64xf32>) -> tensor<2x512x512xf32> {
  %s = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2]
      : (tensor<2x512x64xf32>, tensor<2x512x64xf32>) -> tensor<2x512x512xf32>
  %t = stablehlo.tanh %s : tensor<2x512x512xf32>
  return %t : tensor<2x512x512xf32>
}

func.func @huge(%q: tensor<2x1024x64xf32>, %k: tensor<2x1024x64xf32>) -> tensor<2x1024x64xf32> {
  %s = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2]
      : (tensor<2x1024x64xf32>, tensor<2x1024x64xf32>) -> tensor<2x1024x1024xf32>
  %t = stablehlo.tanh %s : tensor<2x1024x1024xf32>
  %o = stablehlo.dot_general %t, %k, batching_dims = [0] x [0], contracting_dims = [2] x [1]
      : (tensor<2x1024x1024xf32>, tensor<2x1024x64xf32>) -> tensor<2x1024x64xf32>
  return %o : tensor<2x1024x64xf32>
}

// -----

// Two results that are transposed right behind the last product.
// CHECK-LABEL: @transposed
// CHECK: %[[L:.*]]:3 = stablehlo.while({{.*}}) : tensor<i32>, tensor<8x64x512xf32>, tensor<8x64x512xf32>
// CHECK-NOT: stablehlo.transpose
// CHECK: return
func.func @transposed(%q: tensor<8x512x64xf32>, %k: tensor<8x512x64xf32>)
    -> (tensor<8x64x512xf32>, tensor<8x64x512xf32>) {
  %s = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2]
      : (tensor<8x512x64xf32>, tensor<8x512x64xf32>) -> tensor<8x512x512xf32>
  %n = stablehlo.negate %s : tensor<8x512x512xf32>
  %a = stablehlo.dot_general %n, %q, batching_dims = [0] x [0], contracting_dims = [1] x [1]
      : (tensor<8x512x512xf32>, tensor<8x512x64xf32>) -> tensor<8x512x64xf32>
  %b = stablehlo.dot_general %n, %k, batching_dims = [0] x [0], contracting_dims = [2] x [1]
      : (tensor<8x512x512xf32>, tensor<8x512x64xf32>) -> tensor<8x512x64xf32>
  %bt = stablehlo.transpose %b, dims = [0, 2, 1] : (tensor<8x512x64xf32>) -> tensor<8x64x512xf32>
  %at = stablehlo.transpose %a, dims = [0, 2, 1] : (tensor<8x512x64xf32>) -> tensor<8x64x512xf32>
  return %at, %bt : tensor<8x64x512xf32>, tensor<8x64x512xf32>
}

// -----

// As many batches as queries: an array that is read by batch and key, and by query and key. A block reads its row of
// the one, and all of the other.
// CHECK-LABEL: @two_ways
// CHECK-SAME: %[[B:[a-z0-9]*]]: tensor<700x700xf32>)
// CHECK: stablehlo.while(%[[I:[A-Za-z0-9_]*]] = {{.*}}) : tensor<i32>, tensor<700x700x32xf32>
// CHECK: %[[ROW:.*]] = stablehlo.dynamic_slice %[[B]], %[[I]], {{.*}} sizes = [1, 700]
// CHECK: %[[PIECE:.*]] = stablehlo.reshape %[[ROW]] : (tensor<1x700xf32>) -> tensor<700xf32>
// CHECK-DAG: stablehlo.broadcast_in_dim %[[PIECE]], dims = [1] : (tensor<700xf32>) -> tensor<700x700xf32>
// CHECK-DAG: stablehlo.broadcast_in_dim %[[B]], dims = [0, 1] : (tensor<700x700xf32>) -> tensor<700x700xf32>
func.func @two_ways(%q: tensor<700x700x32xf32>, %k: tensor<700x700x32xf32>, %b: tensor<700x700xf32>)
    -> tensor<700x700x32xf32> {
  %s = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2]
      : (tensor<700x700x32xf32>, tensor<700x700x32xf32>) -> tensor<700x700x700xf32>
  %all = stablehlo.broadcast_in_dim %b, dims = [1, 2] : (tensor<700x700xf32>) -> tensor<700x700x700xf32>
  %own = stablehlo.broadcast_in_dim %b, dims = [0, 2] : (tensor<700x700xf32>) -> tensor<700x700x700xf32>
  %t = stablehlo.add %s, %all : tensor<700x700x700xf32>
  %u = stablehlo.multiply %t, %own : tensor<700x700x700xf32>
  %o = stablehlo.dot_general %u, %k, batching_dims = [0] x [0], contracting_dims = [2] x [1]
      : (tensor<700x700x700xf32>, tensor<700x700x32xf32>) -> tensor<700x700x32xf32>
  return %o : tensor<700x700x32xf32>
}

// -----

// A product of two arrays of the region for all pairs of batches needs all of them: it is outside.
// CHECK-LABEL: @pairs
// CHECK: %[[L:.*]]:3 = stablehlo.while({{.*}}) : tensor<i32>, tensor<8x512x512xf32>, tensor<8x512x64xf32>
// CHECK: }
// CHECK: stablehlo.dot_general %[[L]]#1, %[[L]]#1, batching_dims = [1] x [1]
func.func @pairs(%q: tensor<8x512x64xf32>, %k: tensor<8x512x64xf32>) -> (tensor<8x512x64xf32>, tensor<512x8x8xf32>) {
  %s = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2]
      : (tensor<8x512x64xf32>, tensor<8x512x64xf32>) -> tensor<8x512x512xf32>
  %t = stablehlo.tanh %s : tensor<8x512x512xf32>
  %o = stablehlo.dot_general %t, %k, batching_dims = [0] x [0], contracting_dims = [2] x [1]
      : (tensor<8x512x512xf32>, tensor<8x512x64xf32>) -> tensor<8x512x64xf32>
  %g = stablehlo.dot_general %t, %t, batching_dims = [1] x [1], contracting_dims = [2] x [2]
      : (tensor<8x512x512xf32>, tensor<8x512x512xf32>) -> tensor<512x8x8xf32>
  return %o, %g : tensor<8x512x64xf32>, tensor<512x8x8xf32>
}

// -----

// Calls of the host among its ops would change their order.
// CHECK-LABEL: @calls
// CHECK-NOT: stablehlo.while
func.func @calls(%q: tensor<8x512x64xf32>, %k: tensor<8x512x64xf32>) -> tensor<8x512x64xf32> {
  %s = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2]
      : (tensor<8x512x64xf32>, tensor<8x512x64xf32>) -> tensor<8x512x512xf32>
  %t = stablehlo.tanh %s : tensor<8x512x512xf32>
  %1 = stablehlo.custom_call @tpuc.host_call(%t) {api_version = 4 : i32, has_side_effect = true,
      mhlo.backend_config = {index = 1 : ui64}} : (tensor<8x512x512xf32>) -> tensor<8x512x512xf32>
  %2 = stablehlo.custom_call @tpuc.host_call(%q) {api_version = 4 : i32, has_side_effect = true,
      mhlo.backend_config = {index = 2 : ui64}} : (tensor<8x512x64xf32>) -> tensor<8x512x64xf32>
  %o = stablehlo.dot_general %t, %k, batching_dims = [0] x [0], contracting_dims = [2] x [1]
      : (tensor<8x512x512xf32>, tensor<8x512x64xf32>) -> tensor<8x512x64xf32>
  return %o : tensor<8x512x64xf32>
}

// -----

// VMEM holds not one batch of scores, but some of what the last product makes of them: the loop reads these in pieces.
// CHECK-LABEL: @many
// CHECK: stablehlo.dot_general {{.*}} -> tensor<16x1024x1024xf32>
// CHECK: %[[T:.*]] = stablehlo.tanh
// CHECK: stablehlo.reshape %[[T]] : (tensor<16x1024x1024xf32>) -> tensor<4x4x1024x1024xf32>
// CHECK: stablehlo.while
// CHECK-NOT: stablehlo.tanh
func.func @many(%q: tensor<16x1024x64xf32>, %k: tensor<16x1024x64xf32>) -> tensor<16x64x1024xf32> {
  %s = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2]
      : (tensor<16x1024x64xf32>, tensor<16x1024x64xf32>) -> tensor<16x1024x1024xf32>
  %t = stablehlo.tanh %s : tensor<16x1024x1024xf32>
  %o = stablehlo.dot_general %t, %k, batching_dims = [0] x [0], contracting_dims = [2] x [1]
      : (tensor<16x1024x1024xf32>, tensor<16x1024x64xf32>) -> tensor<16x1024x64xf32>
  %e = stablehlo.sine %o : tensor<16x1024x64xf32>
  %r = stablehlo.transpose %e, dims = [0, 2, 1] : (tensor<16x1024x64xf32>) -> tensor<16x64x1024xf32>
  return %r : tensor<16x64x1024xf32>
}

// -----

// What reads a result among the region's ops comes behind the loop; calls behind the region keep their order.
// CHECK-LABEL: @calls_behind
// CHECK: stablehlo.while
// CHECK: tpuc.host_call{{.*}}index = 1
// CHECK: tpuc.host_call{{.*}}index = 2
func.func @calls_behind(%q: tensor<8x512x64xf32>, %k: tensor<8x512x64xf32>, %z: tensor<4xf32>)
    -> (tensor<8x512x64xf32>, tensor<8x512x64xf32>, tensor<4xf32>, tensor<4xf32>) {
  %s = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2]
      : (tensor<8x512x64xf32>, tensor<8x512x64xf32>) -> tensor<8x512x512xf32>
  %t = stablehlo.tanh %s : tensor<8x512x512xf32>
  %o = stablehlo.dot_general %t, %k, batching_dims = [0] x [0], contracting_dims = [2] x [1]
      : (tensor<8x512x512xf32>, tensor<8x512x64xf32>) -> tensor<8x512x64xf32>
  %r = stablehlo.slice %o [0:1, 0:1, 0:4] : (tensor<8x512x64xf32>) -> tensor<1x1x4xf32>
  %r2 = stablehlo.reshape %r : (tensor<1x1x4xf32>) -> tensor<4xf32>
  %e = stablehlo.exponential %s : tensor<8x512x512xf32>
  %p = stablehlo.dot_general %e, %k, batching_dims = [0] x [0], contracting_dims = [2] x [1]
      : (tensor<8x512x512xf32>, tensor<8x512x64xf32>) -> tensor<8x512x64xf32>
  %1 = stablehlo.custom_call @tpuc.host_call(%r2) {api_version = 4 : i32, has_side_effect = true,
      mhlo.backend_config = {index = 1 : ui64}} : (tensor<4xf32>) -> tensor<4xf32>
  %2 = stablehlo.custom_call @tpuc.host_call(%z) {api_version = 4 : i32, has_side_effect = true,
      mhlo.backend_config = {index = 2 : ui64}} : (tensor<4xf32>) -> tensor<4xf32>
  return %o, %p, %1, %2 : tensor<8x512x64xf32>, tensor<8x512x64xf32>, tensor<4xf32>, tensor<4xf32>
}

// -----

// Not complex ones, which are two arrays.
// CHECK-LABEL: @complex
// CHECK-NOT: stablehlo.while
func.func @complex(%q: tensor<8x512x64xcomplex<f32>>, %k: tensor<8x512x64xcomplex<f32>>)
    -> tensor<8x512x64xcomplex<f32>> {
  %s = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2]
      : (tensor<8x512x64xcomplex<f32>>, tensor<8x512x64xcomplex<f32>>) -> tensor<8x512x512xcomplex<f32>>
  %o = stablehlo.dot_general %s, %k, batching_dims = [0] x [0], contracting_dims = [2] x [1]
      : (tensor<8x512x512xcomplex<f32>>, tensor<8x512x64xcomplex<f32>>) -> tensor<8x512x64xcomplex<f32>>
  return %o : tensor<8x512x64xcomplex<f32>>
}
