// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tpuc-opt %s --tpuc-plan-kernels=target=v5e --tpuc-verify-plan --split-input-file | FileCheck %s

// 8192x1024 f32 are 65536 words of 512 bytes. Rows are halved until there are 16 steps: 512 rows, 4096 words, in two
// slots for each of both arrays.
// CHECK-LABEL: func.func @main
// CHECK: kernel.plan = #kernel.plan<grid [parallel d0 = 8192 by 512, parallel d1 = 1024 by 1024],
// CHECK-SAME: reads {{\[}}[512, 1024] (d0, d1) -> (d0, d1) in hbm slots 2],
// CHECK-SAME: writes {{\[}}[512, 1024] (d0, d1) -> (d0, d1) in hbm slots 2], vmem 16384 of 229376>
func.func @main(%x: tensor<8192x1024xf32>) -> tensor<8192x1024xf32> {
  %0 = kernel.fusion "loop"(%x : tensor<8192x1024xf32>) -> tensor<8192x1024xf32> {
  ^bb0(%a: tensor<8192x1024xf32>):
    %1 = stablehlo.exponential %a : tensor<8192x1024xf32>
    kernel.yield %1 : tensor<8192x1024xf32>
  }
  return %0 : tensor<8192x1024xf32>
}

// -----

// Sums over rows: columns are cut first, but not within a tile of 128, then rows are walked in sequence. 8 * 2 steps;
// blocks of 4096x128 are 4096 words, in two slots, a sum's row is 8 with its padding, two slots, and the partial sums
// are a vreg of 8 words.
// CHECK-LABEL: func.func @main
// CHECK: grid [parallel d1 = 1024 by 128, sequential d0 = 8192 by 4096],
// CHECK-SAME: reads {{\[}}[4096, 128] (d0, d1) -> (d0, d1) in hbm slots 2],
// CHECK-SAME: writes {{\[}}[128] (d0, d1) -> (d1) in hbm slots 2], vmem 8216 of 229376>
func.func @main(%x: tensor<8192x1024xf32>) -> tensor<1024xf32> {
  %0 = kernel.fusion "loop"(%x : tensor<8192x1024xf32>) -> tensor<1024xf32> {
  ^bb0(%a: tensor<8192x1024xf32>):
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %1 = stablehlo.reduce(%a init: %zero) applies stablehlo.add across dimensions = [0]
        : (tensor<8192x1024xf32>, tensor<f32>) -> tensor<1024xf32>
    kernel.yield %1 : tensor<1024xf32>
  }
  return %0 : tensor<1024xf32>
}

// -----

// Images of 197 rows: 208 in whole units of 16, where four equal parts for as many arrays would be 256. The sums of 8
// images are 1664 rows; those of all 32 would not fit the accumulators.
// CHECK-LABEL: func.func @main
// CHECK: grid [parallel d0 = 32 by 8, parallel d2 = 197 by 208, parallel d3 = 3072 by 768, sequential d1 = 768 by 768],
// CHECK-SAME: arrays = [2, 1, 1, 2], passes = 1
func.func @main(%x: tensor<32x197x768xbf16>, %w: tensor<768x3072xbf16>) -> tensor<32x197x3072xbf16> {
  %0 = kernel.fusion "dot"(%x, %w : tensor<32x197x768xbf16>, tensor<768x3072xbf16>) -> tensor<32x197x3072xbf16> {
  ^bb0(%a: tensor<32x197x768xbf16>, %b: tensor<768x3072xbf16>):
    %1 = stablehlo.dot_general %a, %b, contracting_dims = [2] x [0]
        : (tensor<32x197x768xbf16>, tensor<768x3072xbf16>) -> tensor<32x197x3072xbf16>
    kernel.yield %1 : tensor<32x197x3072xbf16>
  }
  return %0 : tensor<32x197x3072xbf16>
}

// -----

// Columns of one tile, 112 of a row of an image: 16 rows of it at once, four to the arrays. All are one run, of which
// two are in flight.
// CHECK-LABEL: func.func @main
// CHECK: grid [parallel d0 = 64 by 1, parallel d1 = 112 by 16, parallel d3 = 16 by 16, parallel d4 = 112 by 112,
// CHECK-SAME: arrays = [1, 1, 4, 1], passes = 1, pops_among_pushes, ring = 2, stages = [0]
func.func @main(%x: tensor<64x112x112x192xbf16>, %w: tensor<192x16xbf16>) -> tensor<64x112x16x112xbf16> {
  %0 = kernel.fusion "dot"(%x, %w : tensor<64x112x112x192xbf16>, tensor<192x16xbf16>) -> tensor<64x112x16x112xbf16> {
  ^bb0(%a: tensor<64x112x112x192xbf16>, %b: tensor<192x16xbf16>):
    %1 = stablehlo.dot_general %a, %b, contracting_dims = [3] x [0]
        : (tensor<64x112x112x192xbf16>, tensor<192x16xbf16>) -> tensor<64x112x112x16xbf16>
    %2 = stablehlo.transpose %1, dims = [0, 1, 3, 2] : (tensor<64x112x112x16xbf16>) -> tensor<64x112x16x112xbf16>
    kernel.yield %2 : tensor<64x112x16x112xbf16>
  }
  return %0 : tensor<64x112x16x112xbf16>
}

// -----

// A matmul of 8192x1024 and 1024x512, one pass of bf16: four arrays side by side over the columns' four tiles of 128.
// Its weights are the same in each of 16 steps: one slot, converted once (the operand 1).
// CHECK-LABEL: func.func @main
// CHECK: grid [parallel d1 = 8192 by 512, parallel d2 = 512 by 512, sequential d0 = 1024 by 1024],
// CHECK-SAME: reads {{\[}}[512, 1024] (d0, d1, d2) -> (d1, d0) in hbm slots 2,
// CHECK-SAME: [1024, 512] (d0, d1, d2) -> (d0, d2) in hbm slots 1],
// CHECK-SAME: writes {{\[}}[512, 512] (d0, d1, d2) -> (d1, d2) in hbm slots 2],
// CHECK-SAME: arrays = [4, 1, 1, 1], passes = 1
// CHECK-SAME: stages = [1]
func.func @main(%x: tensor<8192x1024xf32>, %w: tensor<1024x512xf32>) -> tensor<8192x512xf32> {
  %0 = kernel.fusion "dot"(%x, %w : tensor<8192x1024xf32>, tensor<1024x512xf32>) -> tensor<8192x512xf32> {
  ^bb0(%a: tensor<8192x1024xf32>, %b: tensor<1024x512xf32>):
    %1 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
        : (tensor<8192x1024xf32>, tensor<1024x512xf32>) -> tensor<8192x512xf32>
    kernel.yield %1 : tensor<8192x512xf32>
  }
  return %0 : tensor<8192x512xf32>
}

// -----

// 64x256 f32, 128 words, stay in VMEM between two kernels, two column tiles of 64 rows: both work on them in place.
// Equal kernels have one plan; here they differ in where their arrays lie. A slice is moved by transfers.
// CHECK-LABEL: func.func @main
// CHECK: kernel.fusion "loop"
// CHECK-SAME: kernel.places = {{\[\[}}#kernel.place<tensor<64x256xf32> at 0 words 128 rows 64 tiles 2 strides[64]>]]
// CHECK-SAME: reads {{\[}}[64, 256] (d0, d1) -> (d0, d1) in hbm slots 1]
// CHECK-SAME: writes {{\[}}[64, 256] (d0, d1) -> (d0, d1) in vmem], vmem 256 of 229376>
// CHECK: kernel.fusion "loop"
// CHECK-SAME: reads {{\[}}[64, 256] (d0, d1) -> (d0, d1) in vmem]
// CHECK-SAME: writes {{\[}}[64, 256] (d0, d1) -> (d0, d1) in hbm slots 1]
// CHECK: kernel.fusion "copy"
// CHECK-SAME: kernel.plan = #kernel.plan<grid [], transfers>
func.func @main(%x: tensor<64x256xf32>) -> tensor<32x256xf32> {
  %0 = kernel.fusion "loop"(%x : tensor<64x256xf32>) -> tensor<64x256xf32> {
  ^bb0(%a: tensor<64x256xf32>):
    %1 = stablehlo.exponential %a : tensor<64x256xf32>
    kernel.yield %1 : tensor<64x256xf32>
  }
  %2 = kernel.fusion "loop"(%0 : tensor<64x256xf32>) -> tensor<64x256xf32> {
  ^bb0(%a: tensor<64x256xf32>):
    %3 = stablehlo.tanh %a : tensor<64x256xf32>
    kernel.yield %3 : tensor<64x256xf32>
  }
  %4 = kernel.fusion "copy"(%2 : tensor<64x256xf32>) -> tensor<32x256xf32> {
  ^bb0(%a: tensor<64x256xf32>):
    %5 = stablehlo.slice %a [32:64, 0:256] : (tensor<64x256xf32>) -> tensor<32x256xf32>
    kernel.yield %5 : tensor<32x256xf32>
  }
  return %4 : tensor<32x256xf32>
}

// -----

// Rows of bytes take 32 each as leading elements of the operand: blocks of 528 KiB for 256 bytes. One step all the
// same, as the result of so small a kernel may lie where its operand does.
// CHECK-LABEL: @main(%arg0: tensor<2x2x2x1x16xui8>)
// CHECK: kernel.fusion "loop"
// CHECK-SAME: grid [parallel d0 = 2 by 2, parallel d1 = 2 by 2, parallel d2 = 2 by 2, parallel d3 = 16 by 16]
func.func @main(%x: tensor<2x2x2x1x16xui8>) -> tensor<2x2x2x16xui8> {
  %0 = kernel.fusion "loop"(%x : tensor<2x2x2x1x16xui8>) -> tensor<2x2x2x16xui8> {
  ^bb0(%a: tensor<2x2x2x1x16xui8>):
    %1 = stablehlo.reshape %a : (tensor<2x2x2x1x16xui8>) -> tensor<2x2x2x16xui8>
    kernel.yield %1 : tensor<2x2x2x16xui8>
  }
  return %0 : tensor<2x2x2x16xui8>
}
