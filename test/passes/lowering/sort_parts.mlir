// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A long sequence comes to its network and leaves it in parts, so that transfers go on meanwhile.
// RUN: tpuc-opt %s --split-input-file \
// RUN:   --pass-pipeline='builtin.module(func.func(tpuc-fuse-kernels),tpuc-plan-kernels{target=v5e},tpuc-lower-kernels{target=v5e})' \
// RUN:   | FileCheck %s

// 293 vregs of 512 in parts of 128: the first two are asked for, three are put, with the next but one asked for behind
// each. No part comes to the last 128 vregs, which are filled. Then all is sorted, and three parts leave.
// CHECK-LABEL: tpu.routine @k0
// CHECK: tpu.dma_start "hbm" @arg0{{.*}} to "vmem"[%c0_i64 + 0] run 524288
// CHECK: tpu.dma_start "hbm" @arg0{{.*}} to "vmem"[%c524288_i64 + 0] run 524288
// CHECK: scf.for %{{.*}} = %c0_i64 to %c3_i64
// CHECK: scf.for %{{.*}} = %c0_i64 to %c128_i64
// CHECK: "v.st"
// CHECK: tpu.dma_start "hbm" @arg0{{.*}} run 524288
// CHECK: scf.for %{{.*}} = %c384_i64 to %c512_i64
// CHECK-NEXT: arith.muli
// CHECK-NEXT: "v.st"
// CHECK: "v.min.i32"
// CHECK: "x.perm.lane"
// CHECK: scf.for %{{.*}} = %c0_i64 to %c3_i64
// CHECK: scf.for %{{.*}} = %c0_i64 to %c128_i64
// CHECK: tpu.dma_start "vmem"{{.*}} to "hbm" @res0{{.*}} run 524288
// CHECK-NOT: "v.min.i32"
// CHECK: tpu.return
func.func @main(%x: tensor<300000xi32>) -> tensor<300000xi32> {
  %0 = "stablehlo.sort"(%x) <{dimension = 0 : i64}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %lt = stablehlo.compare LT, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %lt : tensor<i1>
  }) : (tensor<300000xi32>) -> tensor<300000xi32>
  return %0 : tensor<300000xi32>
}
