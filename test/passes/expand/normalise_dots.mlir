// RUN: tpuc-opt %s --tpuc-normalise-dots | FileCheck %s

// The left operand has its batch dim last: transposed, the contracted dim is.
// CHECK-LABEL: @batch_last
// CHECK: %[[LEFT:.*]] = stablehlo.transpose %arg0, dims = [2, 1, 0] : (tensor<16x8x4xf32>) -> tensor<4x8x16xf32>
// CHECK: stablehlo.dot_general %[[LEFT]], %{{.*}}, batching_dims = [0] x [0], contracting_dims = [2] x [1]
func.func @batch_last(%x: tensor<16x8x4xf32>, %y: tensor<4x16x32xf32>) -> tensor<4x8x32xf32> {
  %0 = stablehlo.dot_general %x, %y, batching_dims = [2] x [0], contracting_dims = [0] x [1] : (tensor<16x8x4xf32>, tensor<4x16x32xf32>) -> tensor<4x8x32xf32>
  return %0 : tensor<4x8x32xf32>
}

// As the matrix unit wants it already.
// CHECK-LABEL: @plain
// CHECK-NOT: stablehlo.transpose
// CHECK: stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0]
func.func @plain(%x: tensor<8x16xf32>, %y: tensor<16x32xf32>) -> tensor<8x32xf32> {
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x32xf32>) -> tensor<8x32xf32>
  return %0 : tensor<8x32xf32>
}

// No rows: the batch would be a block's sublanes, each of 16 x 128 words.
// CHECK-LABEL: @long_batch
// CHECK: %[[X:.*]] = stablehlo.reshape %arg0 : (tensor<16000x16xf32>) -> tensor<[[STEPS:[0-9]+]]x[[HELD:[0-9]+]]x16xf32>
// CHECK: %[[Y:.*]] = stablehlo.reshape %arg1 : (tensor<16000x16x4xf32>) -> tensor<[[STEPS]]x[[HELD]]x16x4xf32>
// CHECK: stablehlo.dot_general %[[X]], %[[Y]], batching_dims = [0, 1] x [0, 1], contracting_dims = [2] x [2]
func.func @long_batch(%x: tensor<16000x16xf32>, %y: tensor<16000x16x4xf32>) -> tensor<16000x4xf32> {
  %0 = stablehlo.dot_general %x, %y, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<16000x16xf32>, tensor<16000x16x4xf32>) -> tensor<16000x4xf32>
  return %0 : tensor<16000x4xf32>
}

// A block of one array fits VMEM (here 112 MiB), two of each do not.
// CHECK-LABEL: @two_blocks
// CHECK: stablehlo.dot_general %{{.*}}, %{{.*}}, batching_dims = [0, 1] x [0, 1], contracting_dims = [2] x [2]
// CHECK-SAME: (tensor<{{[0-9]+}}x{{[0-9]+}}x3xbf16>, tensor<{{[0-9]+}}x{{[0-9]+}}x3x300xbf16>)
func.func @two_blocks(%x: tensor<17000x3xbf16>, %y: tensor<17000x3x300xbf16>) -> tensor<17000x300xbf16> {
  %0 = stablehlo.dot_general %x, %y, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<17000x3xbf16>, tensor<17000x3x300xbf16>) -> tensor<17000x300xbf16>
  return %0 : tensor<17000x300xbf16>
}

// Many batches of matrices smaller than a vreg: sums of products.
// CHECK-LABEL: @tiny
// CHECK-NOT: stablehlo.dot_general
// CHECK: stablehlo.reduce({{.*}}) applies stablehlo.add across dimensions = [3] : (tensor<1000x3x5x4xf32>, tensor<f32>) -> tensor<1000x3x5xf32>
func.func @tiny(%x: tensor<1000x3x4xbf16>, %y: tensor<1000x4x5xbf16>) -> tensor<1000x3x5xbf16> {
  %0 = stablehlo.dot_general %x, %y, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<1000x3x4xbf16>, tensor<1000x4x5xbf16>) -> tensor<1000x3x5xbf16>
  return %0 : tensor<1000x3x5xbf16>
}
