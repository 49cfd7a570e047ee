// RUN: tpuc-opt %s --tpuc-drop-unit-dims | FileCheck %s

// What moves is the dim of one element alone: nothing moves.
// CHECK-LABEL: @transpose
// CHECK: %[[SMALL:.*]] = stablehlo.reshape %{{.*}} : (tensor<8x12x5x1xf32>) -> tensor<8x12x5xf32>
// CHECK-NOT: stablehlo.transpose
// CHECK: stablehlo.reshape %[[SMALL]] : (tensor<8x12x5xf32>) -> tensor<8x1x12x5xf32>
func.func @transpose(%x: tensor<8x12x5x1xf32>) -> tensor<8x1x12x5xf32> {
  %0 = stablehlo.transpose %x, dims = [0, 3, 1, 2] : (tensor<8x12x5x1xf32>) -> tensor<8x1x12x5xf32>
  return %0 : tensor<8x1x12x5xf32>
}

// CHECK-LABEL: @elementwise
// CHECK: stablehlo.add %{{.*}} : tensor<6x7xf32>
// CHECK: stablehlo.reshape %{{.*}} : (tensor<6x7xf32>) -> tensor<6x1x7xf32>
func.func @elementwise(%x: tensor<6x1x7xf32>, %y: tensor<6x1x7xf32>) -> tensor<6x1x7xf32> {
  %0 = stablehlo.add %x, %y : tensor<6x1x7xf32>
  return %0 : tensor<6x1x7xf32>
}

// One element combines with the initial value.
// CHECK-LABEL: @reduce_one
// CHECK: %[[INIT:.*]] = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<6x7xf32>
// CHECK: stablehlo.add %[[INIT]], %{{.*}} : tensor<6x7xf32>
// CHECK-NOT: stablehlo.reduce
func.func @reduce_one(%x: tensor<6x7x1xf32>, %init: tensor<f32>) -> tensor<6x7xf32> {
  %0 = stablehlo.reduce(%x init: %init) applies stablehlo.add across dimensions = [2]
      : (tensor<6x7x1xf32>, tensor<f32>) -> tensor<6x7xf32>
  return %0 : tensor<6x7xf32>
}

// Along with a dim of more elements, which meet the initial value.
// CHECK-LABEL: @reduce_some
// CHECK: stablehlo.reduce(%{{.*}} init: %arg1) applies stablehlo.add across dimensions = [1] : (tensor<6x7xf32>, tensor<f32>) -> tensor<6xf32>
func.func @reduce_some(%x: tensor<6x7x1xf32>, %init: tensor<f32>) -> tensor<6xf32> {
  %0 = stablehlo.reduce(%x init: %init) applies stablehlo.add across dimensions = [1, 2]
      : (tensor<6x7x1xf32>, tensor<f32>) -> tensor<6xf32>
  return %0 : tensor<6xf32>
}

// Elements below a byte are moved as bytes.
// CHECK-LABEL: @below_byte
// CHECK: %[[BYTES:.*]] = stablehlo.convert %arg0 : (tensor<8x12x1xi4>) -> tensor<8x12x1xi8>
// CHECK: stablehlo.reshape %[[BYTES]] : (tensor<8x12x1xi8>) -> tensor<8x12xi8>
// CHECK: stablehlo.convert %{{.*}} : (tensor<12x8x1xi8>) -> tensor<12x8x1xi4>
func.func @below_byte(%x: tensor<8x12x1xi4>) -> tensor<12x8x1xi4> {
  %0 = stablehlo.convert %x : (tensor<8x12x1xi4>) -> tensor<8x12x1xi8>
  %1 = stablehlo.transpose %0, dims = [1, 0, 2] : (tensor<8x12x1xi8>) -> tensor<12x8x1xi8>
  %2 = stablehlo.convert %1 : (tensor<12x8x1xi8>) -> tensor<12x8x1xi4>
  return %2 : tensor<12x8x1xi4>
}
