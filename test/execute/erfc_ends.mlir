// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// erfc at its ends, where results are denormal, and rounded to bf16; reciprocals at theirs (mpmath, 60 digits).
// RUN: tpuc run %s
// RUN: tpuc run %s --check --target=v2
// RUN: tpuc run %s --check --target=v6e
func.func @main() {
  %x = stablehlo.constant dense<[0x00000000, 0x80000000, 0x7F800000, 0xFF800000, 0x7FC00000, 0x60AD78EC,
      0xE0AD78EC, 0x00000001,
      0x80000001, 0x3F000000, 0xBF000000, 0x3F400000, 0x3F800000, 0xBF800000, 0x40000000, 0xC0000000,
      0x4079999A, 0xC079999A, 0x40C6A008, 0x41130A3D, 0x4114CCCD, 0x41200000, 0x4120CCCD, 0x4120F5C3,
      0x4121999A, 0x41300000]> : tensor<26xf32>
  %0 = chlo.erfc %x : tensor<26xf32> -> tensor<26xf32>
  %expected = stablehlo.constant dense<[0x3F800000, 0x3F800000, 0x00000000, 0x40000000, 0x7FC00000, 0x00000000,
      0x40000000, 0x3F800000,
      0x3F800000, 0x3EF5810A, 0x3FC29FBD, 0x3E93E369, 0x3E21130B, 0x3FEBDD9F, 0x3B9947AF, 0x3FFF66B8,
      0x33156E74, 0x40000000, 0x21F56A03, 0x008B3C4A, 0x0012008E, 0x00000001, 0x00000001, 0x00000000,
      0x00000000, 0x00000000]>
      : tensor<26xf32>
  check.expect_close %0, %expected : tensor<26xf32>, tensor<26xf32>
  // The least denormal is close to 0, which it is not.
  %tail = stablehlo.slice %0 [19:26] : (tensor<26xf32>) -> tensor<7xf32>
  %bits = stablehlo.bitcast_convert %tail : (tensor<7xf32>) -> tensor<7xi32>
  %none = stablehlo.constant dense<0> : tensor<7xi32>
  %more = stablehlo.compare GT, %bits, %none : (tensor<7xi32>, tensor<7xi32>) -> tensor<7xi1>
  check.expect_eq_const %more, dense<[true, true, true, true, false, false, false]> : tensor<7xi1>
  %b = stablehlo.constant dense<[0x0000, 0x8000, 0x7F80, 0xFF80, 0x7FC0, 0x60AD, 0xE0AD, 0x0000, 0x8000, 0x3F00,
      0xBF00, 0x3F40, 0x3F80,
      0xBF80, 0x4000, 0xC000, 0x407A, 0xC07A, 0x40C7, 0x4113, 0x4115, 0x4120, 0x4121, 0x4121, 0x4122, 0x4130]>
      : tensor<26xbf16>
  %1 = chlo.erfc %b : tensor<26xbf16> -> tensor<26xbf16>
  check.expect_eq_const %1, dense<[0x3F80, 0x3F80, 0x0000, 0x4000, 0x7FC0, 0x0000, 0x4000, 0x3F80, 0x3F80, 0x3EF6,
      0x3FC3, 0x3E94, 0x3E21,
      0x3FEC, 0x3B99, 0x3FFF, 0x330E, 0x4000, 0x21D4, 0x0092, 0x000E, 0x0000, 0x0000, 0x0000, 0x0000, 0x0000]>
      : tensor<26xbf16>
  %r = stablehlo.constant dense<[0x00000000, 0x80000000, 0x7F800000, 0xFF800000, 0x7FC00000, 0x40400000,
      0xC0E00000, 0x006CE3EE,
      0x00400000, 0x00200000, 0x7F000000, 0x7F7FC99E]> : tensor<12xf32>
  %one = stablehlo.constant dense<1.0> : tensor<12xf32>
  %2 = stablehlo.divide %one, %r : tensor<12xf32>
  check.expect_eq_const %2, dense<[0x7F800000, 0xFF800000, 0x00000000, 0x80000000, 0x7FC00000, 0x3EAAAAAB,
      0xBE124925, 0x7E96769A,
      0x7F000000, 0x7F800000, 0x00400000, 0x002006CE]> : tensor<12xf32>
  return
}
