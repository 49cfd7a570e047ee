// A sequence longer than VMEM is sorted in blocks, which are merged through HBM.
// RUN: tpuc-opt %s --split-input-file \
// RUN:   --pass-pipeline='builtin.module(func.func(tpuc-fuse-kernels),tpuc-plan-kernels{set=core.vmem_bytes=1048576},tpuc-lower-kernels{set=core.vmem_bytes=1048576})' \
// RUN:     \
// RUN:     \
// RUN:     \
// RUN:     \
// RUN:   | FileCheck %s
// RUN: tpuc-opt %s --split-input-file \
// RUN:   --pass-pipeline='builtin.module(func.func(tpuc-fuse-kernels),tpuc-plan-kernels{set=core.vmem_bytes=1048576,memory.hbm_bytes=4194304},tpuc-lower-kernels{set=core.vmem_bytes=1048576,memory.hbm_bytes=4194304})' \
// RUN:     \
// RUN:     \
// RUN:     \
// RUN:     \
// RUN:   | FileCheck %s --check-prefix=TURN

// Keys alone, 196 vregs of 1024: with two slots a block of 32 takes 256 KiB, and as much where it comes in or leaves.
// Seven blocks.
// CHECK: tpu.buffer @tmp0 "arena" 0 at 0 size 917504
// CHECK-LABEL: tpu.routine @k0
// CHECK-DAG: %[[BLOCKS:.*]] = arith.constant 7 : i64
// A block comes in, is sorted and goes to the array between.
// CHECK: scf.for
// CHECK: tpu.dma_start "hbm" @arg0
// CHECK: tpu.dma_start "vmem"{{.*}} to "hbm" @tmp0{{.*}} run 131072 counts [] strides [] to []
// Three merges, of two blocks, four and eight: a piece of a block is 32 / 8 vregs, and those past the end are filled
// in.
// CHECK: scf.for
// CHECK: scf.if
// CHECK: tpu.dma_start "hbm" @tmp0{{.*}} run 16384
// CHECK: } else {
// CHECK: "v.st"
// CHECK: x.perm.lane
// CHECK: x.perm.sub
// CHECK: v.min.i32
// CHECK: tpu.dma_start "vmem"{{.*}} to "hbm" @tmp0{{.*}} run 16384
// The steps within a block, then, the last time, where the sorted elements leave.
// CHECK: scf.for %{{.*}} = %{{.*}} to %[[BLOCKS]]
// CHECK: tpu.dma_start "hbm" @tmp0{{.*}} run 131072
// CHECK: tpu.dma_start "vmem"{{.*}} to "hbm" @tmp0{{.*}} run 131072
// CHECK: tpu.dma_start "hbm" @tmp0{{.*}} run 131072
// CHECK: tpu.dma_start "vmem"{{.*}} to "hbm" @res0
// CHECK: tpu.return
func.func @main(%x: tensor<200000xi32>) -> tensor<200000xi32> {
  %0 = "stablehlo.sort"(%x) <{dimension = 0 : i64}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %lt = stablehlo.compare LT, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %lt : tensor<i1>
  }) : (tensor<200000xi32>) -> tensor<200000xi32>
  return %0 : tensor<200000xi32>
}

// -----

// Eight rows side by side, three values of each element, in blocks of 16 vregs; two steps of rows have memory of their
// own.
// CHECK: tpu.buffer @tmp0 "arena" 0 at 0 size 786432
// More than an eighth of HBM: all rows in one step, in turn.
// TURN: tpu.buffer @tmp0 "arena" 0 at 0 size 393216
// TURN: steps = 1
// CHECK-LABEL: tpu.routine @k0 facts {{.*}}steps = 2
// CHECK: tpu.dma_start "vmem"{{.*}} to "hbm" @tmp0{{.*}} run 196608 counts []
// CHECK: tpu.return
func.func @main(%x: tensor<16x3500xf32>, %y: tensor<16x3500xi32>) -> (tensor<16x3500xf32>, tensor<16x3500xi32>) {
  %0:2 = "stablehlo.sort"(%x, %y) <{dimension = 1 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<i32>, %d: tensor<i32>):
    %lt = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %lt : tensor<i1>
  }) : (tensor<16x3500xf32>, tensor<16x3500xi32>) -> (tensor<16x3500xf32>, tensor<16x3500xi32>)
  return %0#0, %0#1 : tensor<16x3500xf32>, tensor<16x3500xi32>
}

// -----

// Of few that are kept nothing goes through HBM: the first four of each slot of a block meet those of the blocks
// before it.
// CHECK-NOT: "arena"
// CHECK-LABEL: tpu.routine @k0
// CHECK-COUNT-2: tpu.dma_start "hbm" @arg0
// CHECK: scf.for
// CHECK: tpu.dma_start "hbm" @arg0
// CHECK: v.max.i32
// CHECK: tpu.dma_start "vmem"{{.*}} to "hbm" @res0{{.*}} run 512
// CHECK: tpu.return
func.func @main(%x: tensor<500000xi32>) -> tensor<4xi32> {
  %0 = "stablehlo.sort"(%x) <{dimension = 0 : i64}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %gt = stablehlo.compare GT, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %gt : tensor<i1>
  }) : (tensor<500000xi32>) -> tensor<500000xi32>
  %1 = stablehlo.slice %0 [0:4] : (tensor<500000xi32>) -> tensor<4xi32>
  return %1 : tensor<4xi32>
}
