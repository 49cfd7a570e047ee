// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A fetch is a transfer of the entry; its first reader waits. With the kernels it is one launch.
// RUN: tpuc-opt %s --tpuc-lower-kernels=target=v5e --tpuc-verify-lower | FileCheck %s
// RUN: tpuc-opt %s --tpuc-lower-kernels=target=v5e --tpuc-join-launches --tpuc-verify-lower | \
// RUN:   FileCheck %s --check-prefix=LAUNCH

// 8 rows of 300 f32 are three tiles of 4096 bytes, which lie one after the other in HBM and in VMEM, from word 16 on:
// byte 8192. Semaphores of fetches are 1920 and those behind: 2048, less 64 of exchanges and 64 of fetches.
// CHECK: tpu.buffer @vmem0 "vmem" 0 at 8192 size 12288 {{.*}}live = array<i64: 0, 2>, tpu.fetched}
// CHECK-LABEL: tpu.routine entry @main
// CHECK-DAG: %[[SEMAPHORE:.*]] = arith.constant 1920
// CHECK: tpu.dma_start "hbm" @arg1[{{.*}} + 0] to "vmem"[{{.*}} + 8192] run 12288 counts [] strides [] to []
// CHECK-SAME: sem %[[SEMAPHORE]]
// CHECK-NEXT: tpu.grid @k0
// CHECK-NEXT: tpu.inst "dma.wait"() {count = 1 : i64, imm = 1920 : i64}
// CHECK-NEXT: tpu.grid @k1
// CHECK-NEXT: tpu.return
// The reader has no transfer of it: its block is where the array lies.
// CHECK-LABEL: tpu.routine @k1
// CHECK-NOT: "hbm" @arg
// CHECK: "v.ld"(%{{.*}}) {off = 16

// LAUNCH-LABEL: tpu.routine entry @main
// LAUNCH: tpu.call @launch0
// LAUNCH-NEXT: tpu.return
// LAUNCH-LABEL: tpu.routine @launch0
// LAUNCH: tpu.dma_start
// LAUNCH-NEXT: tpu.grid @k0
// LAUNCH-NEXT: tpu.inst "dma.wait"
// LAUNCH-NEXT: tpu.grid @k1
// LAUNCH-NEXT: tpu.return
func.func @main(%x: tensor<8x128xf32>, %y: tensor<8x300xf32>) -> (tensor<8x128xf32>, tensor<8x300xf32>) {
  %0 = kernel.fusion "fetch"(%y : tensor<8x300xf32>) -> tensor<8x300xf32> attributes {
      kernel.places = [[#kernel.place<tensor<8x300xf32> at 16 words 24 rows 8 tiles 3 strides [8]>]],
      kernel.plan = #kernel.plan<grid [], transfers>} {
  ^bb0(%a: tensor<8x300xf32>):
    kernel.yield %a : tensor<8x300xf32>
  }
  %1 = kernel.fusion "loop"(%x : tensor<8x128xf32>) -> tensor<8x128xf32> attributes {
      kernel.plan = #kernel.plan<grid [parallel d0 = 8 by 8, parallel d1 = 128 by 128]>} {
  ^bb0(%a: tensor<8x128xf32>):
    %2 = stablehlo.exponential %a : tensor<8x128xf32>
    kernel.yield %2 : tensor<8x128xf32>
  }
  %3 = kernel.fusion "loop"(%0 : tensor<8x300xf32>) -> tensor<8x300xf32> attributes {
      kernel.plan = #kernel.plan<grid [parallel d0 = 8 by 8, parallel d1 = 300 by 300]>} {
  ^bb0(%a: tensor<8x300xf32>):
    %4 = stablehlo.negate %a : tensor<8x300xf32>
    kernel.yield %4 : tensor<8x300xf32>
  }
  return %1, %3 : tensor<8x128xf32>, tensor<8x300xf32>
}
