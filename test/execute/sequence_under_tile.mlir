// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An argument with two rows under the tile is given with its sequence there (`tpuc-order-arrays`), which exchanges the
// dims of the matmul's result before its transpose. The same row by row.
// RUN: tpuc run %s --random=1 --check --matmul-precision=highest
// RUN: tpuc run %s --random=1 --check --matmul-precision=highest --target=v4
// RUN: tpuc run %s --random=1 --check --matmul-precision=highest --target=v6e
func.func @main(%x: tensor<520x2x136xbf16>, %w: tensor<3x40x136xbf16>) -> tensor<2x3x520x40xbf16> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [2] x [2]
      : (tensor<520x2x136xbf16>, tensor<3x40x136xbf16>) -> tensor<520x2x3x40xbf16>
  %1 = stablehlo.transpose %0, dims = [1, 2, 0, 3] : (tensor<520x2x3x40xbf16>) -> tensor<2x3x520x40xbf16>
  %2 = stablehlo.slice %x [0:520, 0:1, 0:136] : (tensor<520x2x136xbf16>) -> tensor<520x1x136xbf16>
  %3 = stablehlo.reshape %2 : (tensor<520x1x136xbf16>) -> tensor<520x136xbf16>
  %4 = stablehlo.slice %x [0:520, 1:2, 0:136] : (tensor<520x2x136xbf16>) -> tensor<520x1x136xbf16>
  %5 = stablehlo.reshape %4 : (tensor<520x1x136xbf16>) -> tensor<520x136xbf16>
  %6 = stablehlo.dot_general %w, %3, contracting_dims = [2] x [1]
      : (tensor<3x40x136xbf16>, tensor<520x136xbf16>) -> tensor<3x40x520xbf16>
  %7 = stablehlo.dot_general %w, %5, contracting_dims = [2] x [1]
      : (tensor<3x40x136xbf16>, tensor<520x136xbf16>) -> tensor<3x40x520xbf16>
  %8 = stablehlo.transpose %6, dims = [0, 2, 1] : (tensor<3x40x520xbf16>) -> tensor<3x520x40xbf16>
  %9 = stablehlo.transpose %7, dims = [0, 2, 1] : (tensor<3x40x520xbf16>) -> tensor<3x520x40xbf16>
  %10 = stablehlo.reshape %8 : (tensor<3x520x40xbf16>) -> tensor<1x3x520x40xbf16>
  %11 = stablehlo.reshape %9 : (tensor<3x520x40xbf16>) -> tensor<1x3x520x40xbf16>
  %12 = stablehlo.concatenate %10, %11, dim = 0
      : (tensor<1x3x520x40xbf16>, tensor<1x3x520x40xbf16>) -> tensor<2x3x520x40xbf16>
  check.expect_close %1, %12, max_ulp_difference = 1 : tensor<2x3x520x40xbf16>, tensor<2x3x520x40xbf16>
  return %1 : tensor<2x3x520x40xbf16>
}
