// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Powers that are computed as roots, at their ends: 0 and inf of both signs, NaN below 0.
// RUN: tpuc run %s --check
// RUN: tpuc run %s --check --target=v5p --constants=arrays
func.func @main() {
  %x = stablehlo.constant dense<[4.0, 0.0, -0.0, 0x7F800000, 0xFF800000, -1.0, 2.25, 0.25]> : tensor<8xf32>
  %half = stablehlo.constant dense<0.5> : tensor<8xf32>
  %root = stablehlo.power %x, %half : tensor<8xf32>
  %expected1 = stablehlo.constant dense<[2.0, 0.0, 0.0, 0x7F800000, 0x7F800000, 0x7FC00000, 1.5, 0.5]> : tensor<8xf32>
  check.expect_close %root, %expected1 : tensor<8xf32>, tensor<8xf32>

  %less = stablehlo.constant dense<-0.5> : tensor<8xf32>
  %inverse = stablehlo.power %x, %less : tensor<8xf32>
  %expected2 = stablehlo.constant dense<[0.5, 0x7F800000, 0x7F800000, 0.0, 0.0, 0x7FC00000, 0x3F2AAAAB, 2.0]>
      : tensor<8xf32>
  check.expect_close %inverse, %expected2 : tensor<8xf32>, tensor<8xf32>

  %y = stablehlo.constant dense<[4.0, -0.0, 0xFF80, 6.25]> : tensor<4xbf16>
  %halves = stablehlo.constant dense<0.5> : tensor<4xbf16>
  %narrow = stablehlo.power %y, %halves : tensor<4xbf16>
  check.expect_eq_const %narrow, dense<[2.0, 0.0, 0x7F80, 2.5]> : tensor<4xbf16>
  return
}
