// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays that loops carry in VMEM.
// RUN: tpuc-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(tpuc-fuse-kernels), \
// RUN:   tpuc-plan-kernels,tpuc-verify-plan,tpuc-lower-kernels,tpuc-verify-lower)' | FileCheck %s

// Two states of 8x128 f32. Each vreg of the first is replaced where it lies: no transfer in the kernel, none in an
// iteration. The initial values come from HBM, and the result goes there when the loop has ended.
// CHECK-LABEL: module
// CHECK: tpu.buffer @vmem0 "vmem" 0 at 0 size 4096 : tensor<8x128xf32>
// CHECK-SAME: {live = array<i64: 1, 1>, tpu.carried, tpu.read_again}
// CHECK-LABEL: tpu.routine entry @main
// CHECK: tpu.dma_start "hbm" @arg0[{{.*}}] to "vmem"[%{{.*}} + 0]
// CHECK: scf.for
// CHECK-NEXT: tpu.grid @k0
// CHECK-NEXT: }
// CHECK-NEXT: tpu.dma_start "vmem"[%{{.*}} + 0] to "hbm" @res0
// CHECK-NEXT: dma.wait{{.*}}
// CHECK-NEXT: tpu.return
// CHECK-LABEL: tpu.routine @k0
// CHECK-NOT: dma_start
// CHECK: "v.ld"(%{{.*}}) {stride = 1 : i64} region [[R:[0-9]+]]
// CHECK: "v.st"{{.*}} {stride = 1 : i64} region [[R]]
func.func @main(%x: tensor<8x128xf32>) -> tensor<8x128xf32> {
  %0 = stablehlo.while(%v = %x) : tensor<8x128xf32> attributes {kernel.trip_count = 7 : i64}
    cond {
      %t = stablehlo.constant dense<true> : tensor<i1>
      stablehlo.return %t : tensor<i1>
    } do {
      %w = stablehlo.tanh %v : tensor<8x128xf32>
      stablehlo.return %w : tensor<8x128xf32>
    }
  return %0 : tensor<8x128xf32>
}

// -----

// Rows are exchanged: a vreg is not made of the one in its place alone. The kernel has one step, and copies what it
// reads within VMEM.
// CHECK-LABEL: tpu.routine @k0
// CHECK: tpu.dma_start "vmem"[%{{.*}} + 0] to "vmem"[%{{.*}} + 8192]
// CHECK-NOT: dma_start
// CHECK: return
func.func @main(%x: tensor<16x128xf32>) -> tensor<16x128xf32> {
  %0 = stablehlo.while(%v = %x) : tensor<16x128xf32> attributes {kernel.trip_count = 7 : i64}
    cond {
      %t = stablehlo.constant dense<true> : tensor<i1>
      stablehlo.return %t : tensor<i1>
    } do {
      %zero = stablehlo.constant dense<0.0> : tensor<f32>
      %most = stablehlo.reduce(%v init: %zero) applies stablehlo.maximum across dimensions = [0]
          : (tensor<16x128xf32>, tensor<f32>) -> tensor<128xf32>
      %all = stablehlo.broadcast_in_dim %most, dims = [1] : (tensor<128xf32>) -> tensor<16x128xf32>
      %w = stablehlo.subtract %all, %v : tensor<16x128xf32>
      stablehlo.return %w : tensor<16x128xf32>
    }
  return %0 : tensor<16x128xf32>
}

// -----

// Handed on in a chain, 8x128 f32 each at 0, 4096 and 8192: the first takes the second, which is read before it takes
// the new one. Two copies, the second when the first is done.
// CHECK-LABEL: tpu.routine entry @main
// CHECK: scf.for
// CHECK-NEXT: tpu.grid @k0
// CHECK-NEXT: tpu.dma_start "vmem"[%{{.*}} + [[B:[0-9]+]]] to "vmem"[%{{.*}} + [[A:[0-9]+]]]
// CHECK-NEXT: dma.wait{{.*}}
// CHECK-NEXT: tpu.dma_start "vmem"[%{{.*}} + {{[0-9]+}}] to "vmem"[%{{.*}} + [[B]]]
// CHECK-NEXT: dma.wait{{.*}}
// CHECK-NEXT: }
func.func @main(%x: tensor<8x128xf32>, %y: tensor<8x128xf32>) -> (tensor<8x128xf32>, tensor<8x128xf32>) {
  %0:2 = stablehlo.while(%before = %x, %v = %y) : tensor<8x128xf32>, tensor<8x128xf32>
      attributes {kernel.trip_count = 7 : i64}
    cond {
      %t = stablehlo.constant dense<true> : tensor<i1>
      stablehlo.return %t : tensor<i1>
    } do {
      %w = stablehlo.subtract %v, %before : tensor<8x128xf32>
      stablehlo.return %v, %w : tensor<8x128xf32>, tensor<8x128xf32>
    }
  return %0#0, %0#1 : tensor<8x128xf32>, tensor<8x128xf32>
}

// -----

// What loops around carry, an inner one carries in the same place.
// CHECK-LABEL: module
// CHECK: "vmem" 0 at 0 size 4096
// CHECK-NOT: "vmem" 1
// CHECK-LABEL: tpu.routine entry @main
// CHECK: tpu.dma_start "hbm" @arg0[{{.*}}] to "vmem"
// CHECK: scf.for
// CHECK-NEXT: scf.for
// CHECK-NEXT: tpu.grid @k0
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: tpu.dma_start "vmem"
func.func @main(%x: tensor<8x128xf32>) -> tensor<8x128xf32> {
  %0 = stablehlo.while(%u = %x) : tensor<8x128xf32> attributes {kernel.trip_count = 7 : i64}
    cond {
      %t = stablehlo.constant dense<true> : tensor<i1>
      stablehlo.return %t : tensor<i1>
    } do {
      %1 = stablehlo.while(%v = %u) : tensor<8x128xf32> attributes {kernel.trip_count = 5 : i64}
        cond {
          %t = stablehlo.constant dense<true> : tensor<i1>
          stablehlo.return %t : tensor<i1>
        } do {
          %w = stablehlo.tanh %v : tensor<8x128xf32>
          stablehlo.return %w : tensor<8x128xf32>
        }
      stablehlo.return %1 : tensor<8x128xf32>
    }
  return %0 : tensor<8x128xf32>
}
