// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tpuc-opt %s --tpuc-join-launches --tpuc-verify-lower | FileCheck %s

// Index arithmetic is nothing between two grids, nor are copies of arrays and waits for them; a wait for another
// semaphore is. A loop of known count belongs to its neighbours, one that waits so has a launch an iteration. A grid
// alone is one by itself.

// CHECK: tpu.routine entry @main
// CHECK-NOT: tpu.grid
// CHECK: tpu.call @launch0
// CHECK-NEXT: tpu.inst "dma.wait"(%c0
// CHECK-NEXT: tpu.grid @k0 steps 3
// CHECK-NEXT: scf.for
// CHECK-NEXT: tpu.call @launch1
// CHECK-NEXT: tpu.inst "dma.wait"(%c0
// CHECK: {{^ +[}]$}}
// CHECK-NEXT: tpu.return
module attributes {tpu.arena_bytes = 1024 : i64} {
tpu.buffer @tmp0 "arena" 0 at 0 size 512 : tensor<128xf32> order [0]
tpu.buffer @tmp1 "arena" 1 at 512 size 512 : tensor<128xf32> order [0]
tpu.routine entry @main {
  %n = arith.constant 4 : i64
  tpu.grid @k0 steps 1
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  tpu.grid @k1 steps 8
  tpu.dma_start "hbm" @tmp0[%zero + 0] to "hbm" @tmp1[%zero + 0] run 512 counts [] strides [] to [] sem %zero
  tpu.inst "dma.wait"() {count = 1 : i64} : ()
  scf.for %i = %zero to %n step %one : i64 {
    tpu.grid @k1 steps 3
  }
  tpu.grid @k0 steps 2
  tpu.inst "dma.wait"(%zero) {count = 0 : i64} : (i64)
  tpu.grid @k0 steps 3
  scf.for %i = %zero to %n step %one : i64 {
    tpu.grid @k1 steps 1
    tpu.grid @k1 steps 2
    tpu.inst "dma.wait"(%zero) {count = 0 : i64} : (i64)
  }
  tpu.return
}
// CHECK: tpu.routine @k0
// CHECK: tpu.routine @k1
tpu.routine @k0 facts {kind = "loop"} {
^bb0(%first: i64, %count: i64):
  tpu.return
}
tpu.routine @k1 facts {kind = "loop"} {
^bb0(%first: i64, %count: i64):
  tpu.return
}
}
// CHECK: tpu.routine @launch0 facts {kind = "launch"}
// CHECK: tpu.grid @k0 steps 1
// CHECK-NEXT: tpu.grid @k1 steps 8
// CHECK-NEXT: tpu.dma_start "hbm" @tmp0
// CHECK-NEXT: tpu.inst "dma.wait"()
// CHECK-NEXT: scf.for
// CHECK-NEXT: tpu.grid @k1 steps 3
// CHECK-NEXT: }
// CHECK-NEXT: tpu.grid @k0 steps 2
// CHECK-NEXT: tpu.return
// CHECK: tpu.routine @launch1 facts {kind = "launch"}
// CHECK-NEXT: ^bb0
// CHECK-NEXT: tpu.grid @k1 steps 1
// CHECK-NEXT: tpu.grid @k1 steps 2
// CHECK-NEXT: tpu.return
