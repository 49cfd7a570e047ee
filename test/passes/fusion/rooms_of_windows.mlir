// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tpuc-opt %s --pass-pipeline='builtin.module(func.func(tpuc-fuse-kernels{target=v5p}, \
// RUN:   tpuc-merge-kernels{target=v5p}),tpuc-plan-kernels{target=v5p})' --split-input-file | FileCheck %s

// The gradient of a pool has the rows under a window in VMEM: a result of f32 takes 2 * 7,168 = 14,336 words in each of
// two slots. With two results all is 104,352 of v5p's 114,688 words. So a third is a kernel of its own.
// CHECK: kernel.fusion "window"
// CHECK-SAME: -> tensor<32x2x7168x64xf32>, tensor<32x2x7168x64xf32> attributes
// CHECK-SAME: vmem 104352 of 114688
// CHECK: kernel.fusion "loop"
// CHECK: return
func.func @main(%x: tensor<32x2x7168x64xbf16>, %g: tensor<32x1x3584x64xbf16>, %a: tensor<64xf32>)
    -> (tensor<32x2x7168x64xf32>, tensor<32x2x7168x64xf32>, tensor<32x2x7168x64xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<bf16>
  %0 = "stablehlo.select_and_scatter"(%x, %g, %zero) <{
      padding = dense<0> : tensor<4x2xi64>,
      window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
  ^bb0(%p: tensor<bf16>, %q: tensor<bf16>):
    %6 = stablehlo.compare GE, %p, %q, FLOAT : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
    stablehlo.return %6 : tensor<i1>
  }, {
  ^bb0(%p: tensor<bf16>, %q: tensor<bf16>):
    %6 = stablehlo.add %p, %q : tensor<bf16>
    stablehlo.return %6 : tensor<bf16>
  }) : (tensor<32x2x7168x64xbf16>, tensor<32x1x3584x64xbf16>, tensor<bf16>) -> tensor<32x2x7168x64xbf16>
  %1 = stablehlo.convert %0 : (tensor<32x2x7168x64xbf16>) -> tensor<32x2x7168x64xf32>
  %2 = stablehlo.broadcast_in_dim %a, dims = [3] : (tensor<64xf32>) -> tensor<32x2x7168x64xf32>
  %3 = stablehlo.multiply %1, %2 : tensor<32x2x7168x64xf32>
  %4 = stablehlo.exponential %3 : tensor<32x2x7168x64xf32>
  %5 = stablehlo.negate %3 : tensor<32x2x7168x64xf32>
  return %3, %4, %5 : tensor<32x2x7168x64xf32>, tensor<32x2x7168x64xf32>, tensor<32x2x7168x64xf32>
}

// -----

// Nor has a long epilogue room where it reads three arrays, each of as many words: 18 ops behind them change nothing.
// CHECK: kernel.fusion "window"
// CHECK-SAME: vmem 104344 of 114688
// CHECK: kernel.fusion "loop"
// CHECK: return
func.func @main(%x: tensor<32x2x7168x64xbf16>, %g: tensor<32x1x3584x64xbf16>, %a: tensor<32x2x7168x64xf32>,
    %b: tensor<32x2x7168x64xf32>, %c: tensor<32x2x7168x64xf32>) -> tensor<32x2x7168x64xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<bf16>
  %0 = "stablehlo.select_and_scatter"(%x, %g, %zero) <{
      padding = dense<0> : tensor<4x2xi64>,
      window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
  ^bb0(%p: tensor<bf16>, %q: tensor<bf16>):
    %6 = stablehlo.compare GE, %p, %q, FLOAT : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
    stablehlo.return %6 : tensor<i1>
  }, {
  ^bb0(%p: tensor<bf16>, %q: tensor<bf16>):
    %6 = stablehlo.add %p, %q : tensor<bf16>
    stablehlo.return %6 : tensor<bf16>
  }) : (tensor<32x2x7168x64xbf16>, tensor<32x1x3584x64xbf16>, tensor<bf16>) -> tensor<32x2x7168x64xbf16>
  %1 = stablehlo.convert %0 : (tensor<32x2x7168x64xbf16>) -> tensor<32x2x7168x64xf32>
  %2 = stablehlo.multiply %1, %a : tensor<32x2x7168x64xf32>
  %3 = stablehlo.add %2, %b : tensor<32x2x7168x64xf32>
  %u0 = stablehlo.multiply %3, %c : tensor<32x2x7168x64xf32>
  %u1 = stablehlo.sine %u0 : tensor<32x2x7168x64xf32>
  %u2 = stablehlo.tanh %u1 : tensor<32x2x7168x64xf32>
  %u3 = stablehlo.abs %u2 : tensor<32x2x7168x64xf32>
  %u4 = stablehlo.sine %u3 : tensor<32x2x7168x64xf32>
  %u5 = stablehlo.tanh %u4 : tensor<32x2x7168x64xf32>
  %u6 = stablehlo.abs %u5 : tensor<32x2x7168x64xf32>
  %u7 = stablehlo.sine %u6 : tensor<32x2x7168x64xf32>
  %u8 = stablehlo.tanh %u7 : tensor<32x2x7168x64xf32>
  %u9 = stablehlo.abs %u8 : tensor<32x2x7168x64xf32>
  %u10 = stablehlo.sine %u9 : tensor<32x2x7168x64xf32>
  %u11 = stablehlo.tanh %u10 : tensor<32x2x7168x64xf32>
  %u12 = stablehlo.abs %u11 : tensor<32x2x7168x64xf32>
  %u13 = stablehlo.sine %u12 : tensor<32x2x7168x64xf32>
  %u14 = stablehlo.tanh %u13 : tensor<32x2x7168x64xf32>
  %u15 = stablehlo.abs %u14 : tensor<32x2x7168x64xf32>
  %u16 = stablehlo.sine %u15 : tensor<32x2x7168x64xf32>
  %u17 = stablehlo.tanh %u16 : tensor<32x2x7168x64xf32>
  %u18 = stablehlo.abs %u17 : tensor<32x2x7168x64xf32>
  return %u18 : tensor<32x2x7168x64xf32>
}
