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
