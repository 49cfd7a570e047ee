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
