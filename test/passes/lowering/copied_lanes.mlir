// RUN: tpuc-opt %s --pass-pipeline='builtin.module(func.func(tpuc-fuse-kernels),tpuc-plan-kernels,tpuc-lower-kernels)' | FileCheck %s

// Of rows of 40 lanes the other 88 are padding, which nobody copies: 2 * 16 words of 160 bytes.
// CHECK: tpu.dma_start "hbm" @arg0[{{.*}}] to "hbm" @res0[{{.*}}] run 160 counts [32] strides [512] to [512]
func.func @main(%x: tensor<2x16x40xf32>, %u: tensor<2x1x40xf32>, %i: tensor<i32>) -> tensor<2x16x40xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.dynamic_update_slice %x, %u, %zero, %i, %zero
      : (tensor<2x16x40xf32>, tensor<2x1x40xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x16x40xf32>
  return %0 : tensor<2x16x40xf32>
}
