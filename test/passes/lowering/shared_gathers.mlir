// Two cores start the transfers of half of a gather's rows each; the last part of an odd number is shorter.
// RUN: tpuc-opt %s --pass-pipeline='builtin.module(func.func(tpuc-fuse-kernels{target=v4}),tpuc-plan-kernels{target=v4},tpuc-lower-kernels{target=v4})' | FileCheck %s
// One core, whose rows are all its own, waits for them once.
// RUN: tpuc-opt %s --pass-pipeline='builtin.module(func.func(tpuc-fuse-kernels{target=v5e}),tpuc-plan-kernels{target=v5e},tpuc-lower-kernels{target=v5e})' | FileCheck %s --check-prefix=ONE

// CHECK: tpu.routine @k0 {{.*}}steps = 2
// CHECK: arith.minsi
// CHECK: tpu.dma_start "hbm" @arg0[{{.*}}] to "hbm" @res0[{{.*}}] run 512 counts [2] strides [4096] to [4096]
// CHECK: tpu.inst "dma.wait"() {count = 1
// ONE: tpu.routine @k0 {{.*}}steps = 1
// ONE: tpu.inst "dma.wait"() {count = 7
func.func @main(%table: tensor<100x256xf32>, %at: tensor<7x1xi32>) -> tensor<7x256xf32> {
  %0 = "stablehlo.gather"(%table, %at) <{dimension_numbers = #stablehlo.gather<offset_dims = [1],
      collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 256>}>
      : (tensor<100x256xf32>, tensor<7x1xi32>) -> tensor<7x256xf32>
  return %0 : tensor<7x256xf32>
}
