// Scatters of windows, one after the other: old contents and updates meet in VMEM.
// RUN: tpuc-opt %s --pass-pipeline='builtin.module(func.func(tpuc-fuse-kernels),tpuc-plan-kernels,tpuc-lower-kernels)' | FileCheck %s

// The operand of 100 x 256 is copied first: 13 x 2 tiles of 4096 bytes are 106496. Five indices lie 512 bytes apart in
// HBM and 4 in SMEM. A window of 8 x 256 is 2 tiles, 16 words; with its updates 32.
// CHECK-LABEL: tpu.routine @k0
// CHECK-SAME: smem_bytes = 20
// CHECK-SAME: vmem_words = 32
// CHECK: tpu.dma_start "hbm" @arg0{{.*}} to "hbm" @res0{{.*}} run 106496 counts []
// CHECK: tpu.dma_start "hbm" @arg1{{.*}} to "smem"{{.*}} run 4 counts [5] strides [512] to [4]
// A window from row 93 on would end behind row 100: it is left out.
// CHECK: scf.for %{{.*}} = %{{.*}} to %c5
// CHECK: %[[AT:.*]] = tpu.inst "s.ldw"
// CHECK: %[[INSIDE:.*]] = arith.cmpi ult, %[[AT]], %c93
// CHECK: scf.if %[[INSIDE]]
// Any row may be the first, so each of the 8 rows comes by itself: 2 runs of a word, a tile apart.
// CHECK: scf.for %{{.*}} = %{{.*}} to %c8
// CHECK: tpu.dma_start "hbm" @res0{{.*}} to "vmem"{{.*}} run 512 counts [2] strides [4096] to [4096]
// CHECK: tpu.dma_start "hbm" @arg2{{.*}} to "vmem"[{{.*}} + 8192] run 8192 counts []
// CHECK: tpu.inst "dma.wait"() {count = 9
// Two vregs of 8 x 128.
// CHECK: scf.for %{{.*}} = %{{.*}} to %c2
// CHECK: "v.add.f32"
// CHECK: "v.st"
// CHECK: scf.for %{{.*}} = %{{.*}} to %c8
// CHECK: tpu.dma_start "vmem"{{.*}} to "hbm" @res0{{.*}} run 512 counts [2] strides [4096] to [4096]
// CHECK: tpu.inst "dma.wait"() {count = 8
func.func @main(%t: tensor<100x256xf32>, %i: tensor<5x1xi32>, %u: tensor<5x8x256xf32>) -> tensor<100x256xf32> {
  %0 = "stablehlo.scatter"(%t, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2],
      scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %1 = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %1 : tensor<f32>
    }) : (tensor<100x256xf32>, tensor<5x1xi32>, tensor<5x8x256xf32>) -> tensor<100x256xf32>
  return %0 : tensor<100x256xf32>
}
