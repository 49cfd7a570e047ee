// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tpuc-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(tpuc-fuse-kernels), \
// RUN:   tpuc-plan-kernels{target=v5e},tpuc-lower-kernels{target=v5e})' | FileCheck %s

// Blocks that move at the same steps are in the same slot: the grid's loop carries it once for three inputs, with
// whether there is something to wait for, and once for the result.
// CHECK-LABEL: tpu.routine @k0
// CHECK: scf.for {{.*}} -> (i64, i64, i64, i64)
// CHECK: scf.if
// CHECK-COUNT-3: tpu.inst "dma.wait"
// CHECK: scf.if
// CHECK-COUNT-1: tpu.inst "dma.wait"
// CHECK: scf.for
func.func @main(%a: tensor<4096x1024xf32>, %b: tensor<4096x1024xf32>, %c: tensor<4096x1024xf32>)
    -> tensor<4096x1024xf32> {
  %0 = stablehlo.add %a, %b : tensor<4096x1024xf32>
  %1 = stablehlo.multiply %0, %c : tensor<4096x1024xf32>
  return %1 : tensor<4096x1024xf32>
}

// -----

// A matmul's operands move along different dims of the grid: each has its own slot.
// CHECK-LABEL: tpu.routine @k0
// CHECK: scf.for {{.*}} -> (i64, i64, i64, i64, i64, i64)
func.func @main(%a: tensor<4096x4096xbf16>, %b: tensor<4096x4096xbf16>) -> tensor<4096x4096xbf16> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
      : (tensor<4096x4096xbf16>, tensor<4096x4096xbf16>) -> tensor<4096x4096xbf16>
  return %0 : tensor<4096x4096xbf16>
}
