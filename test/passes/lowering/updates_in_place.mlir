// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tpuc-opt %s --pass-pipeline='builtin.module(func.func(tpuc-fuse-kernels),tpuc-plan-kernels,tpuc-lower-kernels)' \
// RUN:   --split-input-file | FileCheck %s
// Updates one after the other, of arrays that are read in between.

// A cache that is given away, and updated twice: both where it lies, though the first one's result is read too, before
// the second. Nothing of 16 MB is copied.
// CHECK: tpu.buffer @res1 "result" 1 {{.*}}alias_argument = 0
// CHECK-NOT: run 16777216
// CHECK: tpu.routine @k0
// CHECK: tpu.dma_start "hbm" @arg1[{{.*}}] to "hbm" @arg0
// CHECK-NOT: run 16777216
// CHECK: tpu.twin @k2 of @k0 from [@arg0, @arg1, @arg2] to [@arg0, @arg1, @arg3]
// CHECK-NOT: run 16777216
func.func @main(%cache: tensor<4096x1024xf32> {tf.aliasing_output = 1 : i32}, %x: tensor<1x1024xf32>, %i: tensor<i32>,
    %j: tensor<i32>) -> (tensor<1024xf32>, tensor<4096x1024xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = stablehlo.dynamic_update_slice %cache, %x, %i, %zero
      : (tensor<4096x1024xf32>, tensor<1x1024xf32>, tensor<i32>, tensor<i32>) -> tensor<4096x1024xf32>
  %1 = stablehlo.reduce(%0 init: %least) applies stablehlo.maximum across dimensions = [0]
      : (tensor<4096x1024xf32>, tensor<f32>) -> tensor<1024xf32>
  %2 = stablehlo.dynamic_update_slice %0, %x, %j, %zero
      : (tensor<4096x1024xf32>, tensor<1x1024xf32>, tensor<i32>, tensor<i32>) -> tensor<4096x1024xf32>
  return %1, %2 : tensor<1024xf32>, tensor<4096x1024xf32>
}

// -----

// What was there before the second update is read behind it: that one has memory of its own, and a copy.
// CHECK: run 16777216
func.func @main(%cache: tensor<4096x1024xf32> {tf.aliasing_output = 1 : i32}, %x: tensor<1x1024xf32>, %i: tensor<i32>,
    %j: tensor<i32>) -> (tensor<1024xf32>, tensor<4096x1024xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = stablehlo.dynamic_update_slice %cache, %x, %i, %zero
      : (tensor<4096x1024xf32>, tensor<1x1024xf32>, tensor<i32>, tensor<i32>) -> tensor<4096x1024xf32>
  %2 = stablehlo.dynamic_update_slice %0, %x, %j, %zero
      : (tensor<4096x1024xf32>, tensor<1x1024xf32>, tensor<i32>, tensor<i32>) -> tensor<4096x1024xf32>
  %3 = stablehlo.subtract %0, %2 : tensor<4096x1024xf32>
  %1 = stablehlo.reduce(%3 init: %least) applies stablehlo.maximum across dimensions = [0]
      : (tensor<4096x1024xf32>, tensor<f32>) -> tensor<1024xf32>
  return %1, %2 : tensor<1024xf32>, tensor<4096x1024xf32>
}

// -----

// A loop's condition updates what it is given, which the body reads afterwards: it has a copy.
// CHECK: tpu.dma_start "hbm" @tmp{{.*}} to "hbm" @tmp{{.*}} run 16777216
func.func @main(%x: tensor<4096x1024xf32>) -> tensor<1024xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %limit = stablehlo.constant dense<3.0e+04> : tensor<f32>
  %start = stablehlo.add %x, %x : tensor<4096x1024xf32>
  %r = stablehlo.while(%c = %start) : tensor<4096x1024xf32>
  cond {
    %row = stablehlo.slice %c [3:4, 0:1024] : (tensor<4096x1024xf32>) -> tensor<1x1024xf32>
    %one = stablehlo.slice %c [3:4, 0:1] : (tensor<4096x1024xf32>) -> tensor<1x1xf32>
    %at = stablehlo.reshape %one : (tensor<1x1xf32>) -> tensor<f32>
    %i = stablehlo.convert %at : (tensor<f32>) -> tensor<i32>
    %0 = stablehlo.dynamic_update_slice %c, %row, %i, %zero
        : (tensor<4096x1024xf32>, tensor<1x1024xf32>, tensor<i32>, tensor<i32>) -> tensor<4096x1024xf32>
    %1 = stablehlo.reduce(%0 init: %least) applies stablehlo.maximum across dimensions = [0, 1]
        : (tensor<4096x1024xf32>, tensor<f32>) -> tensor<f32>
    %2 = stablehlo.compare LT, %1, %limit : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %2 : tensor<i1>
  } do {
    %0 = stablehlo.add %c, %c : tensor<4096x1024xf32>
    stablehlo.return %0 : tensor<4096x1024xf32>
  }
  %s = stablehlo.reduce(%r init: %least) applies stablehlo.maximum across dimensions = [0]
      : (tensor<4096x1024xf32>, tensor<f32>) -> tensor<1024xf32>
  return %s : tensor<1024xf32>
}
