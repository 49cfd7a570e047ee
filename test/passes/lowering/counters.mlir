// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows 7 - 2 n of an array, at which a kernel reads it: the entry keeps the number in SMEM, behind its own 64 bytes and
// the runtime's 264, and steps it at an iteration's end; the kernel takes it from there. Nothing else is brought to
// SMEM, and no register lives across the kernels. A second counter, of a loop within, has the word behind it; one of a
// loop next to it the same word.
// RUN: tpuc-opt %s --tpuc-plan-kernels=target=v5e --tpuc-lower-kernels=target=v5e | FileCheck %s
// RUN: tpuc-opt %s --tpuc-plan-kernels=target=v5e --tpuc-lower-kernels=target=v5e --tpuc-join-launches \
// RUN:     --tpuc-verify-lower | FileCheck %s --check-prefix=JOINED
// CHECK-LABEL: tpu.routine entry @main facts {smem_bytes = 392 : i64}
// CHECK: tpu.inst "s.stw"(%c7_i64, %c0_i64) {off = 328 : i64}
// CHECK: scf.for {{.*}} = %c0_i64 to %c4_i64
// CHECK: tpu.inst "s.stw"(%c0_i64, %c0_i64) {off = 332 : i64}
// CHECK: scf.for {{.*}} = %c0_i64 to %c3_i64
// CHECK: tpu.grid @k1
// CHECK: %[[M:.*]] = tpu.inst "s.ldw"(%c0_i64) {off = 332 : i64}
// CHECK: %[[NEXT:.*]] = arith.addi %[[M]], %c1_i64
// CHECK: tpu.inst "s.stw"(%[[NEXT]], %c0_i64) {off = 332 : i64}
// CHECK: %[[N:.*]] = tpu.inst "s.ldw"(%c0_i64) {off = 328 : i64}
// CHECK: %[[BACK:.*]] = arith.addi %[[N]], %c-2_i64
// CHECK: tpu.inst "s.stw"(%[[BACK]], %c0_i64) {off = 328 : i64}
// CHECK: tpu.inst "s.stw"(%c1_i64, %c0_i64) {off = 328 : i64}
// CHECK: scf.for
// CHECK-LABEL: tpu.routine @k1
// CHECK-NOT: "smem"
// CHECK-DAG: tpu.inst "s.ldw"(%c0_i64) {off = 328 : i64}
// CHECK-DAG: tpu.inst "s.ldw"(%c0_i64) {off = 332 : i64}
// CHECK: tpu.return
// Both loops are one launch, which spills nothing where the counters are.
// JOINED-LABEL: tpu.routine entry @main
// JOINED: tpu.call @launch0
// JOINED-NEXT: tpu.return
// JOINED: tpu.routine @launch0 facts {kind = "launch", smem_bytes = 392 : i64}
// JOINED: tpu.inst "s.stw"
// JOINED: scf.for
// JOINED: tpu.inst "s.stw"
// JOINED: scf.for
// JOINED: tpu.grid @k1
func.func @main(%x: tensor<8x4x8x128xf32>) -> tensor<8x128xf32> {
  %sum = kernel.fusion "loop"() -> tensor<8x128xf32> {
    %0 = stablehlo.constant dense<0.0> : tensor<8x128xf32>
    kernel.yield %0 : tensor<8x128xf32>
  }
  %1 = stablehlo.while(%s = %sum) : tensor<8x128xf32> attributes {kernel.trip_count = 4 : i64}
  cond {
    %p = kernel.fusion "loop"() -> tensor<i1> {
      %yes = stablehlo.constant dense<true> : tensor<i1>
      kernel.yield %yes : tensor<i1>
    }
    stablehlo.return %p : tensor<i1>
  } do {
    %i = kernel.counter 7 by -2 : tensor<i32>
    %2 = stablehlo.while(%r = %s) : tensor<8x128xf32> attributes {kernel.trip_count = 3 : i64}
    cond {
      %p = kernel.fusion "loop"() -> tensor<i1> {
        %yes = stablehlo.constant dense<true> : tensor<i1>
        kernel.yield %yes : tensor<i1>
      }
      stablehlo.return %p : tensor<i1>
    } do {
      %k = kernel.counter 0 by 1 : tensor<i32>
      %3 = kernel.fusion "loop"(%r, %x, %i, %k : tensor<8x128xf32>, tensor<8x4x8x128xf32>, tensor<i32>, tensor<i32>)
          -> tensor<8x128xf32> {
      ^bb0(%a: tensor<8x128xf32>, %b: tensor<8x4x8x128xf32>, %at: tensor<i32>, %of: tensor<i32>):
        %zero = stablehlo.constant dense<0> : tensor<i32>
        %4 = stablehlo.dynamic_slice %b, %at, %of, %zero, %zero, sizes = [1, 1, 8, 128]
            : (tensor<8x4x8x128xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x1x8x128xf32>
        %5 = stablehlo.reshape %4 : (tensor<1x1x8x128xf32>) -> tensor<8x128xf32>
        %6 = stablehlo.add %a, %5 : tensor<8x128xf32>
        kernel.yield %6 : tensor<8x128xf32>
      }
      stablehlo.return %3 : tensor<8x128xf32>
    }
    stablehlo.return %2 : tensor<8x128xf32>
  }
  %7 = stablehlo.while(%s = %1) : tensor<8x128xf32> attributes {kernel.trip_count = 2 : i64}
  cond {
    %p = kernel.fusion "loop"() -> tensor<i1> {
      %yes = stablehlo.constant dense<true> : tensor<i1>
      kernel.yield %yes : tensor<i1>
    }
    stablehlo.return %p : tensor<i1>
  } do {
    %i = kernel.counter 1 by 1 : tensor<i32>
    %8 = kernel.fusion "loop"(%s, %x, %i : tensor<8x128xf32>, tensor<8x4x8x128xf32>, tensor<i32>)
        -> tensor<8x128xf32> {
    ^bb0(%a: tensor<8x128xf32>, %b: tensor<8x4x8x128xf32>, %at: tensor<i32>):
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %4 = stablehlo.dynamic_slice %b, %at, %zero, %zero, %zero, sizes = [1, 1, 8, 128]
          : (tensor<8x4x8x128xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x1x8x128xf32>
      %5 = stablehlo.reshape %4 : (tensor<1x1x8x128xf32>) -> tensor<8x128xf32>
      %6 = stablehlo.multiply %a, %5 : tensor<8x128xf32>
      kernel.yield %6 : tensor<8x128xf32>
    }
    stablehlo.return %8 : tensor<8x128xf32>
  }
  return %7 : tensor<8x128xf32>
}
