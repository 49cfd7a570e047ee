// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tpuc-opt %s --pass-pipeline='builtin.module(func.func(tpuc-fuse-kernels{target=v4}, \
// RUN:   tpuc-merge-kernels{target=v4}),tpuc-plan-kernels{target=v4})' | FileCheck %s --check-prefixes=CHECK,V4
// RUN: tpuc-opt %s --pass-pipeline='builtin.module(func.func(tpuc-fuse-kernels{target=v5e}, \
// RUN:   tpuc-merge-kernels{target=v5e}),tpuc-plan-kernels{target=v5e})' | FileCheck %s --check-prefixes=CHECK,V5E
// A residual block's gradient with its batch along lanes: what v4 has of VMEM holds a row of positions of the input and
// the result, but not of what is added and of the mask too. They are a kernel that reads the convolution's result.
// CHECK-LABEL: @main
// CHECK: kernel.fusion "conv"
// V4-NOT: stablehlo.select
// V4: kernel.fusion "loop"
// V5E-NOT: kernel.fusion "loop"
// CHECK: stablehlo.select
func.func @main(%w: tensor<3x3x64x64xf32>, %g: tensor<32x32x64x128xf32>, %m: tensor<32x32x64x128xf32>,
    %a: tensor<32x32x64x128xf32>) -> tensor<32x32x64x128xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<32x32x64x128xf32>
  %0 = stablehlo.compare GT, %m, %zero : (tensor<32x32x64x128xf32>, tensor<32x32x64x128xf32>) -> tensor<32x32x64x128xi1>
  %1 = stablehlo.convolution(%g, %w) dim_numbers = [0, 1, f, b]x[0, 1, i, o]->[0, 1, f, b],
      window = {pad = [[1, 1], [1, 1]], reverse = [true, true]}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<32x32x64x128xf32>, tensor<3x3x64x64xf32>) -> tensor<32x32x64x128xf32>
  %2 = stablehlo.add %1, %a : tensor<32x32x64x128xf32>
  %3 = stablehlo.select %0, %2, %zero : tensor<32x32x64x128xi1>, tensor<32x32x64x128xf32>
  return %3 : tensor<32x32x64x128xf32>
}
