// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tpuc-opt %s --pass-pipeline='builtin.module(func.func(tpuc-fuse-kernels),tpuc-plan-kernels{target=v5e},tpuc-lower-kernels{target=v5e})' \
// RUN:   --split-input-file | FileCheck %s

// 64 features fill half an array: three taps of a row side by side take 192 lanes, two tiles; three rows of taps make 6
// tiles.
// CHECK-LABEL: tpu.routine @k0 facts
// CHECK-SAME: kind = "conv"
// The second tap's lanes are turned by 64.
// CHECK: "x.rot.lane"(%{{.*}}) {imm = 64
// CHECK: "v.or"
// CHECK: "mxu.ldw.bf16"
// The first tile's weights, then 5 more while rows are pushed.
// CHECK: scf.for %{{.*}} = %c0_i64 to %c5_i64
// CHECK: "mxu.swap"
// CHECK: "mxu.push.bf16"
// CHECK: "mxu.pop"
// The bias is the epilogue's.
// CHECK: "v.add.f32"
func.func @main(%x: tensor<1x56x56x64xbf16>, %w: tensor<3x3x64x64xbf16>, %bias: tensor<64xf32>)
    -> tensor<1x56x56x64xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1],
      pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<1x56x56x64xbf16>, tensor<3x3x64x64xbf16>) -> tensor<1x56x56x64xf32>
  %1 = stablehlo.broadcast_in_dim %bias, dims = [3] : (tensor<64xf32>) -> tensor<1x56x56x64xf32>
  %2 = stablehlo.add %0, %1 : tensor<1x56x56x64xf32>
  return %2 : tensor<1x56x56x64xf32>
}

// -----

// Turned images of 32 positions: four side by side take 128 lanes. Two taps of three features share 8 sublanes, so the
// three of a row are two groups, and three rows of them are six columns of the transpose buffer: 48 of k. Four rows of
// 32 positions leave it as 16 vregs. The arrays' weights are then 3 vregs of 16 rows each.
// CHECK-LABEL: tpu.routine @k0 facts
// CHECK-SAME: kind = "conv"
// CHECK: "x.rot.lane"(%{{.*}}) {imm = 32
// CHECK: "x.rot.lane"(%{{.*}}) {imm = 64
// CHECK: "x.rot.lane"(%{{.*}}) {imm = 96
// What the taps meet at each position: zeros outside of its image.
// CHECK: "x.perm.lane"(%[[ALL:.*]], %{{.*}})
// CHECK-NEXT: "v.sel"
// CHECK: "x.perm.lane"(%[[ALL]], %{{.*}})
// CHECK-NEXT: "v.sel"
// CHECK-COUNT-6: "x.tr.push"(%{{.*}}) {{.*}}: (!tpu.vreg)
// CHECK-NOT: "x.tr.push"
// CHECK-COUNT-16: "x.tr.pop"
// CHECK: "x.tr.push"(%{{.*}}) {buf = 1
// CHECK-NOT: "x.rot.lane"
// CHECK: "mxu.ldw.bf16"(%{{.*}}) : (!tpu.vreg)
// CHECK: "mxu.ldw.bf16"(%{{.*}}) {row = 1
// CHECK: "mxu.ldw.bf16"(%{{.*}}) {row = 2
// CHECK-NOT: row = 3
func.func @main(%x: tensor<8x16x3x32xf32>, %w: tensor<3x3x3x32xf32>) -> tensor<8x16x32x32xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f, 1]x[0, 1, i, o]->[b, 0, 1, f], window = {
      pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<8x16x3x32xf32>, tensor<3x3x3x32xf32>) -> tensor<8x16x32x32xf32>
  return %0 : tensor<8x16x32x32xf32>
}

// -----

// Planes of three features: words of two rows of bf16 are parted, and stored a feature apart, twice for the two taps
// that share 8 sublanes. The results, 48 a row, take every other of 96 positions: of the 7 taps of a row, in 4 groups,
// 28 vregs are pushed, as 16 and the upper halves of 12 of them. A row leaves the buffer in 6 vregs for each of two
// tiles of k, and another row lies beside it.
// CHECK-LABEL: tpu.routine @k0 facts
// CHECK-SAME: kind = "conv"
// CHECK: %[[ROWS:.*]] = tpu.inst "v.ld"
// CHECK: %[[EVEN:.*]] = tpu.inst "v.shl"(%[[ROWS]], %{{.*}})
// CHECK: %[[KEPT:.*]] = tpu.inst "v.sel"(%{{.*}}, %[[EVEN]], %{{.*}})
// CHECK: "v.st"(%[[KEPT]], %{{.*}}) {{{.*}}stride = 16
// CHECK: "v.st"(%[[KEPT]], %{{.*}}) {{{.*}}stride = 16
// CHECK: "v.and"(%[[ROWS]], %{{.*}})
// CHECK-COUNT-4: "x.perm.lane"
// CHECK: "v.shr.u32"
// CHECK: "v.or"
// CHECK-COUNT-16: "x.tr.push"(%{{.*}}) {{.*}}: (!tpu.vreg)
// CHECK-NOT: "x.tr.push"
// CHECK-COUNT-12: "x.tr.pop"
// CHECK: "x.tr.push"(%{{.*}}) {buf = 1
// CHECK: "mxu.push.bf16"
func.func @main(%x: tensor<8x3x96x96xbf16>, %w: tensor<7x7x3x32xbf16>) -> tensor<8x48x48x32xbf16> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, f, 0, 1]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2],
      pad = [[3, 2], [3, 2]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<8x3x96x96xbf16>, tensor<7x7x3x32xbf16>) -> tensor<8x48x48x32xbf16>
  return %0 : tensor<8x48x48x32xbf16>
}

// -----

// Of a dilated image the copy has zeros between the elements: it is turned first, a row of 16 positions at a time.
// CHECK-LABEL: tpu.routine @k0 facts
// CHECK-SAME: kind = "conv"
// CHECK: "x.tr.push"
// CHECK-NEXT: "x.tr.pop"
// CHECK: "x.rot.lane"(%{{.*}}) {imm = 3 :
func.func @main(%x: tensor<8x16x3x16xf32>, %w: tensor<3x3x3x32xf32>) -> tensor<8x31x31x32xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f, 1]x[0, 1, i, o]->[b, 0, 1, f], window = {
      pad = [[1, 1], [1, 1]], lhs_dilate = [2, 2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<8x16x3x16xf32>, tensor<3x3x3x32xf32>) -> tensor<8x31x31x32xf32>
  return %0 : tensor<8x31x31x32xf32>
}

// -----

// Rows of 8 results leave half of a push of 16 rows: it takes two rows of an image. Each of four arrays has 2 of the 8
// images, so 8 pushes for each of the taps' two tiles of a row, 2 of them straight code. The sums of a row are one vreg.
// CHECK-LABEL: tpu.routine @k0 facts
// CHECK: "mxu.swap"
// CHECK: scf.for %{{.*}} = %c0_i64 to %c4_i64
// CHECK-COUNT-8: "mxu.push.bf16"
// CHECK: {independent}
// CHECK: "mxu.pop"(%[[ROW:.*]]) {clear = 1 : i64} : (i64)
// CHECK-NOT: "mxu.pop"(%{{.*}}) {clear = 1 : i64} : (i64)
// CHECK: "mxu.pop"(%[[ROW]]) {clear = 1 : i64, mxu = 1
func.func @main(%x: tensor<8x16x16x32xf32>, %w: tensor<5x5x32x64xf32>) -> tensor<8x8x8x64xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2],
      pad = [[1, 2], [1, 2]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<8x16x16x32xf32>, tensor<5x5x32x64xf32>) -> tensor<8x8x8x64xf32>
  return %0 : tensor<8x8x8x64xf32>
}
