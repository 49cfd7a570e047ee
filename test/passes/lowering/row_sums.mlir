// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tpuc-opt %s --tpuc-plan-kernels --tpuc-lower-kernels --split-input-file | FileCheck %s
// Rows summed up in VMEM.

// Four copies of 1000 rows and one for what is out of range, 1008 words apart. Sixteen rows in turn have their indices
// in registers; row 17 of the copies' four is the first copy's again. A row is one word: read into all sublanes, written
// from all of them.
// CHECK: tpu.routine @k0
// CHECK: tpu.dma_start "hbm" @arg1[{{.*}}] to "smem"[{{.*}}] run 4096
// CHECK: tpu.inst "v.st"(%{{.*}}) {off = 1008 : i64, stride = 1 : i64} region 1001
// CHECK: scf.for
// CHECK-COUNT-16: tpu.inst "s.ldw"
// CHECK: tpu.inst "v.ld"(%{{.*}}) region 1000
// CHECK: tpu.inst "v.add.f32"
// CHECK: tpu.inst "v.st"(%{{.*}}) region 1000
// CHECK: tpu.inst "v.ld"(%{{.*}}) {off = 1008 : i64} region 1001
// CHECK: tpu.inst "v.ld"(%{{.*}}) {off = 2016 : i64} region 1002
// CHECK: tpu.inst "v.ld"(%{{.*}}) {off = 3024 : i64} region 1003
// CHECK: tpu.inst "v.ld"(%{{.*}}) region 1000
// CHECK: tpu.dma_start "vmem"[{{.*}}] to "hbm" @res0[{{.*}}] run 512000
func.func @main(%t: tensor<1000x128xf32>, %k: tensor<5000xi32>, %u: tensor<5000x128xf32>) -> tensor<1000x128xf32> {
  %0 = kernel.fusion "copy"(%t, %k, %u : tensor<1000x128xf32>, tensor<5000xi32>, tensor<5000x128xf32>)
      -> tensor<1000x128xf32> {
  ^bb0(%a: tensor<1000x128xf32>, %b: tensor<5000xi32>, %c: tensor<5000x128xf32>):
    %1 = "stablehlo.scatter"(%a, %b, %c) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1],
        inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
      ^bb0(%p: tensor<f32>, %q: tensor<f32>):
        %2 = stablehlo.add %p, %q : tensor<f32>
        stablehlo.return %2 : tensor<f32>
      }) : (tensor<1000x128xf32>, tensor<5000xi32>, tensor<5000x128xf32>) -> tensor<1000x128xf32>
    kernel.yield %1 : tensor<1000x128xf32>
  }
  return %0 : tensor<1000x128xf32>
}

// -----

// Two rows of bf16 share a word of the updates: the first one's half goes up, the second one's stays. Sums are f32, and
// packed at the end.
// CHECK: tpu.routine @k0
// CHECK: "v.unpack.bf16"
// CHECK: "v.shl"
// CHECK: "v.and"
// CHECK: "v.pack.bf16"
func.func @main(%t: tensor<96x128xbf16>, %k: tensor<320xi32>, %u: tensor<320x128xbf16>) -> tensor<96x128xbf16> {
  %0 = kernel.fusion "copy"(%t, %k, %u : tensor<96x128xbf16>, tensor<320xi32>, tensor<320x128xbf16>)
      -> tensor<96x128xbf16> {
  ^bb0(%a: tensor<96x128xbf16>, %b: tensor<320xi32>, %c: tensor<320x128xbf16>):
    %1 = "stablehlo.scatter"(%a, %b, %c) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1],
        inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
      ^bb0(%p: tensor<bf16>, %q: tensor<bf16>):
        %2 = stablehlo.add %p, %q : tensor<bf16>
        stablehlo.return %2 : tensor<bf16>
      }) : (tensor<96x128xbf16>, tensor<320xi32>, tensor<320x128xbf16>) -> tensor<96x128xbf16>
    kernel.yield %1 : tensor<96x128xbf16>
  }
  return %0 : tensor<96x128xbf16>
}
