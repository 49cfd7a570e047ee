// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Convolutions of many features, whose blocks have parts of them: sums stay in the accumulators of several arrays, each
// with its rows, over the parts, of which the last is shorter. The numbers are small and whole, so that sums are exact
// in any order.
// RUN: tpuc run %s --check
// RUN: tpuc run %s --check --target=v5p
// RUN: tpuc run %s --check --target=v6e
// RUN: tpuc run %s --check --target=v2
func.func @main() {
  %i = stablehlo.iota dim = 0 : tensor<253440xi32>
  %five = stablehlo.constant dense<5> : tensor<253440xi32>
  %r = stablehlo.remainder %i, %five : tensor<253440xi32>
  %c = stablehlo.convert %r : (tensor<253440xi32>) -> tensor<253440xbf16>
  %x = stablehlo.reshape %c : (tensor<253440xbf16>) -> tensor<2x9x10x1408xbf16>
  %j = stablehlo.iota dim = 0 : tensor<4866048xi32>
  %seven = stablehlo.constant dense<7> : tensor<4866048xi32>
  %q = stablehlo.remainder %j, %seven : tensor<4866048xi32>
  %three = stablehlo.constant dense<3> : tensor<4866048xi32>
  %m = stablehlo.subtract %q, %three : tensor<4866048xi32>
  %d = stablehlo.convert %m : (tensor<4866048xi32>) -> tensor<4866048xbf16>
  %w = stablehlo.reshape %d : (tensor<4866048xbf16>) -> tensor<3x3x1408x384xbf16>
  %y = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
      window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<2x9x10x1408xbf16>, tensor<3x3x1408x384xbf16>) -> tensor<2x9x10x384xf32>
  // The same of two parts, which are added.
  %x0 = stablehlo.slice %x [0:2, 0:9, 0:10, 0:64] : (tensor<2x9x10x1408xbf16>) -> tensor<2x9x10x64xbf16>
  %w0 = stablehlo.slice %w [0:3, 0:3, 0:64, 0:384] : (tensor<3x3x1408x384xbf16>) -> tensor<3x3x64x384xbf16>
  %y0 = stablehlo.convolution(%x0, %w0) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
      window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<2x9x10x64xbf16>, tensor<3x3x64x384xbf16>) -> tensor<2x9x10x384xf32>
  %x1 = stablehlo.slice %x [0:2, 0:9, 0:10, 64:1408] : (tensor<2x9x10x1408xbf16>) -> tensor<2x9x10x1344xbf16>
  %w1 = stablehlo.slice %w [0:3, 0:3, 64:1408, 0:384] : (tensor<3x3x1408x384xbf16>) -> tensor<3x3x1344x384xbf16>
  %y1 = stablehlo.convolution(%x1, %w1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
      window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<2x9x10x1344xbf16>, tensor<3x3x1344x384xbf16>) -> tensor<2x9x10x384xf32>
  %e = stablehlo.add %y0, %y1 : tensor<2x9x10x384xf32>
  check.expect_eq %y, %e : tensor<2x9x10x384xf32>
  return
}
