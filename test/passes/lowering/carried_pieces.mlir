// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A scan's state, beside a piece of a stack that its kernel reads and one that it writes: blocks of pieces are cut as
// the state's, so each step has read the block that it writes, and nothing is copied at the end of an iteration. VMEM
// is too small for the states.
// RUN: tpuc-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(tpuc-fuse-kernels,tpuc-merge-kernels, \
// RUN:   tpuc-slice-in-place),tpuc-plan-kernels{set=core.vmem_bytes=262144}, \
// RUN:   tpuc-lower-kernels{set=core.vmem_bytes=262144})' | FileCheck %s

// CHECK-LABEL: tpu.routine entry @main
// CHECK: scf.for
// CHECK-NOT: dma_start
// CHECK: tpu.return
// CHECK: tpu.dma_start "hbm" @res0[{{.*}}] to "vmem"
// CHECK: tpu.dma_start "vmem"[{{.*}}] to "hbm" @res0[
func.func @main(%x: tensor<6x64x512xf32>, %zeros: tensor<64x512xf32>) -> (tensor<64x512xf32>, tensor<6x64x512xf32>) {
  %u = kernel.undefined : tensor<6x64x512xf32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = stablehlo.while(%s = %zeros, %y = %u) : tensor<64x512xf32>, tensor<6x64x512xf32>
      attributes {kernel.trip_count = 6 : i64}
    cond {
      %p = stablehlo.constant dense<true> : tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %i = kernel.counter 0 by 1 : tensor<i32>
      %1 = stablehlo.dynamic_slice %x, %i, %zero, %zero, sizes = [1, 64, 512]
          : (tensor<6x64x512xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x64x512xf32>
      %2 = stablehlo.reshape %1 : (tensor<1x64x512xf32>) -> tensor<64x512xf32>
      %3 = stablehlo.add %s, %2 : tensor<64x512xf32>
      %4 = stablehlo.tanh %3 : tensor<64x512xf32>
      %5 = stablehlo.reshape %4 : (tensor<64x512xf32>) -> tensor<1x64x512xf32>
      %6 = stablehlo.dynamic_update_slice %y, %5, %i, %zero, %zero
          : (tensor<6x64x512xf32>, tensor<1x64x512xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<6x64x512xf32>
      stablehlo.return %3, %6 : tensor<64x512xf32>, tensor<6x64x512xf32>
    }
  return %0#0, %0#1 : tensor<64x512xf32>, tensor<6x64x512xf32>
}

// -----

// All steps read the first row of the state, which one of them writes: the new state is made elsewhere, and copied.
// CHECK-LABEL: tpu.routine entry @main
// CHECK: scf.for
// CHECK: tpu.dma_start "hbm" @tmp{{.*}} to "hbm" @res0
// CHECK: tpu.return
func.func @main(%x: tensor<6x512x512xf32>, %zeros: tensor<512x512xf32>) -> tensor<512x512xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.while(%s = %zeros) : tensor<512x512xf32> attributes {kernel.trip_count = 6 : i64}
    cond {
      %p = stablehlo.constant dense<true> : tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %i = kernel.counter 0 by 1 : tensor<i32>
      %1 = stablehlo.dynamic_slice %x, %i, %zero, %zero, sizes = [1, 512, 512]
          : (tensor<6x512x512xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x512x512xf32>
      %2 = stablehlo.reshape %1 : (tensor<1x512x512xf32>) -> tensor<512x512xf32>
      %3 = stablehlo.slice %s [0:1, 0:512] : (tensor<512x512xf32>) -> tensor<1x512xf32>
      %4 = stablehlo.reshape %3 : (tensor<1x512xf32>) -> tensor<512xf32>
      %5 = stablehlo.broadcast_in_dim %4, dims = [1] : (tensor<512xf32>) -> tensor<512x512xf32>
      %6 = stablehlo.add %s, %2 : tensor<512x512xf32>
      %7 = stablehlo.add %6, %5 : tensor<512x512xf32>
      stablehlo.return %7 : tensor<512x512xf32>
    }
  return %0 : tensor<512x512xf32>
}
