// RUN: tpuc-opt %s --tpuc-fuse-kernels | FileCheck %s

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
