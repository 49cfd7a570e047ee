// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tpuc-opt %s --split-input-file --tpuc-fuse-kernels | FileCheck %s

// The gradient of a pool that pads: the pad and the slice are in the kernel.
// CHECK-LABEL: @main
// CHECK: %[[K:.*]] = kernel.fusion "window"(%arg0, %arg1 : tensor<2x12x12x64xbf16>, tensor<2x6x6x64xbf16>)
// CHECK-SAME: -> tensor<2x12x12x64xbf16> {
// CHECK: stablehlo.pad
// CHECK: "stablehlo.select_and_scatter"
// CHECK: stablehlo.slice
// CHECK: return %[[K]]
func.func @main(%x: tensor<2x12x12x64xbf16>, %v: tensor<2x6x6x64xbf16>) -> tensor<2x12x12x64xbf16> {
  %least = stablehlo.constant dense<0xFF80> : tensor<bf16>
  %zero = stablehlo.constant dense<0.0> : tensor<bf16>
  %0 = stablehlo.pad %x, %least, low = [0, 0, 0, 0], high = [0, 1, 1, 0], interior = [0, 0, 0, 0]
      : (tensor<2x12x12x64xbf16>, tensor<bf16>) -> tensor<2x13x13x64xbf16>
  %1 = "stablehlo.select_and_scatter"(%0, %v, %zero) <{window_dimensions = array<i64: 1, 3, 3, 1>,
      window_strides = array<i64: 1, 2, 2, 1>}> ({
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    %c = stablehlo.compare GE, %a, %b : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    %c = stablehlo.add %a, %b : tensor<bf16>
    stablehlo.return %c : tensor<bf16>
  }) : (tensor<2x13x13x64xbf16>, tensor<2x6x6x64xbf16>, tensor<bf16>) -> tensor<2x13x13x64xbf16>
  %2 = stablehlo.slice %1 [0:2, 0:12, 0:12, 0:64] : (tensor<2x13x13x64xbf16>) -> tensor<2x12x12x64xbf16>
  return %2 : tensor<2x12x12x64xbf16>
}

// -----

// The slice keeps some of the padding: it is a kernel of its own.
// CHECK-LABEL: @main
// CHECK: kernel.fusion "copy"
// CHECK: stablehlo.pad
// CHECK: kernel.fusion "window"
// CHECK-NOT: stablehlo.pad
// CHECK: kernel.fusion "copy"
// CHECK: stablehlo.slice
func.func @main(%x: tensor<2x12x12x64xf32>, %v: tensor<2x6x6x64xf32>) -> tensor<2x12x13x64xf32> {
  %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.pad %x, %least, low = [0, 0, 0, 0], high = [0, 1, 1, 0], interior = [0, 0, 0, 0]
      : (tensor<2x12x12x64xf32>, tensor<f32>) -> tensor<2x13x13x64xf32>
  %1 = "stablehlo.select_and_scatter"(%0, %v, %zero) <{window_dimensions = array<i64: 1, 3, 3, 1>,
      window_strides = array<i64: 1, 2, 2, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<2x13x13x64xf32>, tensor<2x6x6x64xf32>, tensor<f32>) -> tensor<2x13x13x64xf32>
  %2 = stablehlo.slice %1 [0:2, 0:12, 0:13, 0:64] : (tensor<2x13x13x64xf32>) -> tensor<2x12x13x64xf32>
  return %2 : tensor<2x12x13x64xf32>
}
