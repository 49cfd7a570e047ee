// Rows in order: groups of eight, fetched while the group before is combined.
// RUN: tpuc-opt %s \
// RUN:   --pass-pipeline='builtin.module(func.func(tpuc-sort-scatters,tpuc-fuse-kernels),tpuc-plan-kernels,tpuc-lower-kernels)' \
// RUN:   --split-input-file | FileCheck %s

// A row of 300 lies in three tiles: three runs of a word, 4096 bytes apart, and one after the other in VMEM. 64 rows
// are eight groups; the first one's 16 transfers are waited for in the loop, after those of the next are started.
// CHECK-LABEL: tpu.routine entry @main
// CHECK: tpu.routine @k2
// CHECK: tpu.dma_start "hbm" @arg0[{{.*}}] to "hbm" @res0[{{.*}}] run 1536000
// CHECK: to "smem"[{{.*}} + 0] run 512
// CHECK: to "smem"[{{.*}} + 512] run 512
// CHECK: tpu.dma_start "hbm" @arg2[{{.*}}] to "vmem"[{{.*}}] run 512 counts [3] strides [4096] to [512]
// CHECK: tpu.dma_start "hbm" @res0[{{.*}}] to "vmem"[{{.*}}] run 512 counts [3] strides [4096] to [512]
// CHECK: scf.for %{{.*}} = %{{.*}} to %c8
// CHECK: tpu.inst "dma.wait"(%{{.*}}) {count = 16
// CHECK: scf.if
// CHECK: tpu.inst "dma.wait"(%{{.*}}) {count = 8
// CHECK: "v.add.f32"
// CHECK: scf.if
// CHECK: tpu.dma_start "vmem"[{{.*}}] to "hbm" @res0[{{.*}}] run 512 counts [3] strides [512] to [4096]
// CHECK: else
// CHECK: tpu.dma_start "vmem"[{{.*}}] to "vmem"[{{.*}}] run 512
func.func @main(%t: tensor<1000x300xf32>, %i: tensor<64xi32>, %u: tensor<64x300xf32>) -> tensor<1000x300xf32> {
  %0 = "stablehlo.scatter"(%t, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1],
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %1 = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %1 : tensor<f32>
    }) : (tensor<1000x300xf32>, tensor<64xi32>, tensor<64x300xf32>) -> tensor<1000x300xf32>
  return %0 : tensor<1000x300xf32>
}

// -----

// Two rows of bf16 share a word: the update's 16 bits go to both halves, and only the row's own change.
// CHECK-LABEL: tpu.routine entry @main
// CHECK: "s.shl"
// CHECK: %[[OWN:.*]] = tpu.inst "v.splat"
// CHECK: "v.shr.u32"
// CHECK: "v.unpack.bf16"
// CHECK: %[[NEW:.*]] = tpu.inst "v.pack.bf16"
// CHECK: %[[DIFFERENT:.*]] = tpu.inst "v.xor"(%[[OLD:.*]], %[[NEW]])
// CHECK: %[[CHANGED:.*]] = tpu.inst "v.and"(%[[DIFFERENT]], %[[OWN]])
// CHECK: tpu.inst "v.xor"(%[[OLD]], %[[CHANGED]])
func.func @main(%t: tensor<1000x128xbf16>, %i: tensor<64xi32>, %u: tensor<64x128xbf16>) -> tensor<1000x128xbf16> {
  %0 = "stablehlo.scatter"(%t, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1],
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
    ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
      %1 = stablehlo.add %a, %b : tensor<bf16>
      stablehlo.return %1 : tensor<bf16>
    }) : (tensor<1000x128xbf16>, tensor<64xi32>, tensor<64x128xbf16>) -> tensor<1000x128xbf16>
  return %0 : tensor<1000x128xbf16>
}
