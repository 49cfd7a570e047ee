// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tpuc-opt %s --pass-pipeline='builtin.module(func.func(tpuc-fuse-kernels),tpuc-plan-kernels)' \
// RUN:   | FileCheck %s --check-prefix=PLAN
// RUN: tpuc-opt %s \
// RUN:   --pass-pipeline='builtin.module(func.func(tpuc-fuse-kernels),tpuc-plan-kernels,tpuc-lower-kernels)' \
// RUN:   | FileCheck %s

// The first 50 of 32000. As 64 lanes hold 50, a vreg has two sides, and groups are of 2 * 4 vregs. Level by level:
//   250 vregs, 256 with padding, are 32 groups: vregs v, v + 32, ... v + 224;
//   32 vregs of their first are 4 groups;
//   4 vregs of theirs are sorted.
// Sorted vregs are 4 of keys and 4 of positions. 8 rows are a unit: 256 * 8 words of keys, 32 * 8 * 2 of the next
// level, and 4 * 8 * 2.
// PLAN: kernel.plan = #kernel.plan<grid [parallel d0 = 8 by 8, whole d1 = 32000]
// PLAN-SAME: groups, rows

// Down: two groups' first of 8, by keys alone in the first level, where positions rise.
// CHECK-LABEL: tpu.routine @k0
// CHECK: scf.for %{{.*}} to %c16_i64
// CHECK-COUNT-14: tpu.inst "v.max.i32"
// CHECK-NOT: "v.max.i32"
// CHECK: scf.for %{{.*}} to %c2_i64
// CHECK-COUNT-14: tpu.inst "m.or"
// CHECK-NOT: "m.or"
// CHECK: scf.for
// Back: of the second level's 4 groups, and then of the first one's 32, each side's 4 vregs. Lanes take theirs from the
// lane of the group's first; the keys' own positions follow where the level has them.
// CHECK: scf.for %{{.*}} to %c4_i64 step %c1_i64 iter_args
// CHECK-COUNT-16: tpu.inst "x.perm.lane"
// CHECK-NOT: "x.perm.lane"
// CHECK: scf.yield
// CHECK: scf.for %{{.*}} to %c32_i64 step %c1_i64 iter_args
// CHECK-COUNT-8: tpu.inst "x.perm.lane"
// CHECK-NOT: "x.perm.lane"
// CHECK: scf.yield
func.func @main(%x: tensor<8x32000xf32>) -> (tensor<8x50xf32>, tensor<8x50xi32>) {
  %places = stablehlo.iota dim = 1 : tensor<8x32000xi32>
  %0:2 = "stablehlo.sort"(%x, %places) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %p: tensor<i32>, %q: tensor<i32>):
    %more = stablehlo.compare GT, %a, %b, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  }) : (tensor<8x32000xf32>, tensor<8x32000xi32>) -> (tensor<8x32000xf32>, tensor<8x32000xi32>)
  %1 = stablehlo.slice %0#0 [0:8, 0:50] : (tensor<8x32000xf32>) -> tensor<8x50xf32>
  %2 = stablehlo.slice %0#1 [0:8, 0:50] : (tensor<8x32000xi32>) -> tensor<8x50xi32>
  return %1, %2 : tensor<8x50xf32>, tensor<8x50xi32>
}
