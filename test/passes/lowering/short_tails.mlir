// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tpuc-opt %s --tpuc-lower-kernels=target=v5e --split-input-file | FileCheck %s

// Rows of 24 in blocks of 16: the last block has 8, but one vreg of packed rows as the first. So the loops over vregs
// have known trips, and those of one are none.
// CHECK: tpu.routine @k0
// CHECK-NOT: arith.minsi
// CHECK: scf.for %{{.*}} = %c0_i64 to %c8_i64
// CHECK-NOT: scf.for
// CHECK: "v.ld"
// CHECK-NOT: arith.minsi
func.func @main(%x: tensor<8x24x128xbf16>) -> tensor<8x24x128xbf16> {
  %0 = kernel.fusion "loop"(%x : tensor<8x24x128xbf16>) -> tensor<8x24x128xbf16> attributes {
      kernel.plan = #kernel.plan<grid [parallel d1 = 24 by 16, parallel d0 = 8 by 8, parallel d2 = 128 by 128]>} {
  ^bb0(%a: tensor<8x24x128xbf16>):
    %1 = stablehlo.multiply %a, %a : tensor<8x24x128xbf16>
    kernel.yield %1 : tensor<8x24x128xbf16>
  }
  return %0 : tensor<8x24x128xbf16>
}

// -----

// Blocks of 4 of 10 rows of tiles: whole blocks are one loop of 4 * 16 vregs, in turns of 4, and the last one, of 2
// rows of tiles, another.
// CHECK: tpu.routine @k0
// CHECK: %[[WHOLE:.*]] = arith.cmpi slt, %{{.*}}, %c2_i64
// CHECK: scf.if %[[WHOLE]]
// CHECK-NOT: arith.minsi
// CHECK: scf.for %{{.*}} = %c0_i64 to %c16_i64 step %c1_i64
// CHECK-NOT: scf.for
// CHECK: } else {
// CHECK-NOT: arith.minsi
// CHECK: scf.for %{{.*}} = %c0_i64 to %c8_i64 step %c1_i64
// CHECK-NOT: scf.for
func.func @main(%x: tensor<80x2048xf32>) -> tensor<80x2048xf32> {
  %0 = kernel.fusion "loop"(%x : tensor<80x2048xf32>) -> tensor<80x2048xf32> attributes {
      kernel.plan = #kernel.plan<grid [parallel d0 = 80 by 32, parallel d1 = 2048 by 2048]>} {
  ^bb0(%a: tensor<80x2048xf32>):
    %1 = stablehlo.multiply %a, %a : tensor<80x2048xf32>
    kernel.yield %1 : tensor<80x2048xf32>
  }
  return %0 : tensor<80x2048xf32>
}
