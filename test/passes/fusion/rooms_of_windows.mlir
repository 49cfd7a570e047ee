// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tpuc-opt %s --pass-pipeline='builtin.module(func.func(tpuc-fuse-kernels{target=v5p}, \
// RUN:   tpuc-merge-kernels{target=v5p}),tpuc-plan-kernels{target=v5p})' | FileCheck %s

// The gradient of a pool has whole planes in VMEM: a result of f32 takes 112 * 112 = 12,544 words in each of two slots.
// With two results all is 108,896 of v5p's 114,688 words. So a third is a kernel of its own.
// CHECK: kernel.fusion "window"
// CHECK-SAME: -> tensor<32x112x112x64xf32>, tensor<32x112x112x64xf32> attributes
// CHECK-SAME: vmem 108896 of 114688
// CHECK: kernel.fusion "loop"
// CHECK: return
func.func @main(%x: tensor<32x112x112x64xbf16>, %g: tensor<32x56x56x64xbf16>, %a: tensor<64xf32>)
    -> (tensor<32x112x112x64xf32>, tensor<32x112x112x64xf32>, tensor<32x112x112x64xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<bf16>
  %0 = "stablehlo.select_and_scatter"(%x, %g, %zero) <{
      padding = dense<[[0, 0], [0, 1], [0, 1], [0, 0]]> : tensor<4x2xi64>,
      window_dimensions = array<i64: 1, 3, 3, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
  ^bb0(%p: tensor<bf16>, %q: tensor<bf16>):
    %6 = stablehlo.compare GE, %p, %q, FLOAT : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
    stablehlo.return %6 : tensor<i1>
  }, {
  ^bb0(%p: tensor<bf16>, %q: tensor<bf16>):
    %6 = stablehlo.add %p, %q : tensor<bf16>
    stablehlo.return %6 : tensor<bf16>
  }) : (tensor<32x112x112x64xbf16>, tensor<32x56x56x64xbf16>, tensor<bf16>) -> tensor<32x112x112x64xbf16>
  %1 = stablehlo.convert %0 : (tensor<32x112x112x64xbf16>) -> tensor<32x112x112x64xf32>
  %2 = stablehlo.broadcast_in_dim %a, dims = [3] : (tensor<64xf32>) -> tensor<32x112x112x64xf32>
  %3 = stablehlo.multiply %1, %2 : tensor<32x112x112x64xf32>
  %4 = stablehlo.exponential %3 : tensor<32x112x112x64xf32>
  %5 = stablehlo.negate %3 : tensor<32x112x112x64xf32>
  return %3, %4, %5 : tensor<32x112x112x64xf32>, tensor<32x112x112x64xf32>, tensor<32x112x112x64xf32>
}
