// RUN: tpuc-opt %s --tpuc-fuse-kernels --split-input-file | FileCheck %s

// A rotary embedding of neighbouring lanes: both parts are read from the array in place, and take turns along lanes in
// the second kernel.
// CHECK-LABEL: func.func @main
// CHECK: kernel.fusion "loop"
// CHECK-DAG: stablehlo.slice {{.*}} [0:16, 0:64:2] : (tensor<16x64xf32>) -> tensor<16x32xf32>
// CHECK-DAG: stablehlo.slice {{.*}} [0:16, 1:64:2]
// CHECK: kernel.fusion "loop"
// CHECK-DAG: stablehlo.pad {{.*}} low = [0, 0], high = [0, 1], interior = [0, 1] : (tensor<16x32xf32>, tensor<f32>) -> tensor<16x64xf32>
// CHECK-DAG: stablehlo.pad {{.*}} low = [0, 1], high = [0, 0], interior = [0, 1]
// CHECK: stablehlo.select
// CHECK-NOT: kernel.fusion
// CHECK: return
func.func @main(%x: tensor<16x64xf32>) -> tensor<16x64xf32> {
  %0 = stablehlo.reshape %x : (tensor<16x64xf32>) -> tensor<16x32x2xf32>
  %1 = stablehlo.slice %0 [0:16, 0:32, 0:1] : (tensor<16x32x2xf32>) -> tensor<16x32x1xf32>
  %2 = stablehlo.slice %0 [0:16, 0:32, 1:2] : (tensor<16x32x2xf32>) -> tensor<16x32x1xf32>
  %3 = stablehlo.subtract %1, %2 : tensor<16x32x1xf32>
  %4 = stablehlo.add %1, %2 : tensor<16x32x1xf32>
  %5 = stablehlo.concatenate %3, %4, dim = 2 : (tensor<16x32x1xf32>, tensor<16x32x1xf32>) -> tensor<16x32x2xf32>
  %6 = stablehlo.reshape %5 : (tensor<16x32x2xf32>) -> tensor<16x64xf32>
  return %6 : tensor<16x64xf32>
}

// -----

// repeat(x, 2, -1): the same element twice, where it would have been a row of two.
// CHECK-LABEL: func.func @main
// CHECK-NOT: tensor<8x64x2xf32>
// CHECK: stablehlo.pad %{{.*}}, %{{.*}}, low = [0, 0], high = [0, 1], interior = [0, 1]
// CHECK: stablehlo.pad %{{.*}}, %{{.*}}, low = [0, 1], high = [0, 0], interior = [0, 1]
func.func @main(%x: tensor<8x64xf32>) -> tensor<8x128xf32> {
  %0 = stablehlo.broadcast_in_dim %x, dims = [0, 1] : (tensor<8x64xf32>) -> tensor<8x64x2xf32>
  %1 = stablehlo.reshape %0 : (tensor<8x64x2xf32>) -> tensor<8x128xf32>
  return %1 : tensor<8x128xf32>
}

// -----

// A pixel shuffle: two slices of the channels take turns along lanes; rows are joined before, as arrays of 64 lanes.
// CHECK-LABEL: func.func @main
// CHECK-NOT: x64x2xf32>
// CHECK-COUNT-2: stablehlo.pad {{.*}} : (tensor<3x128x64xf32>, tensor<f32>) -> tensor<3x128x128xf32>
func.func @main(%x: tensor<3x2x2x64x64xf32>) -> tensor<3x128x128xf32> {
  %0 = stablehlo.transpose %x, dims = [0, 3, 1, 4, 2] : (tensor<3x2x2x64x64xf32>) -> tensor<3x64x2x64x2xf32>
  %1 = stablehlo.reshape %0 : (tensor<3x64x2x64x2xf32>) -> tensor<3x128x128xf32>
  return %1 : tensor<3x128x128xf32>
}

// -----

// Heads are joined after their lanes have taken turns.
// CHECK-LABEL: func.func @heads
// CHECK-DAG: stablehlo.pad {{.*}} low = [0, 0, 0], high = [0, 0, 1], interior = [0, 0, 1] : (tensor<16x4x32xf32>, tensor<f32>) -> tensor<16x4x64xf32>
// CHECK-DAG: stablehlo.pad {{.*}} low = [0, 0, 1], high = [0, 0, 0], interior = [0, 0, 1]
// CHECK: stablehlo.reshape {{.*}} : (tensor<16x4x64xf32>) -> tensor<16x256xf32>
func.func @heads(%x: tensor<16x4x32xf32>, %y: tensor<16x4x32xf32>) -> tensor<16x256xf32> {
  %0 = stablehlo.reshape %x : (tensor<16x4x32xf32>) -> tensor<16x4x32x1xf32>
  %1 = stablehlo.reshape %y : (tensor<16x4x32xf32>) -> tensor<16x4x32x1xf32>
  %2 = stablehlo.concatenate %0, %1, dim = 3 : (tensor<16x4x32x1xf32>, tensor<16x4x32x1xf32>) -> tensor<16x4x32x2xf32>
  %3 = stablehlo.reshape %2 : (tensor<16x4x32x2xf32>) -> tensor<16x256xf32>
  return %3 : tensor<16x256xf32>
}
