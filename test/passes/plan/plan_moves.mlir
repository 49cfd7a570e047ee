// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tpuc-opt %s --tpuc-plan-kernels=target=v5e --tpuc-verify-plan --split-input-file | FileCheck %s
// The plans of kernels that move elements.

// Lookups in a vector of 1000, 8 words of 128 that are in VMEM throughout. Of indices and results 1024 rows, a word
// each, come and go at a time, in two slots: 8 + 4 * 1024.
// CHECK-LABEL: @main(%arg0: tensor<1000xf32>
// CHECK: grid [parallel d0 = 8192 by 1024, parallel d1 = 128 by 128]
// CHECK-SAME: reads {{\[}}[1024, 128] (d0, d1) -> (d0, d1) in hbm slots 2]
// CHECK-SAME: vmem 4104 of 229376>
func.func @main(%t: tensor<1000xf32>, %i: tensor<8192x128xi32>) -> tensor<8192x128xf32> {
  %0 = kernel.fusion "copy"(%t, %i : tensor<1000xf32>, tensor<8192x128xi32>) -> tensor<8192x128xf32> {
  ^bb0(%a: tensor<1000xf32>, %b: tensor<8192x128xi32>):
    %1 = "stablehlo.gather"(%a, %b) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0],
        start_index_map = [0], index_vector_dim = 2>, slice_sizes = array<i64: 1>}>
        : (tensor<1000xf32>, tensor<8192x128xi32>) -> tensor<8192x128xf32>
    kernel.yield %1 : tensor<8192x128xf32>
  }
  return %0 : tensor<8192x128xf32>
}

// -----

// Slices at values' positions: rows of the table by transfers.
// CHECK-LABEL: @main(%arg0: tensor<1000x128xf32>, %arg1: tensor<64xi32>)
// CHECK: kernel.plan = #kernel.plan<grid [], transfers>
func.func @main(%t: tensor<1000x128xf32>, %i: tensor<64xi32>) -> tensor<64x128xf32> {
  %0 = kernel.fusion "copy"(%t, %i : tensor<1000x128xf32>, tensor<64xi32>) -> tensor<64x128xf32> {
  ^bb0(%a: tensor<1000x128xf32>, %b: tensor<64xi32>):
    %1 = "stablehlo.gather"(%a, %b) <{dimension_numbers = #stablehlo.gather<offset_dims = [1],
        collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 128>}>
        : (tensor<1000x128xf32>, tensor<64xi32>) -> tensor<64x128xf32>
    kernel.yield %1 : tensor<64x128xf32>
  }
  return %0 : tensor<64x128xf32>
}

// -----

// Rows of bf16, two of which share words: of a row of 300 three words are fetched, eight words apart, and a tile of
// the result has 16 rows. 8 tiles are under way at once, each with words that it is put together in:
// 8 * (16 * 8 + 8 * 3).
// CHECK-LABEL: @main(%arg0: tensor<1000x300xbf16>
// CHECK: kernel.plan = #kernel.plan<grid [], tiles_at_once = 8, vmem 1216 of 229376>
func.func @main(%t: tensor<1000x300xbf16>, %i: tensor<64x1xi32>) -> tensor<64x300xbf16> {
  %0 = kernel.fusion "copy"(%t, %i : tensor<1000x300xbf16>, tensor<64x1xi32>) -> tensor<64x300xbf16> {
  ^bb0(%a: tensor<1000x300xbf16>, %b: tensor<64x1xi32>):
    %1 = "stablehlo.gather"(%a, %b) <{dimension_numbers = #stablehlo.gather<offset_dims = [1],
        collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 300>}>
        : (tensor<1000x300xbf16>, tensor<64x1xi32>) -> tensor<64x300xbf16>
    kernel.yield %1 : tensor<64x300xbf16>
  }
  return %0 : tensor<64x300xbf16>
}

// -----

// Words of such rows are farther apart than a load's stride reaches: 32767 words.
// CHECK-LABEL: @main(%arg0: tensor<64x2097664xbf16>
// CHECK: kernel.plan = #kernel.plan<grid [], transfers>
func.func @main(%t: tensor<64x2097664xbf16>, %i: tensor<16x1xi32>) -> tensor<16x2097664xbf16> {
  %0 = kernel.fusion "copy"(%t, %i : tensor<64x2097664xbf16>, tensor<16x1xi32>) -> tensor<16x2097664xbf16> {
  ^bb0(%a: tensor<64x2097664xbf16>, %b: tensor<16x1xi32>):
    %1 = "stablehlo.gather"(%a, %b) <{dimension_numbers = #stablehlo.gather<offset_dims = [1],
        collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 2097664>}>
        : (tensor<64x2097664xbf16>, tensor<16x1xi32>) -> tensor<16x2097664xbf16>
    kernel.yield %1 : tensor<16x2097664xbf16>
  }
  return %0 : tensor<16x2097664xbf16>
}

// -----

// Windows of one row each, in a tile of 8 words, old and new: both dims of a window are there at once.
// CHECK-LABEL: @main(%arg0: tensor<1000x128xf32>, %arg1: tensor<64x1xi32>
// CHECK: kernel.plan = #kernel.plan<grid [], held = 2, vmem 16 of 229376>
func.func @main(%t: tensor<1000x128xf32>, %i: tensor<64x1xi32>, %u: tensor<64x1x128xf32>) -> tensor<1000x128xf32> {
  %0 = kernel.fusion "copy"(%t, %i, %u : tensor<1000x128xf32>, tensor<64x1xi32>, tensor<64x1x128xf32>)
      -> tensor<1000x128xf32> {
  ^bb0(%a: tensor<1000x128xf32>, %b: tensor<64x1xi32>, %c: tensor<64x1x128xf32>):
    %1 = "stablehlo.scatter"(%a, %b, %c) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2],
        scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
      ^bb0(%p: tensor<f32>, %q: tensor<f32>):
        %2 = stablehlo.add %p, %q : tensor<f32>
        stablehlo.return %2 : tensor<f32>
      }) : (tensor<1000x128xf32>, tensor<64x1xi32>, tensor<64x1x128xf32>) -> tensor<1000x128xf32>
    kernel.yield %1 : tensor<1000x128xf32>
  }
  return %0 : tensor<1000x128xf32>
}

// -----

// Rows in order: eight slots of eight updates, old contents and sums, each in a tile of 8 words, and a word for each
// row that does not go back: 3 * 8 * 8 * 8 + 8 * 8.
// CHECK-LABEL: @main(%arg0: tensor<1000x128xf32>, %arg1: tensor<64xi32>, %arg2: tensor<64x128xf32>
// CHECK: kernel.plan = #kernel.plan<grid [], groups = 8, rows_at_once = 8, vmem 1600 of 229376>
func.func @main(%t: tensor<1000x128xf32>, %k: tensor<64xi32>, %u: tensor<64x128xf32>, %i: tensor<64xi32>)
    -> tensor<1000x128xf32> {
  %0 = kernel.fusion "copy"(%t, %k, %u, %i : tensor<1000x128xf32>, tensor<64xi32>, tensor<64x128xf32>, tensor<64xi32>)
      -> tensor<1000x128xf32> {
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

// Rows from 3 and lanes from 5 on, of both more than a block holds: 256 rows of the view lie in 33 tiles of 8, since
// each block begins 3 rows into one; all 2995 lanes in 24 of the 32 column tiles.
// CHECK-LABEL: @main(%arg0: tensor<4096x4096xf32>)
// CHECK: grid [parallel d0 = 3997 by 256, parallel d1 = 2995 by 2995]
// CHECK-SAME: reads {{\[}}[264, 3072] (d0, d1) -> (d0, d1) in hbm slots 2]
// CHECK-SAME: writes {{\[}}[256, 2995]
func.func @main(%x: tensor<4096x4096xf32>) -> tensor<3997x2995xf32> {
  %0 = kernel.fusion "loop"(%x : tensor<4096x4096xf32>) -> tensor<3997x2995xf32> {
  ^bb0(%a: tensor<4096x4096xf32>):
    %1 = stablehlo.slice %a [3:4000, 5:3000] : (tensor<4096x4096xf32>) -> tensor<3997x2995xf32>
    kernel.yield %1 : tensor<3997x2995xf32>
  }
  return %0 : tensor<3997x2995xf32>
}

// -----

// Long rows backwards: lanes are cut, since rows are one tile. 62592 of them lie in 490 column tiles, 62720 lanes,
// since a block ends within one.
// CHECK-LABEL: @main(%arg0: tensor<8x1000000xf32>)
// CHECK: grid [parallel d0 = 8 by 8, parallel d1 = 1000000 by 62592]
// CHECK-SAME: reads {{\[}}[8, 62720] (d0, d1) -> (d0, d1) in hbm slots 2]
func.func @main(%x: tensor<8x1000000xf32>) -> tensor<8x1000000xf32> {
  %0 = kernel.fusion "loop"(%x : tensor<8x1000000xf32>) -> tensor<8x1000000xf32> {
  ^bb0(%a: tensor<8x1000000xf32>):
    %1 = stablehlo.reverse %a, dims = [1] : tensor<8x1000000xf32>
    kernel.yield %1 : tensor<8x1000000xf32>
  }
  return %0 : tensor<8x1000000xf32>
}

// -----

// Elementwise work around a transpose, each side as it lies: x by the block that the other side's rows and lanes give.
// CHECK-LABEL: @main(%arg0: tensor<1024x512xf32>, %arg1: tensor<512x1024xbf16>)
// CHECK: reads {{\[}}[256, 256] (d0, d1) -> (d1, d0) in hbm slots 2, [256, 256] (d0, d1) -> (d0, d1) in hbm slots 2]
// CHECK-SAME: transposes
func.func @main(%x: tensor<1024x512xf32>, %y: tensor<512x1024xbf16>) -> tensor<512x1024xbf16> {
  %0 = kernel.fusion "copy"(%x, %y : tensor<1024x512xf32>, tensor<512x1024xbf16>) -> tensor<512x1024xbf16> {
  ^bb0(%a: tensor<1024x512xf32>, %b: tensor<512x1024xbf16>):
    %1 = stablehlo.convert %a : (tensor<1024x512xf32>) -> tensor<1024x512xbf16>
    %2 = stablehlo.transpose %1, dims = [1, 0] : (tensor<1024x512xbf16>) -> tensor<512x1024xbf16>
    %3 = stablehlo.add %2, %b : tensor<512x1024xbf16>
    kernel.yield %3 : tensor<512x1024xbf16>
  }
  return %0 : tensor<512x1024xbf16>
}

// -----

// A third dim lies under the result's tiles. All of its 1024 elements, by 128 rows and 128 lanes in two slots on both
// sides, are 128 MiB, which do not fit: it comes in whole tiles of 16, here four of them.
// CHECK-LABEL: @main(%arg0: tensor<1024x512x256xbf16>)
// CHECK: grid [parallel d0 = 256 by 256, parallel d1 = 1024 by 64, parallel d2 = 512 by 512]
// CHECK-SAME: reads {{\[}}[64, 512, 256] (d0, d1, d2) -> (d1, d2, d0) in hbm slots 2]
// CHECK-SAME: cuts_tiles, transposes
func.func @main(%x: tensor<1024x512x256xbf16>) -> tensor<256x1024x512xbf16> {
  %0 = kernel.fusion "copy"(%x : tensor<1024x512x256xbf16>) -> tensor<256x1024x512xbf16> {
  ^bb0(%a: tensor<1024x512x256xbf16>):
    %1 = stablehlo.transpose %a, dims = [2, 0, 1] : (tensor<1024x512x256xbf16>) -> tensor<256x1024x512xbf16>
    kernel.yield %1 : tensor<256x1024x512xbf16>
  }
  return %0 : tensor<256x1024x512xbf16>
}

// -----

// 5000 rows summed up into a table of 1000, in four copies of 1008 rows: more than one at a time waits for none. The
// table and its sums, 1000 words each, and updates, 1024 rows in two slots: 4 * 1008 + 2 * 1000 + 2 * 1024.
// CHECK-LABEL: @main(%arg0: tensor<1000x128xf32>, %arg1: tensor<5000xi32>, %arg2: tensor<5000x128xf32>)
// CHECK: #kernel.plan<grid [parallel d1 = 1000 by 1000, parallel d2 = 128 by 128, sequential d0 = 5000 by 1024],
// CHECK-SAME: reads {{\[}}[1000, 128] (d0, d1, d2) -> (d1, d2) in hbm slots 1, [1024, 128] (d0, d1, d2) -> (d0, d2) in hbm slots 2],
// CHECK-SAME: writes {{\[}}[1000, 128] (d0, d1, d2) -> (d1, d2) in hbm slots 1], copies = 4, vmem 8080 of 229376>
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

// VMEM holds the table of 169343 rows once: it has no blocks, and transfers move it to its copy and from there.
// CHECK-LABEL: @main(%arg0: tensor<169343x128xf32>
// CHECK: #kernel.plan<grid [parallel d1 = 169343 by 169343, parallel d2 = 128 by 128, sequential d0 = 1166243 by 1024],
// CHECK-SAME: reads {{\[}}[1024, 128] (d0, d1, d2) -> (d0, d2) in hbm slots 2], copies = 1, table_moved,
// CHECK-SAME: vmem 171392 of 229376>
func.func @main(%t: tensor<169343x128xf32>, %k: tensor<1166243xi32>, %u: tensor<1166243x128xf32>)
    -> tensor<169343x128xf32> {
  %0 = kernel.fusion "copy"(%t, %k, %u : tensor<169343x128xf32>, tensor<1166243xi32>, tensor<1166243x128xf32>)
      -> tensor<169343x128xf32> {
  ^bb0(%a: tensor<169343x128xf32>, %b: tensor<1166243xi32>, %c: tensor<1166243x128xf32>):
    %1 = "stablehlo.scatter"(%a, %b, %c) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1],
        inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
      ^bb0(%p: tensor<f32>, %q: tensor<f32>):
        %2 = stablehlo.add %p, %q : tensor<f32>
        stablehlo.return %2 : tensor<f32>
      }) : (tensor<169343x128xf32>, tensor<1166243xi32>, tensor<1166243x128xf32>) -> tensor<169343x128xf32>
    kernel.yield %1 : tensor<169343x128xf32>
  }
  return %0 : tensor<169343x128xf32>
}

// -----

// A transpose whose outer dim, of 56, lies under the source's tiles: a step writes seven of it, and reads all. It is
// the innermost dim of the grid, so that the same block is read once for eight steps.
// CHECK-LABEL: @main(%arg0: tensor<1792x56x96xbf16>)
// CHECK: grid [parallel d1 = 96 by 96, parallel d2 = 1792 by 896, parallel d0 = 56 by 7],
// CHECK-SAME: reads {{\[}}[896, 56, 96] (d0, d1, d2) -> (d2, 0, d1) in hbm slots 2]
// CHECK-SAME: writes {{\[}}[7, 96, 896] (d0, d1, d2) -> (d0, d1, d2) in hbm slots 2]
func.func @main(%x: tensor<1792x56x96xbf16>) -> tensor<56x96x1792xbf16> {
  %0 = kernel.fusion "copy"(%x : tensor<1792x56x96xbf16>) -> tensor<56x96x1792xbf16> {
  ^bb0(%a: tensor<1792x56x96xbf16>):
    %1 = stablehlo.transpose %a, dims = [1, 2, 0] : (tensor<1792x56x96xbf16>) -> tensor<56x96x1792xbf16>
    kernel.yield %1 : tensor<56x96x1792xbf16>
  }
  return %0 : tensor<56x96x1792xbf16>
}

// -----

// Of 2 x 4 x 3 leading positions the result's tiles are 2 columns by 4 rows at a time: a block of five strided dims,
// one more than a descriptor has. So the first dim is cut too.
// CHECK-LABEL: @main(%arg0: tensor<2x8x256x24xbf16>
// CHECK: grid [parallel d0 = 2 by 1, parallel d1 = 8 by 2, parallel d3 = 64 by 64, parallel d4 = 256 by 256,
// CHECK-SAME: parallel d2 = 24 by 2]
func.func @main(%s: tensor<2x8x256x24xbf16>, %x: tensor<2x8x256x24x64xbf16>) -> tensor<2x8x24x64x256xbf16> {
  %0 = kernel.fusion "copy"(%s, %x : tensor<2x8x256x24xbf16>, tensor<2x8x256x24x64xbf16>)
      -> tensor<2x8x24x64x256xbf16> {
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
