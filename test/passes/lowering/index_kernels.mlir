// Positions that are values: the scalar unit reads them from SMEM and starts the DMAs.
// RUN: tpuc-opt %s --pass-pipeline='builtin.module(func.func(tpuc-fuse-kernels),tpuc-plan-kernels,tpuc-lower-kernels)' | FileCheck %s

func.func @main(%table: tensor<100x256xf32>, %at: tensor<21x1xi32>, %x: tensor<64x256xf32>, %u: tensor<1x256xf32>,
    %i: tensor<i32>) -> (tensor<21x256xf32>, tensor<64x256xf32>) {
  // A row of 256 lies in two tiles: each DMA takes 2 runs of a word, 4096 bytes apart. Of 21 rows eight have their
  // indices in registers before the first one's DMA starts, twice, then five.
  // CHECK: tpu.routine @k0
  // CHECK: tpu.dma_start "hbm" @arg1{{.*}} to "smem"
  // CHECK: scf.for %{{.*}} to %c2_i64
  // CHECK-COUNT-8: tpu.inst "s.ldw"
  // CHECK-COUNT-8: tpu.dma_start "hbm" @arg0[{{.*}}] to "hbm" @res0[{{.*}}] run 512 counts [2] strides [4096] to [4096]
  // CHECK: }
  // CHECK-COUNT-5: tpu.inst "s.ldw"
  // CHECK-COUNT-5: tpu.dma_start "hbm" @arg0[{{.*}}] to "hbm" @res0
  // CHECK: tpu.inst "dma.wait"() {count = 21
  %0 = "stablehlo.gather"(%table, %at) <{dimension_numbers = #stablehlo.gather<offset_dims = [1],
      collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 256>}>
      : (tensor<100x256xf32>, tensor<21x1xi32>) -> tensor<21x256xf32>
  // The argument is not ours to change: copied, then one row of it.
  // CHECK: tpu.routine @k1
  // CHECK: tpu.dma_start "hbm" @arg2[{{.*}}] to "hbm" @res1[{{.*}}] run 65536 counts []
  // CHECK: tpu.dma_start "hbm" @arg3[{{.*}}] to "hbm" @res1[{{.*}}] run 512 counts [2] strides [4096] to [4096]
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %1 = stablehlo.dynamic_update_slice %x, %u, %i, %zero
      : (tensor<64x256xf32>, tensor<1x256xf32>, tensor<i32>, tensor<i32>) -> tensor<64x256xf32>
  return %0, %1 : tensor<21x256xf32>, tensor<64x256xf32>
}
