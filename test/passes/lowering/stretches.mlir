// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A nest in stretches: where a mask of indices is known, one side of a select is evaluated.
// RUN: tpuc-opt %s --pass-pipeline='builtin.module(tpuc-plan-kernels,tpuc-lower-kernels)' --split-input-file | FileCheck %s

// 500 columns are four tiles; the second array begins at 200, within the second. A step has 128 rows, 16 vregs a tile.
// Tile 0 is loads and stores: four at once, in blocks of 128 words a tile.
// CHECK-LABEL: tpu.routine @k0
// CHECK-DAG: %[[LANE:.*]] = tpu.inst "v.laneid"
// CHECK-DAG: %[[SECOND:.*]] = tpu.inst "v.add.i32"(%[[LANE]], %[[C128:.*]]) :
// CHECK-DAG: %[[C128]] = tpu.inst "v.li"() {imm = 128
// CHECK-DAG: %[[FIRST_ARRAY:.*]] = tpu.inst "v.lt.s32"(%[[SECOND]], %[[C200:.*]]) :
// CHECK-DAG: %[[C200]] = tpu.inst "v.li"() {imm = 200
// CHECK: scf.for %{{.*}} = %c0_i64 to %c16_i64 step %c4_i64
// CHECK: %[[V:.*]] = tpu.inst "v.ld"(%{{.*}}) {stride = 1 : i64} region 0
// CHECK-NEXT: arith.addi
// CHECK-NEXT: tpu.inst "v.st"(%[[V]], %{{.*}}) {off = 1792
// Tile 1 has both: the second array's lane 0 comes to lane 72, by a permutation that begins at lane 56.
// CHECK: scf.for %{{.*}} = %c0_i64 to %c16_i64 step %c4_i64
// CHECK: tpu.inst "v.ld"(%{{.*}}) {off = 128 : i64, stride = 1 : i64} region 0
// CHECK: tpu.inst "v.ld"(%{{.*}}) {off = 768 : i64, stride = 1 : i64} region 1
// CHECK: x.perm.lane
// CHECK: tpu.inst "v.sel"(%[[FIRST_ARRAY]],
// Tiles 2 and 3 are of the second array alone, each of two of its tiles: no vreg of the first, no mask of the sides.
// CHECK: scf.for %{{.*}} = %c0_i64 to %c8_i64 step %c1_i64
// CHECK-NOT: region 0
// CHECK-NOT: "v.sel"(%[[FIRST_ARRAY]],
// CHECK: } {independent}
func.func @main(%x: tensor<256x200xf32>, %y: tensor<256x300xf32>) -> tensor<256x500xf32> {
  %0 = kernel.fusion "loop"(%x, %y : tensor<256x200xf32>, tensor<256x300xf32>) -> tensor<256x500xf32> {
  ^bb0(%a: tensor<256x200xf32>, %b: tensor<256x300xf32>):
    %zero = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.pad %a, %zero, low = [0, 0], high = [0, 300], interior = [0, 0]
        : (tensor<256x200xf32>, tensor<f32>) -> tensor<256x500xf32>
    %2 = stablehlo.pad %b, %zero, low = [0, 200], high = [0, 0], interior = [0, 0]
        : (tensor<256x300xf32>, tensor<f32>) -> tensor<256x500xf32>
    %3 = stablehlo.iota dim = 1 : tensor<256x500xi32>
    %c = stablehlo.constant dense<200> : tensor<256x500xi32>
    %4 = stablehlo.compare LT, %3, %c : (tensor<256x500xi32>, tensor<256x500xi32>) -> tensor<256x500xi1>
    %5 = stablehlo.select %4, %1, %2 : tensor<256x500xi1>, tensor<256x500xf32>
    kernel.yield %5 : tensor<256x500xf32>
  }
  return %0 : tensor<256x500xf32>
}

// -----

// Three masks of three tiles' beginnings, and one of no tile's: the padding is no load.
// CHECK-LABEL: tpu.routine @k0
// CHECK: %[[TEN:.*]] = tpu.inst "v.li"() {imm = 1092616192
// CHECK: scf.for %{{.*}} = %c0_i64 to %c8_i64 step %c4_i64
// CHECK-NOT: v.ld
// CHECK: tpu.inst "v.st"(%[[TEN]],
// CHECK: scf.for
// CHECK: v.ld
// CHECK-NOT: v.sel
// CHECK: scf.for
// CHECK-NOT: v.ld
// CHECK: tpu.inst "v.st"(%[[TEN]],
func.func @main(%x: tensor<64x128xf32>) -> tensor<64x384xf32> {
  %0 = kernel.fusion "loop"(%x : tensor<64x128xf32>) -> tensor<64x384xf32> {
  ^bb0(%a: tensor<64x128xf32>):
    %ten = stablehlo.constant dense<1.000000e+01> : tensor<f32>
    %1 = stablehlo.pad %a, %ten, low = [0, 128], high = [0, 128], interior = [0, 0]
        : (tensor<64x128xf32>, tensor<f32>) -> tensor<64x384xf32>
    kernel.yield %1 : tensor<64x384xf32>
  }
  return %0 : tensor<64x384xf32>
}
