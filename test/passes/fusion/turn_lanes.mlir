// RUN: tpuc-opt %s --tpuc-fuse-kernels | FileCheck %s

// Lanes in reverse with a leading dim, every ninth one, and gaps of two between them, which no loop reads in place: an
// element at a time, so rows of the transposed array move instead.
// CHECK-LABEL: func.func @main
// CHECK: stablehlo.transpose {{.*}} -> tensor<2x520x512xf32>
// CHECK: stablehlo.reverse {{.*}}dims = [0, 1] : tensor<2x520x512xf32>
// CHECK: stablehlo.transpose {{.*}} -> tensor<2x512x520xf32>
// CHECK: stablehlo.slice {{.*}} [1:520:9, 0:4096] : (tensor<520x4096xf32>) -> tensor<58x4096xf32>
// CHECK: stablehlo.pad {{.*}}low = [1, 0], high = [0, 0], interior = [2, 0]
// Few elements move as they are.
// CHECK: stablehlo.reverse {{.*}}dims = [0, 2] : tensor<2x8x16xf32>
func.func @main(%x: tensor<2x512x520xf32>, %y: tensor<4096x520xf32>, %z: tensor<512x520xf32>,
    %few: tensor<2x8x16xf32>) -> (tensor<2x512x520xf32>, tensor<4096x58xf32>, tensor<512x1559xf32>,
    tensor<2x8x16xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reverse %x, dims = [0, 2] : tensor<2x512x520xf32>
  %1 = stablehlo.slice %y [0:4096, 1:520:9] : (tensor<4096x520xf32>) -> tensor<4096x58xf32>
  %2 = stablehlo.pad %z, %zero, low = [0, 1], high = [0, 0], interior = [0, 2] : (tensor<512x520xf32>, tensor<f32>)
      -> tensor<512x1559xf32>
  %3 = stablehlo.reverse %few, dims = [0, 2] : tensor<2x8x16xf32>
  return %0, %1, %2, %3 : tensor<2x512x520xf32>, tensor<4096x58xf32>, tensor<512x1559xf32>, tensor<2x8x16xf32>
}

// An array whose lanes a broadcast takes elsewhere is transposed as it is, 100 KB and not the result's 5 MB. Leading
// dims may change places.
// CHECK-LABEL: func.func @broadcasts
// CHECK: stablehlo.transpose %{{.*}}, dims = [0, 2, 1] : (tensor<8x100x32xf32>) -> tensor<8x32x100xf32>
// CHECK: stablehlo.broadcast_in_dim %{{.*}}, dims = [0, 1, 3] : (tensor<8x32x100xf32>) -> tensor<8x32x50x100xf32>
// CHECK-NOT: stablehlo.transpose
// CHECK: stablehlo.broadcast_in_dim %{{.*}}, dims = [1, 0, 3] : (tensor<32x8x100xf32>) -> tensor<8x32x50x100xf32>
// CHECK-NOT: stablehlo.transpose
func.func @broadcasts(%x: tensor<8x100x32xf32>, %y: tensor<32x8x100xf32>, %z: tensor<8x32x50x100xf32>)
    -> (tensor<8x32x50x100xf32>, tensor<8x32x50x100xf32>) {
  %0 = stablehlo.broadcast_in_dim %x, dims = [0, 3, 1] : (tensor<8x100x32xf32>) -> tensor<8x32x50x100xf32>
  %1 = stablehlo.multiply %0, %z : tensor<8x32x50x100xf32>
  %2 = stablehlo.broadcast_in_dim %y, dims = [1, 0, 3] : (tensor<32x8x100xf32>) -> tensor<8x32x50x100xf32>
  %3 = stablehlo.add %2, %z : tensor<8x32x50x100xf32>
  return %1, %3 : tensor<8x32x50x100xf32>, tensor<8x32x50x100xf32>
}
