// RUN: tpuc-opt %s --tpuc-find-patches --split-input-file | FileCheck %s

// A window of 16 by 16 that moves by 16, of the image in the patches' type; and the gradient of its weights, in the
// order of the matmul's result.
// CHECK-LABEL: @main
// CHECK-SAME: (%[[X:.*]]: tensor<4x224x224x3xf32>, %[[W:.*]]: tensor<768x64xbf16>, %[[G:.*]]: tensor<4x196x64xbf16>)
// CHECK-NOT: tensor<4x14x16x14x16x3xf32>
// CHECK-DAG: %[[K:.*]] = stablehlo.reshape %[[W]] : (tensor<768x64xbf16>) -> tensor<16x16x3x64xbf16>
// CHECK-DAG: stablehlo.convert %[[X]] : (tensor<4x224x224x3xf32>) -> tensor<4x224x224x3xbf16>
// CHECK: stablehlo.convolution({{.*}}, %[[K]]) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [16, 16]
// CHECK: stablehlo.reshape {{.*}} : (tensor<4x14x14x64xf32>) -> tensor<4x196x64xf32>
// CHECK: stablehlo.convolution({{.*}}) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], rhs_dilate = [16, 16]
// CHECK: stablehlo.transpose {{.*}}, dims = [3, 0, 1, 2] : (tensor<16x16x3x64xf32>) -> tensor<64x16x16x3xf32>
// CHECK: stablehlo.reshape {{.*}} -> tensor<64x768xf32>
func.func @main(%x: tensor<4x224x224x3xf32>, %w: tensor<768x64xbf16>, %g: tensor<4x196x64xbf16>)
    -> (tensor<4x196x64xf32>, tensor<64x768xf32>) {
  %0 = stablehlo.reshape %x : (tensor<4x224x224x3xf32>) -> tensor<4x14x16x14x16x3xf32>
  %1 = stablehlo.transpose %0, dims = [0, 1, 3, 2, 4, 5]
      : (tensor<4x14x16x14x16x3xf32>) -> tensor<4x14x14x16x16x3xf32>
  %2 = stablehlo.reshape %1 : (tensor<4x14x14x16x16x3xf32>) -> tensor<4x196x768xf32>
  %3 = stablehlo.convert %2 : (tensor<4x196x768xf32>) -> tensor<4x196x768xbf16>
  %4 = stablehlo.dot_general %3, %w, contracting_dims = [2] x [0]
      : (tensor<4x196x768xbf16>, tensor<768x64xbf16>) -> tensor<4x196x64xf32>
  %5 = stablehlo.dot_general %g, %3, contracting_dims = [0, 1] x [0, 1]
      : (tensor<4x196x64xbf16>, tensor<4x196x768xbf16>) -> tensor<64x768xf32>
  return %4, %5 : tensor<4x196x64xf32>, tensor<64x768xf32>
}

// -----

// Features first, in the image and in a patch; weights [out, in]; rows and columns stay dims of their own.
// CHECK-LABEL: @first
// CHECK: stablehlo.reshape %arg1 : (tensor<64x24xf32>) -> tensor<64x3x2x4xf32>
// CHECK: dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, 0, 1, f], window = {stride = [2, 4]
// CHECK-SAME: -> tensor<2x5x4x64xf32>
func.func @first(%x: tensor<2x3x10x16xf32>, %w: tensor<64x24xf32>) -> tensor<2x5x4x64xf32> {
  %0 = stablehlo.reshape %x : (tensor<2x3x10x16xf32>) -> tensor<2x3x5x2x4x4xf32>
  %1 = stablehlo.transpose %0, dims = [0, 2, 4, 1, 3, 5] : (tensor<2x3x5x2x4x4xf32>) -> tensor<2x5x4x3x2x4xf32>
  %2 = stablehlo.reshape %1 : (tensor<2x5x4x3x2x4xf32>) -> tensor<2x5x4x24xf32>
  %3 = stablehlo.dot_general %2, %w, contracting_dims = [3] x [1]
      : (tensor<2x5x4x24xf32>, tensor<64x24xf32>) -> tensor<2x5x4x64xf32>
  return %3 : tensor<2x5x4x64xf32>
}

// -----

// Not patches that something else reads too, of many features, or of columns before rows.
// CHECK-LABEL: @not
// CHECK-NOT: stablehlo.convolution
func.func @not(%x: tensor<2x8x8x3xf32>, %w: tensor<48x64xf32>, %y: tensor<2x8x8x96xf32>, %v: tensor<1536x64xf32>)
    -> (tensor<2x4x64xf32>, tensor<2x4x48xf32>, tensor<2x4x64xf32>, tensor<2x4x64xf32>) {
  %0 = stablehlo.reshape %x : (tensor<2x8x8x3xf32>) -> tensor<2x2x4x2x4x3xf32>
  %1 = stablehlo.transpose %0, dims = [0, 1, 3, 2, 4, 5] : (tensor<2x2x4x2x4x3xf32>) -> tensor<2x2x2x4x4x3xf32>
  %2 = stablehlo.reshape %1 : (tensor<2x2x2x4x4x3xf32>) -> tensor<2x4x48xf32>
  %3 = stablehlo.dot_general %2, %w, contracting_dims = [2] x [0]
      : (tensor<2x4x48xf32>, tensor<48x64xf32>) -> tensor<2x4x64xf32>
  %4 = stablehlo.reshape %y : (tensor<2x8x8x96xf32>) -> tensor<2x2x4x2x4x96xf32>
  %5 = stablehlo.transpose %4, dims = [0, 1, 3, 2, 4, 5] : (tensor<2x2x4x2x4x96xf32>) -> tensor<2x2x2x4x4x96xf32>
  %6 = stablehlo.reshape %5 : (tensor<2x2x2x4x4x96xf32>) -> tensor<2x4x1536xf32>
  %7 = stablehlo.dot_general %6, %v, contracting_dims = [2] x [0]
      : (tensor<2x4x1536xf32>, tensor<1536x64xf32>) -> tensor<2x4x64xf32>
  %8 = stablehlo.transpose %0, dims = [0, 3, 1, 2, 4, 5] : (tensor<2x2x4x2x4x3xf32>) -> tensor<2x2x2x4x4x3xf32>
  %9 = stablehlo.reshape %8 : (tensor<2x2x2x4x4x3xf32>) -> tensor<2x4x48xf32>
  %10 = stablehlo.dot_general %9, %w, contracting_dims = [2] x [0]
      : (tensor<2x4x48xf32>, tensor<48x64xf32>) -> tensor<2x4x64xf32>
  return %3, %2, %7, %10 : tensor<2x4x64xf32>, tensor<2x4x48xf32>, tensor<2x4x64xf32>, tensor<2x4x64xf32>
}
