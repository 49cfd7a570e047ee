// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tpuc-opt %s --tpuc-join-launches --tpuc-verify-lower | FileCheck %s

// Index arithmetic is nothing between two grids; a transfer's wait is. A loop's grids are a launch an iteration, and a
// grid alone is one by itself.

// CHECK: tpu.routine entry @main
// CHECK-NEXT: arith.constant 4
// CHECK-NEXT: arith.constant 0
// CHECK-NEXT: arith.constant 1
// CHECK-NEXT: tpu.call @launch0
// CHECK-NEXT: tpu.inst "dma.wait"
// CHECK-NEXT: tpu.grid @k0 steps 3
// CHECK-NEXT: scf.for
// CHECK-NEXT: tpu.call @launch1
// CHECK-NEXT: }
// CHECK-NEXT: tpu.return
tpu.routine entry @main {
  %n = arith.constant 4 : i64
  tpu.grid @k0 steps 1
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  tpu.grid @k1 steps 8
  tpu.grid @k0 steps 2
  tpu.inst "dma.wait"(%zero) {count = 0 : i64} : (i64)
  tpu.grid @k0 steps 3
  scf.for %i = %zero to %n step %one : i64 {
    tpu.grid @k1 steps 1
    tpu.grid @k1 steps 2
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
// CHECK: tpu.routine @launch0 facts {kind = "launch"}
// CHECK-NEXT: ^bb0
// CHECK-NEXT: tpu.grid @k0 steps 1
// CHECK-NEXT: tpu.grid @k1 steps 8
// CHECK-NEXT: tpu.grid @k0 steps 2
// CHECK-NEXT: tpu.return
// CHECK: tpu.routine @launch1 facts {kind = "launch"}
// CHECK-NEXT: ^bb0
// CHECK-NEXT: tpu.grid @k1 steps 1
// CHECK-NEXT: tpu.grid @k1 steps 2
// CHECK-NEXT: tpu.return
