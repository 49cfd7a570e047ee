// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tpuc-opt %s --tpuc-swap-dot-operands --split-input-file | FileCheck %s

// Values with their sequence first, times probabilities: the features that the transpose brings last are last then.
// Precisions go with their operands.
// CHECK-LABEL: @attention
// CHECK: %[[D:.*]] = stablehlo.dot_general %arg1, %arg0, batching_dims = [0] x [1], contracting_dims = [2] x [0],
// CHECK-SAME: precision = [DEFAULT, HIGHEST]
// CHECK-SAME: -> tensor<96x512x64xbf16>
// CHECK: stablehlo.transpose %[[D]], dims = [1, 0, 2]
func.func @attention(%v: tensor<512x96x64xbf16>, %p: tensor<96x512x512xbf16>) -> tensor<512x96x64xbf16> {
  %0 = stablehlo.dot_general %v, %p, batching_dims = [1] x [0], contracting_dims = [0] x [2],
      precision = [HIGHEST, DEFAULT] : (tensor<512x96x64xbf16>, tensor<96x512x512xbf16>) -> tensor<96x64x512xbf16>
  %1 = stablehlo.transpose %0, dims = [2, 0, 1] : (tensor<96x64x512xbf16>) -> tensor<512x96x64xbf16>
  return %1 : tensor<512x96x64xbf16>
}

// -----

// Without a transpose left, where the batch comes first.
// CHECK-LABEL: @batch_first
// CHECK: stablehlo.dot_general %arg1, %arg0
// CHECK-NOT: stablehlo.transpose
func.func @batch_first(%v: tensor<40x6x64xf32>, %p: tensor<6x30x40xf32>) -> tensor<6x30x64xf32> {
  %0 = stablehlo.dot_general %v, %p, batching_dims = [1] x [0], contracting_dims = [0] x [2]
      : (tensor<40x6x64xf32>, tensor<6x30x40xf32>) -> tensor<6x64x30xf32>
  %1 = stablehlo.transpose %0, dims = [0, 2, 1] : (tensor<6x64x30xf32>) -> tensor<6x30x64xf32>
  return %1 : tensor<6x30x64xf32>
}

// -----

// The probabilities would be transposed in place of the result.
// CHECK-LABEL: @summed_first
// CHECK: stablehlo.dot_general %arg0, %arg1
func.func @summed_first(%v: tensor<512x96x64xbf16>, %p: tensor<96x512x512xbf16>) -> tensor<512x96x64xbf16> {
  %0 = stablehlo.dot_general %v, %p, batching_dims = [1] x [0], contracting_dims = [0] x [1]
      : (tensor<512x96x64xbf16>, tensor<96x512x512xbf16>) -> tensor<96x64x512xbf16>
  %1 = stablehlo.transpose %0, dims = [2, 0, 1] : (tensor<96x64x512xbf16>) -> tensor<512x96x64xbf16>
  return %1 : tensor<512x96x64xbf16>
}

// -----

// The right operand's dim is last already; others read the result as it is.
// CHECK-LABEL: @as_wanted
// CHECK: stablehlo.dot_general %arg0, %arg1
// CHECK: stablehlo.dot_general %arg0, %arg1
func.func @as_wanted(%v: tensor<40x6x64xf32>, %p: tensor<6x30x40xf32>)
    -> (tensor<64x6x30xf32>, tensor<6x64x30xf32>, tensor<6x30x64xf32>) {
  %0 = stablehlo.dot_general %v, %p, batching_dims = [1] x [0], contracting_dims = [0] x [2]
      : (tensor<40x6x64xf32>, tensor<6x30x40xf32>) -> tensor<6x64x30xf32>
  %1 = stablehlo.transpose %0, dims = [1, 0, 2] : (tensor<6x64x30xf32>) -> tensor<64x6x30xf32>
  %2 = stablehlo.dot_general %v, %p, batching_dims = [1] x [0], contracting_dims = [0] x [2]
      : (tensor<40x6x64xf32>, tensor<6x30x40xf32>) -> tensor<6x64x30xf32>
  %3 = stablehlo.transpose %2, dims = [0, 2, 1] : (tensor<6x64x30xf32>) -> tensor<6x30x64xf32>
  return %1, %2, %3 : tensor<64x6x30xf32>, tensor<6x64x30xf32>, tensor<6x30x64xf32>
}
