// Lookups of single elements: a permutation of lanes for each row of the vector.
// RUN: tpuc-opt %s --pass-pipeline='builtin.module(func.func(tpuc-fuse-kernels),tpuc-plan-kernels,tpuc-lower-kernels)' | FileCheck %s

// 300 elements are 3 rows of 128, one word of 512 bytes each: 1200 bytes come once, to words 0 to 2. Indices and
// results are 16 x 256: 2 x 2 tiles, in VMEM from words 8 and 40 on (8 + 4 tiles x 8 words = 40; 40 + 32 = 72 in all).
// CHECK-LABEL: tpu.routine @k0
// CHECK-SAME: kind = "copy"
// CHECK-SAME: steps = 1
// CHECK-SAME: vmem_words = 72
// CHECK: tpu.dma_start "hbm" @arg0{{.*}} to "vmem"[{{.*}} + 0] run 1200 counts []
// CHECK: tpu.dma_start "hbm" @arg1{{.*}} to "vmem"[{{.*}} + 4096] run 4096 counts [2, 2]
// An index outside of the vector is the nearest one within. Index >> 7 is the row, index mod 128 the lane.
// CHECK-DAG: %[[LAST:.*]] = tpu.inst "v.li"() {imm = 299
// CHECK-DAG: %[[SHIFT:.*]] = tpu.inst "v.li"() {imm = 7
// CHECK: %[[CLAMPED:.*]] = tpu.inst "v.min.i32"(%{{.*}}, %[[LAST]])
// CHECK: %[[ROW:.*]] = tpu.inst "v.shr.s32"(%[[CLAMPED]], %[[SHIFT]])
// One permutation for each row, and a select for each but the first.
// CHECK: %[[FIRST:.*]] = tpu.inst "x.perm.lane"(%{{.*}}, %[[CLAMPED]])
// CHECK: %[[SECOND:.*]] = tpu.inst "x.perm.lane"(%{{.*}}, %[[CLAMPED]])
// CHECK: %[[IS:.*]] = tpu.inst "v.eq.i32"(%[[ROW]]
// CHECK: tpu.inst "v.sel"(%[[IS]], %[[SECOND]], %[[FIRST]])
// CHECK: "x.perm.lane"
// CHECK: %[[OUT:.*]] = tpu.inst "v.sel"
// CHECK-NOT: "x.perm.lane"
// CHECK: tpu.inst "v.st"(%[[OUT]], %{{.*}}) {off = 40
// CHECK: tpu.dma_start "vmem"[{{.*}} + 20480] to "hbm" @res0{{.*}} run 4096 counts [2, 2]
func.func @main(%table: tensor<300xf32>, %at: tensor<16x256xi32>) -> tensor<16x256xf32> {
  %0 = "stablehlo.gather"(%table, %at) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0],
      start_index_map = [0], index_vector_dim = 2>, slice_sizes = array<i64: 1>}>
      : (tensor<300xf32>, tensor<16x256xi32>) -> tensor<16x256xf32>
  return %0 : tensor<16x256xf32>
}
