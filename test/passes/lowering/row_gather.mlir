// Gathers of rows that share words: their words come to VMEM, and shifts put the rows' own bits together.
// RUN: tpuc-opt %s --pass-pipeline='builtin.module(tpuc-plan-kernels,tpuc-lower-kernels)' | FileCheck %s

// A row of 300 lies in three tiles: three runs of a word, 4096 bytes apart, one after the other in VMEM, where rows are
// eight words apart. A tile of the result has 16 rows, two in each word: 64 rows are 4 tiles, of which 8 can be under
// way. Rows 0, 2, .. are loaded 16 words apart from the slot's begin, the others from eight words behind it,
// a word further for each of the three columns. Bit k of a word of SMEM says in which half of its words row k lies: of
// row 2 s, in sublane s, bit 2 s.
// CHECK-LABEL: tpu.routine entry @main
// CHECK: tpu.routine @k0 {{.*}}vmem_words = 1216
// CHECK: tpu.inst "s.stw"(%{{.*}}, %[[PARTS:.*]]) {off = 256
// CHECK-COUNT-16: tpu.dma_start "hbm" @arg0[{{.*}}] to "vmem"[{{.*}}] run 512 counts [3] strides [4096] to [512]
// CHECK: tpu.inst "dma.wait"(%{{.*}}) {count = 16
// CHECK: tpu.inst "s.ldw"(%{{.*}}) {off = 256
// CHECK: tpu.inst "v.shl"(%{{.*}}
// CHECK: %[[EVEN:.*]] = tpu.inst "v.ld"{{.*}}stride = 16
// CHECK: %[[LOW:.*]] = tpu.inst "v.shr.u32"(%[[EVEN]]
// CHECK: tpu.inst "v.and"(%[[LOW]]
// CHECK: %[[ODD:.*]] = tpu.inst "v.ld"{{.*}}off = 8 : i64, stride = 16
// CHECK: tpu.inst "v.shr.u32"(%[[ODD]]
// CHECK: tpu.inst "v.or"
// CHECK: tpu.inst "v.ld"{{.*}}off = 1 : i64, stride = 16
// CHECK: tpu.inst "v.ld"{{.*}}off = 9 : i64, stride = 16
// CHECK: tpu.dma_start "vmem"[{{.*}}] to "hbm" @res0[{{.*}}] run 12288
func.func @main(%t: tensor<1000x300xbf16>, %i: tensor<64x1xi32>) -> tensor<64x300xbf16> {
  %0 = kernel.fusion "copy"(%t, %i : tensor<1000x300xbf16>, tensor<64x1xi32>) -> tensor<64x300xbf16> {
  ^bb0(%a: tensor<1000x300xbf16>, %b: tensor<64x1xi32>):
    %1 = "stablehlo.gather"(%a, %b) <{dimension_numbers = #stablehlo.gather<offset_dims = [1],
        collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
        slice_sizes = array<i64: 1, 300>}> : (tensor<1000x300xbf16>, tensor<64x1xi32>) -> tensor<64x300xbf16>
    kernel.yield %1 : tensor<64x300xbf16>
  }
  return %0 : tensor<64x300xbf16>
}
