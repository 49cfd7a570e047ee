// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tpuc-opt %s --tpuc-plan-kernels=target=v5e --tpuc-verify-plan --split-input-file | FileCheck %s
// RUN: tpuc-opt %s --tpuc-plan-kernels=target=v4 --tpuc-verify-plan --split-input-file | FileCheck %s --check-prefix=CORES
// The plans of kernels around one op that is no dot.

// An image a step, the weights (576 KiB) once: they stay while d4 does not move. Two arrays over columns of 128, two
// over an image's 56 rows (dim 1 of images, rows, units), 28 each.
// CHECK-LABEL: @main(%arg0: tensor<8x56x56x128xbf16>
// CHECK: kernel.plan = #kernel.plan<
// CHECK-SAME: grid [parallel d4 = 256 by 256, parallel d0 = 8 by 1, parallel d1 = 56 by 56,
// CHECK-SAME: sequential d2 = 128 by 128, whole d3 = 56]
// CHECK-SAME: reads {{\[}}[1, 56, 56, 128] (d0, d1, d2, d3, d4) -> (d0, d1, 0, d2) in hbm slots 2,
// CHECK-SAME: [3, 3, 128, 256] (d0, d1, d2, d3, d4) -> (0, 0, d2, d4) in hbm slots 1]
// CHECK-SAME: writes {{\[}}[1, 56, 56, 256] (d0, d1, d2, d3, d4) -> (d0, d1, d3, d4) in hbm slots 2]
// CHECK-SAME: arrays = [2, 2, 1]
func.func @main(%x: tensor<8x56x56x128xbf16>, %w: tensor<3x3x128x256xbf16>) -> tensor<8x56x56x256xbf16> {
  %0 = kernel.fusion "conv"(%x, %w : tensor<8x56x56x128xbf16>, tensor<3x3x128x256xbf16>) -> tensor<8x56x56x256xbf16> {
  ^bb0(%a: tensor<8x56x56x128xbf16>, %b: tensor<3x3x128x256xbf16>):
    %1 = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
        window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
        : (tensor<8x56x56x128xbf16>, tensor<3x3x128x256xbf16>) -> tensor<8x56x56x256xbf16>
    kernel.yield %1 : tensor<8x56x56x256xbf16>
  }
  return %0 : tensor<8x56x56x256xbf16>
}

// -----

// Pooling: lanes and images are cut, rows that windows share are not.
// CHECK-LABEL: @main(%arg0: tensor<8x64x64x128xf32>)
// CHECK: grid [parallel d3 = 128 by 128, parallel d0 = 8 by 1, parallel d1 = 32 by 32, whole d2 = 32]
// CHECK-SAME: reads {{\[}}[1, 64, 64, 128] (d0, d1, d2, d3) -> (d0, d1, 0, d3) in hbm slots 2]
func.func @main(%x: tensor<8x64x64x128xf32>) -> tensor<8x32x32x128xf32> {
  %0 = kernel.fusion "window"(%x : tensor<8x64x64x128xf32>) -> tensor<8x32x32x128xf32> {
  ^bb0(%a: tensor<8x64x64x128xf32>):
    %z = stablehlo.constant dense<0.0> : tensor<f32>
    %1 = "stablehlo.reduce_window"(%a, %z) ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %m = stablehlo.maximum %p, %q : tensor<f32>
      stablehlo.return %m : tensor<f32>
    }) {window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}
        : (tensor<8x64x64x128xf32>, tensor<f32>) -> tensor<8x32x32x128xf32>
    kernel.yield %1 : tensor<8x32x32x128xf32>
  }
  return %0 : tensor<8x32x32x128xf32>
}

// -----

// A transpose of tiles, and a slice that the scalar unit moves.
// CHECK-LABEL: @main(%arg0: tensor<8x512x256xf32>)
// CHECK: grid [parallel d0 = 8 by 1, parallel d1 = 256 by 256, parallel d2 = 512 by 256]
// CHECK-SAME: reads {{\[}}[1, 256, 256] (d0, d1, d2) -> (d0, d2, d1) in hbm slots 2]
// CHECK-SAME: transposes, vmem 2048 of 229376>
// CHECK: kernel.plan = #kernel.plan<grid [], transfers>
func.func @main(%x: tensor<8x512x256xf32>) -> (tensor<8x256x512xf32>, tensor<4x512x256xf32>) {
  %0 = kernel.fusion "copy"(%x : tensor<8x512x256xf32>) -> tensor<8x256x512xf32> {
  ^bb0(%a: tensor<8x512x256xf32>):
    %2 = stablehlo.transpose %a, dims = [0, 2, 1] : (tensor<8x512x256xf32>) -> tensor<8x256x512xf32>
    kernel.yield %2 : tensor<8x256x512xf32>
  }
  %1 = kernel.fusion "copy"(%x : tensor<8x512x256xf32>) -> tensor<4x512x256xf32> {
  ^bb0(%a: tensor<8x512x256xf32>):
    %2 = stablehlo.slice %a [2:6, 0:512, 0:256] : (tensor<8x512x256xf32>) -> tensor<4x512x256xf32>
    kernel.yield %2 : tensor<4x512x256xf32>
  }
  return %0, %1 : tensor<8x256x512xf32>, tensor<4x512x256xf32>
}

// -----

// Sequences along lanes, 32 at once: a step more would begin and end all loops once more, a step less would have the
// first transfer take longer.
// CHECK-LABEL: @main(%arg0: tensor<64x4096xf32>)
// CHECK: grid [parallel d0 = 64 by 32, whole d1 = 4096]
// CHECK-SAME: in hbm slots 2], rows, vmem
func.func @main(%x: tensor<64x4096xf32>) -> tensor<64x4096xf32> {
  %0 = kernel.fusion "copy"(%x : tensor<64x4096xf32>) -> tensor<64x4096xf32> {
  ^bb0(%a: tensor<64x4096xf32>):
    %1 = "stablehlo.sort"(%a) ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %c = stablehlo.compare LT, %p, %q, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    }) {dimension = 1 : i64, is_stable = false} : (tensor<64x4096xf32>) -> tensor<64x4096xf32>
    kernel.yield %1 : tensor<64x4096xf32>
  }
  return %0 : tensor<64x4096xf32>
}

// -----

// Few sequences: one step, but two where there are cores for them.
// CHECK-LABEL: @main(%arg0: tensor<16x512xf32>)
// CHECK: grid [parallel d0 = 16 by 16, whole d1 = 512]
// CORES-LABEL: @main(%arg0: tensor<16x512xf32>)
// CORES: grid [parallel d0 = 16 by 8, whole d1 = 512]
func.func @main(%x: tensor<16x512xf32>) -> tensor<16x512xf32> {
  %0 = kernel.fusion "copy"(%x : tensor<16x512xf32>) -> tensor<16x512xf32> {
  ^bb0(%a: tensor<16x512xf32>):
    %1 = "stablehlo.sort"(%a) ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %c = stablehlo.compare LT, %p, %q, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    }) {dimension = 1 : i64, is_stable = false} : (tensor<16x512xf32>) -> tensor<16x512xf32>
    kernel.yield %1 : tensor<16x512xf32>
  }
  return %0 : tensor<16x512xf32>
}

// -----

// More sequences: turned, 128 along lanes are one step's. An array of 16 bits too.
// CHECK-LABEL: @main(%arg0: tensor<512x1000xf32>, %arg1: tensor<512x1000xi16>)
// CHECK: grid [parallel d0 = 512 by 128, whole d1 = 1000]
// CHECK-SAME: in hbm slots 2], turned_rows, vmem
func.func @main(%x: tensor<512x1000xf32>, %y: tensor<512x1000xi16>) -> (tensor<512x1000xf32>, tensor<512x1000xi16>) {
  %0:2 = kernel.fusion "copy"(%x, %y : tensor<512x1000xf32>, tensor<512x1000xi16>)
      -> tensor<512x1000xf32>, tensor<512x1000xi16> {
  ^bb0(%a: tensor<512x1000xf32>, %b: tensor<512x1000xi16>):
    %1:2 = "stablehlo.sort"(%a, %b) ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>, %r: tensor<i16>, %s: tensor<i16>):
      %c = stablehlo.compare LT, %p, %q, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    }) {dimension = 1 : i64, is_stable = true}
        : (tensor<512x1000xf32>, tensor<512x1000xi16>) -> (tensor<512x1000xf32>, tensor<512x1000xi16>)
    kernel.yield %1#0, %1#1 : tensor<512x1000xf32>, tensor<512x1000xi16>
  }
  return %0#0, %0#1 : tensor<512x1000xf32>, tensor<512x1000xi16>
}

// -----

// One long sequence: whole in VMEM, where it comes in parts of 256 vregs.
// CHECK-LABEL: @main(%arg0: tensor<1048576xi32>)
// CHECK: sequential d0 = 8192 by 2048], reads {{\[}}[262144] (d0, d1) -> (d0) in hbm slots 2], parts = 256, vector,
func.func @main(%x: tensor<1048576xi32>) -> tensor<1048576xi32> {
  %0 = kernel.fusion "copy"(%x : tensor<1048576xi32>) -> tensor<1048576xi32> {
  ^bb0(%a: tensor<1048576xi32>):
    %1 = "stablehlo.sort"(%a) ({
    ^bb0(%p: tensor<i32>, %q: tensor<i32>):
      %c = stablehlo.compare LT, %p, %q : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    }) {dimension = 0 : i64, is_stable = false} : (tensor<1048576xi32>) -> tensor<1048576xi32>
    kernel.yield %1 : tensor<1048576xi32>
  }
  return %0 : tensor<1048576xi32>
}

// -----

// A gradient of weights: a step has 8 of 32 images, whose sums stay in the accumulators until the last.
// CHECK-LABEL: @main(%arg0: tensor<32x16x16x128xbf16>, %arg1: tensor<32x14x14x128xbf16>)
// CHECK: grid [parallel d4 = 128 by 128, parallel d5 = 128 by 128, sequential d2 = 32 by 8,
// CHECK-SAME: sequential d3 = 14 by 14, whole d0 = 3, whole d1 = 3]
// CHECK-SAME: writes {{\[}}[3, 3, 128, 128] (d0, d1, d2, d3, d4, d5) -> (d0, d1, d4, d5) in hbm slots 1]
func.func @main(%x: tensor<32x16x16x128xbf16>, %dy: tensor<32x14x14x128xbf16>) -> tensor<3x3x128x128xf32> {
  %0 = kernel.fusion "conv"(%x, %dy : tensor<32x16x16x128xbf16>, tensor<32x14x14x128xbf16>)
      -> tensor<3x3x128x128xf32> {
  ^bb0(%a: tensor<32x16x16x128xbf16>, %b: tensor<32x14x14x128xbf16>):
    %1 = stablehlo.convolution(%a, %b) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f],
        window = {pad = [[0, 0], [0, 0]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
        : (tensor<32x16x16x128xbf16>, tensor<32x14x14x128xbf16>) -> tensor<3x3x128x128xf32>
    kernel.yield %1 : tensor<3x3x128x128xf32>
  }
  return %0 : tensor<3x3x128x128xf32>
}

// -----

// The gradient of depthwise weights: images one after the other, in steps that add to the sums of 9 taps. One
// core takes all features.
// CHECK-LABEL: @main(%arg0: tensor<32x28x28x256xbf16>, %arg1: tensor<32x28x28x256xbf16>)
// CHECK: grid [parallel d5 = 256 by 256, sequential d2 = 32 by 4, sequential d3 = 28 by 28,
// CHECK-SAME: whole d0 = 3, whole d1 = 3,
// CHECK-SAME: writes {{\[}}[3, 3, 1, 256] (d0, d1, d2, d3, d4, d5) -> (d0, d1, 0, d5) in hbm slots 1]
func.func @main(%x: tensor<32x28x28x256xbf16>, %dy: tensor<32x28x28x256xbf16>) -> tensor<3x3x1x256xf32> {
  %0 = kernel.fusion "conv"(%x, %dy : tensor<32x28x28x256xbf16>, tensor<32x28x28x256xbf16>) -> tensor<3x3x1x256xf32> {
  ^bb0(%a: tensor<32x28x28x256xbf16>, %b: tensor<32x28x28x256xbf16>):
    %1 = stablehlo.convolution(%a, %b) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f],
        window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 256 : i64, feature_group_count = 1 : i64}
        : (tensor<32x28x28x256xbf16>, tensor<32x28x28x256xbf16>) -> tensor<3x3x1x256xf32>
    kernel.yield %1 : tensor<3x3x1x256xf32>
  }
  return %0 : tensor<3x3x1x256xf32>
}

// -----

// The gradient of pooling: images and lanes are cut.
// CHECK-LABEL: @main(%arg0: tensor<8x64x64x128xf32>, %arg1: tensor<8x32x32x128xf32>)
// CHECK: grid [parallel d3 = 128 by 128, parallel d0 = 8 by 1, parallel d1 = 64 by 64, whole d2 = 64]
// CHECK-SAME: reads {{\[}}[1, 64, 64, 128] (d0, d1, d2, d3) -> (d0, d1, 0, d3) in hbm slots 2,
// CHECK-SAME: [1, 32, 32, 128] (d0, d1, d2, d3) -> (d0, d1, 0, d3) in hbm slots 2]
func.func @main(%x: tensor<8x64x64x128xf32>, %v: tensor<8x32x32x128xf32>) -> tensor<8x64x64x128xf32> {
  %0 = kernel.fusion "window"(%x, %v : tensor<8x64x64x128xf32>, tensor<8x32x32x128xf32>) -> tensor<8x64x64x128xf32> {
  ^bb0(%a: tensor<8x64x64x128xf32>, %b: tensor<8x32x32x128xf32>):
    %z = stablehlo.constant dense<0.0> : tensor<f32>
    %1 = "stablehlo.select_and_scatter"(%a, %b, %z) <{window_dimensions = array<i64: 1, 2, 2, 1>,
        window_strides = array<i64: 1, 2, 2, 1>}> ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %2 = stablehlo.compare GE, %p, %q : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %2 : tensor<i1>
    }, {
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %2 = stablehlo.add %p, %q : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<8x64x64x128xf32>, tensor<8x32x32x128xf32>, tensor<f32>) -> tensor<8x64x64x128xf32>
    kernel.yield %1 : tensor<8x64x64x128xf32>
  }
  return %0 : tensor<8x64x64x128xf32>
}

// -----

// Rows are cut too, in multiples of 2, as far as windows are apart, until there are 8 steps: of 224 rows 28. These lie
// under 28 / 2 + 1 = 15 windows of 3x3, which lie over 2 * 14 + 3 = 31 rows.
// CHECK-LABEL: @main(%arg0: tensor<1x224x224x64xbf16>, %arg1: tensor<1x111x111x64xbf16>)
// CHECK: grid [parallel d3 = 64 by 64, parallel d0 = 1 by 1, parallel d1 = 224 by 28, whole d2 = 224]
// CHECK-SAME: reads {{\[}}[1, 31, 224, 64] (d0, d1, d2, d3) -> (d0, d1, 0, d3) in hbm slots 2,
// CHECK-SAME: [1, 15, 111, 64] (d0, d1, d2, d3) -> (d0, d1, 0, d3) in hbm slots 2]
func.func @main(%x: tensor<1x224x224x64xbf16>, %v: tensor<1x111x111x64xbf16>) -> tensor<1x224x224x64xbf16> {
  %0 = kernel.fusion "window"(%x, %v : tensor<1x224x224x64xbf16>, tensor<1x111x111x64xbf16>)
      -> tensor<1x224x224x64xbf16> {
  ^bb0(%a: tensor<1x224x224x64xbf16>, %b: tensor<1x111x111x64xbf16>):
    %z = stablehlo.constant dense<0.0> : tensor<bf16>
    %1 = "stablehlo.select_and_scatter"(%a, %b, %z) <{window_dimensions = array<i64: 1, 3, 3, 1>,
        window_strides = array<i64: 1, 2, 2, 1>}> ({
    ^bb0(%p: tensor<bf16>, %q: tensor<bf16>):
      %2 = stablehlo.compare GE, %p, %q : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
      stablehlo.return %2 : tensor<i1>
    }, {
    ^bb0(%p: tensor<bf16>, %q: tensor<bf16>):
      %2 = stablehlo.add %p, %q : tensor<bf16>
      stablehlo.return %2 : tensor<bf16>
    }) : (tensor<1x224x224x64xbf16>, tensor<1x111x111x64xbf16>, tensor<bf16>) -> tensor<1x224x224x64xbf16>
    kernel.yield %1 : tensor<1x224x224x64xbf16>
  }
  return %0 : tensor<1x224x224x64xbf16>
}

// -----

// A scan of rows too long for VMEM: its 16 steps run in order. Two slots of 16384 words for each array, and 8 words for
// what came before.
// CHECK-LABEL: @main(%arg0: tensor<8x4194304xf32>)
// CHECK: grid [parallel d0 = 8 by 8, sequential d1 = 4194304 by 262144]
// CHECK-SAME: vmem 65544 of 229376>
func.func @main(%x: tensor<8x4194304xf32>) -> tensor<8x4194304xf32> {
  %0 = kernel.fusion "window"(%x : tensor<8x4194304xf32>) -> tensor<8x4194304xf32> {
  ^bb0(%a: tensor<8x4194304xf32>):
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %1 = "stablehlo.reduce_window"(%a, %zero) <{window_dimensions = array<i64: 1, 4194304>,
        padding = dense<[[0, 0], [4194303, 0]]> : tensor<2x2xi64>}> ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %s = stablehlo.add %p, %q : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<8x4194304xf32>, tensor<f32>) -> tensor<8x4194304xf32>
    kernel.yield %1 : tensor<8x4194304xf32>
  }
  return %0 : tensor<8x4194304xf32>
}

// -----

// The batch along lanes: images are cut first, then rows of positions. Four arrays take 3 of 10 positions (dim 1 of
// rows, columns) each, the last from the seventh on. Their sums, 16 rows a position, leave room for all.
// CHECK-LABEL: @main(%arg0: tensor<14x14x6x256xf32>
// CHECK: grid [parallel d3 = 256 by 128, parallel d0 = 10 by 5, whole d1 = 10, whole d2 = 16]
// CHECK-SAME: reads {{\[}}[9, 14, 6, 128] (d0, d1, d2, d3) -> (d0, 0, 0, d3) in hbm slots 2,
// CHECK-SAME: [5, 5, 6, 16] (d0, d1, d2, d3) -> (0, 0, 0, 0) in hbm slots 1]
// CHECK-SAME: writes {{\[}}[5, 10, 16, 128] (d0, d1, d2, d3) -> (d0, d1, d2, d3) in hbm slots 2]
// CHECK-SAME: arrays = [4, 1], chunk = 3
func.func @main(%x: tensor<14x14x6x256xf32>, %w: tensor<5x5x6x16xf32>) -> tensor<10x10x16x256xf32> {
  %0 = kernel.fusion "conv"(%x, %w : tensor<14x14x6x256xf32>, tensor<5x5x6x16xf32>) -> tensor<10x10x16x256xf32> {
  ^bb0(%a: tensor<14x14x6x256xf32>, %b: tensor<5x5x6x16xf32>):
    %1 = stablehlo.convolution(%a, %b) dim_numbers = [0, 1, f, b]x[0, 1, i, o]->[0, 1, f, b],
        window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
        : (tensor<14x14x6x256xf32>, tensor<5x5x6x16xf32>) -> tensor<10x10x16x256xf32>
    kernel.yield %1 : tensor<10x10x16x256xf32>
  }
  return %0 : tensor<10x10x16x256xf32>
}

// -----

// Its gradient: two equal parts of the columns, of which two arrays share the window's rows.
// CHECK-LABEL: @main(%arg0: tensor<14x14x6x256xf32>
// CHECK: sequential d3 = 256 by 128, sequential d2 = 10 by 5, whole d0 = 5, whole d1 = 5]
// CHECK-SAME: parts = [1, 2], shares = 2
func.func @main(%x: tensor<14x14x6x256xf32>, %dy: tensor<10x10x16x256xf32>) -> tensor<5x5x6x16xf32> {
  %0 = kernel.fusion "conv"(%x, %dy : tensor<14x14x6x256xf32>, tensor<10x10x16x256xf32>) -> tensor<5x5x6x16xf32> {
  ^bb0(%a: tensor<14x14x6x256xf32>, %b: tensor<10x10x16x256xf32>):
    %1 = stablehlo.convolution(%a, %b) dim_numbers = [0, 1, b, f]x[0, 1, o, i]->[0, 1, b, f],
        window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
        : (tensor<14x14x6x256xf32>, tensor<10x10x16x256xf32>) -> tensor<5x5x6x16xf32>
    kernel.yield %1 : tensor<5x5x6x16xf32>
  }
  return %0 : tensor<5x5x6x16xf32>
}

// -----

// Rows of three take little work: each step waits for transfers, and has hundreds of them.
// CHECK-LABEL: @main(%arg0: tensor<50000x3xf32>
// CHECK: grid [parallel d0 = 50000 by {{[3-9][0-9][0-9]}}, whole d1 = 3]
func.func @main(%x: tensor<50000x3xf32>) -> tensor<50000x3xf32> {
  %0 = kernel.fusion "copy"(%x : tensor<50000x3xf32>) -> tensor<50000x3xf32> {
  ^bb0(%a: tensor<50000x3xf32>):
    %1 = "stablehlo.sort"(%a) <{dimension = 1 : i64, is_stable = true}> ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %c = stablehlo.compare LT, %p, %q, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    }) : (tensor<50000x3xf32>) -> tensor<50000x3xf32>
    kernel.yield %1 : tensor<50000x3xf32>
  }
  return %0 : tensor<50000x3xf32>
}
