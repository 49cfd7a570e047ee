// Functions at denormals and the largest numbers: 0x00000001 is 2^-149, 0x7F7FFFFF the largest f32.
// RUN: tpuc run %s
// RUN: tpuc run %s --check --target=v2
// RUN: tpuc run %s --constants=arrays
func.func @main() {
  %a = stablehlo.constant dense<[0x00000001, 0x00000003, 0x7F7FFFFF, 0x7F7FFFFF, 0x80000007]> : tensor<5xf32>
  %b = stablehlo.constant dense<[0x00000001, 0x00000002, 0x00000003, 0x7F7FFFFF, 0x3F800000]> : tensor<5xf32>
  // (2^128 - 2^104) 2^149 = 2^253 (2^24 - 1), and 2^24 - 1 is a multiple of 3
  %rem = stablehlo.remainder %a, %b : tensor<5xf32>
  check.expect_eq_const %rem, dense<[0x00000000, 0x00000001, 0x00000000, 0x00000000, 0x80000007]> : tensor<5xf32>

  %angle = stablehlo.atan2 %a, %a : tensor<5xf32>
  %expected1 = stablehlo.constant dense<[0x3F490FDB, 0x3F490FDB, 0x3F490FDB, 0x3F490FDB, 0xC016CBE4]> : tensor<5xf32>
  check.expect_close %angle, %expected1 : tensor<5xf32>, tensor<5xf32>

  %zeros = stablehlo.constant dense<[0x80000000, 0x00000000]> : tensor<2xf32>
  %expm1 = stablehlo.exponential_minus_one %zeros : tensor<2xf32>
  check.expect_eq_const %expm1, dense<[0x80000000, 0x00000000]> : tensor<2xf32>

  // exp overflows between 88.722839 and the next number.
  %x = stablehlo.constant dense<[0x42B17217, 0x42B17218, 0x7F800000, 0xFF800000, 0x7FC00000]> : tensor<5xf32>
  %exp = stablehlo.exponential %x : tensor<5xf32>
  %expected2 = stablehlo.constant dense<[0x7F7FFF84, 0x7F800000, 0x7F800000, 0x00000000, 0x7FC00000]> : tensor<5xf32>
  check.expect_close %exp, %expected2 : tensor<5xf32>, tensor<5xf32>

  // 1e300, whose sine needs 1,000 bits of 2/pi
  %far = stablehlo.constant dense<[1.0e300, -1.0e22]> : tensor<2xf64>
  %sine = stablehlo.sine %far : tensor<2xf64>
  %expected3 = stablehlo.constant dense<[-0.8178819121159085, 0.8522008497671888]> : tensor<2xf64>
  check.expect_close %sine, %expected3 : tensor<2xf64>, tensor<2xf64>
  return
}
