// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tpuc-opt %s --tpuc-plan-kernels=target=v5e --tpuc-lower-kernels=target=v5e --split-input-file | FileCheck %s

// Eight of 16 rows are a vreg: its first 40 lanes go to a row each, 32 words apart, the next 40 by way of a rotation,
// 128 - 40 = 88 lanes up, to the rows behind. A leading position of the result has 16 words, of 11 rows; so the second
// of its rows lies 16 words on, and the next vreg 8 * 32.
// CHECK-LABEL: tpu.routine @k0
// CHECK: scf.for %[[I:.*]] = %c0_i64 to %c11_i64
// CHECK: %[[V:.*]] = tpu.inst "v.ld"(%{{.*}}) {stride = 1 : i64} region 0
// CHECK: "v.st"(%[[V]], %[[I]]) {off = 176 : i64, stride = 32 : i64} region 1
// CHECK: %[[R:.*]] = tpu.inst "x.rot.lane"(%[[V]]) {imm = 88 : i64}
// CHECK: "v.st"(%[[R]], %[[I]]) {off = 192 : i64, stride = 32 : i64} region 1
// CHECK: %[[W:.*]] = tpu.inst "v.ld"(%{{.*}}) {off = 8 : i64, stride = 1 : i64} region 0
// CHECK: "v.st"(%[[W]], %[[I]]) {off = 432 : i64, stride = 32 : i64} region 1
func.func @main(%x: tensor<11x16x80xf32>) -> tensor<32x11x40xf32> {
  %0 = kernel.fusion "relayout"(%x : tensor<11x16x80xf32>) -> tensor<32x11x40xf32> {
  ^bb0(%a: tensor<11x16x80xf32>):
    %1 = stablehlo.reshape %a : (tensor<11x16x80xf32>) -> tensor<11x32x40xf32>
    %2 = stablehlo.transpose %1, dims = [1, 0, 2] : (tensor<11x32x40xf32>) -> tensor<32x11x40xf32>
    kernel.yield %2 : tensor<32x11x40xf32>
  }
  return %0 : tensor<32x11x40xf32>
}

// -----

// Two rows of 64 lanes become one of 128: both are loaded, and a select by lanes joins them.
// CHECK-LABEL: tpu.routine @k0
// CHECK: %[[L:.*]] = tpu.inst "v.laneid"
// CHECK: %[[M:.*]] = tpu.inst "v.lt.s32"(%[[L]],
// CHECK: %[[A:.*]] = tpu.inst "v.ld"
// CHECK: %[[B:.*]] = tpu.inst "v.ld"
// CHECK: %[[C:.*]] = tpu.inst "x.rot.lane"(%[[B]]) {imm = 64 : i64}
// CHECK: %[[S:.*]] = tpu.inst "v.sel"(%[[M]], %[[A]], %[[C]])
// CHECK: "v.st"(%[[S]],
func.func @main(%x: tensor<16x2x64xf32>) -> tensor<16x128xf32> {
  %0 = kernel.fusion "relayout"(%x : tensor<16x2x64xf32>) -> tensor<16x128xf32> {
  ^bb0(%a: tensor<16x2x64xf32>):
    %1 = stablehlo.reshape %a : (tensor<16x2x64xf32>) -> tensor<16x128xf32>
    kernel.yield %1 : tensor<16x128xf32>
  }
  return %0 : tensor<16x128xf32>
}

// -----

// Rows of bf16 share words: each gets one first, and two are packed at last.
// CHECK-LABEL: tpu.routine @k0
// CHECK: "v.unpack.b16"(%[[P:.*]]) :
// CHECK: "v.st"({{.*}} region 1001
// CHECK: "v.unpack.b16"(%[[P]]) {part = 1 : i64}
// CHECK: "v.ld"({{.*}} region 1001
// CHECK: "v.st"({{.*}} region 1002
// CHECK: "v.ld"({{.*}} region 1002
// CHECK: "v.pack.b16"
func.func @main(%x: tensor<24x10x128xbf16>) -> tensor<240x128xbf16> {
  %0 = kernel.fusion "relayout"(%x : tensor<24x10x128xbf16>) -> tensor<240x128xbf16> {
  ^bb0(%a: tensor<24x10x128xbf16>):
    %1 = stablehlo.reshape %a : (tensor<24x10x128xbf16>) -> tensor<240x128xbf16>
    kernel.yield %1 : tensor<240x128xbf16>
  }
  return %0 : tensor<240x128xbf16>
}

// -----

// Of few positions each row is moved alone: one sublane of the store.
// CHECK-LABEL: tpu.routine @k0
// CHECK: %[[N:.*]] = tpu.inst "v.subid"
// CHECK: %[[M:.*]] = tpu.inst "v.lt.s32"(%[[N]],
// CHECK: %[[V:.*]] = tpu.inst "v.ld"(%c0_i64) region 0
// CHECK: "v.st"(%[[V]], %c0_i64, %[[M]])
func.func @main(%x: tensor<3x5x64xf32>) -> tensor<15x64xf32> {
  %0 = kernel.fusion "relayout"(%x : tensor<3x5x64xf32>) -> tensor<15x64xf32> {
  ^bb0(%a: tensor<3x5x64xf32>):
    %1 = stablehlo.reshape %a : (tensor<3x5x64xf32>) -> tensor<15x64xf32>
    kernel.yield %1 : tensor<15x64xf32>
  }
  return %0 : tensor<15x64xf32>
}
