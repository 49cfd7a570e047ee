// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Powers whose exponent rounds to 128 are the largest numbers, not infinite.
// RUN: tpuc run %s
func.func @main() {
  // 0x5F7FFFFF is 2^64 (1 - 2^-24), its square 2^128 (1 - 2^-23).
  %x = stablehlo.constant dense<[0x7F7FFFFF, 0xFF7FFFFF, 0x5F7FFFFF, 0x5F7FFFFF, 2.0, 2.0]> : tensor<6xf32>
  %y = stablehlo.constant dense<[1.0, 1.0, 2.0, -2.0, 128.0, 127.0]> : tensor<6xf32>
  %power = stablehlo.power %x, %y : tensor<6xf32>
  %expected = stablehlo.constant dense<[0x7F7FFFFF, 0xFF7FFFFF, 0x7F7FFFFE, 0x00200000, 0x7F800000, 0x7F000000]>
      : tensor<6xf32>
  check.expect_close %power, %expected : tensor<6xf32>, tensor<6xf32>
  return
}
