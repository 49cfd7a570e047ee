// RUN: tpuc-opt %s --tpuc-simplify | FileCheck %s

// CHECK-LABEL: func @of_one
func.func @of_one(%x: tensor<4x1xf32>, %c: tensor<f32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  // CHECK-DAG: %[[R:.*]] = stablehlo.reshape %arg0 : (tensor<4x1xf32>) -> tensor<4xf32>
  // An initial value that is not known may count.
  // CHECK-DAG: %[[S:.*]] = stablehlo.reduce(%arg0 init: %arg1)
  // CHECK: return %[[R]], %[[R1:.*]], %[[S]]
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1]
      : (tensor<4x1xf32>, tensor<f32>) -> tensor<4xf32>
  %1 = stablehlo.reduce(%x init: %least) applies stablehlo.maximum across dimensions = [1]
      : (tensor<4x1xf32>, tensor<f32>) -> tensor<4xf32>
  %2 = stablehlo.reduce(%x init: %c) applies stablehlo.add across dimensions = [1] : (tensor<4x1xf32>, tensor<f32>)
      -> tensor<4xf32>
  return %0, %1, %2 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func @of_none
func.func @of_none(%x: tensor<4x0xf32>, %c: tensor<f32>) -> tensor<4xf32> {
  // CHECK: stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %0 = stablehlo.reduce(%x init: %c) applies stablehlo.add across dimensions = [1] : (tensor<4x0xf32>, tensor<f32>)
      -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func @product_of_none
func.func @product_of_none(%x: tensor<4x0xf32>, %y: tensor<0x3xf32>) -> tensor<4x3xf32> {
  // CHECK: stablehlo.constant dense<0.000000e+00> : tensor<4x3xf32>
  // CHECK-NOT: dot_general
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<4x0xf32>, tensor<0x3xf32>)
      -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}

// A batch along which one operand says the same is a free dim of the other.
// CHECK-LABEL: func @of_repeated
// CHECK-SAME: %[[X:.*]]: tensor<5x3x16xf32>, %[[W:.*]]: tensor<16x8xf32>, %[[Y:.*]]: tensor<3x5x16xf32>, %[[V:.*]]: tensor<1x3x16x8xf32>, %[[Z:.*]]: tensor<2x3x4x16xf32>
func.func @of_repeated(%x: tensor<5x3x16xf32>, %w: tensor<16x8xf32>, %y: tensor<3x5x16xf32>, %v: tensor<1x3x16x8xf32>,
    %z: tensor<2x3x4x16xf32>) -> (tensor<5x3x8xf32>, tensor<5x3x8xf32>, tensor<2x3x4x8xf32>, tensor<5x8x3xf32>) {
  // CHECK: stablehlo.dot_general %[[X]], %[[W]], contracting_dims = [2] x [0] : (tensor<5x3x16xf32>, tensor<16x8xf32>) -> tensor<5x3x8xf32>
  %b = stablehlo.broadcast_in_dim %w, dims = [1, 2] : (tensor<16x8xf32>) -> tensor<5x16x8xf32>
  %0 = stablehlo.dot_general %x, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1]
      : (tensor<5x3x16xf32>, tensor<5x16x8xf32>) -> tensor<5x3x8xf32>
  // CHECK: %[[D1:.*]] = stablehlo.dot_general %[[Y]], %[[W]], contracting_dims = [2] x [0] : (tensor<3x5x16xf32>, tensor<16x8xf32>) -> tensor<3x5x8xf32>
  // CHECK: stablehlo.transpose %[[D1]], dims = [1, 0, 2]
  %1 = stablehlo.dot_general %y, %b, batching_dims = [1] x [0], contracting_dims = [2] x [1]
      : (tensor<3x5x16xf32>, tensor<5x16x8xf32>) -> tensor<5x3x8xf32>
  // One of two batches only, repeated from one element.
  // CHECK: %[[R:.*]] = stablehlo.reshape %[[V]] : (tensor<1x3x16x8xf32>) -> tensor<3x16x8xf32>
  // CHECK: %[[D2:.*]] = stablehlo.dot_general %[[Z]], %[[R]], batching_dims = [1] x [0], contracting_dims = [3] x [1] : (tensor<2x3x4x16xf32>, tensor<3x16x8xf32>) -> tensor<3x2x4x8xf32>
  // CHECK: stablehlo.transpose %[[D2]], dims = [1, 0, 2, 3]
  %c = stablehlo.broadcast_in_dim %v, dims = [0, 1, 2, 3] : (tensor<1x3x16x8xf32>) -> tensor<2x3x16x8xf32>
  %2 = stablehlo.dot_general %z, %c, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2]
      : (tensor<2x3x4x16xf32>, tensor<2x3x16x8xf32>) -> tensor<2x3x4x8xf32>
  // CHECK: %[[D3:.*]] = stablehlo.dot_general %[[W]], %[[X]], contracting_dims = [0] x [2] : (tensor<16x8xf32>, tensor<5x3x16xf32>) -> tensor<8x5x3xf32>
  // CHECK: stablehlo.transpose %[[D3]], dims = [1, 0, 2]
  %3 = stablehlo.dot_general %b, %x, batching_dims = [0] x [0], contracting_dims = [1] x [2]
      : (tensor<5x16x8xf32>, tensor<5x3x16xf32>) -> tensor<5x8x3xf32>
  return %0, %1, %2, %3 : tensor<5x3x8xf32>, tensor<5x3x8xf32>, tensor<2x3x4x8xf32>, tensor<5x8x3xf32>
}

// Sums and maxima that do not look at each other are reductions of their own; the initial values stay with their
// operands.
// CHECK-LABEL: func @of_several
func.func @of_several(%x: tensor<4x8xf16>, %y: tensor<4x8xi32>, %i: tensor<f16>, %j: tensor<i32>)
    -> (tensor<4xf16>, tensor<4xi32>) {
  // CHECK-DAG: %[[S:.*]] = stablehlo.reduce(%arg0 init: %arg2) applies stablehlo.add across dimensions = [1]
  // CHECK-DAG: %[[M:.*]] = stablehlo.reduce(%arg1 init: %arg3) applies stablehlo.maximum across dimensions = [1]
  // CHECK: return %[[S]], %[[M]]
  %0:2 = stablehlo.reduce(%x init: %i), (%y init: %j) across dimensions = [1]
      : (tensor<4x8xf16>, tensor<4x8xi32>, tensor<f16>, tensor<i32>) -> (tensor<4xf16>, tensor<4xi32>)
    reducer(%a: tensor<f16>, %b: tensor<f16>) (%c: tensor<i32>, %d: tensor<i32>) {
      %m = stablehlo.maximum %c, %d : tensor<i32>
      %s = stablehlo.add %a, %b : tensor<f16>
      stablehlo.return %s, %m : tensor<f16>, tensor<i32>
    }
  return %0#0, %0#1 : tensor<4xf16>, tensor<4xi32>
}

// One that does keeps them together: here the second sum takes what the first one reads.
// CHECK-LABEL: func @of_several_together
func.func @of_several_together(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>, %i: tensor<f32>)
    -> (tensor<4xf32>, tensor<4xf32>) {
  // CHECK: stablehlo.reduce(%arg0 init: %arg2), (%arg1 init: %arg2) across dimensions = [1]
  %0:2 = stablehlo.reduce(%x init: %i), (%y init: %i) across dimensions = [1]
      : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<f32>, tensor<f32>) -> (tensor<4xf32>, tensor<4xf32>)
    reducer(%a: tensor<f32>, %b: tensor<f32>) (%c: tensor<f32>, %d: tensor<f32>) {
      %s = stablehlo.add %a, %b : tensor<f32>
      %t = stablehlo.add %c, %b : tensor<f32>
      stablehlo.return %s, %t : tensor<f32>, tensor<f32>
    }
  return %0#0, %0#1 : tensor<4xf32>, tensor<4xf32>
}
