// RUN: tpuc-opt %s --tpuc-expand-filters --split-input-file | FileCheck %s

// The images without their feature, padded; two shifted ones, each times a number of the window; the sum in f32.
// CHECK-LABEL: func.func @rows
// CHECK: %[[X:.*]] = stablehlo.reshape %arg0 : (tensor<4x16x128x1xbf16>) -> tensor<4x16x128xbf16>
// CHECK: %[[P:.*]] = stablehlo.pad %[[X]], %{{.*}}, low = [0, 0, 1], high = [0, 0, 0]
// CHECK: %[[WB:.*]] = stablehlo.reshape %arg1 : (tensor<1x2x1x1xbf16>) -> tensor<2xbf16>
// CHECK: %[[W:.*]] = stablehlo.convert %[[WB]] : (tensor<2xbf16>) -> tensor<2xf32>
// CHECK: %[[A:.*]] = stablehlo.slice %[[P]] [0:4, 0:16, 0:128]
// CHECK: %[[AF:.*]] = stablehlo.convert %[[A]] : (tensor<4x16x128xbf16>) -> tensor<4x16x128xf32>
// CHECK: stablehlo.slice %[[W]] [0:1]
// CHECK: %[[AP:.*]] = stablehlo.multiply %[[AF]]
// CHECK: %[[B:.*]] = stablehlo.slice %[[P]] [0:4, 0:16, 1:129]
// CHECK: stablehlo.slice %[[W]] [1:2]
// CHECK: %[[BP:.*]] = stablehlo.multiply
// CHECK: %[[S:.*]] = stablehlo.add %[[AP]], %[[BP]] : tensor<4x16x128xf32>
// CHECK: stablehlo.convert %[[S]] : (tensor<4x16x128xf32>) -> tensor<4x16x128xbf16>
// CHECK-NOT: stablehlo.convolution
func.func @rows(%x: tensor<4x16x128x1xbf16>, %w: tensor<1x2x1x1xbf16>) -> tensor<4x16x128x1xbf16> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
      window = {pad = [[0, 0], [1, 0]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<4x16x128x1xbf16>, tensor<1x2x1x1xbf16>) -> tensor<4x16x128x1xbf16>
  return %0 : tensor<4x16x128x1xbf16>
}

// -----

// Positions lie 3 apart and come from behind.
// CHECK-LABEL: func.func @dilated
// CHECK: stablehlo.reverse
// CHECK: stablehlo.slice %{{.*}} [0:8, 0:128]
// CHECK: stablehlo.slice %{{.*}} [0:8, 3:131]
func.func @dilated(%x: tensor<8x1x131xf32>, %w: tensor<1x1x2xf32>) -> tensor<8x1x128xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0],
      window = {rhs_dilate = [3], reverse = [true]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<8x1x131xf32>, tensor<1x1x2xf32>) -> tensor<8x1x128xf32>
  return %0 : tensor<8x1x128xf32>
}

// -----

// Convolutions of few columns, of few rows, of two features, with strides, and of integers stay.
// CHECK-LABEL: func.func @stay
// CHECK-COUNT-5: stablehlo.convolution
func.func @stay(%a: tensor<8x16x100x1xf32>, %b: tensor<1x1x4x128xf32>, %c: tensor<8x16x128x1xf32>,
                %d: tensor<8x16x128x1xi8>, %w: tensor<1x1x1x1xf32>, %w2: tensor<1x1x1x2xf32>, %wi: tensor<1x1x1x1xi8>)
    -> (tensor<8x16x100x1xf32>, tensor<1x1x4x128xf32>, tensor<8x16x128x2xf32>, tensor<8x8x128x1xf32>,
        tensor<8x16x128x1xi32>) {
  %0 = stablehlo.convolution(%a, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<8x16x100x1xf32>, tensor<1x1x1x1xf32>) -> tensor<8x16x100x1xf32>
  %1 = stablehlo.convolution(%b, %w) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<1x1x4x128xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x4x128xf32>
  %2 = stablehlo.convolution(%c, %w2) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<8x16x128x1xf32>, tensor<1x1x1x2xf32>) -> tensor<8x16x128x2xf32>
  %3 = stablehlo.convolution(%c, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
      window = {stride = [2, 1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<8x16x128x1xf32>, tensor<1x1x1x1xf32>) -> tensor<8x8x128x1xf32>
  %4 = stablehlo.convolution(%d, %wi) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<8x16x128x1xi8>, tensor<1x1x1x1xi8>) -> tensor<8x16x128x1xi32>
  return %0, %1, %2, %3, %4 : tensor<8x16x100x1xf32>, tensor<1x1x4x128xf32>, tensor<8x16x128x2xf32>,
                              tensor<8x8x128x1xf32>, tensor<8x16x128x1xi32>
}
