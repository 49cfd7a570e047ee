// Lookups of single elements: a permutation of lanes for each row of the vector.
// RUN: tpuc-opt %s --pass-pipeline='builtin.module(func.func(tpuc-fuse-kernels),tpuc-plan-kernels,tpuc-lower-kernels)' --split-input-file | FileCheck %s

// 300 elements are 3 rows of 128, one word of 512 bytes each: 1200 bytes come once, to words 0 to 2. Indices and
// results are 16 x 256: 2 x 2 tiles, in VMEM from words 8 and 40 on (8 + 4 tiles x 8 words = 40; 40 + 32 = 72 in all).
// CHECK-LABEL: tpu.routine @k0
// CHECK-SAME: kind = "gather"
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
// CHECK: %[[IS:.*]] = tpu.inst "v.eq.i32"(%[[ROW]]
// CHECK: %[[SECOND:.*]] = tpu.inst "x.perm.lane"(%{{.*}}, %[[CLAMPED]])
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

// -----

// Rows of 300 elements in tiles of 128 lanes: three permutations for a vreg of 8 rows' indices. The rows' blocks follow
// the indices'; 16 x 300 in a step of 8 rows or 16.
// CHECK-LABEL: tpu.routine @k0
// CHECK: %[[AT:.*]] = tpu.inst "v.min.i32"
// CHECK: %[[TILE:.*]] = tpu.inst "v.shr.s32"(%[[AT]]
// CHECK-COUNT-3: "x.perm.lane"(%{{.*}}, %[[AT]])
// CHECK-NOT: "x.perm.lane"
func.func @main(%x: tensor<16x300xf32>, %at: tensor<16x256xi32>) -> tensor<16x256xf32> {
  %0 = "stablehlo.gather"(%x, %at) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1],
      operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>,
      slice_sizes = array<i64: 1, 1>}> : (tensor<16x300xf32>, tensor<16x256xi32>) -> tensor<16x256xf32>
  return %0 : tensor<16x256xf32>
}

// -----

// 2500 elements are 20 rows: two iterations of eight chains and four rows more; three levels of "or" join the chains.
// CHECK-LABEL: tpu.routine @k0
// CHECK: scf.for %{{.*}} = %c0_i64 to %c16_i64 step %c8_i64
// CHECK: "v.sub.i32"
// CHECK-COUNT-8: "x.perm.lane"
// CHECK: scf.yield
// CHECK-COUNT-4: "x.perm.lane"
// CHECK-COUNT-7: "v.or"
// CHECK-NOT: "v.or"
func.func @main(%table: tensor<2500xf32>, %at: tensor<16x256xi32>) -> tensor<16x256xf32> {
  %0 = "stablehlo.gather"(%table, %at) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0],
      start_index_map = [0], index_vector_dim = 2>, slice_sizes = array<i64: 1>}>
      : (tensor<2500xf32>, tensor<16x256xi32>) -> tensor<16x256xf32>
  return %0 : tensor<16x256xf32>
}

// -----

// Two elements of four million: sooner fetched than all of these brought to VMEM.
// CHECK-LABEL: tpu.routine @k0
// CHECK-NOT: "x.perm.lane"
func.func @main(%table: tensor<4000000xf32>, %at: tensor<2xi32>) -> tensor<2xf32> {
  %0 = "stablehlo.gather"(%table, %at) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0],
      start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>}>
      : (tensor<4000000xf32>, tensor<2xi32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
