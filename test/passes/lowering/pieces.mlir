// Layers of stacks that a kernel reads and writes where they lie: their position is fetched once, and is so many bytes.
// RUN: tpuc-opt %s \
// RUN:   --pass-pipeline='builtin.module(func.func(tpuc-fuse-kernels,tpuc-slice-in-place),tpuc-plan-kernels{target=v5p},tpuc-lower-kernels{target=v5p})' \
// RUN:   --split-input-file | FileCheck %s

// A layer of %w takes 64 x 128 x 4 = 32768 bytes, one of %y 16 x 128 x 4 = 8192. The old %y is not ours to change.
// CHECK-LABEL: tpu.routine entry @main
// CHECK: tpu.dma_start "hbm" @arg3[{{.*}}] to "hbm" @res0[{{.*}}] run 49152
// CHECK: tpu.grid @k0
// CHECK: tpu.routine @k0
// CHECK-DAG: %[[W:.*]] = arith.constant 32768
// CHECK-DAG: %[[Y:.*]] = arith.constant 8192
// CHECK-DAG: %[[LAST:.*]] = arith.constant 5
// CHECK: tpu.dma_start "hbm" @arg2[{{.*}}] to "smem"[{{.*}}] run 4
// CHECK: %[[I:.*]] = tpu.inst "s.ldw"
// CHECK-NOT: "s.ldw"
// CHECK: %[[LOW:.*]] = arith.maxsi %[[I]]
// CHECK: %[[AT:.*]] = arith.minsi %[[LOW]], %[[LAST]]
// CHECK: %[[FROM:.*]] = arith.muli %[[AT]], %[[W]]
// CHECK: tpu.dma_start "hbm" @arg1[%[[FROM]] + 0] to "vmem"[{{.*}}] run 32768
// CHECK: %[[TO:.*]] = arith.muli %[[AT]], %[[Y]]
// CHECK: tpu.dma_start "vmem"[{{.*}}] to "hbm" @res0[%[[TO]] + 0] run 8192
// CHECK-NOT: tpu.routine
func.func @main(%x: tensor<16x64xf32>, %w: tensor<6x64x128xf32>, %i: tensor<i32>, %y: tensor<6x16x128xf32>)
    -> tensor<6x16x128xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.dynamic_slice %w, %i, %zero, %zero, sizes = [1, 64, 128]
      : (tensor<6x64x128xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x64x128xf32>
  %1 = stablehlo.reshape %0 : (tensor<1x64x128xf32>) -> tensor<64x128xf32>
  %2 = stablehlo.dot_general %x, %1, contracting_dims = [1] x [0]
      : (tensor<16x64xf32>, tensor<64x128xf32>) -> tensor<16x128xf32>
  %3 = stablehlo.reshape %2 : (tensor<16x128xf32>) -> tensor<1x16x128xf32>
  %4 = stablehlo.dynamic_update_slice %y, %3, %i, %zero, %zero
      : (tensor<6x16x128xf32>, tensor<1x16x128xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<6x16x128xf32>
  return %4 : tensor<6x16x128xf32>
}

// -----

// A layer that is known is an offset of the descriptor: 3 x 32768 bytes.
// CHECK-LABEL: tpu.routine entry @main
// CHECK-NOT: "smem"
// CHECK: tpu.dma_start "hbm" @arg1[{{.*}} + 98304] to "vmem"
func.func @main(%x: tensor<16x64xf32>, %w: tensor<6x64x128xf32>) -> tensor<16x128xf32> {
  %0 = stablehlo.slice %w [3:4, 0:64, 0:128] : (tensor<6x64x128xf32>) -> tensor<1x64x128xf32>
  %1 = stablehlo.reshape %0 : (tensor<1x64x128xf32>) -> tensor<64x128xf32>
  %2 = stablehlo.dot_general %x, %1, contracting_dims = [1] x [0]
      : (tensor<16x64xf32>, tensor<64x128xf32>) -> tensor<16x128xf32>
  return %2 : tensor<16x128xf32>
}

// -----

// What a loop carries is written where it lies: nothing is copied, in the entry or a kernel; and the position that a
// kernel made is in HBM, where the scalar unit finds it.
// CHECK-LABEL: tpu.routine entry @main
// CHECK: scf.for
// CHECK-NOT: dma_start
// CHECK: tpu.routine
// CHECK: tpu.dma_start "vmem"[{{.*}}] to "hbm" @tmp
// CHECK: tpu.routine
// CHECK: tpu.dma_start "hbm" @tmp{{[0-9]+}}[{{.*}}] to "smem"
// CHECK: tpu.dma_start "vmem"[{{.*}}] to "hbm" @res0
func.func @main(%x: tensor<16x128xf32>) -> tensor<6x16x128xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %five = stablehlo.constant dense<5> : tensor<i32>
  %u = kernel.undefined : tensor<6x16x128xf32>
  %0:2 = stablehlo.while(%i = %zero, %y = %u) : tensor<i32>, tensor<6x16x128xf32>
    attributes {kernel.trip_count = 6 : i64}
    cond {
      %p = stablehlo.constant dense<true> : tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %1 = stablehlo.subtract %five, %i : tensor<i32>
      %2 = stablehlo.exponential %x : tensor<16x128xf32>
      %3 = stablehlo.reshape %2 : (tensor<16x128xf32>) -> tensor<1x16x128xf32>
      %4 = stablehlo.dynamic_update_slice %y, %3, %1, %zero, %zero : (tensor<6x16x128xf32>, tensor<1x16x128xf32>,
          tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<6x16x128xf32>
      %5 = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %5, %4 : tensor<i32>, tensor<6x16x128xf32>
    }
  return %0#1 : tensor<6x16x128xf32>
}
