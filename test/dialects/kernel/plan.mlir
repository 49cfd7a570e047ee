// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tpuc-opt %s | tpuc-opt | FileCheck %s
// Plans and places go through text as they are.

// CHECK-LABEL: func.func @plans
// CHECK-SAME: a = #kernel.plan<grid [parallel d1 = 300 by 128, sequential d0 = 64 by 32, whole d2 = 7],
// CHECK-SAME: reads {{\[\[}}32, 128] (d0, d1, d2) -> (d0, d1) in hbm slots 2, [7] (d0, d1, d2) -> (0) in vmem],
// CHECK-SAME: writes {{\[\[\]}} (d0, d1, d2) -> () in vmem slots 1], arrays = [4, 1], keeps, ring = 4, vmem 80 of 112>
// CHECK-SAME: b = #kernel.plan<grid [parallel d0 = 8 by 8]>
// CHECK-SAME: c = #kernel.place<tensor<8x128xf32> at 16 words 8 rows 8 tiles 1 strides[8]>
// CHECK-SAME: d = #kernel.place<tensor<2x8x128xf32> at 16 words 16 rows 8 tiles 1 strides[8, 8] over 1>
// CHECK-SAME: e = #kernel.block<[8] (d0) -> (d0) in hbm slots 2>
func.func @plans() attributes {
    a = #kernel.plan<grid [parallel d1 = 300 by 128, sequential d0 = 64 by 32, whole d2 = 7],
                     reads [[32, 128] (d0, d1, d2) -> (d0, d1) in hbm slots 2, [7] (d0, d1, d2) -> (0) in vmem],
                     writes [[] (d0, d1, d2) -> () in vmem slots 1], ring = 4, keeps, arrays = [4, 1], vmem 80 of 112>,
    b = #kernel.plan<grid [parallel d0 = 8 by 8]>,
    c = #kernel.place<tensor<8x128xf32> at 16 words 8 rows 8 tiles 1 strides [8]>,
    d = #kernel.place<tensor<2x8x128xf32> at 16 words 16 rows 8 tiles 1 strides [8, 8] over 1>,
    e = #kernel.block<[8] (d0) -> (d0) in hbm slots 2>} {
  return
}
