// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tpuc-opt %s --tpuc-lower-kernels=target=v5e --split-input-file --verify-diagnostics
// Plans that no grid can run.

// Fused, not planned.
func.func @main(%x: tensor<8192x1024xf32>) -> tensor<8192x1024xf32> {
  // expected-error@+1 {{expects a kernel with its plan; run the stage plan before [TPUC-STAGE-001]}}
  %0 = kernel.fusion "loop"(%x : tensor<8192x1024xf32>) -> tensor<8192x1024xf32> {
  ^bb0(%a: tensor<8192x1024xf32>):
    %1 = stablehlo.exponential %a : tensor<8192x1024xf32>
    kernel.yield %1 : tensor<8192x1024xf32>
  }
  return %0 : tensor<8192x1024xf32>
}

// -----

// Rows within a tile of 8.
func.func @main(%x: tensor<8192x1024xf32>) -> tensor<8192x1024xf32> {
  // expected-error@+1 {{expects a plan with steps along d0 of a multiple of 8, 8192 at most, but got 100 [TPUC-STAGE-001]}}
  %0 = kernel.fusion "loop"(%x : tensor<8192x1024xf32>) -> tensor<8192x1024xf32> attributes {
      kernel.plan = #kernel.plan<grid [parallel d0 = 8192 by 100, parallel d1 = 1024 by 1024]>} {
  ^bb0(%a: tensor<8192x1024xf32>):
    %1 = stablehlo.exponential %a : tensor<8192x1024xf32>
    kernel.yield %1 : tensor<8192x1024xf32>
  }
  return %0 : tensor<8192x1024xf32>
}

// -----

// Lanes within a tile of 128.
func.func @main(%x: tensor<8192x1024xf32>) -> tensor<8192x1024xf32> {
  // expected-error@+1 {{expects a plan with steps along d1 of a multiple of 128, 1024 at most, but got 64}}
  %0 = kernel.fusion "loop"(%x : tensor<8192x1024xf32>) -> tensor<8192x1024xf32> attributes {
      kernel.plan = #kernel.plan<grid [parallel d0 = 8192 by 512, parallel d1 = 1024 by 64]>} {
  ^bb0(%a: tensor<8192x1024xf32>):
    %1 = stablehlo.exponential %a : tensor<8192x1024xf32>
    kernel.yield %1 : tensor<8192x1024xf32>
  }
  return %0 : tensor<8192x1024xf32>
}

// -----

// More rows than there are.
func.func @main(%x: tensor<8192x1024xf32>) -> tensor<8192x1024xf32> {
  // expected-error@+1 {{expects a plan with steps along d0 of a multiple of 8, 8192 at most, but got 16384}}
  %0 = kernel.fusion "loop"(%x : tensor<8192x1024xf32>) -> tensor<8192x1024xf32> attributes {
      kernel.plan = #kernel.plan<grid [parallel d0 = 8192 by 16384, parallel d1 = 1024 by 1024]>} {
  ^bb0(%a: tensor<8192x1024xf32>):
    %1 = stablehlo.exponential %a : tensor<8192x1024xf32>
    kernel.yield %1 : tensor<8192x1024xf32>
  }
  return %0 : tensor<8192x1024xf32>
}

// -----

// Another rank.
func.func @main(%x: tensor<8192x1024xf32>) -> tensor<8192x1024xf32> {
  // expected-error@+1 {{expects a plan with a grid of 8192x1024, but got one of 8192}}
  %0 = kernel.fusion "loop"(%x : tensor<8192x1024xf32>) -> tensor<8192x1024xf32> attributes {
      kernel.plan = #kernel.plan<grid [parallel d0 = 8192 by 512]>} {
  ^bb0(%a: tensor<8192x1024xf32>):
    %1 = stablehlo.exponential %a : tensor<8192x1024xf32>
    kernel.yield %1 : tensor<8192x1024xf32>
  }
  return %0 : tensor<8192x1024xf32>
}

// -----

// Nothing is summed along d1.
func.func @main(%x: tensor<8192x1024xf32>) -> tensor<8192x1024xf32> {
  // expected-error@+1 {{expects a plan with parallel dims [0x1] and sequential dims []}}
  %0 = kernel.fusion "loop"(%x : tensor<8192x1024xf32>) -> tensor<8192x1024xf32> attributes {
      kernel.plan = #kernel.plan<grid [parallel d0 = 8192 by 512, sequential d1 = 1024 by 1024]>} {
  ^bb0(%a: tensor<8192x1024xf32>):
    %1 = stablehlo.exponential %a : tensor<8192x1024xf32>
    kernel.yield %1 : tensor<8192x1024xf32>
  }
  return %0 : tensor<8192x1024xf32>
}

// -----

// A block of another grid.
func.func @main(%x: tensor<8192x1024xf32>) -> tensor<8192x1024xf32> {
  // expected-error@+1 {{but got #kernel.block<[512, 1024] (d0, d1) -> (d0, d1) in hbm slots 2> [TPUC-STAGE-001]}}
  %0 = kernel.fusion "loop"(%x : tensor<8192x1024xf32>) -> tensor<8192x1024xf32> attributes {
      kernel.plan = #kernel.plan<grid [parallel d0 = 8192 by 256, parallel d1 = 1024 by 1024],
          reads [[512, 1024] (d0, d1) -> (d0, d1) in hbm slots 2]>} {
  ^bb0(%a: tensor<8192x1024xf32>):
    %1 = stablehlo.exponential %a : tensor<8192x1024xf32>
    kernel.yield %1 : tensor<8192x1024xf32>
  }
  return %0 : tensor<8192x1024xf32>
}

// -----

// Words of another grid.
func.func @main(%x: tensor<8192x1024xf32>) -> tensor<8192x1024xf32> {
  // expected-error@+1 {{expects a plan with the words of VMEM that its blocks take, 8192, but got 16384}}
  %0 = kernel.fusion "loop"(%x : tensor<8192x1024xf32>) -> tensor<8192x1024xf32> attributes {
      kernel.plan = #kernel.plan<grid [parallel d0 = 8192 by 256, parallel d1 = 1024 by 1024], vmem 16384 of 229376>} {
  ^bb0(%a: tensor<8192x1024xf32>):
    %1 = stablehlo.exponential %a : tensor<8192x1024xf32>
    kernel.yield %1 : tensor<8192x1024xf32>
  }
  return %0 : tensor<8192x1024xf32>
}

// -----

// Nothing is reduced.
func.func @main(%x: tensor<8192x1024xf32>) -> tensor<8192x1024xf32> {
  // expected-error@+1 {{expects a plan with rows of a few vregs that are reduced along lanes}}
  %0 = kernel.fusion "loop"(%x : tensor<8192x1024xf32>) -> tensor<8192x1024xf32> attributes {
      kernel.plan = #kernel.plan<grid [parallel d0 = 8192 by 512, parallel d1 = 1024 by 1024], rows>} {
  ^bb0(%a: tensor<8192x1024xf32>):
    %1 = stablehlo.exponential %a : tensor<8192x1024xf32>
    kernel.yield %1 : tensor<8192x1024xf32>
  }
  return %0 : tensor<8192x1024xf32>
}

// -----

// The positions are the result's lanes: steps with 80 of them would each write all 638.
func.func @main(%x: tensor<1x640x5x160xf32>, %w: tensor<3x5x160x1xf32>) -> tensor<638xf32> {
  // expected-error@+1 {{expects a plan with all of d1 in a step}}
  %0 = kernel.fusion "conv"(%x, %w : tensor<1x640x5x160xf32>, tensor<3x5x160x1xf32>) -> tensor<638xf32>
      attributes {kernel.plan = #kernel.plan<grid [parallel d4 = 1 by 1, parallel d0 = 1 by 1, parallel d1 = 638 by 80,
          sequential d2 = 160 by 160, whole d3 = 1], arrays = [1, 4, 1]>} {
  ^bb0(%a: tensor<1x640x5x160xf32>, %b: tensor<3x5x160x1xf32>):
    %1 = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
        window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
        : (tensor<1x640x5x160xf32>, tensor<3x5x160x1xf32>) -> tensor<1x638x1x1xf32>
    %2 = stablehlo.reshape %1 : (tensor<1x638x1x1xf32>) -> tensor<638xf32>
    kernel.yield %2 : tensor<638xf32>
  }
  return %0 : tensor<638xf32>
}

// -----

// A row is walked again once its sum is known: it is whole in a step.
func.func @main(%x: tensor<64x2048xf32>) -> tensor<64x2048xf32> {
  // expected-error@+1 {{expects a plan with all 2048 of d1 in a step, but got 1024}}
  %0 = kernel.fusion "loop"(%x : tensor<64x2048xf32>) -> tensor<64x2048xf32> attributes {
      kernel.plan = #kernel.plan<grid [parallel d0 = 64 by 8, sequential d1 = 2048 by 1024]>} {
  ^bb0(%a: tensor<64x2048xf32>):
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %1 = stablehlo.reduce(%a init: %zero) applies stablehlo.add across dimensions = [1]
        : (tensor<64x2048xf32>, tensor<f32>) -> tensor<64xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0] : (tensor<64xf32>) -> tensor<64x2048xf32>
    %3 = stablehlo.divide %a, %2 : tensor<64x2048xf32>
    kernel.yield %3 : tensor<64x2048xf32>
  }
  return %0 : tensor<64x2048xf32>
}

// -----

// 65536x1024 f32 in one step are 2 * 524288 words; VMEM has 229376 for a kernel.
func.func @main(%x: tensor<65536x1024xf32>) -> tensor<65536x1024xf32> {
  // expected-error@+1 {{expects a block of this kernel to fit 117440512 bytes of v5e's VMEM, but got 536870912; split its last dims, or choose another target [TPUC-LOWER-001]}}
  %0 = kernel.fusion "loop"(%x : tensor<65536x1024xf32>) -> tensor<65536x1024xf32> attributes {
      kernel.plan = #kernel.plan<grid [parallel d0 = 65536 by 65536, parallel d1 = 1024 by 1024]>} {
  ^bb0(%a: tensor<65536x1024xf32>):
    %1 = stablehlo.exponential %a : tensor<65536x1024xf32>
    kernel.yield %1 : tensor<65536x1024xf32>
  }
  return %0 : tensor<65536x1024xf32>
}

// -----

// The chip has four arrays.
func.func @main(%x: tensor<512x256xbf16>, %w: tensor<256x512xbf16>) -> tensor<512x512xbf16> {
  // expected-error@+1 {{expects a plan with arrays, at most 4, that take equal parts of a block's columns, rows, batches and k}}
  %0 = kernel.fusion "dot"(%x, %w : tensor<512x256xbf16>, tensor<256x512xbf16>) -> tensor<512x512xbf16> attributes {
      kernel.plan = #kernel.plan<grid [parallel d1 = 512 by 128, parallel d2 = 512 by 512, sequential d0 = 256 by 256],
                                 arrays = [4, 2, 1, 1], passes = 1, ring = 1>} {
  ^bb0(%a: tensor<512x256xbf16>, %b: tensor<256x512xbf16>):
    %1 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
        : (tensor<512x256xbf16>, tensor<256x512xbf16>) -> tensor<512x512xbf16>
    kernel.yield %1 : tensor<512x512xbf16>
  }
  return %0 : tensor<512x512xbf16>
}

// -----

// Four tiles of columns are not shared by three.
func.func @main(%x: tensor<512x256xbf16>, %w: tensor<256x512xbf16>) -> tensor<512x512xbf16> {
  // expected-error@+1 {{expects a plan with arrays, at most 4, that take equal parts of a block's columns, rows, batches and k}}
  %0 = kernel.fusion "dot"(%x, %w : tensor<512x256xbf16>, tensor<256x512xbf16>) -> tensor<512x512xbf16> attributes {
      kernel.plan = #kernel.plan<grid [parallel d1 = 512 by 128, parallel d2 = 512 by 512, sequential d0 = 256 by 256],
                                 arrays = [3, 1, 1, 1], passes = 1, ring = 1>} {
  ^bb0(%a: tensor<512x256xbf16>, %b: tensor<256x512xbf16>):
    %1 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
        : (tensor<512x256xbf16>, tensor<256x512xbf16>) -> tensor<512x512xbf16>
    kernel.yield %1 : tensor<512x512xbf16>
  }
  return %0 : tensor<512x512xbf16>
}

// -----

// Products of bf16 are exact: there is nothing left for more passes.
func.func @main(%x: tensor<512x256xbf16>, %w: tensor<256x512xbf16>) -> tensor<512x512xbf16> {
  // expected-error@+1 {{expects a plan with as many passes as a mode of its operands has, 1}}
  %0 = kernel.fusion "dot"(%x, %w : tensor<512x256xbf16>, tensor<256x512xbf16>) -> tensor<512x512xbf16> attributes {
      kernel.plan = #kernel.plan<grid [parallel d1 = 512 by 128, parallel d2 = 512 by 512, sequential d0 = 256 by 256],
                                 arrays = [4, 1, 1, 1], passes = 3, ring = 1>} {
  ^bb0(%a: tensor<512x256xbf16>, %b: tensor<256x512xbf16>):
    %1 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
        : (tensor<512x256xbf16>, tensor<256x512xbf16>) -> tensor<512x512xbf16>
    kernel.yield %1 : tensor<512x512xbf16>
  }
  return %0 : tensor<512x512xbf16>
}

// -----

// bf16 in tiles as the arrays want them.
func.func @main(%x: tensor<512x256xbf16>, %w: tensor<256x512xbf16>) -> tensor<512x512xbf16> {
  // expected-error@+1 {{expects a plan with no staging of an operand that is pushed as it lies}}
  %0 = kernel.fusion "dot"(%x, %w : tensor<512x256xbf16>, tensor<256x512xbf16>) -> tensor<512x512xbf16> attributes {
      kernel.plan = #kernel.plan<grid [parallel d1 = 512 by 128, parallel d2 = 512 by 512, sequential d0 = 256 by 256],
                                 arrays = [4, 1, 1, 1], passes = 1, ring = 1, stages = [0]>} {
  ^bb0(%a: tensor<512x256xbf16>, %b: tensor<256x512xbf16>):
    %1 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
        : (tensor<512x256xbf16>, tensor<256x512xbf16>) -> tensor<512x512xbf16>
    kernel.yield %1 : tensor<512x512xbf16>
  }
  return %0 : tensor<512x512xbf16>
}

// -----

// Places in the ring are found by their low bits.
func.func @main(%x: tensor<512x256xbf16>, %w: tensor<256x512xbf16>) -> tensor<512x512xbf16> {
  // expected-error@+1 {{expects a plan with a ring of 1, 2, 4 or more results in flight, and 1 where sums stay over steps}}
  %0 = kernel.fusion "dot"(%x, %w : tensor<512x256xbf16>, tensor<256x512xbf16>) -> tensor<512x512xbf16> attributes {
      kernel.plan = #kernel.plan<grid [parallel d1 = 512 by 128, parallel d2 = 512 by 512, sequential d0 = 256 by 256],
                                 arrays = [4, 1, 1, 1], passes = 1, ring = 3>} {
  ^bb0(%a: tensor<512x256xbf16>, %b: tensor<256x512xbf16>):
    %1 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
        : (tensor<512x256xbf16>, tensor<256x512xbf16>) -> tensor<512x512xbf16>
    kernel.yield %1 : tensor<512x512xbf16>
  }
  return %0 : tensor<512x512xbf16>
}

// -----

// Rows within a tile of bf16.
func.func @main(%x: tensor<512x256xbf16>, %w: tensor<256x512xbf16>) -> tensor<512x512xbf16> {
  // expected-error@+1 {{expects a plan with steps along d1 of a multiple of 16, 512 at most, but got 24}}
  %0 = kernel.fusion "dot"(%x, %w : tensor<512x256xbf16>, tensor<256x512xbf16>) -> tensor<512x512xbf16> attributes {
      kernel.plan = #kernel.plan<grid [parallel d1 = 512 by 24, parallel d2 = 512 by 512, sequential d0 = 256 by 256],
                                 arrays = [4, 1, 1, 1], passes = 1, ring = 1>} {
  ^bb0(%a: tensor<512x256xbf16>, %b: tensor<256x512xbf16>):
    %1 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
        : (tensor<512x256xbf16>, tensor<256x512xbf16>) -> tensor<512x512xbf16>
    kernel.yield %1 : tensor<512x512xbf16>
  }
  return %0 : tensor<512x512xbf16>
}

// -----

// The array is two column tiles of 64 rows, 128 words.
func.func @main(%x: tensor<64x256xf32>) -> tensor<64x256xf32> {
  // expected-error@+1 {{expects places in VMEM as the array's tiles and readers ask for, [#kernel.place<tensor<64x256xf32> at 0 words 128 rows 64 tiles 2 strides[64]>], but got [#kernel.place<tensor<64x256xf32> at 0 words 64 rows 64 tiles 1 strides[64]>]}}
  %0 = kernel.fusion "loop"(%x : tensor<64x256xf32>) -> tensor<64x256xf32> attributes {
      kernel.places = [[#kernel.place<tensor<64x256xf32> at 0 words 64 rows 64 tiles 1 strides [64]>]],
      kernel.plan = #kernel.plan<grid [parallel d0 = 64 by 64, parallel d1 = 256 by 256]>} {
  ^bb0(%a: tensor<64x256xf32>):
    %1 = stablehlo.exponential %a : tensor<64x256xf32>
    kernel.yield %1 : tensor<64x256xf32>
  }
  %2 = kernel.fusion "loop"(%0 : tensor<64x256xf32>) -> tensor<64x256xf32> attributes {
      kernel.plan = #kernel.plan<grid [parallel d0 = 64 by 64, parallel d1 = 256 by 256]>} {
  ^bb0(%a: tensor<64x256xf32>):
    %3 = stablehlo.tanh %a : tensor<64x256xf32>
    kernel.yield %3 : tensor<64x256xf32>
  }
  return %2 : tensor<64x256xf32>
}

// -----

// A result of the program is in HBM.
func.func @main(%x: tensor<64x256xf32>) -> tensor<64x256xf32> {
  // expected-error@+1 {{expects an array in VMEM to be a temporary that kernels read in whole blocks, and one core alone, but got result 0}}
  %0 = kernel.fusion "loop"(%x : tensor<64x256xf32>) -> tensor<64x256xf32> attributes {
      kernel.places = [[#kernel.place<tensor<64x256xf32> at 0 words 128 rows 64 tiles 2 strides [64]>]],
      kernel.plan = #kernel.plan<grid [parallel d0 = 64 by 64, parallel d1 = 256 by 256]>} {
  ^bb0(%a: tensor<64x256xf32>):
    %1 = stablehlo.exponential %a : tensor<64x256xf32>
    kernel.yield %1 : tensor<64x256xf32>
  }
  return %0 : tensor<64x256xf32>
}

// -----

// What reads at most 64 KiB has read all before it writes, and may write where it read: it has one step.
func.func @main(%x: tensor<64x128xf32>) -> tensor<64x128xf32> {
  // expected-error@+1 {{expects a plan with one step: results of small kernels may lie where what they read does}}
  %0 = kernel.fusion "loop"(%x : tensor<64x128xf32>) -> tensor<64x128xf32> attributes {
      kernel.plan = #kernel.plan<grid [parallel d0 = 64 by 8, parallel d1 = 128 by 128]>} {
  ^bb0(%a: tensor<64x128xf32>):
    %1 = stablehlo.exponential %a : tensor<64x128xf32>
    kernel.yield %1 : tensor<64x128xf32>
  }
  return %0 : tensor<64x128xf32>
}

// -----

// Five of four arrays.
func.func @main(%x: tensor<2x16x16x128xbf16>, %w: tensor<3x3x128x128xbf16>) -> tensor<2x16x16x128xbf16> {
  // expected-error@+1 {{expects a plan with arrays of columns, of rows, and the dim whose rows they share}}
  %0 = kernel.fusion "conv"(%x, %w : tensor<2x16x16x128xbf16>, tensor<3x3x128x128xbf16>) -> tensor<2x16x16x128xbf16>
      attributes {kernel.plan = #kernel.plan<grid [parallel d0 = 2 by 1, parallel d1 = 16 by 16,
          parallel d4 = 128 by 128, sequential d2 = 128 by 128, whole d3 = 16], arrays = [1, 5, 1]>} {
  ^bb0(%a: tensor<2x16x16x128xbf16>, %b: tensor<3x3x128x128xbf16>):
    %1 = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
        window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
        : (tensor<2x16x16x128xbf16>, tensor<3x3x128x128xbf16>) -> tensor<2x16x16x128xbf16>
    kernel.yield %1 : tensor<2x16x16x128xbf16>
  }
  return %0 : tensor<2x16x16x128xbf16>
}

// -----

// Rows that nobody shares out.
func.func @main(%x: tensor<2x16x16x128xbf16>, %w: tensor<3x3x128x128xbf16>) -> tensor<2x16x16x128xbf16> {
  // expected-error@+1 {{expects a plan with arrays of columns, of rows, and the dim whose rows they share}}
  %0 = kernel.fusion "conv"(%x, %w : tensor<2x16x16x128xbf16>, tensor<3x3x128x128xbf16>) -> tensor<2x16x16x128xbf16>
      attributes {kernel.plan = #kernel.plan<grid [parallel d0 = 2 by 1, parallel d1 = 16 by 16,
          parallel d4 = 128 by 128, sequential d2 = 128 by 128, whole d3 = 16], arrays = [1, 2, -1]>} {
  ^bb0(%a: tensor<2x16x16x128xbf16>, %b: tensor<3x3x128x128xbf16>):
    %1 = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
        window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
        : (tensor<2x16x16x128xbf16>, tensor<3x3x128x128xbf16>) -> tensor<2x16x16x128xbf16>
    kernel.yield %1 : tensor<2x16x16x128xbf16>
  }
  return %0 : tensor<2x16x16x128xbf16>
}

// -----

// Windows share an image's columns.
func.func @main(%x: tensor<2x16x16x128xbf16>, %w: tensor<3x3x128x128xbf16>) -> tensor<2x16x16x128xbf16> {
  // expected-error@+1 {{expects a plan with parallel dims [0x1x4] and sequential dims [2]}}
  %0 = kernel.fusion "conv"(%x, %w : tensor<2x16x16x128xbf16>, tensor<3x3x128x128xbf16>) -> tensor<2x16x16x128xbf16>
      attributes {kernel.plan = #kernel.plan<grid [parallel d0 = 2 by 1, parallel d1 = 16 by 16,
          parallel d4 = 128 by 128, sequential d2 = 128 by 128, parallel d3 = 16 by 8], arrays = [1, 1, -1]>} {
  ^bb0(%a: tensor<2x16x16x128xbf16>, %b: tensor<3x3x128x128xbf16>):
    %1 = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
        window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
        : (tensor<2x16x16x128xbf16>, tensor<3x3x128x128xbf16>) -> tensor<2x16x16x128xbf16>
    kernel.yield %1 : tensor<2x16x16x128xbf16>
  }
  return %0 : tensor<2x16x16x128xbf16>
}

// -----

// A convolution is no transfer.
func.func @main(%x: tensor<2x16x16x128xbf16>, %w: tensor<3x3x128x128xbf16>) -> tensor<2x16x16x128xbf16> {
  // expected-error@+1 {{expects a plan with arrays of columns, of rows, and the dim whose rows they share}}
  %0 = kernel.fusion "conv"(%x, %w : tensor<2x16x16x128xbf16>, tensor<3x3x128x128xbf16>) -> tensor<2x16x16x128xbf16>
      attributes {kernel.plan = #kernel.plan<grid [], transfers>} {
  ^bb0(%a: tensor<2x16x16x128xbf16>, %b: tensor<3x3x128x128xbf16>):
    %1 = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
        window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
        : (tensor<2x16x16x128xbf16>, tensor<3x3x128x128xbf16>) -> tensor<2x16x16x128xbf16>
    kernel.yield %1 : tensor<2x16x16x128xbf16>
  }
  return %0 : tensor<2x16x16x128xbf16>
}

// -----

// A slice has no grid.
func.func @main(%x: tensor<64x256xf32>) -> tensor<32x256xf32> {
  // expected-error@+1 {{expects a plan with transfers, and nothing else}}
  %0 = kernel.fusion "copy"(%x : tensor<64x256xf32>) -> tensor<32x256xf32> attributes {
      kernel.plan = #kernel.plan<grid [parallel d0 = 32 by 8, parallel d1 = 256 by 256]>} {
  ^bb0(%a: tensor<64x256xf32>):
    %1 = stablehlo.slice %a [32:64, 0:256] : (tensor<64x256xf32>) -> tensor<32x256xf32>
    kernel.yield %1 : tensor<32x256xf32>
  }
  return %0 : tensor<32x256xf32>
}

// -----

// All of a sequence is asked for: rounds find the first few.
func.func @main(%x: tensor<64x4096xf32>) -> tensor<64x4096xf32> {
  // expected-error@+1 {{expects a plan with no rounds: they give less than is asked for}}
  %0 = kernel.fusion "copy"(%x : tensor<64x4096xf32>) -> tensor<64x4096xf32> attributes {
      kernel.plan = #kernel.plan<grid [parallel d0 = 64 by 16, whole d1 = 4096], rows, rounds>} {
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

// All of a sequence is asked for: groups find the first few.
func.func @main(%x: tensor<64x4096xf32>) -> tensor<64x4096xf32> {
  // expected-error@+1 {{expects a plan with no groups: the elements have none, or they give less than is asked for}}
  %0 = kernel.fusion "copy"(%x : tensor<64x4096xf32>) -> tensor<64x4096xf32> attributes {
      kernel.plan = #kernel.plan<grid [parallel d0 = 64 by 16, whole d1 = 4096], rows, groups>} {
  ^bb0(%a: tensor<64x4096xf32>):
    %1 = "stablehlo.sort"(%a) ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %c = stablehlo.compare LT, %p, %q, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    }) {dimension = 1 : i64, is_stable = false} : (tensor<64x4096xf32>) -> tensor<64x4096xf32>
    kernel.yield %1 : tensor<64x4096xf32>
  }
  return %0 : tensor<64x4096xf32>
}

// -----

// Runs are of sequences that are cut.
func.func @main(%x: tensor<64x4096xf32>) -> tensor<64x50xf32> {
  // expected-error@+1 {{expects a plan with either runs, or rounds or groups}}
  %0 = kernel.fusion "copy"(%x : tensor<64x4096xf32>) -> tensor<64x50xf32> attributes {
      kernel.plan = #kernel.plan<grid [parallel d0 = 64 by 16, whole d1 = 4096], rows, groups, runs = 128>} {
  ^bb0(%a: tensor<64x4096xf32>):
    %1 = "stablehlo.sort"(%a) ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %c = stablehlo.compare LT, %p, %q, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    }) {dimension = 1 : i64, is_stable = false} : (tensor<64x4096xf32>) -> tensor<64x4096xf32>
    %2 = stablehlo.slice %1 [0:64, 0:50] : (tensor<64x4096xf32>) -> tensor<64x50xf32>
    kernel.yield %2 : tensor<64x50xf32>
  }
  return %0 : tensor<64x50xf32>
}

// -----

// Rows are sorted along lanes here.
func.func @main(%x: tensor<64x4096xf32>) -> tensor<64x4096xf32> {
  // expected-error@+1 {{expects a plan with elements in rows}}
  %0 = kernel.fusion "copy"(%x : tensor<64x4096xf32>) -> tensor<64x4096xf32> attributes {
      kernel.plan = #kernel.plan<grid [parallel d0 = 64 by 16, whole d1 = 4096], columns>} {
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

// Nine of eight rows.
func.func @main(%t: tensor<1000x128xf32>, %k: tensor<64xi32>, %u: tensor<64x128xf32>, %i: tensor<64xi32>)
    -> tensor<1000x128xf32> {
  // expected-error@+1 {{expects a plan with 1 to 8 rows at once}}
  %0 = kernel.fusion "copy"(%t, %k, %u, %i : tensor<1000x128xf32>, tensor<64xi32>, tensor<64x128xf32>, tensor<64xi32>)
      -> tensor<1000x128xf32> attributes {kernel.plan = #kernel.plan<grid [], rows_at_once = 9>} {
  ^bb0(%a: tensor<1000x128xf32>, %b: tensor<64xi32>, %c: tensor<64x128xf32>, %d: tensor<64xi32>):
    %1 = "stablehlo.gather"(%c, %d) <{dimension_numbers = #stablehlo.gather<offset_dims = [1],
        collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 128>}>
        : (tensor<64x128xf32>, tensor<64xi32>) -> tensor<64x128xf32>
    %2 = "stablehlo.scatter"(%a, %b, %1) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1],
        inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
      ^bb0(%p: tensor<f32>, %q: tensor<f32>):
        %3 = stablehlo.add %p, %q : tensor<f32>
        stablehlo.return %3 : tensor<f32>
      }) {kernel.sorted_rows} : (tensor<1000x128xf32>, tensor<64xi32>, tensor<64x128xf32>) -> tensor<1000x128xf32>
    kernel.yield %2 : tensor<1000x128xf32>
  }
  return %0 : tensor<1000x128xf32>
}

// -----

// Lanes stay where they are: no tile is transposed.
func.func @main(%x: tensor<8x64x256xf32>) -> tensor<64x8x256xf32> {
  // expected-error@+1 {{expects a plan with transfers, and nothing else}}
  %0 = kernel.fusion "copy"(%x : tensor<8x64x256xf32>) -> tensor<64x8x256xf32> attributes {
      kernel.plan = #kernel.plan<grid [parallel d0 = 64 by 8, parallel d1 = 8 by 8, parallel d2 = 256 by 256],
                                 transposes>} {
  ^bb0(%a: tensor<8x64x256xf32>):
    %1 = stablehlo.transpose %a, dims = [1, 0, 2] : (tensor<8x64x256xf32>) -> tensor<64x8x256xf32>
    kernel.yield %1 : tensor<64x8x256xf32>
  }
  return %0 : tensor<64x8x256xf32>
}

// -----

// Nine of eight tiles.
func.func @main(%t: tensor<1000x300xbf16>, %i: tensor<64x1xi32>) -> tensor<64x300xbf16> {
  // expected-error@+1 {{expects a plan with 2 to 8 tiles at once}}
  %0 = kernel.fusion "copy"(%t, %i : tensor<1000x300xbf16>, tensor<64x1xi32>) -> tensor<64x300xbf16>
      attributes {kernel.plan = #kernel.plan<grid [], tiles_at_once = 9>} {
  ^bb0(%a: tensor<1000x300xbf16>, %b: tensor<64x1xi32>):
    %1 = "stablehlo.gather"(%a, %b) <{dimension_numbers = #stablehlo.gather<offset_dims = [1],
        collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 300>}>
        : (tensor<1000x300xbf16>, tensor<64x1xi32>) -> tensor<64x300xbf16>
    kernel.yield %1 : tensor<64x300xbf16>
  }
  return %0 : tensor<64x300xbf16>
}

// -----

// Two blocks' indices are 918528 bytes, of which SMEM has 917504 for them.
func.func @main(%t: tensor<8x128xf32>, %i: tensor<114816xi32>) -> tensor<114816x128xf32> {
  // expected-error@+1 {{expects a plan with rows whose indices SMEM holds}}
  %0 = kernel.fusion "copy"(%t, %i : tensor<8x128xf32>, tensor<114816xi32>) -> tensor<114816x128xf32>
      attributes {kernel.plan = #kernel.plan<grid [parallel d1 = 8 by 8, parallel d2 = 128 by 128,
          parallel d0 = 114816 by 114816], table_in_vmem>} {
  ^bb0(%a: tensor<8x128xf32>, %b: tensor<114816xi32>):
    %1 = "stablehlo.gather"(%a, %b) <{dimension_numbers = #stablehlo.gather<offset_dims = [1],
        collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 128>}>
        : (tensor<8x128xf32>, tensor<114816xi32>) -> tensor<114816x128xf32>
    kernel.yield %1 : tensor<114816x128xf32>
  }
  return %0 : tensor<114816x128xf32>
}

// -----

// The accumulators have 4096 rows: 256 positions of 16 features.
func.func @main(%x: tensor<8x512x16x128xf32>, %w: tensor<1x1x16x16xf32>) -> tensor<8x512x16x128xf32> {
  // expected-error@+1 {{expects a plan with a chunk of positions whose sums the accumulators hold}}
  %0 = kernel.fusion "conv"(%x, %w : tensor<8x512x16x128xf32>, tensor<1x1x16x16xf32>) -> tensor<8x512x16x128xf32>
      attributes {kernel.plan = #kernel.plan<grid [parallel d3 = 128 by 128, parallel d0 = 8 by 1, whole d1 = 512,
          whole d2 = 16], arrays = [1, -1], chunk = 257>} {
  ^bb0(%a: tensor<8x512x16x128xf32>, %b: tensor<1x1x16x16xf32>):
    %1 = stablehlo.convolution(%a, %b) dim_numbers = [0, 1, f, b]x[0, 1, i, o]->[0, 1, f, b],
        window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
        : (tensor<8x512x16x128xf32>, tensor<1x1x16x16xf32>) -> tensor<8x512x16x128xf32>
    kernel.yield %1 : tensor<8x512x16x128xf32>
  }
  return %0 : tensor<8x512x16x128xf32>
}

// -----

// Three parts of two columns.
func.func @main(%x: tensor<8x2x16x128xf32>, %w: tensor<1x1x16x16xf32>) -> tensor<8x2x16x128xf32> {
  // expected-error@+1 {{expects a plan with arrays of parts of the positions, and the dim that they share}}
  %0 = kernel.fusion "conv"(%x, %w : tensor<8x2x16x128xf32>, tensor<1x1x16x16xf32>) -> tensor<8x2x16x128xf32>
      attributes {kernel.plan = #kernel.plan<grid [parallel d3 = 128 by 128, parallel d0 = 8 by 1, whole d1 = 2,
          whole d2 = 16], arrays = [3, 1], chunk = 1>} {
  ^bb0(%a: tensor<8x2x16x128xf32>, %b: tensor<1x1x16x16xf32>):
    %1 = stablehlo.convolution(%a, %b) dim_numbers = [0, 1, f, b]x[0, 1, i, o]->[0, 1, f, b],
        window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
        : (tensor<8x2x16x128xf32>, tensor<1x1x16x16xf32>) -> tensor<8x2x16x128xf32>
    kernel.yield %1 : tensor<8x2x16x128xf32>
  }
  return %0 : tensor<8x2x16x128xf32>
}

// -----

// A gradient sums each position once: four rows of eight and then four more, not five and three.
func.func @main(%x: tensor<8x8x16x128xf32>, %dy: tensor<8x8x16x128xf32>) -> tensor<1x1x16x16xf32> {
  // expected-error@+1 {{expects a plan with equal blocks of positions}}
  %0 = kernel.fusion "conv"(%x, %dy : tensor<8x8x16x128xf32>, tensor<8x8x16x128xf32>) -> tensor<1x1x16x16xf32>
      attributes {kernel.plan = #kernel.plan<grid [parallel d4 = 16 by 16, parallel d5 = 16 by 16,
          sequential d3 = 128 by 128, sequential d2 = 8 by 5, whole d0 = 1, whole d1 = 1], parts = [1, 4],
          shares = 1>} {
  ^bb0(%a: tensor<8x8x16x128xf32>, %b: tensor<8x8x16x128xf32>):
    %1 = stablehlo.convolution(%a, %b) dim_numbers = [0, 1, b, f]x[0, 1, o, i]->[0, 1, b, f],
        window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
        : (tensor<8x8x16x128xf32>, tensor<8x8x16x128xf32>) -> tensor<1x1x16x16xf32>
    kernel.yield %1 : tensor<1x1x16x16xf32>
  }
  return %0 : tensor<1x1x16x16xf32>
}

// -----

// Parts of three columns of eight.
func.func @main(%x: tensor<8x8x16x128xf32>, %dy: tensor<8x8x16x128xf32>) -> tensor<1x1x16x16xf32> {
  // expected-error@+1 {{expects a plan with equal parts of the positions along each dim, and shares of the rows, on the arrays}}
  %0 = kernel.fusion "conv"(%x, %dy : tensor<8x8x16x128xf32>, tensor<8x8x16x128xf32>) -> tensor<1x1x16x16xf32>
      attributes {kernel.plan = #kernel.plan<grid [parallel d4 = 16 by 16, parallel d5 = 16 by 16,
          sequential d3 = 128 by 128, sequential d2 = 8 by 4, whole d0 = 1, whole d1 = 1], parts = [1, 3],
          shares = 1>} {
  ^bb0(%a: tensor<8x8x16x128xf32>, %b: tensor<8x8x16x128xf32>):
    %1 = stablehlo.convolution(%a, %b) dim_numbers = [0, 1, b, f]x[0, 1, o, i]->[0, 1, b, f],
        window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
        : (tensor<8x8x16x128xf32>, tensor<8x8x16x128xf32>) -> tensor<1x1x16x16xf32>
    kernel.yield %1 : tensor<1x1x16x16xf32>
  }
  return %0 : tensor<1x1x16x16xf32>
}

// -----

// Blocks of one size.
func.func @main(%x: tensor<30x64x128xf32>) -> tensor<1920x128xf32> {
  // expected-error@+1 {{expects a plan with blocks of one size, but got 20 of 30}}
  %0 = kernel.fusion "relayout"(%x : tensor<30x64x128xf32>) -> tensor<1920x128xf32> attributes {
      kernel.plan = #kernel.plan<grid [parallel d0 = 30 by 20, parallel d1 = 64 by 64, whole d2 = 1, whole d3 = 1]>} {
  ^bb0(%a: tensor<30x64x128xf32>):
    %1 = stablehlo.reshape %a : (tensor<30x64x128xf32>) -> tensor<1920x128xf32>
    kernel.yield %1 : tensor<1920x128xf32>
  }
  return %0 : tensor<1920x128xf32>
}

// -----

// Six windows, not eight.
func.func @main(%t: tensor<100x128xf32>, %i: tensor<6xi32>) -> tensor<6x128xf32> {
  // expected-error@+1 {{expects a plan with a grid of the windows' dims, all parallel}}
  %0 = kernel.fusion "copy"(%t, %i : tensor<100x128xf32>, tensor<6xi32>) -> tensor<6x128xf32>
      attributes {kernel.plan = #kernel.plan<grid [parallel d0 = 8 by 4], transfers>} {
  ^bb0(%a: tensor<100x128xf32>, %b: tensor<6xi32>):
    %1 = "stablehlo.gather"(%a, %b) <{dimension_numbers = #stablehlo.gather<offset_dims = [1],
        collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
        slice_sizes = array<i64: 1, 128>}> : (tensor<100x128xf32>, tensor<6xi32>) -> tensor<6x128xf32>
    kernel.yield %1 : tensor<6x128xf32>
  }
  return %0 : tensor<6x128xf32>
}

// -----

// Both dims of the windows are cut.
func.func @main(%t: tensor<100x128xf32>, %i: tensor<4x6xi32>) -> tensor<4x6x128xf32> {
  // expected-error@+1 {{expects a plan with parts of one dim of the windows, not of two}}
  %0 = kernel.fusion "copy"(%t, %i : tensor<100x128xf32>, tensor<4x6xi32>) -> tensor<4x6x128xf32>
      attributes {kernel.plan = #kernel.plan<grid [parallel d0 = 4 by 2, parallel d1 = 6 by 3], transfers>} {
  ^bb0(%a: tensor<100x128xf32>, %b: tensor<4x6xi32>):
    %1 = "stablehlo.gather"(%a, %b) <{dimension_numbers = #stablehlo.gather<offset_dims = [2],
        collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>,
        slice_sizes = array<i64: 1, 128>}> : (tensor<100x128xf32>, tensor<4x6xi32>) -> tensor<4x6x128xf32>
    kernel.yield %1 : tensor<4x6x128xf32>
  }
  return %0 : tensor<4x6x128xf32>
}

// -----

// SMEM holds six indices.
func.func @main(%t: tensor<100x128xf32>, %i: tensor<6xi32>) -> tensor<6x128xf32> {
  // expected-error@+1 {{expects a plan with all indices in SMEM at once}}
  %0 = kernel.fusion "copy"(%t, %i : tensor<100x128xf32>, tensor<6xi32>) -> tensor<6x128xf32>
      attributes {kernel.plan = #kernel.plan<grid [], index_parts = 2, transfers>} {
  ^bb0(%a: tensor<100x128xf32>, %b: tensor<6xi32>):
    %1 = "stablehlo.gather"(%a, %b) <{dimension_numbers = #stablehlo.gather<offset_dims = [1],
        collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
        slice_sizes = array<i64: 1, 128>}> : (tensor<100x128xf32>, tensor<6xi32>) -> tensor<6x128xf32>
    kernel.yield %1 : tensor<6x128xf32>
  }
  return %0 : tensor<6x128xf32>
}

// -----

// Three parts of 70000 indices.
func.func @main(%t: tensor<100x128xf32>, %i: tensor<70000xi32>) -> tensor<70000x128xf32> {
  // expected-error@+1 {{expects a plan with indices in 1 to 64 parts of SMEM, a power of two}}
  %0 = kernel.fusion "copy"(%t, %i : tensor<100x128xf32>, tensor<70000xi32>) -> tensor<70000x128xf32>
      attributes {kernel.plan = #kernel.plan<grid [], index_parts = 3, transfers>} {
  ^bb0(%a: tensor<100x128xf32>, %b: tensor<70000xi32>):
    %1 = "stablehlo.gather"(%a, %b) <{dimension_numbers = #stablehlo.gather<offset_dims = [1],
        collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
        slice_sizes = array<i64: 1, 128>}> : (tensor<100x128xf32>, tensor<70000xi32>) -> tensor<70000x128xf32>
    kernel.yield %1 : tensor<70000x128xf32>
  }
  return %0 : tensor<70000x128xf32>
}

// -----

// Sums that go together are those of kept dims, and their loop's trips are whole turns.
func.func @main(%a: tensor<16x64x256xf32>) -> tensor<64x256xf32> {
  // expected-error@+1 {{expects a plan with a jam of one factor a dim, for one sum alone: of kept dims what divides their loops' trips [TPUC-STAGE-001]}}
  %0 = kernel.fusion "loop"(%a : tensor<16x64x256xf32>) -> tensor<64x256xf32> attributes {
      kernel.plan = #kernel.plan<grid [parallel d1 = 64 by 64, parallel d2 = 256 by 256, sequential d0 = 16 by 16],
                                 jam = [1, 3, 1]>} {
  ^bb0(%x: tensor<16x64x256xf32>):
    %z = stablehlo.constant dense<0.0> : tensor<f32>
    %1 = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [0]
        : (tensor<16x64x256xf32>, tensor<f32>) -> tensor<64x256xf32>
    kernel.yield %1 : tensor<64x256xf32>
  }
  return %0 : tensor<64x256xf32>
}

// -----

// A block that no descriptor moves: 2 x 4 x 3 leading positions, and tiles of 2 columns by 4 rows.
func.func @main(%s: tensor<2x8x256x24xbf16>, %x: tensor<2x8x256x24x64xbf16>) -> tensor<2x8x24x64x256xbf16> {
  // expected-error@+1 {{expects a plan with blocks of 4 strided dims at most, as a descriptor has [TPUC-STAGE-001]}}
  %0 = kernel.fusion "copy"(%s, %x : tensor<2x8x256x24xbf16>, tensor<2x8x256x24x64xbf16>)
      -> tensor<2x8x24x64x256xbf16> attributes {
      kernel.plan = #kernel.plan<grid [parallel d0 = 2 by 2, parallel d1 = 8 by 4, parallel d3 = 64 by 64,
          parallel d4 = 256 by 256, parallel d2 = 24 by 3], transposes>} {
  ^bb0(%a: tensor<2x8x256x24xbf16>, %b: tensor<2x8x256x24x64xbf16>):
    %1 = stablehlo.broadcast_in_dim %a, dims = [0, 1, 2, 3]
        : (tensor<2x8x256x24xbf16>) -> tensor<2x8x256x24x64xbf16>
    %2 = stablehlo.multiply %1, %b : tensor<2x8x256x24x64xbf16>
    %3 = stablehlo.transpose %2, dims = [0, 1, 3, 4, 2]
        : (tensor<2x8x256x24x64xbf16>) -> tensor<2x8x24x64x256xbf16>
    kernel.yield %3 : tensor<2x8x24x64x256xbf16>
  }
  return %0 : tensor<2x8x24x64x256xbf16>
}
