// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tpuc-opt %s --tpuc-plan-kernels=target=v4 --tpuc-lower-kernels=target=v4 --tpuc-verify-lower \
// RUN:   | FileCheck %s

// The loop is a launch that the entry starts as a grid of two steps: a core counts from its first iteration on, and
// runs the kernels of its iterations, with all of their steps. What stays in VMEM is no part that cores share.
// CHECK-NOT: tpu.vmem_shared_bytes
// CHECK: tpu.routine entry @main
// CHECK-NEXT: tpu.grid @cores0 steps 2
// CHECK: tpu.routine @cores0 facts {kind = "launch", smem_bytes = 392 : i64}
// CHECK: ^bb0(%[[FIRST:.*]]: i64, %[[COUNT:.*]]: i64):
// CHECK: tpu.inst "s.stw"(%[[FIRST]], %{{.*}}) {off = [[WORD:[0-9]+]]
// CHECK: scf.for %{{.*}} = %{{.*}} to %[[COUNT]]
// CHECK: tpu.grid @k0 steps 2
// CHECK: tpu.grid @k1 steps 2
// CHECK: %[[OLD:.*]] = tpu.inst "s.ldw"(%{{.*}}) {off = [[WORD]]
// CHECK: %[[NEW:.*]] = arith.addi %[[OLD]]
// CHECK: tpu.inst "s.stw"(%[[NEW]], %{{.*}}) {off = [[WORD]]
// SMEM is the core's own too: a kernel spills its scalars behind those of the launch, 32 of 8 bytes, and the counters.
// CHECK: tpu.routine @k0 facts {{.*}} smem_bytes = 648 : i64
// CHECK: tpu.routine @k1 facts {{.*}} smem_bytes = 648 : i64
func.func @main(%q: tensor<2x2x256x128xf32>, %k: tensor<2x2x256x128xf32>) -> tensor<2x2x256x128xf32> {
  %none = kernel.undefined : tensor<2x2x256x128xf32>
  %0 = stablehlo.while(%out = %none) : tensor<2x2x256x128xf32>
      attributes {kernel.over_cores, kernel.trip_count = 2 : i64}
  cond {
    %p = kernel.fusion "loop"() -> tensor<i1> {
      %true = stablehlo.constant dense<true> : tensor<i1>
      kernel.yield %true : tensor<i1>
    }
    stablehlo.return %p : tensor<i1>
  } do {
    %i = kernel.counter 0 by 1 : tensor<i32>
    %t = kernel.fusion "dot"(%q, %k, %i : tensor<2x2x256x128xf32>, tensor<2x2x256x128xf32>, tensor<i32>)
        -> tensor<2x256x256xf32> {
    ^bb0(%a: tensor<2x2x256x128xf32>, %b: tensor<2x2x256x128xf32>, %n: tensor<i32>):
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %a0 = stablehlo.dynamic_slice %a, %n, %zero, %zero, %zero, sizes = [1, 2, 256, 128] : (tensor<2x2x256x128xf32>,
          tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x256x128xf32>
      %a1 = stablehlo.reshape %a0 : (tensor<1x2x256x128xf32>) -> tensor<2x256x128xf32>
      %b0 = stablehlo.dynamic_slice %b, %n, %zero, %zero, %zero, sizes = [1, 2, 256, 128] : (tensor<2x2x256x128xf32>,
          tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x256x128xf32>
      %b1 = stablehlo.reshape %b0 : (tensor<1x2x256x128xf32>) -> tensor<2x256x128xf32>
      %s = stablehlo.dot_general %a1, %b1, batching_dims = [0] x [0], contracting_dims = [2] x [2]
          : (tensor<2x256x128xf32>, tensor<2x256x128xf32>) -> tensor<2x256x256xf32>
      %tanh = stablehlo.tanh %s : tensor<2x256x256xf32>
      kernel.yield %tanh : tensor<2x256x256xf32>
    }
    %o = kernel.fusion "dot"(%t, %k, %i, %out : tensor<2x256x256xf32>, tensor<2x2x256x128xf32>, tensor<i32>,
        tensor<2x2x256x128xf32>) -> tensor<2x2x256x128xf32> {
    ^bb0(%a: tensor<2x256x256xf32>, %b: tensor<2x2x256x128xf32>, %n: tensor<i32>, %to: tensor<2x2x256x128xf32>):
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %b0 = stablehlo.dynamic_slice %b, %n, %zero, %zero, %zero, sizes = [1, 2, 256, 128] : (tensor<2x2x256x128xf32>,
          tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x256x128xf32>
      %b1 = stablehlo.reshape %b0 : (tensor<1x2x256x128xf32>) -> tensor<2x256x128xf32>
      %d = stablehlo.dot_general %a, %b1, batching_dims = [0] x [0], contracting_dims = [2] x [1]
          : (tensor<2x256x256xf32>, tensor<2x256x128xf32>) -> tensor<2x256x128xf32>
      %d1 = stablehlo.reshape %d : (tensor<2x256x128xf32>) -> tensor<1x2x256x128xf32>
      %next = stablehlo.dynamic_update_slice %to, %d1, %n, %zero, %zero, %zero : (tensor<2x2x256x128xf32>,
          tensor<1x2x256x128xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x2x256x128xf32>
      kernel.yield %next : tensor<2x2x256x128xf32>
    }
    stablehlo.return %o : tensor<2x2x256x128xf32>
  }
  return %0 : tensor<2x2x256x128xf32>
}
