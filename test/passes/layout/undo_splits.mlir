// RUN: tpuc-opt %s --tpuc-undo-splits --tpuc-simplify | FileCheck %s

// Groups of 4 lanes: sums over rows as they lie, 256 elements in groups, means put together before they are spread.
// CHECK-LABEL: @norm
// CHECK-NOT: tensor<2x4096x32x4xf32>
// CHECK: %[[ROWS:.*]] = stablehlo.reduce(%arg0 {{.*}} across dimensions = [1] : (tensor<2x4096x128xf32>
// CHECK: stablehlo.reshape %[[ROWS]] : (tensor<2x128xf32>) -> tensor<2x32x4xf32>
// CHECK: %[[SUM:.*]] = stablehlo.reduce({{.*}} across dimensions = [2]
// CHECK: %[[SMALL:.*]] = stablehlo.broadcast_in_dim %[[SUM]], dims = [0, 1] : (tensor<2x32xf32>) -> tensor<2x32x4xf32>
// CHECK: %[[JOINED:.*]] = stablehlo.reshape %[[SMALL]] : (tensor<2x32x4xf32>) -> tensor<2x128xf32>
// CHECK: %[[ALL:.*]] = stablehlo.broadcast_in_dim %[[JOINED]], dims = [0, 2]
// CHECK: stablehlo.subtract %arg0, %[[ALL]] : tensor<2x4096x128xf32>
func.func @norm(%x: tensor<2x4096x128xf32>) -> tensor<2x4096x128xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reshape %x : (tensor<2x4096x128xf32>) -> tensor<2x4096x32x4xf32>
  %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [1, 3]
      : (tensor<2x4096x32x4xf32>, tensor<f32>) -> tensor<2x32xf32>
  %2 = stablehlo.broadcast_in_dim %1, dims = [0, 2] : (tensor<2x32xf32>) -> tensor<2x4096x32x4xf32>
  %3 = stablehlo.subtract %0, %2 : tensor<2x4096x32x4xf32>
  %4 = stablehlo.reshape %3 : (tensor<2x4096x32x4xf32>) -> tensor<2x4096x128xf32>
  return %4 : tensor<2x4096x128xf32>
}

// PyTorch's: groups of channels with their positions in one dim.
// CHECK-LABEL: @channels_first
// CHECK: stablehlo.reduce(%arg0 {{.*}} across dimensions = [2, 3]
// CHECK: stablehlo.subtract %arg0, {{.*}} : tensor<2x12x256x300xf32>
func.func @channels_first(%x: tensor<2x12x256x300xf32>) -> tensor<2x12x256x300xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reshape %x : (tensor<2x12x256x300xf32>) -> tensor<2x4x230400xf32>
  %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [2]
      : (tensor<2x4x230400xf32>, tensor<f32>) -> tensor<2x4xf32>
  %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<2x4xf32>) -> tensor<2x4x230400xf32>
  %3 = stablehlo.subtract %0, %2 : tensor<2x4x230400xf32>
  %4 = stablehlo.reshape %3 : (tensor<2x4x230400xf32>) -> tensor<2x12x256x300xf32>
  return %4 : tensor<2x12x256x300xf32>
}

// Heads stay split where they are used so, and where each is reduced by itself.
// CHECK-LABEL: @heads
// CHECK: stablehlo.reshape %arg0 : (tensor<8192x512xf32>) -> tensor<8192x8x64xf32>
// CHECK: stablehlo.reduce({{.*}} across dimensions = [2] : (tensor<8192x8x64xf32>
func.func @heads(%x: tensor<8192x512xf32>) -> tensor<8192x8x64xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reshape %x : (tensor<8192x512xf32>) -> tensor<8192x8x64xf32>
  %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [2]
      : (tensor<8192x8x64xf32>, tensor<f32>) -> tensor<8192x8xf32>
  %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<8192x8xf32>) -> tensor<8192x8x64xf32>
  %3 = stablehlo.subtract %0, %2 : tensor<8192x8x64xf32>
  return %3 : tensor<8192x8x64xf32>
}

// Complex numbers, before they are two arrays.
// CHECK-LABEL: @complex
// CHECK: stablehlo.sine
func.func @complex(%x: tensor<1024x512xcomplex<f32>>) -> tensor<1024x512xcomplex<f32>> {
  %0 = stablehlo.reshape %x : (tensor<1024x512xcomplex<f32>>) -> tensor<1024x8x64xcomplex<f32>>
  %1 = stablehlo.sine %0 : tensor<1024x8x64xcomplex<f32>>
  %2 = stablehlo.reshape %1 : (tensor<1024x8x64xcomplex<f32>>) -> tensor<1024x512xcomplex<f32>>
  return %2 : tensor<1024x512xcomplex<f32>>
}
