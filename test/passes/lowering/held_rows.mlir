// Gathers of rows from a table that VMEM holds: loads of single words, of all sublanes alike.
// RUN: tpuc-opt %s --pass-pipeline='builtin.module(tpuc-plan-kernels,tpuc-lower-kernels)' --split-input-file | FileCheck %s

// 1000 rows of bf16 lie in 63 tiles of 16 rows, of each of two columns: 1008 words of rows that have their own in the
// copy, in which the second column comes 1008 words behind the first. Of 4096 rows a block has 1024, whose indices are
// 4096 bytes of SMEM. Rows 0 and 1 share a word of the block.
// CHECK-LABEL: tpu.routine @k0
// CHECK: tpu.dma_start "hbm" @arg0[{{.*}}] to "vmem"[{{.*}}] run 4096 counts [2, 63]
// CHECK: tpu.dma_start "hbm" @arg1[{{.*}}] to "smem"[{{.*}}] run 4096
// CHECK: tpu.inst "v.unpack.b16"(%[[WORDS:.*]]) :
// CHECK: tpu.inst "v.unpack.b16"(%[[WORDS]]) {part = 1
// CHECK: %[[I:.*]] = tpu.inst "s.ldw"(%[[AT:.*]]) : (i64)
// CHECK: %[[NOT_BELOW:.*]] = arith.maxsi %[[I]], %c0_i64
// CHECK: %[[FIRST:.*]] = arith.minsi %[[NOT_BELOW]], %c999_i64
// CHECK: tpu.inst "s.ldw"(%[[AT]]) {off = 4
// CHECK: arith.maxsi
// CHECK: %[[SECOND:.*]] = arith.minsi
// CHECK: %[[LOW:.*]] = tpu.inst "v.ld"(%[[FIRST]]) region 1000
// CHECK: %[[HIGH:.*]] = tpu.inst "v.ld"(%[[SECOND]]) region 1000
// CHECK: %[[SHIFTED:.*]] = tpu.inst "v.shl"(%[[HIGH]],
// CHECK: %[[BOTH:.*]] = tpu.inst "v.or"(%[[LOW]], %[[SHIFTED]])
// CHECK: tpu.inst "v.st"(%[[BOTH]],
// CHECK: tpu.inst "v.ld"(%[[FIRST]]) {off = 1008 : i64} region 1000
func.func @main(%t: tensor<1000x256xbf16>, %i: tensor<4096xi32>) -> tensor<4096x256xbf16> {
  %0 = kernel.fusion "copy"(%t, %i : tensor<1000x256xbf16>, tensor<4096xi32>) -> tensor<4096x256xbf16> {
  ^bb0(%a: tensor<1000x256xbf16>, %b: tensor<4096xi32>):
    %1 = "stablehlo.gather"(%a, %b) <{dimension_numbers = #stablehlo.gather<offset_dims = [1],
        collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
        slice_sizes = array<i64: 1, 256>}> : (tensor<1000x256xbf16>, tensor<4096xi32>) -> tensor<4096x256xbf16>
    kernel.yield %1 : tensor<4096x256xbf16>
  }
  return %0 : tensor<4096x256xbf16>
}

// -----

// A word that a row has to itself is stored as it is loaded.
// CHECK-LABEL: tpu.routine @k0
// CHECK-NOT: v.unpack
// CHECK: %[[I:.*]] = arith.minsi %{{.*}}, %c999_i64
// CHECK: %[[WORD:.*]] = tpu.inst "v.ld"(%[[I]]) {{.*}}region 0
// CHECK: tpu.inst "v.st"(%[[WORD]],
func.func @main(%t: tensor<1000x100xf32>, %i: tensor<4096xi32>) -> tensor<4096x100xf32> {
  %0 = kernel.fusion "copy"(%t, %i : tensor<1000x100xf32>, tensor<4096xi32>) -> tensor<4096x100xf32> {
  ^bb0(%a: tensor<1000x100xf32>, %b: tensor<4096xi32>):
    %1 = "stablehlo.gather"(%a, %b) <{dimension_numbers = #stablehlo.gather<offset_dims = [1],
        collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
        slice_sizes = array<i64: 1, 100>}> : (tensor<1000x100xf32>, tensor<4096xi32>) -> tensor<4096x100xf32>
    kernel.yield %1 : tensor<4096x100xf32>
  }
  return %0 : tensor<4096x100xf32>
}

// -----

// Few rows of a long table come by a transfer each, sooner than all of it.
// CHECK-LABEL: tpu.routine @k0
// CHECK: tpu.dma_start "hbm" @arg0[{{.*}}] to "hbm" @res0
func.func @main(%t: tensor<100000x128xf32>, %i: tensor<256xi32>) -> tensor<256x128xf32> {
  %0 = kernel.fusion "copy"(%t, %i : tensor<100000x128xf32>, tensor<256xi32>) -> tensor<256x128xf32> {
  ^bb0(%a: tensor<100000x128xf32>, %b: tensor<256xi32>):
    %1 = "stablehlo.gather"(%a, %b) <{dimension_numbers = #stablehlo.gather<offset_dims = [1],
        collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
        slice_sizes = array<i64: 1, 128>}> : (tensor<100000x128xf32>, tensor<256xi32>) -> tensor<256x128xf32>
    kernel.yield %1 : tensor<256x128xf32>
  }
  return %0 : tensor<256x128xf32>
}
