// RUN: tpuc-opt %s --tpuc-products-before-loops --split-input-file | FileCheck %s
// RUN: tpuc-opt %s --tpuc-products-before-loops=limit-bytes=16384 --split-input-file | FileCheck %s --check-prefix=ROOM

// The weights are carried, the inputs are not.
// CHECK-LABEL: @inputs
// CHECK-SAME: (%[[XS:.*]]: tensor<4x2x16xf32>, %[[W:.*]]: tensor<16x32xf32>
// CHECK: %[[P:.*]] = stablehlo.dot_general %[[XS]], %[[W]], contracting_dims = [2] x [0]
// CHECK-SAME: (tensor<4x2x16xf32>, tensor<16x32xf32>) -> tensor<4x2x32xf32>
// CHECK: stablehlo.while
// CHECK: %[[AT:.*]] = stablehlo.subtract
// CHECK-NOT: dot_general
// CHECK: %[[L:.*]] = stablehlo.dynamic_slice %[[P]], %[[AT]], {{.*}}, sizes = [1, 2, 32]
// CHECK: %[[D:.*]] = stablehlo.reshape %[[L]] : (tensor<1x2x32xf32>) -> tensor<2x32xf32>
// CHECK: stablehlo.multiply %{{.*}}, %[[D]]
func.func @inputs(%xs: tensor<4x2x16xf32>, %w: tensor<16x32xf32>, %s: tensor<2x32xf32>) -> tensor<16x32xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %last = stablehlo.constant dense<3> : tensor<i32>
  %none = stablehlo.constant dense<0.0> : tensor<f32>
  %0:3 = stablehlo.while(%i = %zero, %a = %s, %v = %w) : tensor<i32>, tensor<2x32xf32>, tensor<16x32xf32>
    attributes {kernel.trip_count = 4 : i64}
    cond {
      %p = stablehlo.constant dense<true> : tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %at = stablehlo.subtract %last, %i : tensor<i32>
      %1 = stablehlo.dynamic_slice %xs, %at, %zero, %zero, sizes = [1, 2, 16]
          : (tensor<4x2x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x16xf32>
      %x = stablehlo.reshape %1 : (tensor<1x2x16xf32>) -> tensor<2x16xf32>
      %d = stablehlo.dot_general %x, %v, contracting_dims = [1] x [0]
          : (tensor<2x16xf32>, tensor<16x32xf32>) -> tensor<2x32xf32>
      %m = stablehlo.multiply %a, %d : tensor<2x32xf32>
      %next = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %next, %m, %v : tensor<i32>, tensor<2x32xf32>, tensor<16x32xf32>
    }
  return %0#2 : tensor<16x32xf32>
}

// -----

// The weights change.
// CHECK-LABEL: @changing_weights
// CHECK: stablehlo.while
// CHECK: stablehlo.dot_general
// CHECK: stablehlo.return %
func.func @changing_weights(%xs: tensor<4x2x16xf32>, %w: tensor<16x32xf32>, %s: tensor<2x32xf32>)
    -> tensor<16x32xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %last = stablehlo.constant dense<3> : tensor<i32>
  %none = stablehlo.constant dense<0.0> : tensor<f32>
  %0:3 = stablehlo.while(%i = %zero, %a = %s, %v = %w) : tensor<i32>, tensor<2x32xf32>, tensor<16x32xf32>
    attributes {kernel.trip_count = 4 : i64}
    cond {
      %p = stablehlo.constant dense<true> : tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %at = stablehlo.subtract %last, %i : tensor<i32>
      %1 = stablehlo.dynamic_slice %xs, %at, %zero, %zero, sizes = [1, 2, 16]
          : (tensor<4x2x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x16xf32>
      %x = stablehlo.reshape %1 : (tensor<1x2x16xf32>) -> tensor<2x16xf32>
      %d = stablehlo.dot_general %x, %v, contracting_dims = [1] x [0]
          : (tensor<2x16xf32>, tensor<16x32xf32>) -> tensor<2x32xf32>
      %m = stablehlo.multiply %a, %d : tensor<2x32xf32>
      %4 = stablehlo.cosine %v : tensor<16x32xf32>
      %next = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %next, %m, %4 : tensor<i32>, tensor<2x32xf32>, tensor<16x32xf32>
    }
  return %0#2 : tensor<16x32xf32>
}

// -----

// The left side is what the loop computes.
// CHECK-LABEL: @carried_left
// CHECK: stablehlo.while
// CHECK: stablehlo.dot_general
// CHECK: stablehlo.return %
func.func @carried_left(%w: tensor<32x32xf32>, %s: tensor<2x32xf32>) -> tensor<2x32xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %last = stablehlo.constant dense<3> : tensor<i32>
  %none = stablehlo.constant dense<0.0> : tensor<f32>
  %0:2 = stablehlo.while(%i = %zero, %a = %s) : tensor<i32>, tensor<2x32xf32>
    attributes {kernel.trip_count = 4 : i64}
    cond {
      %p = stablehlo.constant dense<true> : tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %d = stablehlo.dot_general %a, %w, contracting_dims = [1] x [0]
          : (tensor<2x32xf32>, tensor<32x32xf32>) -> tensor<2x32xf32>
      %m = stablehlo.multiply %a, %d : tensor<2x32xf32>
      %next = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %next, %m : tensor<i32>, tensor<2x32xf32>
    }
  return %0#1 : tensor<2x32xf32>
}

// -----

// A layer of the product is larger than the weights.
// CHECK-LABEL: @many_rows
// CHECK: stablehlo.while
// CHECK: stablehlo.dot_general
// CHECK: stablehlo.return %
func.func @many_rows(%xs: tensor<4x64x16xf32>, %w: tensor<16x32xf32>, %s: tensor<64x32xf32>) -> tensor<16x32xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %last = stablehlo.constant dense<3> : tensor<i32>
  %none = stablehlo.constant dense<0.0> : tensor<f32>
  %0:3 = stablehlo.while(%i = %zero, %a = %s, %v = %w) : tensor<i32>, tensor<64x32xf32>, tensor<16x32xf32>
    attributes {kernel.trip_count = 4 : i64}
    cond {
      %p = stablehlo.constant dense<true> : tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %at = stablehlo.subtract %last, %i : tensor<i32>
      %1 = stablehlo.dynamic_slice %xs, %at, %zero, %zero, sizes = [1, 64, 16]
          : (tensor<4x64x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x64x16xf32>
      %x = stablehlo.reshape %1 : (tensor<1x64x16xf32>) -> tensor<64x16xf32>
      %d = stablehlo.dot_general %x, %v, contracting_dims = [1] x [0]
          : (tensor<64x16xf32>, tensor<16x32xf32>) -> tensor<64x32xf32>
      %m = stablehlo.multiply %a, %d : tensor<64x32xf32>
      %next = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %next, %m, %v : tensor<i32>, tensor<64x32xf32>, tensor<16x32xf32>
    }
  return %0#2 : tensor<16x32xf32>
}

// -----

// The product is larger than what the loop carries, but not than the room that any may take.
// CHECK-LABEL: @large_product
// CHECK: stablehlo.while
// CHECK: stablehlo.dot_general
// ROOM-LABEL: @large_product
// ROOM: stablehlo.dot_general
// ROOM: stablehlo.while
func.func @large_product(%xs: tensor<4x2x16xf32>, %w: tensor<16x32xf32>, %s: tensor<2x32xf32>) -> tensor<2x32xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %last = stablehlo.constant dense<3> : tensor<i32>
  %none = stablehlo.constant dense<0.0> : tensor<f32>
  %0:2 = stablehlo.while(%i = %zero, %a = %s) : tensor<i32>, tensor<2x32xf32>
    attributes {kernel.trip_count = 4 : i64}
    cond {
      %p = stablehlo.constant dense<true> : tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %at = stablehlo.subtract %last, %i : tensor<i32>
      %1 = stablehlo.dynamic_slice %xs, %at, %zero, %zero, sizes = [1, 2, 16]
          : (tensor<4x2x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x16xf32>
      %x = stablehlo.reshape %1 : (tensor<1x2x16xf32>) -> tensor<2x16xf32>
      %d = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
          : (tensor<2x16xf32>, tensor<16x32xf32>) -> tensor<2x32xf32>
      %m = stablehlo.multiply %a, %d : tensor<2x32xf32>
      %next = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %next, %m : tensor<i32>, tensor<2x32xf32>
    }
  return %0#1 : tensor<2x32xf32>
}
