// Indices that SMEM does not hold come in parts, of which it keeps some.
// RUN: tpuc-opt %s --pass-pipeline='builtin.module(func.func(tpuc-fuse-kernels),tpuc-plan-kernels{target=v2},tpuc-lower-kernels{target=v2})' | \
// RUN:   FileCheck %s

// 5000 indices are 20000 bytes, v2's SMEM 16384: two parts of 4096 bytes behind 64 each for their numbers.
// CHECK: tpu.routine @k0 {{.*}}smem_bytes = 8320
// CHECK: tpu.inst "s.stw"
// CHECK: scf.for
// The part that is in this one's place is another one.
// CHECK: %[[HAS:.*]] = tpu.inst "s.ldw"
// CHECK: arith.cmpi ne, %[[HAS]]
// CHECK: scf.if
// CHECK: tpu.dma_start "hbm" @arg1{{.*}} to "smem"{{.*}} run 4096
// CHECK: tpu.inst "dma.wait"
// CHECK: tpu.inst "s.stw"
// CHECK: tpu.inst "s.ldw"
// Rows move while the next ones' indices are looked up.
// CHECK: tpu.dma_start "hbm" @arg0[{{.*}}] to "hbm" @res0
// CHECK-NOT: dma.wait
// CHECK: tpu.inst "dma.wait"() {count = 5000
func.func @main(%table: tensor<1000000x128xf32>, %at: tensor<5000xi32>) -> tensor<5000x128xf32> {
  %0 = "stablehlo.gather"(%table, %at) <{dimension_numbers = #stablehlo.gather<offset_dims = [1],
      collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 128>}>
      : (tensor<1000000x128xf32>, tensor<5000xi32>) -> tensor<5000x128xf32>
  return %0 : tensor<5000x128xf32>
}
