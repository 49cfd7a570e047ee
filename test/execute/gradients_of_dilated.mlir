// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gradients of transposed convolutions' weights are those of inputs with zeros put in. The numbers are small and whole,
// so that sums are exact in any order.
// RUN: tpuc run %s --check
// RUN: tpuc run %s --check --target=v2
// RUN: tpuc run %s --check --target=v6e
func.func @main() {
  // All phases meet.
  %ix0 = stablehlo.iota dim = 0 : tensor<130560xi32>
  %sx0 = stablehlo.constant dense<5> : tensor<130560xi32>
  %rx0 = stablehlo.remainder %ix0, %sx0 : tensor<130560xi32>
  %mx0 = stablehlo.constant dense<1> : tensor<130560xi32>
  %dx0 = stablehlo.subtract %rx0, %mx0 : tensor<130560xi32>
  %cx0 = stablehlo.convert %dx0 : (tensor<130560xi32>) -> tensor<130560xbf16>
  %x0 = stablehlo.reshape %cx0 : (tensor<130560xbf16>) -> tensor<16x20x17x24xbf16>
  %iy0 = stablehlo.iota dim = 0 : tensor<844800xi32>
  %sy0 = stablehlo.constant dense<7> : tensor<844800xi32>
  %ry0 = stablehlo.remainder %iy0, %sy0 : tensor<844800xi32>
  %my0 = stablehlo.constant dense<3> : tensor<844800xi32>
  %dy0 = stablehlo.subtract %ry0, %my0 : tensor<844800xi32>
  %cy0 = stablehlo.convert %dy0 : (tensor<844800xi32>) -> tensor<844800xbf16>
  %y0 = stablehlo.reshape %cy0 : (tensor<844800xbf16>) -> tensor<16x40x33x40xbf16>
  %w0 = stablehlo.convolution(%x0, %y0) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f],
      window = {stride = [1, 1], pad = [[2, 2], [2, 2]], lhs_dilate = [2, 2]}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<16x20x17x24xbf16>, tensor<16x40x33x40xbf16>) -> tensor<4x5x24x40xf32>
  %zero0 = stablehlo.constant dense<0.0> : tensor<bf16>
  %p0 = stablehlo.pad %x0, %zero0, low = [0, 0, 0, 0], high = [0, 0, 0, 0], interior = [0, 1, 1, 0]
      : (tensor<16x20x17x24xbf16>, tensor<bf16>) -> tensor<16x39x33x24xbf16>
  %b0 = stablehlo.optimization_barrier %p0 : tensor<16x39x33x24xbf16>
  %e0 = stablehlo.convolution(%b0, %y0) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f],
      window = {stride = [1, 1], pad = [[2, 2], [2, 2]]}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<16x39x33x24xbf16>, tensor<16x40x33x40xbf16>) -> tensor<4x5x24x40xf32>
  check.expect_eq %w0, %e0 : tensor<4x5x24x40xf32>

  // Padding that cuts, three apart, a stride between taps.
  %ix1 = stablehlo.iota dim = 0 : tensor<39936xi32>
  %sx1 = stablehlo.constant dense<5> : tensor<39936xi32>
  %rx1 = stablehlo.remainder %ix1, %sx1 : tensor<39936xi32>
  %mx1 = stablehlo.constant dense<1> : tensor<39936xi32>
  %dx1 = stablehlo.subtract %rx1, %mx1 : tensor<39936xi32>
  %cx1 = stablehlo.convert %dx1 : (tensor<39936xi32>) -> tensor<39936xbf16>
  %x1 = stablehlo.reshape %cx1 : (tensor<39936xbf16>) -> tensor<24x13x16x8xbf16>
  %iy1 = stablehlo.iota dim = 0 : tensor<1653696xi32>
  %sy1 = stablehlo.constant dense<7> : tensor<1653696xi32>
  %ry1 = stablehlo.remainder %iy1, %sy1 : tensor<1653696xi32>
  %my1 = stablehlo.constant dense<3> : tensor<1653696xi32>
  %dy1 = stablehlo.subtract %ry1, %my1 : tensor<1653696xi32>
  %cy1 = stablehlo.convert %dy1 : (tensor<1653696xi32>) -> tensor<1653696xbf16>
  %y1 = stablehlo.reshape %cy1 : (tensor<1653696xbf16>) -> tensor<24x33x29x72xbf16>
  %w1 = stablehlo.convolution(%x1, %y1) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f],
      window = {stride = [1, 2], pad = [[-1, 2], [3, 1]], lhs_dilate = [3, 2]}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<24x13x16x8xbf16>, tensor<24x33x29x72xbf16>) -> tensor<6x4x8x72xf32>
  %zero1 = stablehlo.constant dense<0.0> : tensor<bf16>
  %p1 = stablehlo.pad %x1, %zero1, low = [0, 0, 0, 0], high = [0, 0, 0, 0], interior = [0, 2, 1, 0]
      : (tensor<24x13x16x8xbf16>, tensor<bf16>) -> tensor<24x37x31x8xbf16>
  %b1 = stablehlo.optimization_barrier %p1 : tensor<24x37x31x8xbf16>
  %e1 = stablehlo.convolution(%b1, %y1) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f],
      window = {stride = [1, 2], pad = [[-1, 2], [3, 1]]}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<24x37x31x8xbf16>, tensor<24x33x29x72xbf16>) -> tensor<6x4x8x72xf32>
  check.expect_eq %w1, %e1 : tensor<6x4x8x72xf32>

  // One axis has no zeros.
  %ix2 = stablehlo.iota dim = 0 : tensor<748800xi32>
  %sx2 = stablehlo.constant dense<5> : tensor<748800xi32>
  %rx2 = stablehlo.remainder %ix2, %sx2 : tensor<748800xi32>
  %mx2 = stablehlo.constant dense<1> : tensor<748800xi32>
  %dx2 = stablehlo.subtract %rx2, %mx2 : tensor<748800xi32>
  %cx2 = stablehlo.convert %dx2 : (tensor<748800xi32>) -> tensor<748800xbf16>
  %x2 = stablehlo.reshape %cx2 : (tensor<748800xbf16>) -> tensor<40x16x9x130xbf16>
  %iy2 = stablehlo.iota dim = 0 : tensor<102400xi32>
  %sy2 = stablehlo.constant dense<7> : tensor<102400xi32>
  %ry2 = stablehlo.remainder %iy2, %sy2 : tensor<102400xi32>
  %my2 = stablehlo.constant dense<3> : tensor<102400xi32>
  %dy2 = stablehlo.subtract %ry2, %my2 : tensor<102400xi32>
  %cy2 = stablehlo.convert %dy2 : (tensor<102400xi32>) -> tensor<102400xbf16>
  %y2 = stablehlo.reshape %cy2 : (tensor<102400xbf16>) -> tensor<40x16x32x5xbf16>
  %w2 = stablehlo.convolution(%x2, %y2) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f],
      window = {stride = [1, 1], pad = [[1, 1], [3, 0]], lhs_dilate = [1, 4]}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<40x16x9x130xbf16>, tensor<40x16x32x5xbf16>) -> tensor<3x5x130x5xf32>
  %zero2 = stablehlo.constant dense<0.0> : tensor<bf16>
  %p2 = stablehlo.pad %x2, %zero2, low = [0, 0, 0, 0], high = [0, 0, 0, 0], interior = [0, 0, 3, 0]
      : (tensor<40x16x9x130xbf16>, tensor<bf16>) -> tensor<40x16x33x130xbf16>
  %b2 = stablehlo.optimization_barrier %p2 : tensor<40x16x33x130xbf16>
  %e2 = stablehlo.convolution(%b2, %y2) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f],
      window = {stride = [1, 1], pad = [[1, 1], [3, 0]]}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<40x16x33x130xbf16>, tensor<40x16x32x5xbf16>) -> tensor<3x5x130x5xf32>
  check.expect_eq %w2, %e2 : tensor<3x5x130x5xf32>
  return
}
