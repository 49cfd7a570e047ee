// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tpuc-opt %s --tpuc-fuse-kernels | FileCheck %s

// A gradient of bf16 that a matmul and the layers before it read. The matmul's operand is an array anyway: the next
// kernel reads it, and does not make it again of the rows behind it. With a chain of layers each one would do all of
// those after it.
// CHECK-LABEL: @gradients
// CHECK: %[[DY:.*]] = kernel.fusion "loop"(%arg0 : tensor<256x768xf32>)
// CHECK-SAME: -> tensor<256x768xbf16>
// CHECK: stablehlo.reduce
// CHECK: %[[DX:.*]] = kernel.fusion "dot"(%[[DY]], %arg1
// CHECK: kernel.fusion "loop"
// CHECK-SAME: %[[DY]]
// CHECK-NOT: stablehlo.exponential
// CHECK: return
func.func @gradients(%x: tensor<256x768xf32>, %w: tensor<768x768xbf16>)
    -> (tensor<768xf32>, tensor<256x768xbf16>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.exponential %x : tensor<256x768xf32>
  %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [1]
      : (tensor<256x768xf32>, tensor<f32>) -> tensor<256xf32>
  %2 = stablehlo.broadcast_in_dim %1, dims = [0] : (tensor<256xf32>) -> tensor<256x768xf32>
  %3 = stablehlo.multiply %2, %0 : tensor<256x768xf32>
  %dy = stablehlo.convert %3 : (tensor<256x768xf32>) -> tensor<256x768xbf16>
  %dx = stablehlo.dot_general %dy, %w, contracting_dims = [1] x [0]
      : (tensor<256x768xbf16>, tensor<768x768xbf16>) -> tensor<256x768xbf16>
  %4 = stablehlo.add %dy, %dx : tensor<256x768xbf16>
  %5 = stablehlo.convert %4 : (tensor<256x768xbf16>) -> tensor<256x768xf32>
  %6 = stablehlo.multiply %5, %5 : tensor<256x768xf32>
  %7 = stablehlo.reduce(%6 init: %zero) applies stablehlo.add across dimensions = [0]
      : (tensor<256x768xf32>, tensor<f32>) -> tensor<768xf32>
  return %7, %dx : tensor<768xf32>, tensor<256x768xbf16>
}

// A conversion of what is in memory anyway is made again where that is read: no array of it lies between the kernels.
// CHECK-LABEL: @of_arguments
// CHECK: kernel.fusion "loop"(%arg0 : tensor<256x768xf32>) -> tensor<768xf32>
// CHECK: stablehlo.convert
func.func @of_arguments(%x: tensor<256x768xf32>, %w: tensor<768x768xbf16>)
    -> (tensor<768xf32>, tensor<256x768xbf16>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.convert %x : (tensor<256x768xf32>) -> tensor<256x768xbf16>
  %1 = stablehlo.dot_general %0, %w, contracting_dims = [1] x [0]
      : (tensor<256x768xbf16>, tensor<768x768xbf16>) -> tensor<256x768xbf16>
  %2 = stablehlo.convert %0 : (tensor<256x768xbf16>) -> tensor<256x768xf32>
  %3 = stablehlo.multiply %2, %2 : tensor<256x768xf32>
  %4 = stablehlo.reduce(%3 init: %zero) applies stablehlo.add across dimensions = [0]
      : (tensor<256x768xf32>, tensor<f32>) -> tensor<768xf32>
  return %4, %1 : tensor<768xf32>, tensor<256x768xbf16>
}
