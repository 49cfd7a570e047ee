// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// bf16 inside a kernel is f32, unless the program says where it is to be rounded: (1 + 2^-7)^2 = 1 + 2^-6 + 2^-14
// becomes 1 + 2^-6.
// RUN: tpuc run %s
// RUN: tpuc run %s --constants=arrays
func.func @main() {
  %x = stablehlo.constant dense<1.0078125> : tensor<16xbf16>
  %same = stablehlo.multiply %x, %x : tensor<16xbf16>
  %rounded = stablehlo.reduce_precision %same, format = e8m7 : tensor<16xbf16>
  %0 = stablehlo.convert %rounded : (tensor<16xbf16>) -> tensor<16xf32>
  check.expect_eq_const %0, dense<1.015625> : tensor<16xf32>
  // A conversion of f32 rounds.
  %wide = stablehlo.constant dense<1.01568604> : tensor<16xf32>
  %narrow = stablehlo.convert %wide : (tensor<16xf32>) -> tensor<16xbf16>
  %1 = stablehlo.convert %narrow : (tensor<16xbf16>) -> tensor<16xf32>
  check.expect_eq_const %1, dense<1.015625> : tensor<16xf32>
  // So does a matmul's epilogue.
  %a = stablehlo.constant dense<1.0078125> : tensor<8x1xbf16>
  %b = stablehlo.constant dense<1.0078125> : tensor<1x128xbf16>
  %dot = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<8x1xbf16>, tensor<1x128xbf16>)
      -> tensor<8x128xbf16>
  %sum = stablehlo.reduce_precision %dot, format = e8m7 : tensor<8x128xbf16>
  %2 = stablehlo.convert %sum : (tensor<8x128xbf16>) -> tensor<8x128xf32>
  check.expect_eq_const %2, dense<1.015625> : tensor<8x128xf32>
  return
}
