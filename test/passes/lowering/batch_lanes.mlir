// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Convolutions with their batch along lanes, and their gradients.
// RUN: tpuc-opt %s --pass-pipeline='builtin.module(tpuc-plan-kernels{target=v5e},tpuc-lower-kernels{target=v5e})' \
// RUN:   --split-input-file | FileCheck %s

// 3 x 3 taps of 16 features: three runs of 48 rows under a window, 144 rows, two tiles of k on arrays of 128. 16 output
// features are one packed vreg of bf16.
// CHECK-LABEL: tpu.routine @k0 facts
// CHECK-SAME: kind = "conv"
// The weights' rows, 16 of a tap, lie as the window's; they are turned: rows out, lanes (tap, in), two tiles.
// CHECK-COUNT-16: "x.tr.push"
// CHECK-COUNT-2: "x.tr.pop"
// CHECK-NOT: "x.tr.pop"
// CHECK: "v.pack.bf16"
// The first window's 128 rows, 8 vregs of 16, on each of four arrays.
// CHECK-COUNT-32: "mxu.ldw.bf16"
// CHECK-NOT: "mxu.ldw.bf16"
// The other 16 rows are staged while the first are pushed, and the next window's 128 while these are.
// CHECK: scf.for
// CHECK-COUNT-4: "mxu.swap"
// CHECK-COUNT-4: "mxu.ldw.bf16"
// CHECK-COUNT-4: "mxu.push.bf16"
// CHECK-COUNT-4: "mxu.swap"
// CHECK-COUNT-32: "mxu.ldw.bf16"
// CHECK-COUNT-4: "mxu.push.bf16"
// The bias is the epilogue's.
// CHECK: "mxu.pop"
// CHECK: "v.add.f32"
func.func @main(%x: tensor<8x8x16x128xf32>, %w: tensor<3x3x16x16xf32>, %bias: tensor<16xf32>)
    -> tensor<8x8x16x128xf32> {
  %0 = kernel.fusion "conv"(%x, %w, %bias : tensor<8x8x16x128xf32>, tensor<3x3x16x16xf32>, tensor<16xf32>)
      -> tensor<8x8x16x128xf32> {
  ^bb0(%a: tensor<8x8x16x128xf32>, %b: tensor<3x3x16x16xf32>, %c: tensor<16xf32>):
    %1 = stablehlo.convolution(%a, %b) dim_numbers = [0, 1, f, b]x[0, 1, i, o]->[0, 1, f, b],
        window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
        : (tensor<8x8x16x128xf32>, tensor<3x3x16x16xf32>) -> tensor<8x8x16x128xf32>
    %2 = stablehlo.broadcast_in_dim %c, dims = [2] : (tensor<16xf32>) -> tensor<8x8x16x128xf32>
    %3 = stablehlo.add %1, %2 : tensor<8x8x16x128xf32>
    kernel.yield %3 : tensor<8x8x16x128xf32>
  }
  return %0 : tensor<8x8x16x128xf32>
}

// -----

// A single feature: the five taps of a row are five of 8 rows; the others' numbers, which may be infinite, are none of
// this window's. Five runs of 8 rows are three packed vregs.
// CHECK-LABEL: tpu.routine @k0 facts
// CHECK: "x.tr.push"
// CHECK: "v.li"() {imm = 5 : i64}
// CHECK: "v.sel"
// CHECK-COUNT-12: "mxu.ldw.bf16"
// CHECK: scf.for
// CHECK-COUNT-4: "mxu.swap"
// CHECK-COUNT-12: "mxu.ldw.bf16"
// CHECK-COUNT-4: "mxu.push.bf16"
func.func @main(%x: tensor<12x1x12x128xf32>, %w: tensor<5x5x1x6xf32>) -> tensor<8x8x6x128xf32> {
  %0 = kernel.fusion "conv"(%x, %w : tensor<12x1x12x128xf32>, tensor<5x5x1x6xf32>) -> tensor<8x8x6x128xf32> {
  ^bb0(%a: tensor<12x1x12x128xf32>, %b: tensor<5x5x1x6xf32>):
    %1 = stablehlo.convolution(%a, %b) dim_numbers = [0, f, 1, b]x[0, 1, i, o]->[0, 1, f, b],
        window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
        : (tensor<12x1x12x128xf32>, tensor<5x5x1x6xf32>) -> tensor<8x8x6x128xf32>
    kernel.yield %1 : tensor<8x8x6x128xf32>
  }
  return %0 : tensor<8x8x6x128xf32>
}

// -----

// The gradient: dy's 16 rows of a position are one vreg of weights, which the arrays take transposed; the 144 rows
// under its window are 9 pushes. Four arrays take a position each and sum up at the end.
// CHECK-LABEL: tpu.routine @k0 facts
// CHECK-COUNT-4: "mxu.ldw.bf16"(%{{.*}}) {{[{].*}}xpose = 1
// CHECK: scf.for
// CHECK-COUNT-4: "mxu.swap"
// CHECK-COUNT-4: "mxu.ldw.bf16"
// CHECK-COUNT-36: "mxu.push.bf16"
// CHECK-COUNT-4: "mxu.pop"
func.func @main(%x: tensor<8x8x16x128xf32>, %dy: tensor<8x8x16x128xf32>) -> tensor<3x3x16x16xf32> {
  %0 = kernel.fusion "conv"(%x, %dy : tensor<8x8x16x128xf32>, tensor<8x8x16x128xf32>) -> tensor<3x3x16x16xf32> {
  ^bb0(%a: tensor<8x8x16x128xf32>, %b: tensor<8x8x16x128xf32>):
    %1 = stablehlo.convolution(%a, %b) dim_numbers = [0, 1, b, f]x[0, 1, o, i]->[0, 1, b, f],
        window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
        : (tensor<8x8x16x128xf32>, tensor<8x8x16x128xf32>) -> tensor<3x3x16x16xf32>
    kernel.yield %1 : tensor<3x3x16x16xf32>
  }
  return %0 : tensor<3x3x16x16xf32>
}
