// RUN: tpuc-opt %s --split-input-file --tpuc-fuse-kernels | FileCheck %s

// A transpose that puts another dim along lanes takes the elementwise work on its operand and on its result.
// CHECK-LABEL: func.func @main
// CHECK: kernel.fusion "copy"
// CHECK: stablehlo.multiply {{.*}} : tensor<256x512xf32>
// CHECK: stablehlo.convert {{.*}} -> tensor<256x512xbf16>
// CHECK: stablehlo.transpose
// CHECK-COUNT-2: stablehlo.add {{.*}} : tensor<512x256xbf16>
// CHECK-NEXT: kernel.yield
// CHECK-NOT: kernel.fusion
func.func @main(%x: tensor<256x512xf32>, %b: tensor<256xbf16>, %y: tensor<512x256xbf16>) -> tensor<512x256xbf16> {
  %0 = stablehlo.multiply %x, %x : tensor<256x512xf32>
  %1 = stablehlo.convert %0 : (tensor<256x512xf32>) -> tensor<256x512xbf16>
  %2 = stablehlo.transpose %1, dims = [1, 0] : (tensor<256x512xbf16>) -> tensor<512x256xbf16>
  %3 = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<256xbf16>) -> tensor<512x256xbf16>
  %4 = stablehlo.add %2, %3 : tensor<512x256xbf16>
  %5 = stablehlo.add %4, %y : tensor<512x256xbf16>
  return %5 : tensor<512x256xbf16>
}

// -----

// One that others read too is an array, a reduction walks rows that no tile holds, and a matmul writes its result in
// either order.
// CHECK-LABEL: func.func @main
// CHECK: kernel.fusion "copy"
// CHECK-NEXT: ^bb0
// CHECK-NEXT: stablehlo.transpose
// CHECK-NEXT: kernel.yield
// CHECK: kernel.fusion "loop"
// CHECK: kernel.fusion "copy"
// CHECK-NEXT: ^bb0
// CHECK-NEXT: stablehlo.transpose
// CHECK-NEXT: kernel.yield
// CHECK: kernel.fusion "loop"
// CHECK: stablehlo.reduce
// CHECK: kernel.fusion "dot"
// CHECK: stablehlo.transpose
func.func @main(%x: tensor<256x512xf32>, %y: tensor<512x256xf32>, %w: tensor<512x256xf32>)
    -> (tensor<512x256xf32>, tensor<512x256xf32>, tensor<512xf32>, tensor<256x256xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<256x512xf32>) -> tensor<512x256xf32>
  %1 = stablehlo.add %0, %y : tensor<512x256xf32>
  %2 = stablehlo.transpose %y, dims = [1, 0] : (tensor<512x256xf32>) -> tensor<256x512xf32>
  %3 = stablehlo.multiply %2, %x : tensor<256x512xf32>
  %4 = stablehlo.reduce(%3 init: %zero) applies stablehlo.add across dimensions = [0]
      : (tensor<256x512xf32>, tensor<f32>) -> tensor<512xf32>
  %5 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
      : (tensor<256x512xf32>, tensor<512x256xf32>) -> tensor<256x256xf32>
  %6 = stablehlo.transpose %5, dims = [1, 0] : (tensor<256x256xf32>) -> tensor<256x256xf32>
  %7 = stablehlo.add %6, %6 : tensor<256x256xf32>
  return %0, %1, %4, %7 : tensor<512x256xf32>, tensor<512x256xf32>, tensor<512xf32>, tensor<256x256xf32>
}
