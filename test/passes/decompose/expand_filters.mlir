// RUN: tpuc-opt %s --tpuc-expand-filters --split-input-file | FileCheck %s

// The images without their feature, padded; two shifted ones, each times a number of the window; the sum in f32.
// CHECK-LABEL: func.func @rows
// CHECK: %[[XB:.*]] = stablehlo.convert %arg0 : (tensor<16x16x128x1xbf16>) -> tensor<16x16x128x1xf32>
// CHECK: %[[X:.*]] = stablehlo.reshape %[[XB]] : (tensor<16x16x128x1xf32>) -> tensor<16x16x128xf32>
// CHECK: %[[P:.*]] = stablehlo.pad %[[X]], %{{.*}}, low = [0, 0, 1], high = [0, 0, 0]
// CHECK: %[[WB:.*]] = stablehlo.reshape %arg1 : (tensor<1x2x1x1xbf16>) -> tensor<2xbf16>
// CHECK: %[[W:.*]] = stablehlo.convert %[[WB]] : (tensor<2xbf16>) -> tensor<2xf32>
// CHECK: %[[A:.*]] = stablehlo.slice %[[P]] [0:16, 0:16, 0:128]
// CHECK: stablehlo.slice %[[W]] [0:1]
// CHECK: %[[AP:.*]] = stablehlo.multiply %[[A]]
// CHECK: %[[B:.*]] = stablehlo.slice %[[P]] [0:16, 0:16, 1:129]
// CHECK: stablehlo.slice %[[W]] [1:2]
// CHECK: %[[BP:.*]] = stablehlo.multiply %[[B]]
// CHECK: %[[S:.*]] = stablehlo.add %[[AP]], %[[BP]] : tensor<16x16x128xf32>
// CHECK: stablehlo.convert %[[S]] : (tensor<16x16x128xf32>) -> tensor<16x16x128xbf16>
// CHECK-NOT: stablehlo.convolution
func.func @rows(%x: tensor<16x16x128x1xbf16>, %w: tensor<1x2x1x1xbf16>) -> tensor<16x16x128x1xbf16> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
      window = {pad = [[0, 0], [1, 0]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<16x16x128x1xbf16>, tensor<1x2x1x1xbf16>) -> tensor<16x16x128x1xbf16>
  return %0 : tensor<16x16x128x1xbf16>
}

// -----

// Positions lie 3 apart and come from behind.
// CHECK-LABEL: func.func @dilated
// CHECK: stablehlo.reverse
// CHECK: stablehlo.slice %{{.*}} [0:256, 0:128]
// CHECK: stablehlo.slice %{{.*}} [0:256, 3:131]
func.func @dilated(%x: tensor<256x1x131xf32>, %w: tensor<1x1x2xf32>) -> tensor<256x1x128xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0],
      window = {rhs_dilate = [3], reverse = [true]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<256x1x131xf32>, tensor<1x1x2xf32>) -> tensor<256x1x128xf32>
  return %0 : tensor<256x1x128xf32>
}

// -----

// Convolutions of few columns, of few rows, of few elements, of two features, of a window of 50, with strides, and of
// integers stay.
// CHECK-LABEL: func.func @stay
// CHECK-COUNT-7: stablehlo.convolution
func.func @stay(%a: tensor<8x64x100x1xf32>, %b: tensor<1x1x4x16384xf32>, %c: tensor<32x16x128x1xf32>,
                %d: tensor<32x16x128x1xi8>, %w: tensor<1x1x1x1xf32>, %w2: tensor<1x1x1x2xf32>, %wi: tensor<1x1x1x1xi8>,
                %e: tensor<15x16x128x1xf32>, %w50: tensor<1x50x1x1xf32>, %f: tensor<32x16x177x1xf32>)
    -> (tensor<8x64x100x1xf32>, tensor<1x1x4x16384xf32>, tensor<32x16x128x2xf32>, tensor<32x8x128x1xf32>,
        tensor<32x16x128x1xi32>, tensor<15x16x128x1xf32>, tensor<32x16x128x1xf32>) {
  %0 = stablehlo.convolution(%a, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<8x64x100x1xf32>, tensor<1x1x1x1xf32>) -> tensor<8x64x100x1xf32>
  %1 = stablehlo.convolution(%b, %w) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<1x1x4x16384xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x4x16384xf32>
  %2 = stablehlo.convolution(%c, %w2) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<32x16x128x1xf32>, tensor<1x1x1x2xf32>) -> tensor<32x16x128x2xf32>
  %3 = stablehlo.convolution(%c, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
      window = {stride = [2, 1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<32x16x128x1xf32>, tensor<1x1x1x1xf32>) -> tensor<32x8x128x1xf32>
  %4 = stablehlo.convolution(%d, %wi) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<32x16x128x1xi8>, tensor<1x1x1x1xi8>) -> tensor<32x16x128x1xi32>
  %5 = stablehlo.convolution(%e, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<15x16x128x1xf32>, tensor<1x1x1x1xf32>) -> tensor<15x16x128x1xf32>
  %6 = stablehlo.convolution(%f, %w50) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<32x16x177x1xf32>, tensor<1x50x1x1xf32>) -> tensor<32x16x128x1xf32>
  return %0, %1, %2, %3, %4, %5, %6 : tensor<8x64x100x1xf32>, tensor<1x1x4x16384xf32>, tensor<32x16x128x2xf32>,
                              tensor<32x8x128x1xf32>, tensor<32x16x128x1xi32>, tensor<15x16x128x1xf32>,
                                      tensor<32x16x128x1xf32>
}
