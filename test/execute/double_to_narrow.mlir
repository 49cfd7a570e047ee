// From f64 a narrow float is rounded once: halfway between two of them, and a last place of f64 beside that. 464 and
// more overflow.
// RUN: tpuc run %s
// RUN: tpuc run %s --constants=arrays
func.func @main() {
  %x = stablehlo.constant dense<[0x3FF1000000000000, 0x3FF1000000000001, 0x3FF0FFFFFFFFFFFF, 0x3FF3000000000000,
      0x3FF2FFFFFFFFFFFF, 0xBF50624DD2F1A9FC, 0x407D000000000000, 0x407D000000000001]> : tensor<8xf64>
  %0 = stablehlo.convert %x : (tensor<8xf64>) -> tensor<8xf8E4M3FN>
  %1 = stablehlo.bitcast_convert %0 : (tensor<8xf8E4M3FN>) -> tensor<8xui8>
  check.expect_eq_const %1, dense<[56, 57, 56, 58, 57, 129, 126, 127]> : tensor<8xui8>
  return
}
