// RUN: tpuc-opt %s --tpuc-fuse-kernels --split-input-file | FileCheck %s

// Two kernels read the product through a conversion that each makes for itself. The product is one kernel: 768 products
// are 6 rows of an array, and take longer than a number of 16 bits to read.
// CHECK-LABEL: @deep
// CHECK-COUNT-1: stablehlo.dot_general
// CHECK-NOT: stablehlo.dot_general
func.func @deep(%x: tensor<1024x768xbf16>, %w: tensor<768x4096xbf16>)
    -> (tensor<4096x1024xf32>, tensor<1024x4096xf32>) {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
      : (tensor<1024x768xbf16>, tensor<768x4096xbf16>) -> tensor<1024x4096xbf16>
  %1 = stablehlo.convert %0 : (tensor<1024x4096xbf16>) -> tensor<1024x4096xf32>
  %2 = stablehlo.exponential %1 : tensor<1024x4096xf32>
  %3 = stablehlo.transpose %2, dims = [1, 0] : (tensor<1024x4096xf32>) -> tensor<4096x1024xf32>
  %4 = stablehlo.negate %1 : tensor<1024x4096xf32>
  return %3, %4 : tensor<4096x1024xf32>, tensor<1024x4096xf32>
}

// -----

// 64 products are one row, and take less time than to read the result: each kernel has the product as well.
// CHECK-LABEL: @shallow
// CHECK-COUNT-2: stablehlo.dot_general
func.func @shallow(%x: tensor<1024x64xbf16>, %w: tensor<64x4096xbf16>)
    -> (tensor<1024x4096xf32>, tensor<1024x4096xf32>) {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
      : (tensor<1024x64xbf16>, tensor<64x4096xbf16>) -> tensor<1024x4096xbf16>
  %1 = stablehlo.convert %0 : (tensor<1024x4096xbf16>) -> tensor<1024x4096xf32>
  %2 = stablehlo.exponential %1 : tensor<1024x4096xf32>
  %3 = stablehlo.negate %1 : tensor<1024x4096xf32>
  return %2, %3 : tensor<1024x4096xf32>, tensor<1024x4096xf32>
}

// -----

// So is a convolution that a norm's sums and its results read through a conversion: nine taps of 64 features are five
// rows of an array.
// CHECK-LABEL: @norm
// CHECK-COUNT-1: stablehlo.convolution
// CHECK-NOT: stablehlo.convolution
func.func @norm(%x: tensor<8x56x56x64xbf16>, %w: tensor<3x3x64x64xbf16>)
    -> (tensor<8x64xf32>, tensor<8x56x56x64xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1],
      [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<8x56x56x64xbf16>, tensor<3x3x64x64xbf16>) -> tensor<8x56x56x64xbf16>
  %1 = stablehlo.convert %0 : (tensor<8x56x56x64xbf16>) -> tensor<8x56x56x64xf32>
  %2 = stablehlo.reduce(%1 init: %zero) applies stablehlo.add across dimensions = [1, 2]
      : (tensor<8x56x56x64xf32>, tensor<f32>) -> tensor<8x64xf32>
  %3 = stablehlo.broadcast_in_dim %2, dims = [0, 3] : (tensor<8x64xf32>) -> tensor<8x56x56x64xf32>
  %4 = stablehlo.subtract %1, %3 : tensor<8x56x56x64xf32>
  return %2, %4 : tensor<8x64xf32>, tensor<8x56x56x64xf32>
}
