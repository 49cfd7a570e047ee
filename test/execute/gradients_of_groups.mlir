// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The gradient of weights in groups is made of the gradients of each group's. The numbers are small and whole, so that
// sums are exact in any order.
// RUN: tpuc run %s --check
// RUN: tpuc run %s --check --target=v2
// RUN: tpuc run %s --check --target=v6e
func.func @main() {
  // Along one dim, more taps than features of a group.
  %ix0 = stablehlo.iota dim = 0 : tensor<1200xi32>
  %mx0 = stablehlo.constant dense<5> : tensor<1200xi32>
  %rx0 = stablehlo.remainder %ix0, %mx0 : tensor<1200xi32>
  %ox0 = stablehlo.constant dense<1> : tensor<1200xi32>
  %dx0 = stablehlo.subtract %rx0, %ox0 : tensor<1200xi32>
  %cx0 = stablehlo.convert %dx0 : (tensor<1200xi32>) -> tensor<1200xf32>
  %x0 = stablehlo.reshape %cx0 : (tensor<1200xf32>) -> tensor<2x25x24xf32>
  %iy0 = stablehlo.iota dim = 0 : tensor<1800xi32>
  %my0 = stablehlo.constant dense<7> : tensor<1800xi32>
  %ry0 = stablehlo.remainder %iy0, %my0 : tensor<1800xi32>
  %oy0 = stablehlo.constant dense<3> : tensor<1800xi32>
  %dy0 = stablehlo.subtract %ry0, %oy0 : tensor<1800xi32>
  %cy0 = stablehlo.convert %dy0 : (tensor<1800xi32>) -> tensor<1800xf32>
  %y0 = stablehlo.reshape %cy0 : (tensor<1800xf32>) -> tensor<2x25x36xf32>
  %w0 = stablehlo.convolution(%x0, %y0) dim_numbers = [f, 0, b]x[i, 0, o]->[0, b, f], window = {pad = [[4, 4]]}
      {batch_group_count = 3 : i64, feature_group_count = 1 : i64}
      : (tensor<2x25x24xf32>, tensor<2x25x36xf32>) -> tensor<9x8x36xf32>
  %x0_0 = stablehlo.slice %x0 [0:2, 0:25, 0:8] : (tensor<2x25x24xf32>) -> tensor<2x25x8xf32>
  %y0_0 = stablehlo.slice %y0 [0:2, 0:25, 0:12] : (tensor<2x25x36xf32>) -> tensor<2x25x12xf32>
  %w0_0 = stablehlo.convolution(%x0_0, %y0_0) dim_numbers = [f, 0, b]x[i, 0, o]->[0, b, f], window = {pad = [[4, 4]]}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<2x25x8xf32>, tensor<2x25x12xf32>) -> tensor<9x8x12xf32>
  %x0_1 = stablehlo.slice %x0 [0:2, 0:25, 8:16] : (tensor<2x25x24xf32>) -> tensor<2x25x8xf32>
  %y0_1 = stablehlo.slice %y0 [0:2, 0:25, 12:24] : (tensor<2x25x36xf32>) -> tensor<2x25x12xf32>
  %w0_1 = stablehlo.convolution(%x0_1, %y0_1) dim_numbers = [f, 0, b]x[i, 0, o]->[0, b, f], window = {pad = [[4, 4]]}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<2x25x8xf32>, tensor<2x25x12xf32>) -> tensor<9x8x12xf32>
  %x0_2 = stablehlo.slice %x0 [0:2, 0:25, 16:24] : (tensor<2x25x24xf32>) -> tensor<2x25x8xf32>
  %y0_2 = stablehlo.slice %y0 [0:2, 0:25, 24:36] : (tensor<2x25x36xf32>) -> tensor<2x25x12xf32>
  %w0_2 = stablehlo.convolution(%x0_2, %y0_2) dim_numbers = [f, 0, b]x[i, 0, o]->[0, b, f], window = {pad = [[4, 4]]}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<2x25x8xf32>, tensor<2x25x12xf32>) -> tensor<9x8x12xf32>
  %e0 = stablehlo.concatenate %w0_0, %w0_1, %w0_2, dim = 2
      : (tensor<9x8x12xf32>, tensor<9x8x12xf32>, tensor<9x8x12xf32>) -> tensor<9x8x36xf32>
  check.expect_eq %w0, %e0 : tensor<9x8x36xf32>

  // Two dims, bf16.
  %ix1 = stablehlo.iota dim = 0 : tensor<8640xi32>
  %mx1 = stablehlo.constant dense<5> : tensor<8640xi32>
  %rx1 = stablehlo.remainder %ix1, %mx1 : tensor<8640xi32>
  %ox1 = stablehlo.constant dense<1> : tensor<8640xi32>
  %dx1 = stablehlo.subtract %rx1, %ox1 : tensor<8640xi32>
  %cx1 = stablehlo.convert %dx1 : (tensor<8640xi32>) -> tensor<8640xbf16>
  %x1 = stablehlo.reshape %cx1 : (tensor<8640xbf16>) -> tensor<3x9x10x32xbf16>
  %iy1 = stablehlo.iota dim = 0 : tensor<12960xi32>
  %my1 = stablehlo.constant dense<7> : tensor<12960xi32>
  %ry1 = stablehlo.remainder %iy1, %my1 : tensor<12960xi32>
  %oy1 = stablehlo.constant dense<3> : tensor<12960xi32>
  %dy1 = stablehlo.subtract %ry1, %oy1 : tensor<12960xi32>
  %cy1 = stablehlo.convert %dy1 : (tensor<12960xi32>) -> tensor<12960xbf16>
  %y1 = stablehlo.reshape %cy1 : (tensor<12960xbf16>) -> tensor<3x9x10x48xbf16>
  %w1 = stablehlo.convolution(%x1, %y1) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f],
      window = {pad = [[1, 1], [1, 1]]}
      {batch_group_count = 2 : i64, feature_group_count = 1 : i64}
      : (tensor<3x9x10x32xbf16>, tensor<3x9x10x48xbf16>) -> tensor<3x3x16x48xbf16>
  %x1_0 = stablehlo.slice %x1 [0:3, 0:9, 0:10, 0:16] : (tensor<3x9x10x32xbf16>) -> tensor<3x9x10x16xbf16>
  %y1_0 = stablehlo.slice %y1 [0:3, 0:9, 0:10, 0:24] : (tensor<3x9x10x48xbf16>) -> tensor<3x9x10x24xbf16>
  %w1_0 = stablehlo.convolution(%x1_0, %y1_0) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f],
      window = {pad = [[1, 1], [1, 1]]}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<3x9x10x16xbf16>, tensor<3x9x10x24xbf16>) -> tensor<3x3x16x24xbf16>
  %x1_1 = stablehlo.slice %x1 [0:3, 0:9, 0:10, 16:32] : (tensor<3x9x10x32xbf16>) -> tensor<3x9x10x16xbf16>
  %y1_1 = stablehlo.slice %y1 [0:3, 0:9, 0:10, 24:48] : (tensor<3x9x10x48xbf16>) -> tensor<3x9x10x24xbf16>
  %w1_1 = stablehlo.convolution(%x1_1, %y1_1) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f],
      window = {pad = [[1, 1], [1, 1]]}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<3x9x10x16xbf16>, tensor<3x9x10x24xbf16>) -> tensor<3x3x16x24xbf16>
  %e1 = stablehlo.concatenate %w1_0, %w1_1, dim = 3
      : (tensor<3x3x16x24xbf16>, tensor<3x3x16x24xbf16>) -> tensor<3x3x16x48xbf16>
  check.expect_eq %w1, %e1 : tensor<3x3x16x48xbf16>
  return
}
