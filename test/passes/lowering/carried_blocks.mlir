// Sums that a loop carries are added where they lie: each step of the kernel has read the block that it writes, though
// what it adds is a part of a larger array. Nothing is copied at the end of an iteration.
// VMEM is too small for what is carried.
// RUN: tpuc-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(tpuc-fuse-kernels), \
// RUN:   tpuc-plan-kernels{set=core.vmem_bytes=1048576},tpuc-lower-kernels{set=core.vmem_bytes=1048576})' | FileCheck %s

// CHECK-LABEL: tpu.routine entry @main
// CHECK: scf.for
// CHECK-NOT: dma_start
// CHECK: tpu.return
// CHECK: tpu.dma_start "hbm" @res0[{{.*}}] to "vmem"
// CHECK: tpu.dma_start "vmem"[{{.*}}] to "hbm" @res0[
func.func @main(%g: tensor<512x1024xf32>, %zeros: tensor<512x512xf32>) -> tensor<512x512xf32> {
  %0 = stablehlo.while(%sum = %zeros) : tensor<512x512xf32> attributes {kernel.trip_count = 6 : i64}
    cond {
      %p = stablehlo.constant dense<true> : tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %1 = stablehlo.slice %g [0:512, 512:1024] : (tensor<512x1024xf32>) -> tensor<512x512xf32>
      %2 = stablehlo.add %sum, %1 : tensor<512x512xf32>
      stablehlo.return %2 : tensor<512x512xf32>
    }
  return %0 : tensor<512x512xf32>
}

// -----

// The first row is read by all steps, of which one writes it: the new sum is made elsewhere, and copied.
// CHECK-LABEL: tpu.routine entry @main
// CHECK: scf.for
// CHECK: tpu.dma_start "hbm" @tmp{{.*}} to "hbm" @res0
// CHECK: tpu.return
func.func @main(%zeros: tensor<512x512xf32>) -> tensor<512x512xf32> {
  %0 = stablehlo.while(%sum = %zeros) : tensor<512x512xf32> attributes {kernel.trip_count = 6 : i64}
    cond {
      %p = stablehlo.constant dense<true> : tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %1 = stablehlo.slice %sum [0:1, 0:512] : (tensor<512x512xf32>) -> tensor<1x512xf32>
      %2 = stablehlo.reshape %1 : (tensor<1x512xf32>) -> tensor<512xf32>
      %3 = stablehlo.broadcast_in_dim %2, dims = [1] : (tensor<512xf32>) -> tensor<512x512xf32>
      %4 = stablehlo.add %sum, %3 : tensor<512x512xf32>
      stablehlo.return %4 : tensor<512x512xf32>
    }
  return %0 : tensor<512x512xf32>
}
