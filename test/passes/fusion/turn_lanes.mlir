// RUN: tpuc-opt %s --tpuc-fuse-kernels | FileCheck %s

// Lanes in reverse, every second one, and gaps between them: an element at a time, so rows of the transposed array move instead.
// CHECK-LABEL: func.func @main
// CHECK: stablehlo.transpose {{.*}} -> tensor<520x512xf32>
// CHECK: stablehlo.reverse {{.*}}dims = [0] : tensor<520x512xf32>
// CHECK: stablehlo.transpose {{.*}} -> tensor<512x520xf32>
// CHECK: stablehlo.slice {{.*}} [1:520:2, 0:512] : (tensor<520x512xf32>) -> tensor<260x512xf32>
// CHECK: stablehlo.pad {{.*}}low = [1, 0], high = [0, 0], interior = [1, 0]
// Few elements move as they are.
// CHECK: stablehlo.reverse {{.*}}dims = [1] : tensor<8x16xf32>
func.func @main(%x: tensor<512x520xf32>, %few: tensor<8x16xf32>) -> (tensor<512x520xf32>, tensor<512x260xf32>, tensor<512x1040xf32>, tensor<8x16xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reverse %x, dims = [1] : tensor<512x520xf32>
  %1 = stablehlo.slice %x [0:512, 1:520:2] : (tensor<512x520xf32>) -> tensor<512x260xf32>
  %2 = stablehlo.pad %x, %zero, low = [0, 1], high = [0, 0], interior = [0, 1] : (tensor<512x520xf32>, tensor<f32>) -> tensor<512x1040xf32>
  %3 = stablehlo.reverse %few, dims = [1] : tensor<8x16xf32>
  return %0, %1, %2, %3 : tensor<512x520xf32>, tensor<512x260xf32>, tensor<512x1040xf32>, tensor<8x16xf32>
}
