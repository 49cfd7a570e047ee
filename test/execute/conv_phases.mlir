// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Convolutions of dilated inputs are those of inputs with zeros put in. The numbers are small and whole, so that sums
// are exact in any order.
// RUN: tpuc run %s --check
// RUN: tpuc run %s --check --target=v2
// RUN: tpuc run %s --check --target=v6e
func.func @main() {
  // Rows and units of rows in phases: 20 by 34 results, three units in sets of two.
  %i0 = stablehlo.iota dim = 0 : tensor<43520xi32>
  %s0 = stablehlo.constant dense<5> : tensor<43520xi32>
  %r0 = stablehlo.remainder %i0, %s0 : tensor<43520xi32>
  %c0 = stablehlo.convert %r0 : (tensor<43520xi32>) -> tensor<43520xbf16>
  %x0 = stablehlo.reshape %c0 : (tensor<43520xbf16>) -> tensor<2x10x17x128xbf16>
  %j0 = stablehlo.iota dim = 0 : tensor<73728xi32>
  %t0 = stablehlo.constant dense<7> : tensor<73728xi32>
  %q0 = stablehlo.remainder %j0, %t0 : tensor<73728xi32>
  %three0 = stablehlo.constant dense<3> : tensor<73728xi32>
  %m0 = stablehlo.subtract %q0, %three0 : tensor<73728xi32>
  %d0 = stablehlo.convert %m0 : (tensor<73728xi32>) -> tensor<73728xbf16>
  %w0 = stablehlo.reshape %d0 : (tensor<73728xbf16>) -> tensor<3x3x128x64xbf16>
  %y0 = stablehlo.convolution(%x0, %w0) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
      window = {pad = [[2, 1], [1, 2]], lhs_dilate = [2, 2]}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<2x10x17x128xbf16>, tensor<3x3x128x64xbf16>) -> tensor<2x20x34x64xf32>
  %zero0 = stablehlo.constant dense<0.0> : tensor<bf16>
  %p0 = stablehlo.pad %x0, %zero0, low = [0, 0, 0, 0], high = [0, 0, 0, 0], interior = [0, 1, 1, 0]
      : (tensor<2x10x17x128xbf16>, tensor<bf16>) -> tensor<2x19x33x128xbf16>
  %b0 = stablehlo.optimization_barrier %p0 : tensor<2x19x33x128xbf16>
  %e0 = stablehlo.convolution(%b0, %w0) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
      window = {pad = [[2, 1], [1, 2]]}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<2x19x33x128xbf16>, tensor<3x3x128x64xbf16>) -> tensor<2x20x34x64xf32>
  check.expect_eq %y0, %e0 : tensor<2x20x34x64xf32>

  // Phases of three, padding that cuts; taps apart and reversed.
  %i1 = stablehlo.iota dim = 0 : tensor<43008xi32>
  %s1 = stablehlo.constant dense<5> : tensor<43008xi32>
  %r1 = stablehlo.remainder %i1, %s1 : tensor<43008xi32>
  %c1 = stablehlo.convert %r1 : (tensor<43008xi32>) -> tensor<43008xbf16>
  %x1 = stablehlo.reshape %c1 : (tensor<43008xbf16>) -> tensor<3x7x16x128xbf16>
  %j1 = stablehlo.iota dim = 0 : tensor<332800xi32>
  %t1 = stablehlo.constant dense<7> : tensor<332800xi32>
  %q1 = stablehlo.remainder %j1, %t1 : tensor<332800xi32>
  %three1 = stablehlo.constant dense<3> : tensor<332800xi32>
  %m1 = stablehlo.subtract %q1, %three1 : tensor<332800xi32>
  %d1 = stablehlo.convert %m1 : (tensor<332800xi32>) -> tensor<332800xbf16>
  %w1 = stablehlo.reshape %d1 : (tensor<332800xbf16>) -> tensor<4x5x128x130xbf16>
  %y1 = stablehlo.convolution(%x1, %w1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
      window = {pad = [[0, 5], [-1, 6]], lhs_dilate = [3, 3], rhs_dilate = [2, 1], reverse = [true, false]}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<3x7x16x128xbf16>, tensor<4x5x128x130xbf16>) -> tensor<3x18x47x130xbf16>
  %zero1 = stablehlo.constant dense<0.0> : tensor<bf16>
  %p1 = stablehlo.pad %x1, %zero1, low = [0, 0, 0, 0], high = [0, 0, 0, 0], interior = [0, 2, 2, 0]
      : (tensor<3x7x16x128xbf16>, tensor<bf16>) -> tensor<3x19x46x128xbf16>
  %b1 = stablehlo.optimization_barrier %p1 : tensor<3x19x46x128xbf16>
  %e1 = stablehlo.convolution(%b1, %w1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
      window = {pad = [[0, 5], [-1, 6]], rhs_dilate = [2, 1], reverse = [true, false]}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<3x19x46x128xbf16>, tensor<4x5x128x130xbf16>) -> tensor<3x18x47x130xbf16>
  check.expect_eq %y1, %e1 : tensor<3x18x47x130xbf16>

  // Few features: taps of a row lie side by side in lanes, which meet all phases.
  %i2 = stablehlo.iota dim = 0 : tensor<5184xi32>
  %s2 = stablehlo.constant dense<5> : tensor<5184xi32>
  %r2 = stablehlo.remainder %i2, %s2 : tensor<5184xi32>
  %c2 = stablehlo.convert %r2 : (tensor<5184xi32>) -> tensor<5184xf32>
  %x2 = stablehlo.reshape %c2 : (tensor<5184xf32>) -> tensor<8x9x9x8xf32>
  %j2 = stablehlo.iota dim = 0 : tensor<1024xi32>
  %t2 = stablehlo.constant dense<7> : tensor<1024xi32>
  %q2 = stablehlo.remainder %j2, %t2 : tensor<1024xi32>
  %three2 = stablehlo.constant dense<3> : tensor<1024xi32>
  %m2 = stablehlo.subtract %q2, %three2 : tensor<1024xi32>
  %d2 = stablehlo.convert %m2 : (tensor<1024xi32>) -> tensor<1024xf32>
  %w2 = stablehlo.reshape %d2 : (tensor<1024xf32>) -> tensor<2x4x8x16xf32>
  %y2 = stablehlo.convolution(%x2, %w2) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
      window = {pad = [[1, 1], [3, 2]], lhs_dilate = [2, 2]}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<8x9x9x8xf32>, tensor<2x4x8x16xf32>) -> tensor<8x18x19x16xf32>
  %zero2 = stablehlo.constant dense<0.0> : tensor<f32>
  %p2 = stablehlo.pad %x2, %zero2, low = [0, 0, 0, 0], high = [0, 0, 0, 0], interior = [0, 1, 1, 0]
      : (tensor<8x9x9x8xf32>, tensor<f32>) -> tensor<8x17x17x8xf32>
  %b2 = stablehlo.optimization_barrier %p2 : tensor<8x17x17x8xf32>
  %e2 = stablehlo.convolution(%b2, %w2) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
      window = {pad = [[1, 1], [3, 2]]}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<8x17x17x8xf32>, tensor<2x4x8x16xf32>) -> tensor<8x18x19x16xf32>
  check.expect_eq %y2, %e2 : tensor<8x18x19x16xf32>

  // One dim.
  %i3 = stablehlo.iota dim = 0 : tensor<5120xi32>
  %s3 = stablehlo.constant dense<5> : tensor<5120xi32>
  %r3 = stablehlo.remainder %i3, %s3 : tensor<5120xi32>
  %c3 = stablehlo.convert %r3 : (tensor<5120xi32>) -> tensor<5120xf32>
  %x3 = stablehlo.reshape %c3 : (tensor<5120xf32>) -> tensor<2x40x64xf32>
  %j3 = stablehlo.iota dim = 0 : tensor<768xi32>
  %t3 = stablehlo.constant dense<7> : tensor<768xi32>
  %q3 = stablehlo.remainder %j3, %t3 : tensor<768xi32>
  %three3 = stablehlo.constant dense<3> : tensor<768xi32>
  %m3 = stablehlo.subtract %q3, %three3 : tensor<768xi32>
  %d3 = stablehlo.convert %m3 : (tensor<768xi32>) -> tensor<768xf32>
  %w3 = stablehlo.reshape %d3 : (tensor<768xf32>) -> tensor<4x64x3xf32>
  %y3 = stablehlo.convolution(%x3, %w3) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f],
      window = {pad = [[2, 2]], lhs_dilate = [2]}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<2x40x64xf32>, tensor<4x64x3xf32>) -> tensor<2x80x3xf32>
  %zero3 = stablehlo.constant dense<0.0> : tensor<f32>
  %p3 = stablehlo.pad %x3, %zero3, low = [0, 0, 0], high = [0, 0, 0], interior = [0, 1, 0]
      : (tensor<2x40x64xf32>, tensor<f32>) -> tensor<2x79x64xf32>
  %b3 = stablehlo.optimization_barrier %p3 : tensor<2x79x64xf32>
  %e3 = stablehlo.convolution(%b3, %w3) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f],
      window = {pad = [[2, 2]]}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<2x79x64xf32>, tensor<4x64x3xf32>) -> tensor<2x80x3xf32>
  check.expect_eq %y3, %e3 : tensor<2x80x3xf32>

  // Three dims.
  %i4 = stablehlo.iota dim = 0 : tensor<13824xi32>
  %s4 = stablehlo.constant dense<5> : tensor<13824xi32>
  %r4 = stablehlo.remainder %i4, %s4 : tensor<13824xi32>
  %c4 = stablehlo.convert %r4 : (tensor<13824xi32>) -> tensor<13824xf32>
  %x4 = stablehlo.reshape %c4 : (tensor<13824xf32>) -> tensor<1x3x4x12x96xf32>
  %j4 = stablehlo.iota dim = 0 : tensor<55296xi32>
  %t4 = stablehlo.constant dense<7> : tensor<55296xi32>
  %q4 = stablehlo.remainder %j4, %t4 : tensor<55296xi32>
  %three4 = stablehlo.constant dense<3> : tensor<55296xi32>
  %m4 = stablehlo.subtract %q4, %three4 : tensor<55296xi32>
  %d4 = stablehlo.convert %m4 : (tensor<55296xi32>) -> tensor<55296xf32>
  %w4 = stablehlo.reshape %d4 : (tensor<55296xf32>) -> tensor<3x2x3x96x32xf32>
  %y4 = stablehlo.convolution(%x4, %w4) dim_numbers = [b, 0, 1, 2, f]x[0, 1, 2, i, o]->[b, 0, 1, 2, f],
      window = {pad = [[1, 1], [2, 0], [2, 2]], lhs_dilate = [2, 1, 3]}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<1x3x4x12x96xf32>, tensor<3x2x3x96x32xf32>) -> tensor<1x5x5x36x32xf32>
  %zero4 = stablehlo.constant dense<0.0> : tensor<f32>
  %p4 = stablehlo.pad %x4, %zero4, low = [0, 0, 0, 0, 0], high = [0, 0, 0, 0, 0], interior = [0, 1, 0, 2, 0]
      : (tensor<1x3x4x12x96xf32>, tensor<f32>) -> tensor<1x5x4x34x96xf32>
  %b4 = stablehlo.optimization_barrier %p4 : tensor<1x5x4x34x96xf32>
  %e4 = stablehlo.convolution(%b4, %w4) dim_numbers = [b, 0, 1, 2, f]x[0, 1, 2, i, o]->[b, 0, 1, 2, f],
      window = {pad = [[1, 1], [2, 0], [2, 2]]}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<1x5x4x34x96xf32>, tensor<3x2x3x96x32xf32>) -> tensor<1x5x5x36x32xf32>
  check.expect_eq %y4, %e4 : tensor<1x5x5x36x32xf32>

  // A window of one element: most results meet none.
  %i5 = stablehlo.iota dim = 0 : tensor<51200xi32>
  %s5 = stablehlo.constant dense<5> : tensor<51200xi32>
  %r5 = stablehlo.remainder %i5, %s5 : tensor<51200xi32>
  %c5 = stablehlo.convert %r5 : (tensor<51200xi32>) -> tensor<51200xi8>
  %x5 = stablehlo.reshape %c5 : (tensor<51200xi8>) -> tensor<2x5x40x128xi8>
  %j5 = stablehlo.iota dim = 0 : tensor<16384xi32>
  %t5 = stablehlo.constant dense<7> : tensor<16384xi32>
  %q5 = stablehlo.remainder %j5, %t5 : tensor<16384xi32>
  %three5 = stablehlo.constant dense<3> : tensor<16384xi32>
  %m5 = stablehlo.subtract %q5, %three5 : tensor<16384xi32>
  %d5 = stablehlo.convert %m5 : (tensor<16384xi32>) -> tensor<16384xi8>
  %w5 = stablehlo.reshape %d5 : (tensor<16384xi8>) -> tensor<1x1x128x128xi8>
  %y5 = stablehlo.convolution(%x5, %w5) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
      window = {pad = [[0, 1], [0, 1]], lhs_dilate = [2, 2]}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<2x5x40x128xi8>, tensor<1x1x128x128xi8>) -> tensor<2x10x80x128xi32>
  %zero5 = stablehlo.constant dense<0> : tensor<i8>
  %p5 = stablehlo.pad %x5, %zero5, low = [0, 0, 0, 0], high = [0, 0, 0, 0], interior = [0, 1, 1, 0]
      : (tensor<2x5x40x128xi8>, tensor<i8>) -> tensor<2x9x79x128xi8>
  %b5 = stablehlo.optimization_barrier %p5 : tensor<2x9x79x128xi8>
  %e5 = stablehlo.convolution(%b5, %w5) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
      window = {pad = [[0, 1], [0, 1]]}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<2x9x79x128xi8>, tensor<1x1x128x128xi8>) -> tensor<2x10x80x128xi32>
  check.expect_eq %y5, %e5 : tensor<2x10x80x128xi32>
  return
}
