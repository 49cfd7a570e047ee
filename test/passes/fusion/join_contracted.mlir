// RUN: tpuc-opt %s --tpuc-join-contracted --split-input-file | FileCheck %s
// RUN: tpuc-opt %s --tpuc-join-contracted=target=v6e --split-input-file | FileCheck %s --check-prefix=WIDE

// 12 heads of 64 fill half of the rows of an array of 128, 768 six arrays. The weights are one of a stack, in another
// type.
// CHECK-LABEL: @heads
// CHECK-SAME: (%[[X:.*]]: tensor<32x12x64x197xbf16>, %[[W:.*]]: tensor<4x12x64x768xf32>, %[[I:.*]]: tensor<i32>)
// CHECK: %[[L:.*]] = stablehlo.reshape %[[X]] : (tensor<32x12x64x197xbf16>) -> tensor<32x768x197xbf16>
// CHECK: %[[S:.*]] = stablehlo.reshape %[[W]] : (tensor<4x12x64x768xf32>) -> tensor<4x768x768xf32>
// CHECK: %[[P:.*]] = stablehlo.dynamic_slice %[[S]], %[[I]], %c, %c, sizes = [1, 768, 768]
// CHECK: %[[R:.*]] = stablehlo.convert {{.*}} : (tensor<768x768xf32>) -> tensor<768x768xbf16>
// CHECK: stablehlo.dot_general %[[L]], %[[R]], contracting_dims = [1] x [0]
func.func @heads(%x: tensor<32x12x64x197xbf16>, %w: tensor<4x12x64x768xf32>, %i: tensor<i32>)
    -> tensor<32x197x768xbf16> {
  %c = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.dynamic_slice %w, %i, %c, %c, %c, sizes = [1, 12, 64, 768]
      : (tensor<4x12x64x768xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x12x64x768xf32>
  %1 = stablehlo.reshape %0 : (tensor<1x12x64x768xf32>) -> tensor<12x64x768xf32>
  %2 = stablehlo.convert %1 : (tensor<12x64x768xf32>) -> tensor<12x64x768xbf16>
  %3 = stablehlo.dot_general %x, %2, contracting_dims = [1, 2] x [0, 1]
      : (tensor<32x12x64x197xbf16>, tensor<12x64x768xbf16>) -> tensor<32x197x768xbf16>
  return %3 : tensor<32x197x768xbf16>
}

// -----

// Three dims become one; the batch dims behind them move up.
// CHECK-LABEL: @three
// CHECK: stablehlo.dot_general {{.*}}, batching_dims = [1] x [0], contracting_dims = [0] x [1] : (tensor<192x5x24xf32>, tensor<5x192x40xf32>)
func.func @three(%x: tensor<3x4x16x5x24xf32>, %w: tensor<5x3x4x16x40xf32>) -> tensor<5x24x40xf32> {
  %0 = stablehlo.dot_general %x, %w, batching_dims = [3] x [0], contracting_dims = [0, 1, 2] x [1, 2, 3]
      : (tensor<3x4x16x5x24xf32>, tensor<5x3x4x16x40xf32>) -> tensor<5x24x40xf32>
  return %0 : tensor<5x24x40xf32>
}

// -----

// 128 fill an array of v5e's, and half of one of v6e's.
// CHECK-LABEL: @full
// CHECK: contracting_dims = [1, 2] x [0, 1]
// WIDE-LABEL: @full
// WIDE: contracting_dims = [1] x [0]
func.func @full(%x: tensor<4x8x128x256xbf16>, %w: tensor<8x128x512xbf16>) -> tensor<4x256x512xbf16> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1, 2] x [0, 1]
      : (tensor<4x8x128x256xbf16>, tensor<8x128x512xbf16>) -> tensor<4x256x512xbf16>
  return %0 : tensor<4x256x512xbf16>
}

// -----

// Rows of 50 are padded to 64: the bytes are others.
// CHECK-LABEL: @padded
// CHECK: contracting_dims = [1, 2] x [0, 1]
func.func @padded(%x: tensor<4x8x50x256xbf16>, %w: tensor<8x50x512xbf16>) -> tensor<4x256x512xbf16> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1, 2] x [0, 1]
      : (tensor<4x8x50x256xbf16>, tensor<8x50x512xbf16>) -> tensor<4x256x512xbf16>
  return %0 : tensor<4x256x512xbf16>
}

// -----

// A dim along lanes is none with the dim beside it; nor are dims in another order.
// CHECK-LABEL: @lanes
// CHECK: contracting_dims = [2, 3] x [0, 1]
// CHECK: contracting_dims = [1, 2] x [1, 0]
func.func @lanes(%x: tensor<4x256x8x64xbf16>, %w: tensor<8x64x512xbf16>, %y: tensor<4x8x64x256xbf16>,
                 %v: tensor<64x8x512xbf16>) -> (tensor<4x256x512xbf16>, tensor<4x256x512xbf16>) {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [2, 3] x [0, 1]
      : (tensor<4x256x8x64xbf16>, tensor<8x64x512xbf16>) -> tensor<4x256x512xbf16>
  %1 = stablehlo.dot_general %y, %v, contracting_dims = [1, 2] x [1, 0]
      : (tensor<4x8x64x256xbf16>, tensor<64x8x512xbf16>) -> tensor<4x256x512xbf16>
  return %0, %1 : tensor<4x256x512xbf16>, tensor<4x256x512xbf16>
}
