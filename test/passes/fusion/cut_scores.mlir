// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tpuc-opt %s --tpuc-cut-scores="room=3145728" --split-input-file | FileCheck %s

// 4 heads of 512 by 512 scores are 4 MiB. Of the room three quarters are for a block: 768 rows of 512 scores of 4 bytes
// and as many probabilities of 2. So a block is one head, all of its 512 queries.
// CHECK-LABEL: @heads
// CHECK-SAME: (%[[Q:.*]]: tensor<4x512x64xbf16>, %[[K:.*]]: tensor<4x512x64xbf16>, %[[V:.*]]: tensor<4x512x64xbf16>)
// CHECK: %[[U:.*]] = kernel.undefined : tensor<4x512x64xbf16>
// CHECK: stablehlo.while(%[[I:.*]] = %{{.*}}, %[[O:.*]] = %[[U]]) : tensor<i32>, tensor<4x512x64xbf16>
// CHECK: stablehlo.dynamic_slice %[[Q]], %[[I]], {{.*}} sizes = [1, 512, 64]
// CHECK: stablehlo.dot_general {{.*}}, contracting_dims = [1] x [1] {{.*}} -> tensor<512x512xf32>
// CHECK: stablehlo.reduce{{.*}} applies stablehlo.maximum across dimensions = [1] : (tensor<512x512xf32>
// CHECK: stablehlo.broadcast_in_dim {{.*}}, dims = [0] : (tensor<512xf32>) -> tensor<512x512xf32>
// CHECK: stablehlo.exponential {{.*}} : tensor<512x512xf32>
// CHECK: stablehlo.dot_general {{.*}}, contracting_dims = [1] x [0] {{.*}} -> tensor<512x64xbf16>
// CHECK: stablehlo.dynamic_update_slice %[[O]], {{.*}}, %[[I]]
// CHECK-NOT: tensor<4x512x512xf32>
func.func @heads(%q: tensor<4x512x64xbf16>, %k: tensor<4x512x64xbf16>, %v: tensor<4x512x64xbf16>)
    -> tensor<4x512x64xbf16> {
  %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2]
      : (tensor<4x512x64xbf16>, tensor<4x512x64xbf16>) -> tensor<4x512x512xf32>
  %m = stablehlo.reduce(%s init: %least) applies stablehlo.maximum across dimensions = [2]
      : (tensor<4x512x512xf32>, tensor<f32>) -> tensor<4x512xf32>
  %mb = stablehlo.broadcast_in_dim %m, dims = [0, 1] : (tensor<4x512xf32>) -> tensor<4x512x512xf32>
  %d = stablehlo.subtract %s, %mb : tensor<4x512x512xf32>
  %e = stablehlo.exponential %d : tensor<4x512x512xf32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [2]
      : (tensor<4x512x512xf32>, tensor<f32>) -> tensor<4x512xf32>
  %tb = stablehlo.broadcast_in_dim %t, dims = [0, 1] : (tensor<4x512xf32>) -> tensor<4x512x512xf32>
  %p = stablehlo.divide %e, %tb : tensor<4x512x512xf32>
  %pb = stablehlo.convert %p : (tensor<4x512x512xf32>) -> tensor<4x512x512xbf16>
  %o = stablehlo.dot_general %pb, %v, batching_dims = [0] x [0], contracting_dims = [2] x [1]
      : (tensor<4x512x512xbf16>, tensor<4x512x64xbf16>) -> tensor<4x512x64xbf16>
  return %o : tensor<4x512x64xbf16>
}

// -----

// A causal mask, of 1000 queries and 1024 keys: 384 rows of 1024 scores and probabilities fit. 1000 queries in three
// blocks are 334 each, 352 in whole tiles of 32: the queries are padded to 1056, and the result is cut. Positions of
// block i begin at 352 i.
// CHECK-LABEL: @causal
// CHECK: stablehlo.pad {{.*}} : (tensor<1000x64xbf16>, tensor<bf16>) -> tensor<1056x64xbf16>
// CHECK: stablehlo.reshape {{.*}} -> tensor<3x352x64xbf16>
// CHECK: kernel.undefined : tensor<3x352x64xbf16>
// CHECK: stablehlo.while(%[[I:.*]] = %{{.*}}, %{{.*}} = %{{.*}})
// CHECK: %[[C:.*]] = stablehlo.constant dense<352> : tensor<i32>
// CHECK: %[[F:.*]] = stablehlo.multiply %[[I]], %[[C]]
// CHECK: %[[B:.*]] = stablehlo.broadcast_in_dim %[[F]], dims = [] : (tensor<i32>) -> tensor<352x1024xi32>
// CHECK: stablehlo.add %{{.*}}, %[[B]] : tensor<352x1024xi32>
// CHECK: stablehlo.slice {{.*}} : (tensor<1056x64xbf16>) -> tensor<1000x64xbf16>
func.func @causal(%q: tensor<1000x64xbf16>, %k: tensor<1024x64xbf16>, %v: tensor<1024x64xbf16>)
    -> tensor<1000x64xbf16> {
  %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %none = stablehlo.constant dense<-1.0e30> : tensor<1000x1024xf32>
  %s0 = stablehlo.dot_general %q, %k, contracting_dims = [1] x [1]
      : (tensor<1000x64xbf16>, tensor<1024x64xbf16>) -> tensor<1000x1024xf32>
  %i = stablehlo.iota dim = 0 : tensor<1000x1024xi32>
  %j = stablehlo.iota dim = 1 : tensor<1000x1024xi32>
  %c = stablehlo.compare GE, %i, %j, SIGNED : (tensor<1000x1024xi32>, tensor<1000x1024xi32>) -> tensor<1000x1024xi1>
  %s = stablehlo.select %c, %s0, %none : tensor<1000x1024xi1>, tensor<1000x1024xf32>
  %m = stablehlo.reduce(%s init: %least) applies stablehlo.maximum across dimensions = [1]
      : (tensor<1000x1024xf32>, tensor<f32>) -> tensor<1000xf32>
  %mb = stablehlo.broadcast_in_dim %m, dims = [0] : (tensor<1000xf32>) -> tensor<1000x1024xf32>
  %d = stablehlo.subtract %s, %mb : tensor<1000x1024xf32>
  %e = stablehlo.exponential %d : tensor<1000x1024xf32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1]
      : (tensor<1000x1024xf32>, tensor<f32>) -> tensor<1000xf32>
  %tb = stablehlo.broadcast_in_dim %t, dims = [0] : (tensor<1000xf32>) -> tensor<1000x1024xf32>
  %p = stablehlo.divide %e, %tb : tensor<1000x1024xf32>
  %pb = stablehlo.convert %p : (tensor<1000x1024xf32>) -> tensor<1000x1024xbf16>
  %o = stablehlo.dot_general %pb, %v, contracting_dims = [1] x [0]
      : (tensor<1000x1024xbf16>, tensor<1024x64xbf16>) -> tensor<1000x64xbf16>
  return %o : tensor<1000x64xbf16>
}

// -----

// Probabilities that leave, for the gradient say, are made whole.
// CHECK-LABEL: @saved
// CHECK-NOT: stablehlo.while
func.func @saved(%q: tensor<4x512x64xbf16>, %k: tensor<4x512x64xbf16>, %v: tensor<4x512x64xbf16>)
    -> (tensor<4x512x64xbf16>, tensor<4x512x512xbf16>) {
  %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2]
      : (tensor<4x512x64xbf16>, tensor<4x512x64xbf16>) -> tensor<4x512x512xf32>
  %m = stablehlo.reduce(%s init: %least) applies stablehlo.maximum across dimensions = [2]
      : (tensor<4x512x512xf32>, tensor<f32>) -> tensor<4x512xf32>
  %mb = stablehlo.broadcast_in_dim %m, dims = [0, 1] : (tensor<4x512xf32>) -> tensor<4x512x512xf32>
  %d = stablehlo.subtract %s, %mb : tensor<4x512x512xf32>
  %e = stablehlo.exponential %d : tensor<4x512x512xf32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [2]
      : (tensor<4x512x512xf32>, tensor<f32>) -> tensor<4x512xf32>
  %tb = stablehlo.broadcast_in_dim %t, dims = [0, 1] : (tensor<4x512xf32>) -> tensor<4x512x512xf32>
  %p = stablehlo.divide %e, %tb : tensor<4x512x512xf32>
  %pb = stablehlo.convert %p : (tensor<4x512x512xf32>) -> tensor<4x512x512xbf16>
  %o = stablehlo.dot_general %pb, %v, batching_dims = [0] x [0], contracting_dims = [2] x [1]
      : (tensor<4x512x512xbf16>, tensor<4x512x64xbf16>) -> tensor<4x512x64xbf16>
  return %o, %pb : tensor<4x512x64xbf16>, tensor<4x512x512xbf16>
}

// -----

// No softmax: an activation between two products is not reduced and read again.
// CHECK-LABEL: @layers
// CHECK-NOT: stablehlo.while
func.func @layers(%x: tensor<4096x64xbf16>, %w: tensor<512x64xbf16>, %u: tensor<512x64xbf16>) -> tensor<4096x64xbf16> {
  %s = stablehlo.dot_general %x, %w, contracting_dims = [1] x [1]
      : (tensor<4096x64xbf16>, tensor<512x64xbf16>) -> tensor<4096x512xf32>
  %e = stablehlo.tanh %s : tensor<4096x512xf32>
  %pb = stablehlo.convert %e : (tensor<4096x512xf32>) -> tensor<4096x512xbf16>
  %o = stablehlo.dot_general %pb, %u, contracting_dims = [1] x [0]
      : (tensor<4096x512xbf16>, tensor<512x64xbf16>) -> tensor<4096x64xbf16>
  return %o : tensor<4096x64xbf16>
}

// -----

// A mask of its own for each score, which is reduced over the keys too: rows without a key become zeros. A block reads
// its rows of the mask, and reduces them.
// CHECK-LABEL: @masked_rows
// CHECK-SAME: %[[MASK:[a-z0-9]*]]: tensor<4x512x512xi1>
// CHECK: stablehlo.while
// CHECK: stablehlo.dynamic_slice %[[MASK]], {{.*}} sizes = [1, 512, 512]
// CHECK: stablehlo.reduce{{.*}} applies stablehlo.or across dimensions = [1] : (tensor<512x512xi1>, tensor<i1>)
// CHECK-NOT: tensor<4x512x512xf32>
func.func @masked_rows(%q: tensor<4x512x64xbf16>, %k: tensor<4x512x64xbf16>, %v: tensor<4x512x64xbf16>,
                       %mask: tensor<4x512x512xi1>) -> tensor<4x512x64xbf16> {
  %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %no = stablehlo.constant dense<false> : tensor<i1>
  %none = stablehlo.constant dense<-1.0e30> : tensor<4x512x512xf32>
  %nothing = stablehlo.constant dense<0.0> : tensor<4x512x512xf32>
  %s0 = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2]
      : (tensor<4x512x64xbf16>, tensor<4x512x64xbf16>) -> tensor<4x512x512xf32>
  %s = stablehlo.select %mask, %s0, %none : tensor<4x512x512xi1>, tensor<4x512x512xf32>
  %m = stablehlo.reduce(%s init: %least) applies stablehlo.maximum across dimensions = [2]
      : (tensor<4x512x512xf32>, tensor<f32>) -> tensor<4x512xf32>
  %mb = stablehlo.broadcast_in_dim %m, dims = [0, 1] : (tensor<4x512xf32>) -> tensor<4x512x512xf32>
  %d = stablehlo.subtract %s, %mb : tensor<4x512x512xf32>
  %e = stablehlo.exponential %d : tensor<4x512x512xf32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [2]
      : (tensor<4x512x512xf32>, tensor<f32>) -> tensor<4x512xf32>
  %tb = stablehlo.broadcast_in_dim %t, dims = [0, 1] : (tensor<4x512xf32>) -> tensor<4x512x512xf32>
  %p0 = stablehlo.divide %e, %tb : tensor<4x512x512xf32>
  %any = stablehlo.reduce(%mask init: %no) applies stablehlo.or across dimensions = [2]
      : (tensor<4x512x512xi1>, tensor<i1>) -> tensor<4x512xi1>
  %anyb = stablehlo.broadcast_in_dim %any, dims = [0, 1] : (tensor<4x512xi1>) -> tensor<4x512x512xi1>
  %p = stablehlo.select %anyb, %p0, %nothing : tensor<4x512x512xi1>, tensor<4x512x512xf32>
  %pb = stablehlo.convert %p : (tensor<4x512x512xf32>) -> tensor<4x512x512xbf16>
  %o = stablehlo.dot_general %pb, %v, batching_dims = [0] x [0], contracting_dims = [2] x [1]
      : (tensor<4x512x512xbf16>, tensor<4x512x64xbf16>) -> tensor<4x512x64xbf16>
  return %o : tensor<4x512x64xbf16>
}
