// RUN: tpuc-opt %s --tpuc-order-arrays --split-input-file | FileCheck %s

// A cache of 4 heads of 64: four times its bytes in tiles of 8x128, twice with positions and elements under the tile.
// Not with positions along lanes, since that is where the update begins. The update's own dims follow, and what a dot
// makes is transposed to them at once.
// CHECK-LABEL: func.func @main
// CHECK-SAME: %[[C:[a-z0-9]+]]: tensor<2x4x256x64xf32> {tpuc.order = array<i64: 0, 2, 1, 3>}
// CHECK-SAME: %[[K:[a-z0-9]+]]: tensor<2x4x64xf32>, %[[Q:[a-z0-9]+]]: tensor<2x4x64xf32>, %[[P:[a-z0-9]+]]: tensor<i32>
// CHECK-SAME: tensor<2x4x256x64xf32> {tpuc.order = array<i64: 0, 2, 1, 3>})
// CHECK: %[[U:.*]] = stablehlo.reshape %[[K]] : (tensor<2x4x64xf32>) -> tensor<2x4x1x64xf32>
// CHECK: %[[D:.*]] = stablehlo.dynamic_update_slice %[[C]], %[[U]], %[[Z:.*]], %[[Z]], %[[P]], %[[Z]]
// CHECK: dot_general %[[Q]], %[[D]], batching_dims = [0, 1] x [0, 1], contracting_dims = [2] x [3]
// CHECK: return %{{.*}}, %[[D]]
func.func @main(%cache: tensor<2x256x4x64xf32>, %k: tensor<2x4x64xf32>, %q: tensor<2x4x64xf32>, %pos: tensor<i32>)
    -> (tensor<2x4x256xf32>, tensor<2x256x4x64xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.reshape %k : (tensor<2x4x64xf32>) -> tensor<2x1x4x64xf32>
  %1 = stablehlo.dynamic_update_slice %cache, %0, %zero, %pos, %zero, %zero
      : (tensor<2x256x4x64xf32>, tensor<2x1x4x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>)
      -> tensor<2x256x4x64xf32>
  %2 = stablehlo.dot_general %q, %1, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3]
      : (tensor<2x4x64xf32>, tensor<2x256x4x64xf32>) -> tensor<2x4x256xf32>
  return %2, %1 : tensor<2x4x256xf32>, tensor<2x256x4x64xf32>
}

// -----

// Halves of heads by tables of positions: slices, products and the concatenation take the dot's order, and the table
// does too.
// CHECK-LABEL: func.func @main
// CHECK-SAME: tensor<4x16x128xf32>{{.*}}, %[[T:[a-z0-9]+]]: tensor<16x128xf32> {tpuc.order = array<i64: 1, 0>}
// CHECK: %[[D:.*]] = stablehlo.dot_general
// CHECK: %[[Q:.*]] = stablehlo.transpose %[[D]], dims = [1, 2, 0] : (tensor<128x16x32xf32>) -> tensor<16x32x128xf32>
// CHECK: slice %[[Q]] [0:16, 0:16, 0:128]
// CHECK: slice %[[Q]] [0:16, 16:32, 0:128]
// CHECK: broadcast_in_dim %[[T]], dims = [1, 2] : (tensor<16x128xf32>) -> tensor<16x16x128xf32>
// CHECK: concatenate {{.*}} dim = 1
// CHECK: return {{.*}} : tensor<16x32x128xf32>
func.func @main(%x: tensor<128x128xf32>, %w: tensor<128x16x32xf32>, %y: tensor<4x16x128xf32>, %t: tensor<128x16xf32>)
    -> tensor<128x16x32xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<128x128xf32>, tensor<128x16x32xf32>)
      -> tensor<128x16x32xf32>
  %1 = stablehlo.slice %0 [0:128, 0:16, 0:16] : (tensor<128x16x32xf32>) -> tensor<128x16x16xf32>
  %2 = stablehlo.slice %0 [0:128, 0:16, 16:32] : (tensor<128x16x32xf32>) -> tensor<128x16x16xf32>
  %3 = stablehlo.broadcast_in_dim %t, dims = [0, 2] : (tensor<128x16xf32>) -> tensor<128x16x16xf32>
  %4 = stablehlo.multiply %1, %3 : tensor<128x16x16xf32>
  %5 = stablehlo.concatenate %4, %2, dim = 2 : (tensor<128x16x16xf32>, tensor<128x16x16xf32>) -> tensor<128x16x32xf32>
  return %5 : tensor<128x16x32xf32>
}

// -----

// Over a loop: what it carries, slices and returns. The sum over heads keeps its dims.
// CHECK-LABEL: func.func @main
// CHECK-SAME: %[[W:[a-z0-9]+]]: tensor<8x4x32x128xf32> {tpuc.order = array<i64: 0, 2, 3, 1>}
// CHECK: stablehlo.while(%{{.*}} = %[[W]], %{{.*}} = %{{.*}}, %{{.*}} = %{{.*}})
// CHECK-SAME: tensor<8x4x32x128xf32>
// CHECK: dynamic_slice {{.*}} sizes = [1, 4, 32, 128]
// CHECK: reduce{{.*}} across dimensions = [0, 1]
func.func @main(%w: tensor<8x128x4x32xf32>, %s: tensor<128xf32>) -> tensor<128xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %f = stablehlo.constant dense<0.0> : tensor<f32>
  %0:3 = stablehlo.while(%a = %w, %b = %s, %i = %zero) : tensor<8x128x4x32xf32>, tensor<128xf32>, tensor<i32>
  cond {
    %n = stablehlo.constant dense<8> : tensor<i32>
    %1 = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %1 = stablehlo.dynamic_slice %a, %i, %zero, %zero, %zero, sizes = [1, 128, 4, 32]
        : (tensor<8x128x4x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x128x4x32xf32>
    %2 = stablehlo.reshape %1 : (tensor<1x128x4x32xf32>) -> tensor<128x4x32xf32>
    %3 = stablehlo.reduce(%2 init: %f) applies stablehlo.add across dimensions = [1, 2]
        : (tensor<128x4x32xf32>, tensor<f32>) -> tensor<128xf32>
    %4 = stablehlo.add %b, %3 : tensor<128xf32>
    %5 = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %a, %4, %5 : tensor<8x128x4x32xf32>, tensor<128xf32>, tensor<i32>
  }
  return %0#1 : tensor<128xf32>
}

// -----

// The order of the free dims is that of the result, so that they keep it.
// CHECK-LABEL: func.func @main
// CHECK-SAME: tensor<16x4x2x512xf32> {tpuc.order = array<i64: 0, 1, 3, 2>}
// CHECK: dot_general {{.*}} -> tensor<16x4x2x64xf32>
func.func @main(%x: tensor<16x4x512x2xf32>, %w: tensor<512x64xf32>) -> tensor<16x4x2x64xf32> {
  %0 = stablehlo.negate %x : tensor<16x4x512x2xf32>
  %1 = stablehlo.dot_general %0, %w, contracting_dims = [2] x [0] : (tensor<16x4x512x2xf32>, tensor<512x64xf32>)
      -> tensor<16x4x2x64xf32>
  return %1 : tensor<16x4x2x64xf32>
}

// -----

// A sort keeps the dims that it has: a large array would have to be transposed for it.
// CHECK-LABEL: func.func @main
// CHECK-NOT: tpuc.order
func.func @main(%x: tensor<256x64x4x32xf32>) -> tensor<256x64x4x32xf32> {
  %0 = stablehlo.negate %x : tensor<256x64x4x32xf32>
  %1 = "stablehlo.sort"(%0) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %2 = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %2 : tensor<i1>
  }) : (tensor<256x64x4x32xf32>) -> tensor<256x64x4x32xf32>
  return %1 : tensor<256x64x4x32xf32>
}

// -----

// A maximum along lanes keeps its rows whole: x takes no order in which the maximum runs down columns.
// CHECK-LABEL: func.func @main
// CHECK: stablehlo.reduce({{.*}} across dimensions = [3] : (tensor<8x4x512x512xf32>
func.func @main(%x: tensor<8x512x512x4xf32>) -> tensor<8x4x512x512xf32> {
  %0 = stablehlo.transpose %x, dims = [0, 3, 2, 1] : (tensor<8x512x512x4xf32>) -> tensor<8x4x512x512xf32>
  %c = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %1 = stablehlo.reduce(%0 init: %c) applies stablehlo.maximum across dimensions = [3]
      : (tensor<8x4x512x512xf32>, tensor<f32>) -> tensor<8x4x512xf32>
  %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1, 2] : (tensor<8x4x512xf32>) -> tensor<8x4x512x512xf32>
  %3 = stablehlo.subtract %0, %2 : tensor<8x4x512x512xf32>
  return %3 : tensor<8x4x512x512xf32>
}

// -----

// Three features pad least as leading dim, but windows don't go along lanes.
// CHECK-LABEL: func.func @main
// CHECK-SAME: (%{{.*}}: tensor<3x70x70x3xf32>)
// CHECK: window_dimensions = array<i64: 1, 3, 2, 1>
func.func @main(%x: tensor<3x70x70x3xf32>) -> tensor<3x68x35x3xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %zero) <{window_dimensions = array<i64: 1, 3, 2, 1>, window_strides = array<i64: 1,
      1, 2, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<3x70x70x3xf32>, tensor<f32>) -> tensor<3x68x35x3xf32>
  return %0 : tensor<3x68x35x3xf32>
}

// -----

// A result that has an order already: the new one is of its dims.
// CHECK-LABEL: func.func @main
// CHECK-SAME: -> (tensor<64x3x32x64xf32> {tpuc.order = array<i64: 1, 3, 2, 0>})
func.func @main(%x: tensor<64x64x32x3xf32>) -> (tensor<64x64x32x3xf32> {tpuc.order = array<i64: 1, 0, 2, 3>}) {
  %0 = stablehlo.negate %x : tensor<64x64x32x3xf32>
  return %0 : tensor<64x64x32x3xf32>
}

// -----

// A symmetric sum asks for two orders of a matrix's own dims: its batch goes to the lanes, the transpose stays. The
// gather is given its dims.
// CHECK-LABEL: func.func @main
// CHECK-SAME: %arg0: tensor<4x4x5000xf32> {tpuc.order = array<i64: 1, 2, 0>}
// CHECK: stablehlo.transpose %arg0, dims = [1, 0, 2]
// CHECK: stablehlo.while
// CHECK: stablehlo.reduce{{.*}} dimensions = [1] : (tensor<4x4x5000xf32>, tensor<f32>) -> tensor<4x5000xf32>
// CHECK: %[[BACK:.*]] = stablehlo.transpose %{{.*}}, dims = [2, 0, 1] : (tensor<4x4x5000xf32>) -> tensor<5000x4x4xf32>
// CHECK: "stablehlo.gather"(%[[BACK]]
func.func @main(%x: tensor<5000x4x4xf32>, %i: tensor<5000x1xi32>) -> tensor<5000x1x4xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %end = stablehlo.constant dense<4> : tensor<i32>
  %none = stablehlo.constant dense<0.0> : tensor<f32>
  %t = stablehlo.transpose %x, dims = [0, 2, 1] : (tensor<5000x4x4xf32>) -> tensor<5000x4x4xf32>
  %s = stablehlo.add %x, %t : tensor<5000x4x4xf32>
  %w:2 = stablehlo.while(%k = %zero, %m = %s) : tensor<i32>, tensor<5000x4x4xf32>
  cond {
    %go = stablehlo.compare LT, %k, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %go : tensor<i1>
  } do {
    %next = stablehlo.add %k, %one : tensor<i32>
    %r = stablehlo.reduce(%m init: %none) applies stablehlo.add across dimensions = [2]
        : (tensor<5000x4x4xf32>, tensor<f32>) -> tensor<5000x4xf32>
    %column = stablehlo.broadcast_in_dim %r, dims = [0, 1] : (tensor<5000x4xf32>) -> tensor<5000x4x4xf32>
    %row = stablehlo.broadcast_in_dim %r, dims = [0, 2] : (tensor<5000x4xf32>) -> tensor<5000x4x4xf32>
    %p = stablehlo.multiply %column, %row : tensor<5000x4x4xf32>
    %d = stablehlo.subtract %m, %p : tensor<5000x4x4xf32>
    %u = stablehlo.tanh %d : tensor<5000x4x4xf32>
    %v = stablehlo.multiply %u, %m : tensor<5000x4x4xf32>
    stablehlo.return %next, %v : tensor<i32>, tensor<5000x4x4xf32>
  }
  %g = "stablehlo.gather"(%w#1, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 2],
      operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>,
      slice_sizes = array<i64: 1, 1, 4>}> : (tensor<5000x4x4xf32>, tensor<5000x1xi32>) -> tensor<5000x1x4xf32>
  return %g : tensor<5000x1x4xf32>
}

// -----

// An order goes to the results of 60 branches at once.
// CHECK-LABEL: func.func @main
// CHECK-SAME: %[[I:[a-z0-9]+]]: tensor<i32>, %[[Y:[a-z0-9]+]]: tensor<16x32x128xf32> {tpuc.order = array<i64: 1, 2, 0>}
// CHECK: "stablehlo.case"(%[[I]])
// CHECK-COUNT-60: stablehlo.add %[[Y]], %{{.*}} : tensor<16x32x128xf32>
// CHECK: -> tensor<16x32x128xf32>
func.func @main(%i: tensor<i32>, %y: tensor<128x16x32xf32>, %x: tensor<128x128xf32>, %w: tensor<128x16x32xf32>)
    -> tensor<128x16x32xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<128x128xf32>, tensor<128x16x32xf32>)
      -> tensor<128x16x32xf32>
  %1 = "stablehlo.case"(%i) ({
    %a = stablehlo.add %y, %0 : tensor<128x16x32xf32>
    stablehlo.return %a : tensor<128x16x32xf32>
  }, {
    %a = stablehlo.add %y, %0 : tensor<128x16x32xf32>
    stablehlo.return %a : tensor<128x16x32xf32>
  }, {
    %a = stablehlo.add %y, %0 : tensor<128x16x32xf32>
    stablehlo.return %a : tensor<128x16x32xf32>
  }, {
    %a = stablehlo.add %y, %0 : tensor<128x16x32xf32>
    stablehlo.return %a : tensor<128x16x32xf32>
  }, {
    %a = stablehlo.add %y, %0 : tensor<128x16x32xf32>
    stablehlo.return %a : tensor<128x16x32xf32>
  }, {
    %a = stablehlo.add %y, %0 : tensor<128x16x32xf32>
    stablehlo.return %a : tensor<128x16x32xf32>
  }, {
    %a = stablehlo.add %y, %0 : tensor<128x16x32xf32>
    stablehlo.return %a : tensor<128x16x32xf32>
  }, {
    %a = stablehlo.add %y, %0 : tensor<128x16x32xf32>
    stablehlo.return %a : tensor<128x16x32xf32>
  }, {
    %a = stablehlo.add %y, %0 : tensor<128x16x32xf32>
    stablehlo.return %a : tensor<128x16x32xf32>
  }, {
    %a = stablehlo.add %y, %0 : tensor<128x16x32xf32>
    stablehlo.return %a : tensor<128x16x32xf32>
  }, {
    %a = stablehlo.add %y, %0 : tensor<128x16x32xf32>
    stablehlo.return %a : tensor<128x16x32xf32>
  }, {
    %a = stablehlo.add %y, %0 : tensor<128x16x32xf32>
    stablehlo.return %a : tensor<128x16x32xf32>
  }, {
    %a = stablehlo.add %y, %0 : tensor<128x16x32xf32>
    stablehlo.return %a : tensor<128x16x32xf32>
  }, {
    %a = stablehlo.add %y, %0 : tensor<128x16x32xf32>
    stablehlo.return %a : tensor<128x16x32xf32>
  }, {
    %a = stablehlo.add %y, %0 : tensor<128x16x32xf32>
    stablehlo.return %a : tensor<128x16x32xf32>
  }, {
    %a = stablehlo.add %y, %0 : tensor<128x16x32xf32>
    stablehlo.return %a : tensor<128x16x32xf32>
  }, {
    %a = stablehlo.add %y, %0 : tensor<128x16x32xf32>
    stablehlo.return %a : tensor<128x16x32xf32>
  }, {
    %a = stablehlo.add %y, %0 : tensor<128x16x32xf32>
    stablehlo.return %a : tensor<128x16x32xf32>
  }, {
    %a = stablehlo.add %y, %0 : tensor<128x16x32xf32>
    stablehlo.return %a : tensor<128x16x32xf32>
  }, {
    %a = stablehlo.add %y, %0 : tensor<128x16x32xf32>
    stablehlo.return %a : tensor<128x16x32xf32>
  }, {
    %a = stablehlo.add %y, %0 : tensor<128x16x32xf32>
    stablehlo.return %a : tensor<128x16x32xf32>
  }, {
    %a = stablehlo.add %y, %0 : tensor<128x16x32xf32>
    stablehlo.return %a : tensor<128x16x32xf32>
  }, {
    %a = stablehlo.add %y, %0 : tensor<128x16x32xf32>
    stablehlo.return %a : tensor<128x16x32xf32>
  }, {
    %a = stablehlo.add %y, %0 : tensor<128x16x32xf32>
    stablehlo.return %a : tensor<128x16x32xf32>
  }, {
    %a = stablehlo.add %y, %0 : tensor<128x16x32xf32>
    stablehlo.return %a : tensor<128x16x32xf32>
  }, {
    %a = stablehlo.add %y, %0 : tensor<128x16x32xf32>
    stablehlo.return %a : tensor<128x16x32xf32>
  }, {
    %a = stablehlo.add %y, %0 : tensor<128x16x32xf32>
    stablehlo.return %a : tensor<128x16x32xf32>
  }, {
    %a = stablehlo.add %y, %0 : tensor<128x16x32xf32>
    stablehlo.return %a : tensor<128x16x32xf32>
  }, {
    %a = stablehlo.add %y, %0 : tensor<128x16x32xf32>
    stablehlo.return %a : tensor<128x16x32xf32>
  }, {
    %a = stablehlo.add %y, %0 : tensor<128x16x32xf32>
    stablehlo.return %a : tensor<128x16x32xf32>
  }, {
    %a = stablehlo.add %y, %0 : tensor<128x16x32xf32>
    stablehlo.return %a : tensor<128x16x32xf32>
  }, {
    %a = stablehlo.add %y, %0 : tensor<128x16x32xf32>
    stablehlo.return %a : tensor<128x16x32xf32>
  }, {
    %a = stablehlo.add %y, %0 : tensor<128x16x32xf32>
    stablehlo.return %a : tensor<128x16x32xf32>
  }, {
    %a = stablehlo.add %y, %0 : tensor<128x16x32xf32>
    stablehlo.return %a : tensor<128x16x32xf32>
  }, {
    %a = stablehlo.add %y, %0 : tensor<128x16x32xf32>
    stablehlo.return %a : tensor<128x16x32xf32>
  }, {
    %a = stablehlo.add %y, %0 : tensor<128x16x32xf32>
    stablehlo.return %a : tensor<128x16x32xf32>
  }, {
    %a = stablehlo.add %y, %0 : tensor<128x16x32xf32>
    stablehlo.return %a : tensor<128x16x32xf32>
  }, {
    %a = stablehlo.add %y, %0 : tensor<128x16x32xf32>
    stablehlo.return %a : tensor<128x16x32xf32>
  }, {
    %a = stablehlo.add %y, %0 : tensor<128x16x32xf32>
    stablehlo.return %a : tensor<128x16x32xf32>
  }, {
    %a = stablehlo.add %y, %0 : tensor<128x16x32xf32>
    stablehlo.return %a : tensor<128x16x32xf32>
  }, {
    %a = stablehlo.add %y, %0 : tensor<128x16x32xf32>
    stablehlo.return %a : tensor<128x16x32xf32>
  }, {
    %a = stablehlo.add %y, %0 : tensor<128x16x32xf32>
    stablehlo.return %a : tensor<128x16x32xf32>
  }, {
    %a = stablehlo.add %y, %0 : tensor<128x16x32xf32>
    stablehlo.return %a : tensor<128x16x32xf32>
  }, {
    %a = stablehlo.add %y, %0 : tensor<128x16x32xf32>
    stablehlo.return %a : tensor<128x16x32xf32>
  }, {
    %a = stablehlo.add %y, %0 : tensor<128x16x32xf32>
    stablehlo.return %a : tensor<128x16x32xf32>
  }, {
    %a = stablehlo.add %y, %0 : tensor<128x16x32xf32>
    stablehlo.return %a : tensor<128x16x32xf32>
  }, {
    %a = stablehlo.add %y, %0 : tensor<128x16x32xf32>
    stablehlo.return %a : tensor<128x16x32xf32>
  }, {
    %a = stablehlo.add %y, %0 : tensor<128x16x32xf32>
    stablehlo.return %a : tensor<128x16x32xf32>
  }, {
    %a = stablehlo.add %y, %0 : tensor<128x16x32xf32>
    stablehlo.return %a : tensor<128x16x32xf32>
  }, {
    %a = stablehlo.add %y, %0 : tensor<128x16x32xf32>
    stablehlo.return %a : tensor<128x16x32xf32>
  }, {
    %a = stablehlo.add %y, %0 : tensor<128x16x32xf32>
    stablehlo.return %a : tensor<128x16x32xf32>
  }, {
    %a = stablehlo.add %y, %0 : tensor<128x16x32xf32>
    stablehlo.return %a : tensor<128x16x32xf32>
  }, {
    %a = stablehlo.add %y, %0 : tensor<128x16x32xf32>
    stablehlo.return %a : tensor<128x16x32xf32>
  }, {
    %a = stablehlo.add %y, %0 : tensor<128x16x32xf32>
    stablehlo.return %a : tensor<128x16x32xf32>
  }, {
    %a = stablehlo.add %y, %0 : tensor<128x16x32xf32>
    stablehlo.return %a : tensor<128x16x32xf32>
  }, {
    %a = stablehlo.add %y, %0 : tensor<128x16x32xf32>
    stablehlo.return %a : tensor<128x16x32xf32>
  }, {
    %a = stablehlo.add %y, %0 : tensor<128x16x32xf32>
    stablehlo.return %a : tensor<128x16x32xf32>
  }, {
    %a = stablehlo.add %y, %0 : tensor<128x16x32xf32>
    stablehlo.return %a : tensor<128x16x32xf32>
  }, {
    %a = stablehlo.add %y, %0 : tensor<128x16x32xf32>
    stablehlo.return %a : tensor<128x16x32xf32>
  }, {
    %a = stablehlo.add %y, %0 : tensor<128x16x32xf32>
    stablehlo.return %a : tensor<128x16x32xf32>
  }) : (tensor<i32>) -> tensor<128x16x32xf32>
  %2 = stablehlo.slice %1 [0:128, 0:16, 0:16] : (tensor<128x16x32xf32>) -> tensor<128x16x16xf32>
  %3 = stablehlo.slice %1 [0:128, 0:16, 16:32] : (tensor<128x16x32xf32>) -> tensor<128x16x16xf32>
  %4 = stablehlo.concatenate %3, %2, dim = 2 : (tensor<128x16x16xf32>, tensor<128x16x16xf32>) -> tensor<128x16x32xf32>
  return %4 : tensor<128x16x32xf32>
}

// -----

// 16 heads of 64 for each of 577 places: 592 x 128 elements a head in tiles of 16 x 128, 64 x 640 with places along
// lanes: more than a third less.
// CHECK-LABEL: @main
// CHECK: stablehlo.exponential {{.*}} : tensor<16x16x64x577xbf16>
func.func @main(%x: tensor<16x577x1024xbf16>, %w: tensor<1024x16x64xbf16>, %k: tensor<16x577x1024xbf16>)
    -> tensor<16x16x577x577xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [2] x [0]
      : (tensor<16x577x1024xbf16>, tensor<1024x16x64xbf16>) -> tensor<16x577x16x64xbf16>
  %1 = stablehlo.dot_general %k, %w, contracting_dims = [2] x [0]
      : (tensor<16x577x1024xbf16>, tensor<1024x16x64xbf16>) -> tensor<16x577x16x64xbf16>
  %2 = stablehlo.exponential %0 : tensor<16x577x16x64xbf16>
  %3 = stablehlo.dot_general %2, %1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3]
      : (tensor<16x577x16x64xbf16>, tensor<16x577x16x64xbf16>) -> tensor<16x16x577x577xf32>
  return %3 : tensor<16x16x577x577xf32>
}

// -----

// A state of 8 x 1024 x 16 is 4 MiB in tiles of 8 x 128, and 512 KiB with channels along lanes. Of the orders of
// 512 KiB it has the one in which sums are not along sublanes. The stacks that the loop reads and writes stay as they
// are, 16 MiB each.
// CHECK-LABEL: @main
// CHECK: stablehlo.while
// CHECK: stablehlo.exponential {{.*}} : tensor<16x8x1024xf32>
// CHECK: stablehlo.reduce({{.*}} across dimensions = [0] : (tensor<16x8x1024xf32>, tensor<f32>) -> tensor<8x1024xf32>
func.func @main(%xs: tensor<512x8x1024xf32>, %a: tensor<1024x16xf32>) -> tensor<512x8x1024xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %state = stablehlo.constant dense<0.0> : tensor<8x1024x16xf32>
  %empty = stablehlo.constant dense<0.0> : tensor<512x8x1024xf32>
  %0:3 = stablehlo.while(%i = %zero, %h = %state, %ys = %empty)
      : tensor<i32>, tensor<8x1024x16xf32>, tensor<512x8x1024xf32>
  cond {
    %n = stablehlo.constant dense<512> : tensor<i32>
    %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %z = stablehlo.constant dense<0.0> : tensor<f32>
    %1 = stablehlo.dynamic_slice %xs, %i, %zero, %zero, sizes = [1, 8, 1024]
        : (tensor<512x8x1024xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x1024xf32>
    %2 = stablehlo.reshape %1 : (tensor<1x8x1024xf32>) -> tensor<8x1024xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0, 1] : (tensor<8x1024xf32>) -> tensor<8x1024x16xf32>
    %4 = stablehlo.broadcast_in_dim %a, dims = [1, 2] : (tensor<1024x16xf32>) -> tensor<8x1024x16xf32>
    %5 = stablehlo.multiply %3, %4 : tensor<8x1024x16xf32>
    %6 = stablehlo.exponential %5 : tensor<8x1024x16xf32>
    %7 = stablehlo.multiply %6, %h : tensor<8x1024x16xf32>
    %8 = stablehlo.add %7, %3 : tensor<8x1024x16xf32>
    %9 = stablehlo.reduce(%8 init: %z) applies stablehlo.add across dimensions = [2]
        : (tensor<8x1024x16xf32>, tensor<f32>) -> tensor<8x1024xf32>
    %10 = stablehlo.reshape %9 : (tensor<8x1024xf32>) -> tensor<1x8x1024xf32>
    %11 = stablehlo.dynamic_update_slice %ys, %10, %i, %zero, %zero
        : (tensor<512x8x1024xf32>, tensor<1x8x1024xf32>, tensor<i32>, tensor<i32>, tensor<i32>)
        -> tensor<512x8x1024xf32>
    %12 = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %12, %8, %11 : tensor<i32>, tensor<8x1024x16xf32>, tensor<512x8x1024xf32>
  }
  return %0#2 : tensor<512x8x1024xf32>
}

// -----

// A table with a dim of one element where the rows are: each would be a tile of 16 rows. Other arrays keep their order
// here, and the reshape that takes the dim off reads the table wherever it is.
// CHECK-LABEL: func.func @main
// CHECK-SAME: %[[T:[a-z0-9]+]]: tensor<1x2048x128xbf16> {tpuc.order = array<i64: 1, 0, 2>}
// CHECK-NOT: tpuc.order
// CHECK: stablehlo.reshape %[[T]] : (tensor<1x2048x128xbf16>) -> tensor<2048x128xbf16>
func.func @main(%x: tensor<4x2048x32x128xbf16>, %t: tensor<2048x1x128xbf16>) -> tensor<4x2048x32x128xbf16> {
  %0 = stablehlo.reshape %t : (tensor<2048x1x128xbf16>) -> tensor<2048x128xbf16>
  %1 = stablehlo.broadcast_in_dim %0, dims = [1, 3] : (tensor<2048x128xbf16>) -> tensor<4x2048x32x128xbf16>
  %2 = stablehlo.multiply %x, %1 : tensor<4x2048x32x128xbf16>
  return %2 : tensor<4x2048x32x128xbf16>
}

// -----

// Bags of four rows each: four of a tile's eight rows. Rows are put anywhere, so the bags go outside, and the indices'
// dims with them. The table keeps its order.
// CHECK-LABEL: func.func @main
// CHECK-SAME: %[[T:[a-z0-9]+]]: tensor<26x1000x64xf32>, %[[I:[a-z0-9]+]]: tensor<4x26x4096xi32> {tpuc.order = array<i64: 2, 0, 1>}
// CHECK: %[[G:.*]] = "stablehlo.gather"(%[[T]], %[[I]]) <{dimension_numbers = #stablehlo.gather<offset_dims = [3],
// CHECK-SAME: operand_batching_dims = [0], start_indices_batching_dims = [1], start_index_map = [1], index_vector_dim = 3>
// CHECK-SAME: -> tensor<4x26x4096x64xf32>
// CHECK: stablehlo.reduce(%[[G]] {{.*}} across dimensions = [0]
func.func @main(%t: tensor<26x1000x64xf32>, %i: tensor<26x4096x4xi32>) -> tensor<26x4096x64xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.gather"(%t, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [3],
      collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0],
      start_index_map = [1], index_vector_dim = 3>, slice_sizes = array<i64: 1, 1, 64>}>
      : (tensor<26x1000x64xf32>, tensor<26x4096x4xi32>) -> tensor<26x4096x4x64xf32>
  %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [2]
      : (tensor<26x4096x4x64xf32>, tensor<f32>) -> tensor<26x4096x64xf32>
  return %1 : tensor<26x4096x64xf32>
}

// -----

// Of three features an image's planes lie side by side: 224 rows are no padding, 3 features among sublanes are mostly.
// CHECK-LABEL: func.func @main
// CHECK-SAME: %[[X:.*]]: tensor<64x3x224x224xbf16> {tpuc.order = array<i64: 0, 3, 1, 2>}
// CHECK: stablehlo.convolution(%[[X]], %{{.*}}) dim_numbers = [b, f, 0, 1]x[0, 1, i, o]->[b, 0, 1, f]
func.func @main(%x: tensor<64x224x224x3xbf16>, %w: tensor<7x7x3x64xbf16>) -> tensor<64x112x112x64xbf16> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2],
      pad = [[3, 2], [3, 2]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<64x224x224x3xbf16>, tensor<7x7x3x64xbf16>) -> tensor<64x112x112x64xbf16>
  return %0 : tensor<64x112x112x64xbf16>
}

// -----

// So they do for the gradient of the weights.
// CHECK-LABEL: func.func @main
// CHECK-SAME: %[[X:.*]]: tensor<64x3x224x224xbf16> {tpuc.order = array<i64: 0, 3, 1, 2>}
// CHECK: stablehlo.convolution(%[[X]], %{{.*}}) dim_numbers = [f, b, 0, 1]x[i, 0, 1, o]->[0, 1, b, f]
func.func @main(%x: tensor<64x224x224x3xbf16>, %dy: tensor<64x112x112x64xbf16>) -> tensor<7x7x3x64xbf16> {
  %0 = stablehlo.convolution(%x, %dy) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {
      pad = [[3, 2], [3, 2]], rhs_dilate = [2, 2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<64x224x224x3xbf16>, tensor<64x112x112x64xbf16>) -> tensor<7x7x3x64xbf16>
  return %0 : tensor<7x7x3x64xbf16>
}

// -----

// Not those of a dilated image, nor of one that is larger than a quarter of a small VMEM: features among sublanes.
// CHECK-LABEL: func.func @main
// CHECK-SAME: %{{.*}}: tensor<64x56x3x56xbf16> {tpuc.order = array<i64: 0, 1, 3, 2>}
// CHECK-SAME: %{{.*}}: tensor<1x1024x3x1024xbf16> {tpuc.order = array<i64: 0, 1, 3, 2>}
func.func @main(%x: tensor<64x56x56x3xbf16>, %y: tensor<1x1024x1024x3xbf16>, %w: tensor<3x3x3x64xbf16>)
    -> (tensor<64x109x109x64xbf16>, tensor<1x1022x1022x64xbf16>) {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {lhs_dilate = [2,
      2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<64x56x56x3xbf16>, tensor<3x3x3x64xbf16>) -> tensor<64x109x109x64xbf16>
  %1 = stablehlo.convolution(%y, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {
      batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<1x1024x1024x3xbf16>, tensor<3x3x3x64xbf16>) -> tensor<1x1022x1022x64xbf16>
  return %0, %1 : tensor<64x109x109x64xbf16>, tensor<1x1022x1022x64xbf16>
}

// -----

// What is looked up, element by element, keeps its dims: no window has the lanes.
// CHECK-LABEL: func.func @main
// CHECK-SAME: tensor<26x4096x4xi32>)
// CHECK: "stablehlo.gather"{{.*}} -> tensor<26x4096x4xf32>
func.func @main(%t: tensor<26x1000xf32>, %i: tensor<26x4096x4xi32>) -> tensor<26x4096x4xf32> {
  %0 = "stablehlo.gather"(%t, %i) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1],
      operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 3>,
      slice_sizes = array<i64: 1, 1>}> : (tensor<26x1000xf32>, tensor<26x4096x4xi32>) -> tensor<26x4096x4xf32>
  return %0 : tensor<26x4096x4xf32>
}

// -----

// A cache of 8 heads of bf16 would take half its bytes with positions along sublanes. But rows of bf16 share words, and
// an update that begins anywhere among them puts 2 million elements one by one, a granule each.
// CHECK-LABEL: func.func @main
// CHECK-NOT: array<i64: 0, 2, 1, 3>
// CHECK: return
func.func @main(%cache: tensor<16x4096x8x128xbf16>, %k: tensor<16x128x8x128xbf16>, %pos: tensor<i32>)
    -> tensor<16x4096x8x128xbf16> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.dynamic_update_slice %cache, %k, %zero, %pos, %zero, %zero
      : (tensor<16x4096x8x128xbf16>, tensor<16x128x8x128xbf16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>)
      -> tensor<16x4096x8x128xbf16>
  return %0 : tensor<16x4096x8x128xbf16>
}

// -----

// A sum over one of two long dims does not say in which order both lie: the pairs' components in the last dim do, in
// each of two rounds.
// CHECK-LABEL: func.func @main
// CHECK-SAME: %{{.*}}: tensor<3x512xf32> {tpuc.order = array<i64: 1, 0>}
// CHECK-COUNT-2: stablehlo.subtract {{.*}} : tensor<3x512x512xf32>
func.func @main(%x: tensor<512x3xf32>) -> tensor<512x3xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %x, dims = [1, 2] : (tensor<512x3xf32>) -> tensor<512x512x3xf32>
  %1 = stablehlo.broadcast_in_dim %x, dims = [0, 2] : (tensor<512x3xf32>) -> tensor<512x512x3xf32>
  %2 = stablehlo.subtract %0, %1 : tensor<512x512x3xf32>
  %3 = stablehlo.multiply %2, %2 : tensor<512x512x3xf32>
  %4 = stablehlo.reduce(%3 init: %zero) applies stablehlo.add across dimensions = [2]
      : (tensor<512x512x3xf32>, tensor<f32>) -> tensor<512x512xf32>
  %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<512x512xf32>) -> tensor<512x512x3xf32>
  %6 = stablehlo.multiply %2, %5 : tensor<512x512x3xf32>
  %7 = stablehlo.reduce(%6 init: %zero) applies stablehlo.add across dimensions = [1]
      : (tensor<512x512x3xf32>, tensor<f32>) -> tensor<512x3xf32>
  %8 = stablehlo.add %x, %7 : tensor<512x3xf32>
  %9 = stablehlo.broadcast_in_dim %8, dims = [1, 2] : (tensor<512x3xf32>) -> tensor<512x512x3xf32>
  %10 = stablehlo.broadcast_in_dim %8, dims = [0, 2] : (tensor<512x3xf32>) -> tensor<512x512x3xf32>
  %11 = stablehlo.subtract %9, %10 : tensor<512x512x3xf32>
  %12 = stablehlo.multiply %11, %11 : tensor<512x512x3xf32>
  %13 = stablehlo.reduce(%12 init: %zero) applies stablehlo.add across dimensions = [2]
      : (tensor<512x512x3xf32>, tensor<f32>) -> tensor<512x512xf32>
  %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1] : (tensor<512x512xf32>) -> tensor<512x512x3xf32>
  %15 = stablehlo.multiply %11, %14 : tensor<512x512x3xf32>
  %16 = stablehlo.reduce(%15 init: %zero) applies stablehlo.add across dimensions = [1]
      : (tensor<512x512x3xf32>, tensor<f32>) -> tensor<512x3xf32>
  %17 = stablehlo.add %8, %16 : tensor<512x3xf32>
  return %17 : tensor<512x3xf32>
}

// -----

// A matrix of three columns, whose rows would have a tile of 128 lanes for each: the columns are its rows.
// CHECK-LABEL: func.func @main
// CHECK-SAME: tensor<3x16384xf32> {tpuc.order = array<i64: 1, 0>}
// CHECK: stablehlo.tanh {{.*}} : tensor<3x16384xf32>
// CHECK: across dimensions = [0] : (tensor<3x16384xf32>, tensor<f32>) -> tensor<16384xf32>
func.func @main(%x: tensor<16384x3xf32>) -> tensor<16384xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.tanh %x : tensor<16384x3xf32>
  %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [1]
      : (tensor<16384x3xf32>, tensor<f32>) -> tensor<16384xf32>
  return %1 : tensor<16384xf32>
}

// -----

// Multiples of three coordinates, whose dims become one: both lie outside of the positions, and the reshape is a view.
// CHECK-LABEL: func.func @main
// CHECK-SAME: tensor<3x64x1024xf32> {tpuc.order = array<i64: 2, 1, 0>}
// CHECK: stablehlo.reshape {{.*}} : (tensor<3x6x64x1024xf32>) -> tensor<18x64x1024xf32>
// CHECK: return {{.*}} : tensor<18x64x1024xf32>
func.func @main(%x: tensor<1024x64x3xf32>, %k: tensor<6xf32>) -> tensor<1024x64x18xf32> {
  %0 = stablehlo.broadcast_in_dim %x, dims = [0, 1, 2] : (tensor<1024x64x3xf32>) -> tensor<1024x64x3x6xf32>
  %1 = stablehlo.broadcast_in_dim %k, dims = [3] : (tensor<6xf32>) -> tensor<1024x64x3x6xf32>
  %2 = stablehlo.multiply %0, %1 : tensor<1024x64x3x6xf32>
  %3 = stablehlo.reshape %2 : (tensor<1024x64x3x6xf32>) -> tensor<1024x64x18xf32>
  return %3 : tensor<1024x64x18xf32>
}

// -----

// Rows that a reshape joins with what lies between them and the lanes: apart from those they cannot be, and nothing
// moves.
// CHECK-LABEL: func.func @main
// CHECK-NOT: tpuc.order
// CHECK: stablehlo.reshape {{.*}} : (tensor<4096x3x5xf32>) -> tensor<12288x5xf32>
func.func @main(%x: tensor<4096x3x5xf32>, %i: tensor<2xi32>) -> tensor<1x5xf32> {
  %0 = stablehlo.tanh %x : tensor<4096x3x5xf32>
  %1 = stablehlo.reshape %0 : (tensor<4096x3x5xf32>) -> tensor<12288x5xf32>
  %2 = "stablehlo.gather"(%1, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 1],
      start_index_map = [0, 1], index_vector_dim = 0>, slice_sizes = array<i64: 1, 5>}>
      : (tensor<12288x5xf32>, tensor<2xi32>) -> tensor<1x5xf32>
  return %2 : tensor<1x5xf32>
}

// -----

// Two of 16 rows of a tile: with its sequence under the tile the array has an eighth of its bytes. That exchanges the
// result's dims, which the transpose behind it takes with it.
// CHECK-LABEL: @main
// CHECK-SAME: %arg0: tensor<2x1024x1024xbf16> {tpuc.order = array<i64: 1, 0, 2>}
// CHECK: %[[D:.*]] = stablehlo.dot_general %arg0, %arg1, contracting_dims = [2] x [1]
// CHECK-SAME: -> tensor<2x1024x128xbf16>
func.func @main(%x: tensor<1024x2x1024xbf16>, %w: tensor<128x1024xbf16>) -> tensor<2x1024x128xbf16> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [2] x [1]
      : (tensor<1024x2x1024xbf16>, tensor<128x1024xbf16>) -> tensor<1024x2x128xbf16>
  %1 = stablehlo.transpose %0, dims = [1, 0, 2] : (tensor<1024x2x128xbf16>) -> tensor<2x1024x128xbf16>
  return %1 : tensor<2x1024x128xbf16>
}

// -----

// Two caches of 4 heads whose updates are slices of one array. Where the dim of one element of an update comes says
// nothing of the place of the cache's positions.
// CHECK-LABEL: func.func @main
// CHECK-SAME: tensor<2x4x256x128xf32> {tpuc.order = array<i64: 0, 2, 1, 3>}
// CHECK-SAME: tensor<2x4x256x128xf32> {tpuc.order = array<i64: 0, 2, 1, 3>}
// CHECK-COUNT-2: dynamic_update_slice {{.*}} : (tensor<2x4x256x128xf32>, tensor<2x4x1x128xf32>,
func.func @main(%k: tensor<2x256x4x128xf32>, %v: tensor<2x256x4x128xf32>, %x: tensor<2x8x128xf32>, %pos: tensor<i32>)
    -> (tensor<2x256x4x128xf32>, tensor<2x256x4x128xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %a = stablehlo.slice %x [0:2, 0:4, 0:128] : (tensor<2x8x128xf32>) -> tensor<2x4x128xf32>
  %b = stablehlo.slice %x [0:2, 4:8, 0:128] : (tensor<2x8x128xf32>) -> tensor<2x4x128xf32>
  %0 = stablehlo.reshape %a : (tensor<2x4x128xf32>) -> tensor<2x1x4x128xf32>
  %1 = stablehlo.reshape %b : (tensor<2x4x128xf32>) -> tensor<2x1x4x128xf32>
  %2 = stablehlo.dynamic_update_slice %k, %0, %zero, %pos, %zero, %zero
      : (tensor<2x256x4x128xf32>, tensor<2x1x4x128xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>)
      -> tensor<2x256x4x128xf32>
  %3 = stablehlo.dynamic_update_slice %v, %1, %zero, %pos, %zero, %zero
      : (tensor<2x256x4x128xf32>, tensor<2x1x4x128xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>)
      -> tensor<2x256x4x128xf32>
  return %2, %3 : tensor<2x256x4x128xf32>, tensor<2x256x4x128xf32>
}

// -----

// Nothing takes it.
// CHECK-LABEL: @main
// CHECK-SAME: %arg0: tensor<1024x2x1024xbf16>,
func.func @main(%x: tensor<1024x2x1024xbf16>, %w: tensor<128x1024xbf16>, %y: tensor<2048x128xbf16>)
    -> tensor<2048x128xbf16> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [2] x [1]
      : (tensor<1024x2x1024xbf16>, tensor<128x1024xbf16>) -> tensor<1024x2x128xbf16>
  %1 = stablehlo.reshape %0 : (tensor<1024x2x128xbf16>) -> tensor<2048x128xbf16>
  %2 = stablehlo.add %1, %y : tensor<2048x128xbf16>
  return %2 : tensor<2048x128xbf16>
}

// -----

// Pages of 8 positions of 4 heads: whole tiles of both, and the reshape behind the gather joins them as they lie.
// CHECK-LABEL: func.func @main
// CHECK-SAME: tensor<64x4x8x128xf32> {tpuc.order = array<i64: 0, 2, 1, 3>}
// CHECK: "stablehlo.gather"{{.*}}offset_dims = [1, 3, 4]{{.*}}slice_sizes = array<i64: 1, 4, 8, 128>
// CHECK: stablehlo.reshape {{.*}} : (tensor<4x4x4x8x128xf32>) -> tensor<4x4x32x128xf32>
// Half a page is no whole tile.
// CHECK: "stablehlo.gather"(%[[HALF:[a-z0-9]+]],{{.*}}slice_sizes = array<i64: 1, 4, 4, 128>
func.func @main(%pages: tensor<64x8x4x128xf32>, %halves: tensor<64x8x4x128xf32>, %table: tensor<4x4xi32>)
    -> (tensor<4x32x4x128xf32>, tensor<4x4x4x4x128xf32>) {
  %0 = "stablehlo.gather"(%pages, %table) <{dimension_numbers = #stablehlo.gather<offset_dims = [2, 3, 4],
      collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>,
      slice_sizes = array<i64: 1, 8, 4, 128>}> : (tensor<64x8x4x128xf32>, tensor<4x4xi32>) -> tensor<4x4x8x4x128xf32>
  %1 = stablehlo.reshape %0 : (tensor<4x4x8x4x128xf32>) -> tensor<4x32x4x128xf32>
  %2 = "stablehlo.gather"(%halves, %table) <{dimension_numbers = #stablehlo.gather<offset_dims = [2, 3, 4],
      collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>,
      slice_sizes = array<i64: 1, 4, 4, 128>}> : (tensor<64x8x4x128xf32>, tensor<4x4xi32>) -> tensor<4x4x4x4x128xf32>
  return %1, %2 : tensor<4x32x4x128xf32>, tensor<4x4x4x4x128xf32>
}

// -----

// A scan's steps take every second position along dim 1, and put what comes first before the rest. Where dims of one
// element lie is for the concatenation to say, which has the batch first, and the orders of most bytes saved are those
// with the channels along lanes. The smaller argument, which is asked first, would have positions along lanes, of which
// every second ones fill 80 of 128.
// CHECK-LABEL: @main
// CHECK: stablehlo.exponential {{.*}} : tensor<4x16x160x256xf32>
// CHECK: stablehlo.concatenate {{.*}} dim = 2 : (tensor<4x16x1x256xf32>, tensor<4x16x79x256xf32>)
func.func @main(%b: tensor<4x160x16xf32>, %x: tensor<4x160x256xf32>, %y: tensor<4x79x256x16xf32>)
    -> tensor<4x80x256xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %b, dims = [0, 1, 3] : (tensor<4x160x16xf32>) -> tensor<4x160x256x16xf32>
  %1 = stablehlo.broadcast_in_dim %x, dims = [0, 1, 2] : (tensor<4x160x256xf32>) -> tensor<4x160x256x16xf32>
  %2 = stablehlo.multiply %0, %1 : tensor<4x160x256x16xf32>
  %3 = stablehlo.exponential %2 : tensor<4x160x256x16xf32>
  %4 = stablehlo.slice %3 [0:4, 0:1, 0:256, 0:16] : (tensor<4x160x256x16xf32>) -> tensor<4x1x256x16xf32>
  %5 = stablehlo.slice %3 [0:4, 0:160:2, 0:256, 0:16] : (tensor<4x160x256x16xf32>) -> tensor<4x80x256x16xf32>
  %6 = stablehlo.reshape %4 : (tensor<4x1x256x16xf32>) -> tensor<4x256x16xf32>
  %7 = stablehlo.negate %6 : tensor<4x256x16xf32>
  %8 = stablehlo.reshape %7 : (tensor<4x256x16xf32>) -> tensor<4x1x256x16xf32>
  %9 = stablehlo.concatenate %8, %y, dim = 1
      : (tensor<4x1x256x16xf32>, tensor<4x79x256x16xf32>) -> tensor<4x80x256x16xf32>
  %10 = stablehlo.multiply %5, %9 : tensor<4x80x256x16xf32>
  %11 = stablehlo.reduce(%10 init: %zero) applies stablehlo.add across dimensions = [3]
      : (tensor<4x80x256x16xf32>, tensor<f32>) -> tensor<4x80x256xf32>
  return %11 : tensor<4x80x256xf32>
}

// -----

// A loop takes a row of a matrix at a time, as suppression of overlapping boxes does. That asks for the order that the
// matrix has, so that what it is made of may have another: coordinates outside of the tiles.
// CHECK-LABEL: @main
// CHECK: stablehlo.subtract {{.*}} : tensor<2x1000x1000xf32>
// CHECK: stablehlo.dynamic_slice {{.*}} sizes = [1, 1000] : (tensor<1000x1000xf32>
func.func @main(%x: tensor<1000x2xf32>) -> tensor<1x1000xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %first = stablehlo.constant dense<0.0> : tensor<1x1000xf32>
  %0 = stablehlo.broadcast_in_dim %x, dims = [0, 2] : (tensor<1000x2xf32>) -> tensor<1000x1000x2xf32>
  %1 = stablehlo.broadcast_in_dim %x, dims = [1, 2] : (tensor<1000x2xf32>) -> tensor<1000x1000x2xf32>
  %2 = stablehlo.subtract %0, %1 : tensor<1000x1000x2xf32>
  %3 = stablehlo.reduce(%2 init: %z) applies stablehlo.add across dimensions = [2]
      : (tensor<1000x1000x2xf32>, tensor<f32>) -> tensor<1000x1000xf32>
  %4:2 = stablehlo.while(%i = %zero, %s = %first) : tensor<i32>, tensor<1x1000xf32>
  cond {
    %n = stablehlo.constant dense<1000> : tensor<i32>
    %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %5 = stablehlo.dynamic_slice %3, %i, %zero, sizes = [1, 1000]
        : (tensor<1000x1000xf32>, tensor<i32>, tensor<i32>) -> tensor<1x1000xf32>
    %6 = stablehlo.add %s, %5 : tensor<1x1000xf32>
    %7 = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %7, %6 : tensor<i32>, tensor<1x1000xf32>
  }
  return %4#1 : tensor<1x1000xf32>
}

// -----

// The smaller argument is asked first, and would have positions along lanes, 64 of which fill half of them in what is
// computed last. The arrays of four dims that follow it are asked too: with channels along lanes all tiles are full.
// CHECK-LABEL: @main
// CHECK: stablehlo.exponential {{.*}} : tensor<4x64x16x256xf32>
func.func @main(%b: tensor<4x512x16xf32>, %x: tensor<4x512x256xf32>) -> tensor<4x64x256xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %b, dims = [0, 1, 3] : (tensor<4x512x16xf32>) -> tensor<4x512x256x16xf32>
  %1 = stablehlo.broadcast_in_dim %x, dims = [0, 1, 2] : (tensor<4x512x256xf32>) -> tensor<4x512x256x16xf32>
  %2 = stablehlo.multiply %0, %1 : tensor<4x512x256x16xf32>
  %3 = stablehlo.slice %2 [0:4, 0:512:8, 0:256, 0:16] : (tensor<4x512x256x16xf32>) -> tensor<4x64x256x16xf32>
  %4 = stablehlo.slice %2 [0:4, 1:512:8, 0:256, 0:16] : (tensor<4x512x256x16xf32>) -> tensor<4x64x256x16xf32>
  %5 = stablehlo.exponential %3 : tensor<4x64x256x16xf32>
  %6 = stablehlo.multiply %5, %4 : tensor<4x64x256x16xf32>
  %7 = stablehlo.tanh %6 : tensor<4x64x256x16xf32>
  %8 = stablehlo.multiply %7, %3 : tensor<4x64x256x16xf32>
  %9 = stablehlo.reduce(%8 init: %zero) applies stablehlo.add across dimensions = [3]
      : (tensor<4x64x256x16xf32>, tensor<f32>) -> tensor<4x64x256xf32>
  return %9 : tensor<4x64x256xf32>
}

// -----

// 31 positions with gaps, of 16 and of 15 others. Outside of the tiles a gap is a copy, as 31 are no pairs; along rows
// it is read in place, which costs one row in 32.
// CHECK-LABEL: @main
// CHECK: stablehlo.add {{.*}} : tensor<8x9x31x130xf32>
func.func @main(%s: tensor<8x9x130x31xf32>, %x: tensor<8x9x130x16xf32>) -> tensor<8x9x130x31xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.pad %x, %zero, low = [0, 0, 0, 0], high = [0, 0, 0, 0], interior = [0, 0, 0, 1]
      : (tensor<8x9x130x16xf32>, tensor<f32>) -> tensor<8x9x130x31xf32>
  %1 = stablehlo.slice %s [0:8, 0:9, 0:130, 0:30:2] : (tensor<8x9x130x31xf32>) -> tensor<8x9x130x15xf32>
  %2 = stablehlo.negate %1 : tensor<8x9x130x15xf32>
  %3 = stablehlo.pad %2, %zero, low = [0, 0, 0, 1], high = [0, 0, 0, 1], interior = [0, 0, 0, 1]
      : (tensor<8x9x130x15xf32>, tensor<f32>) -> tensor<8x9x130x31xf32>
  %4 = stablehlo.add %0, %3 : tensor<8x9x130x31xf32>
  %5 = stablehlo.multiply %4, %s : tensor<8x9x130x31xf32>
  return %5 : tensor<8x9x130x31xf32>
}

// -----

// Sums of products with the batch along lanes: 70 along sublanes pad least, but are what is summed. 50 do not.
// CHECK-LABEL: func.func @main
// CHECK-SAME: tensor<70x50x256xf32> {tpuc.order = array<i64: 2, 1, 0>}
// CHECK-SAME: tensor<70x90x256xf32> {tpuc.order = array<i64: 1, 2, 0>}
// CHECK: across dimensions = [0]
func.func @main(%a: tensor<256x50x70xf32>, %b: tensor<256x70x90xf32>) -> tensor<256x50x90xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %a, dims = [0, 1, 3] : (tensor<256x50x70xf32>) -> tensor<256x50x90x70xf32>
  %t = stablehlo.transpose %b, dims = [0, 2, 1] : (tensor<256x70x90xf32>) -> tensor<256x90x70xf32>
  %1 = stablehlo.broadcast_in_dim %t, dims = [0, 2, 3] : (tensor<256x90x70xf32>) -> tensor<256x50x90x70xf32>
  %2 = stablehlo.multiply %0, %1 : tensor<256x50x90x70xf32>
  %3 = stablehlo.reduce(%2 init: %z) applies stablehlo.add across dimensions = [3]
      : (tensor<256x50x90x70xf32>, tensor<f32>) -> tensor<256x50x90xf32>
  return %3 : tensor<256x50x90xf32>
}
