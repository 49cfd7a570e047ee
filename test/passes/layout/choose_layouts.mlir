// RUN: tpuc-opt %s --tpuc-choose-layouts --split-input-file | FileCheck %s

// 16384 rows of 32 bf16 take 4 MiB in tiles of 16x128, 32 rows of 16384 take 1 MiB: the dot contracts its last dim
// instead.
// CHECK-LABEL: func.func @main
// CHECK-SAME: %[[W:[a-z0-9]+]]: tensor<32x16384xbf16> {tpuc.order = array<i64: 1, 0>}
// CHECK: dot_general %{{.*}}, %[[W]], contracting_dims = [1] x [1]
func.func @main(%x: tensor<32x16384xbf16>, %w: tensor<16384x32xbf16>) -> tensor<32x32xbf16> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<32x16384xbf16>, tensor<16384x32xbf16>)
      -> tensor<32x32xbf16>
  return %0 : tensor<32x32xbf16>
}

// -----

// 1024 x 12 heads x 64: rows of heads are 16 in a tile, lanes 128, 2.7 times the bytes. With positions along lanes
// there is no padding; the batch dims stay outside of the tiles. The result lies likewise, and what the dot makes is
// transposed to that alone.
// CHECK-LABEL: func.func @main
// CHECK-SAME: %[[V:[a-z0-9]+]]: tensor<8x12x64x1024xbf16> {tpuc.order = array<i64: 0, 2, 3, 1>}
// CHECK-SAME: -> (tensor<8x12x64x1024xbf16> {tpuc.order = array<i64: 0, 2, 3, 1>})
// CHECK: %[[O:.*]] = stablehlo.dot_general %[[V]], %{{.*}}, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3]
// CHECK-NOT: transpose
// CHECK: return %[[O]]
func.func @main(%v: tensor<8x1024x12x64xbf16>, %p: tensor<8x12x1024x1024xbf16>) -> tensor<8x1024x12x64xbf16> {
  %0 = stablehlo.dot_general %v, %p, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3]
      : (tensor<8x1024x12x64xbf16>, tensor<8x12x1024x1024xbf16>) -> tensor<8x12x64x1024xbf16>
  %1 = stablehlo.transpose %0, dims = [0, 3, 1, 2] : (tensor<8x12x64x1024xbf16>) -> tensor<8x1024x12x64xbf16>
  return %1 : tensor<8x1024x12x64xbf16>
}

// -----

// 1000 positions of 16 heads: rows of heads fill tiles, half of the lanes are padding. 1000 positions along 1024 lanes
// take 0.51 of the bytes.
// CHECK-LABEL: func.func @main
// CHECK-SAME: -> (tensor<2x16x64x1000xbf16> {tpuc.order = array<i64: 0, 2, 3, 1>})
// CHECK-NOT: transpose
func.func @main(%v: tensor<2x1000x16x64xbf16>, %p: tensor<2x16x1000x1000xbf16>) -> tensor<2x1000x16x64xbf16> {
  %0 = stablehlo.dot_general %v, %p, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3]
      : (tensor<2x1000x16x64xbf16>, tensor<2x16x1000x1000xbf16>) -> tensor<2x16x64x1000xbf16>
  %1 = stablehlo.transpose %0, dims = [0, 3, 1, 2] : (tensor<2x16x64x1000xbf16>) -> tensor<2x1000x16x64xbf16>
  return %1 : tensor<2x1000x16x64xbf16>
}

// -----

// Not only a dot reads it; a small one is no gain.
// CHECK-LABEL: func.func @main
// CHECK-NOT: tpuc.order
func.func @main(%w: tensor<16384x32xbf16>, %x: tensor<32x16384xbf16>, %y: tensor<64x9xf32>, %z: tensor<8x64xf32>)
    -> (tensor<32x32xbf16>, tensor<16384x32xbf16>, tensor<8x9xf32>) {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<32x16384xbf16>, tensor<16384x32xbf16>)
      -> tensor<32x32xbf16>
  %1 = stablehlo.tanh %w : tensor<16384x32xbf16>
  %2 = stablehlo.dot_general %z, %y, contracting_dims = [1] x [0] : (tensor<8x64xf32>, tensor<64x9xf32>)
      -> tensor<8x9xf32>
  return %0, %1, %2 : tensor<32x32xbf16>, tensor<16384x32xbf16>, tensor<8x9xf32>
}

// -----

// An argument that is transposed for a dot lies as the dot wants it, if it pads no more so: 64 features or columns are
// both 64 lanes of 128. Three columns would be 128 lanes too, where three features are a quarter of a tile of 8 x 128;
// what else reads the transposed array keeps it one.
// CHECK-LABEL: func.func @main
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<8x64x64x64xf32> {tpuc.order = array<i64: 0, 3, 1, 2>}
// CHECK-SAME: %[[Y:[a-z0-9]+]]: tensor<8x64x3x64xf32>,
// CHECK-SAME: %[[Z:[a-z0-9]+]]: tensor<8x64x64x64xf32>)
// CHECK: stablehlo.dot_general %{{.*}}, %[[X]], contracting_dims = [0] x [2]
// CHECK: stablehlo.transpose %[[Y]]
// CHECK: stablehlo.transpose %[[Z]]
func.func @main(%h: tensor<64x128xf32>, %x: tensor<8x64x64x64xf32>, %y: tensor<8x64x3x64xf32>,
                %z: tensor<8x64x64x64xf32>)
    -> (tensor<128x8x64x64xf32>, tensor<128x8x64x3xf32>, tensor<128x8x64x64xf32>, tensor<8x64x64x64xf32>) {
  %0 = stablehlo.transpose %x, dims = [0, 3, 1, 2] : (tensor<8x64x64x64xf32>) -> tensor<8x64x64x64xf32>
  %1 = stablehlo.dot_general %h, %0, contracting_dims = [0] x [2]
      : (tensor<64x128xf32>, tensor<8x64x64x64xf32>) -> tensor<128x8x64x64xf32>
  %2 = stablehlo.transpose %y, dims = [0, 3, 1, 2] : (tensor<8x64x3x64xf32>) -> tensor<8x64x64x3xf32>
  %3 = stablehlo.dot_general %h, %2, contracting_dims = [0] x [2]
      : (tensor<64x128xf32>, tensor<8x64x64x3xf32>) -> tensor<128x8x64x3xf32>
  %4 = stablehlo.transpose %z, dims = [0, 3, 1, 2] : (tensor<8x64x64x64xf32>) -> tensor<8x64x64x64xf32>
  %5 = stablehlo.dot_general %h, %4, contracting_dims = [0] x [2]
      : (tensor<64x128xf32>, tensor<8x64x64x64xf32>) -> tensor<128x8x64x64xf32>
  %6 = stablehlo.negate %4 : tensor<8x64x64x64xf32>
  return %1, %3, %5, %6
      : tensor<128x8x64x64xf32>, tensor<128x8x64x3xf32>, tensor<128x8x64x64xf32>, tensor<8x64x64x64xf32>
}
