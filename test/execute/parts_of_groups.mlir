// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A convolution in 32 groups, in parts of several groups side by side, and the gradient of its weights. Elements depend
// on their feature alone, so a result is a sum over its group's features, times the taps that meet the image; of the
// gradient a product, times the positions. Whole numbers.
// RUN: tpuc run %s --check
// RUN: tpuc run %s --check --target=v5p
// RUN: tpuc run %s --check --target=v6e
// RUN: tpuc compile %s --stop-after=expand -o - | FileCheck %s
// CHECK-COUNT-8: stablehlo.convolution
// CHECK-NOT: stablehlo.convolution
func.func @main() {
  // x: c mod 7. Weights: (i + 3 o) mod 5, of 16 inputs a group. dy: o mod 3.
  %xc = stablehlo.iota dim = 3 : tensor<2x24x24x512xi32>
  %x7 = stablehlo.constant dense<7> : tensor<2x24x24x512xi32>
  %xm = stablehlo.remainder %xc, %x7 : tensor<2x24x24x512xi32>
  %x = stablehlo.convert %xm : (tensor<2x24x24x512xi32>) -> tensor<2x24x24x512xbf16>
  %d3 = stablehlo.constant dense<3> : tensor<2x24x24x512xi32>
  %dm = stablehlo.remainder %xc, %d3 : tensor<2x24x24x512xi32>
  %dy = stablehlo.convert %dm : (tensor<2x24x24x512xi32>) -> tensor<2x24x24x512xbf16>
  %wi = stablehlo.iota dim = 2 : tensor<3x3x16x512xi32>
  %wo = stablehlo.iota dim = 3 : tensor<3x3x16x512xi32>
  %w3 = stablehlo.constant dense<3> : tensor<3x3x16x512xi32>
  %w5 = stablehlo.constant dense<5> : tensor<3x3x16x512xi32>
  %w3o = stablehlo.multiply %wo, %w3 : tensor<3x3x16x512xi32>
  %ws = stablehlo.add %wi, %w3o : tensor<3x3x16x512xi32>
  %wm = stablehlo.remainder %ws, %w5 : tensor<3x3x16x512xi32>
  %w = stablehlo.convert %wm : (tensor<3x3x16x512xi32>) -> tensor<3x3x16x512xbf16>

  %y = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1],
      [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 32 : i64}
      : (tensor<2x24x24x512xbf16>, tensor<3x3x16x512xbf16>) -> tensor<2x24x24x512xf32>
  %g = stablehlo.convolution(%x, %dy) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {pad = [[1, 1],
      [1, 1]]} {batch_group_count = 32 : i64, feature_group_count = 1 : i64}
      : (tensor<2x24x24x512xbf16>, tensor<2x24x24x512xbf16>) -> tensor<3x3x16x512xf32>

  // Feature i of output o's group: 16 (o div 16) + i.
  %i = stablehlo.iota dim = 0 : tensor<16x512xi32>
  %o = stablehlo.iota dim = 1 : tensor<16x512xi32>
  %c16 = stablehlo.constant dense<16> : tensor<16x512xi32>
  %c3 = stablehlo.constant dense<3> : tensor<16x512xi32>
  %c5 = stablehlo.constant dense<5> : tensor<16x512xi32>
  %c7 = stablehlo.constant dense<7> : tensor<16x512xi32>
  %group = stablehlo.divide %o, %c16 : tensor<16x512xi32>
  %first = stablehlo.multiply %group, %c16 : tensor<16x512xi32>
  %feature = stablehlo.add %first, %i : tensor<16x512xi32>
  %xv = stablehlo.remainder %feature, %c7 : tensor<16x512xi32>
  %o3 = stablehlo.multiply %o, %c3 : tensor<16x512xi32>
  %io = stablehlo.add %i, %o3 : tensor<16x512xi32>
  %wv = stablehlo.remainder %io, %c5 : tensor<16x512xi32>
  %xw = stablehlo.multiply %xv, %wv : tensor<16x512xi32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %sums = stablehlo.reduce(%xw init: %zero) applies stablehlo.add across dimensions = [0]
      : (tensor<16x512xi32>, tensor<i32>) -> tensor<512xi32>

  // Taps that meet the image: 2 at its edges, else 3, along each axis.
  %h = stablehlo.iota dim = 0 : tensor<24xi32>
  %end = stablehlo.constant dense<23> : tensor<24xi32>
  %begin = stablehlo.constant dense<0> : tensor<24xi32>
  %two = stablehlo.constant dense<2> : tensor<24xi32>
  %three = stablehlo.constant dense<3> : tensor<24xi32>
  %isFirst = stablehlo.compare EQ, %h, %begin : (tensor<24xi32>, tensor<24xi32>) -> tensor<24xi1>
  %isLast = stablehlo.compare EQ, %h, %end : (tensor<24xi32>, tensor<24xi32>) -> tensor<24xi1>
  %isEdge = stablehlo.or %isFirst, %isLast : tensor<24xi1>
  %taps = stablehlo.select %isEdge, %two, %three : tensor<24xi1>, tensor<24xi32>
  %rows = stablehlo.broadcast_in_dim %taps, dims = [1] : (tensor<24xi32>) -> tensor<2x24x24x512xi32>
  %columns = stablehlo.broadcast_in_dim %taps, dims = [2] : (tensor<24xi32>) -> tensor<2x24x24x512xi32>
  %sumsAll = stablehlo.broadcast_in_dim %sums, dims = [3] : (tensor<512xi32>) -> tensor<2x24x24x512xi32>
  %both = stablehlo.multiply %rows, %columns : tensor<2x24x24x512xi32>
  %yi = stablehlo.multiply %both, %sumsAll : tensor<2x24x24x512xi32>
  %yf = stablehlo.convert %yi : (tensor<2x24x24x512xi32>) -> tensor<2x24x24x512xf32>
  check.expect_eq %y, %yf : tensor<2x24x24x512xf32>

  // Positions at which a tap meets the image: 24 for the middle one, else 23, along each axis, of two images.
  %met = stablehlo.constant dense<[23, 24, 23]> : tensor<3xi32>
  %metRows = stablehlo.broadcast_in_dim %met, dims = [0] : (tensor<3xi32>) -> tensor<3x3x16x512xi32>
  %metColumns = stablehlo.broadcast_in_dim %met, dims = [1] : (tensor<3xi32>) -> tensor<3x3x16x512xi32>
  %dv = stablehlo.remainder %o, %c3 : tensor<16x512xi32>
  %xd = stablehlo.multiply %xv, %dv : tensor<16x512xi32>
  %images = stablehlo.constant dense<2> : tensor<16x512xi32>
  %xd2 = stablehlo.multiply %xd, %images : tensor<16x512xi32>
  %xdAll = stablehlo.broadcast_in_dim %xd2, dims = [2, 3] : (tensor<16x512xi32>) -> tensor<3x3x16x512xi32>
  %metBoth = stablehlo.multiply %metRows, %metColumns : tensor<3x3x16x512xi32>
  %gi = stablehlo.multiply %metBoth, %xdAll : tensor<3x3x16x512xi32>
  %gf = stablehlo.convert %gi : (tensor<3x3x16x512xi32>) -> tensor<3x3x16x512xf32>
  check.expect_eq %g, %gf : tensor<3x3x16x512xf32>
  return
}
