// RUN: tpuc-opt %s --tpuc-carry-stacks --split-input-file | FileCheck %s

// The newest position of each layer's cache goes into the stack that the loop carries, which starts as the caches were.
// CHECK-LABEL: @caches
// CHECK-SAME: (%[[C:.*]]: tensor<4x8x16xf32>, %[[N:.*]]: tensor<1x16xf32>, %[[AT:.*]]: tensor<i32>)
// CHECK: stablehlo.while(%[[I:.*]] = {{.*}}, %[[S:.*]] = %[[C]], %
// CHECK: %[[P:.*]] = stablehlo.reshape %[[N]] : (tensor<1x16xf32>) -> tensor<1x1x16xf32>
// CHECK: %[[U:.*]] = stablehlo.dynamic_update_slice %[[S]], %[[P]], %[[I]], %[[AT]], %
// CHECK: %[[L:.*]] = stablehlo.dynamic_slice %[[U]], %[[I]], {{.*}} sizes = [1, 8, 16]
// CHECK: %[[R:.*]] = stablehlo.reshape %[[L]]
// CHECK: stablehlo.add %{{.*}}, %[[R]]
// CHECK-NOT: dynamic_update_slice
// CHECK: stablehlo.return %{{.*}}, %[[U]], %
func.func @caches(%c: tensor<4x8x16xf32>, %n: tensor<1x16xf32>, %at: tensor<i32>)
    -> (tensor<4x8x16xf32>, tensor<8x16xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %start = stablehlo.constant dense<0.0> : tensor<8x16xf32>
  %u = kernel.undefined : tensor<4x8x16xf32>
  %0:3 = stablehlo.while(%i = %zero, %s = %u, %sum = %start) : tensor<i32>, tensor<4x8x16xf32>, tensor<8x16xf32>
    attributes {kernel.trip_count = 4 : i64}
    cond {
      %p = stablehlo.constant dense<true> : tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %1 = stablehlo.dynamic_slice %c, %i, %zero, %zero, sizes = [1, 8, 16]
          : (tensor<4x8x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x16xf32>
      %2 = stablehlo.reshape %1 : (tensor<1x8x16xf32>) -> tensor<8x16xf32>
      %3 = stablehlo.dynamic_update_slice %2, %n, %at, %zero
          : (tensor<8x16xf32>, tensor<1x16xf32>, tensor<i32>, tensor<i32>) -> tensor<8x16xf32>
      %4 = stablehlo.add %sum, %3 : tensor<8x16xf32>
      %5 = stablehlo.reshape %3 : (tensor<8x16xf32>) -> tensor<1x8x16xf32>
      %6 = stablehlo.dynamic_update_slice %s, %5, %i, %zero, %zero
          : (tensor<4x8x16xf32>, tensor<1x8x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x8x16xf32>
      %7 = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %7, %6, %4 : tensor<i32>, tensor<4x8x16xf32>, tensor<8x16xf32>
    }
  return %0#1, %0#2 : tensor<4x8x16xf32>, tensor<8x16xf32>
}

// -----

// Layer j of the caches is not the one that is written: an earlier iteration may have replaced it.
// CHECK-LABEL: @others
// CHECK: kernel.undefined
// CHECK: dynamic_slice
// CHECK-COUNT-2: dynamic_update_slice
func.func @others(%c: tensor<4x8x16xf32>, %n: tensor<1x16xf32>, %j: tensor<i32>) -> tensor<4x8x16xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %u = kernel.undefined : tensor<4x8x16xf32>
  %0:2 = stablehlo.while(%i = %zero, %s = %u) : tensor<i32>, tensor<4x8x16xf32>
    attributes {kernel.trip_count = 4 : i64}
    cond {
      %p = stablehlo.constant dense<true> : tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %1 = stablehlo.dynamic_slice %c, %j, %zero, %zero, sizes = [1, 8, 16]
          : (tensor<4x8x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x16xf32>
      %2 = stablehlo.reshape %1 : (tensor<1x8x16xf32>) -> tensor<8x16xf32>
      %3 = stablehlo.dynamic_update_slice %2, %n, %i, %zero
          : (tensor<8x16xf32>, tensor<1x16xf32>, tensor<i32>, tensor<i32>) -> tensor<8x16xf32>
      %4 = stablehlo.reshape %3 : (tensor<8x16xf32>) -> tensor<1x8x16xf32>
      %5 = stablehlo.dynamic_update_slice %s, %4, %i, %zero, %zero
          : (tensor<4x8x16xf32>, tensor<1x8x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x8x16xf32>
      %6 = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %6, %5 : tensor<i32>, tensor<4x8x16xf32>
    }
  return %0#1 : tensor<4x8x16xf32>
}

// -----

// The caches are read besides, and that is of the old ones.
// CHECK-LABEL: @read_again
// CHECK: kernel.undefined
func.func @read_again(%c: tensor<4x8x16xf32>, %n: tensor<1x16xf32>, %start: tensor<4x8x16xf32>)
    -> (tensor<4x8x16xf32>, tensor<4x8x16xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %u = kernel.undefined : tensor<4x8x16xf32>
  %0:3 = stablehlo.while(%i = %zero, %s = %u, %sum = %start) : tensor<i32>, tensor<4x8x16xf32>, tensor<4x8x16xf32>
    attributes {kernel.trip_count = 4 : i64}
    cond {
      %p = stablehlo.constant dense<true> : tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %1 = stablehlo.dynamic_slice %c, %i, %zero, %zero, sizes = [1, 8, 16]
          : (tensor<4x8x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x16xf32>
      %2 = stablehlo.reshape %1 : (tensor<1x8x16xf32>) -> tensor<8x16xf32>
      %3 = stablehlo.dynamic_update_slice %2, %n, %i, %zero
          : (tensor<8x16xf32>, tensor<1x16xf32>, tensor<i32>, tensor<i32>) -> tensor<8x16xf32>
      %4 = stablehlo.reshape %3 : (tensor<8x16xf32>) -> tensor<1x8x16xf32>
      %5 = stablehlo.dynamic_update_slice %s, %4, %i, %zero, %zero
          : (tensor<4x8x16xf32>, tensor<1x8x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x8x16xf32>
      %6 = stablehlo.add %sum, %c : tensor<4x8x16xf32>
      %7 = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %7, %5, %6 : tensor<i32>, tensor<4x8x16xf32>, tensor<4x8x16xf32>
    }
  return %0#1, %0#2 : tensor<4x8x16xf32>, tensor<4x8x16xf32>
}

// -----

// A layer of more dims than the stack's has no place in it.
// CHECK-LABEL: @more_dims
// CHECK: kernel.undefined
func.func @more_dims(%c: tensor<4x8x16xf32>, %n: tensor<1x1x1x16xf32>) -> tensor<4x8x16xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %u = kernel.undefined : tensor<4x8x16xf32>
  %0:2 = stablehlo.while(%i = %zero, %s = %u) : tensor<i32>, tensor<4x8x16xf32>
    attributes {kernel.trip_count = 4 : i64}
    cond {
      %p = stablehlo.constant dense<true> : tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %1 = stablehlo.dynamic_slice %c, %i, %zero, %zero, sizes = [1, 8, 16]
          : (tensor<4x8x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x16xf32>
      %2 = stablehlo.reshape %1 : (tensor<1x8x16xf32>) -> tensor<1x1x8x16xf32>
      %3 = stablehlo.dynamic_update_slice %2, %n, %zero, %zero, %i, %zero
          : (tensor<1x1x8x16xf32>, tensor<1x1x1x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>)
          -> tensor<1x1x8x16xf32>
      %4 = stablehlo.reshape %3 : (tensor<1x1x8x16xf32>) -> tensor<1x8x16xf32>
      %5 = stablehlo.dynamic_update_slice %s, %4, %i, %zero, %zero
          : (tensor<4x8x16xf32>, tensor<1x8x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x8x16xf32>
      %6 = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %6, %5 : tensor<i32>, tensor<4x8x16xf32>
    }
  return %0#1 : tensor<4x8x16xf32>
}
