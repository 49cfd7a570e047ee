// Bits of words, words of bits, and the words of complex numbers, as the machine makes them.
// RUN: tpuc run %s
// RUN: tpuc run %s --constants=arrays
func.func @main() {
  %word = stablehlo.constant dense<[0x0123, 0xFEDC]> : tensor<2xui16>
  %bits = stablehlo.bitcast_convert %word : (tensor<2xui16>) -> tensor<2x16xi1>
  %again = stablehlo.bitcast_convert %bits : (tensor<2x16xi1>) -> tensor<2xui16>
  check.expect_eq %again, %word : tensor<2xui16>
  // 3, 2, 1, 0: the lowest bit of each nibble first.
  check.expect_eq_const %bits, dense<[[true, true, false, false, false, true, false, false, true, false, false, false,
      false, false, false, false],
                                      [false, false, true, true, true, false, true, true, false, true, true, true, true,
                                          true, true, true]]> : tensor<2x16xi1>
  %wide = stablehlo.constant dense<[0x0123456789ABCDEF, 0xFEDCBA9876543210]> : tensor<2xui64>
  %wideBits = stablehlo.bitcast_convert %wide : (tensor<2xui64>) -> tensor<2x64xi1>
  %wideAgain = stablehlo.bitcast_convert %wideBits : (tensor<2x64xi1>) -> tensor<2xui64>
  check.expect_eq %wideAgain, %wide : tensor<2xui64>
  %z = stablehlo.constant dense<[(1.5, -2.25), (0.0, 3.0e100)]> : tensor<2xcomplex<f64>>
  %parts = stablehlo.bitcast_convert %z : (tensor<2xcomplex<f64>>) -> tensor<2x2xcomplex<f32>>
  %zAgain = stablehlo.bitcast_convert %parts : (tensor<2x2xcomplex<f32>>) -> tensor<2xcomplex<f64>>
  check.expect_eq %zAgain, %z : tensor<2xcomplex<f64>>
  // 1.5 is 0x3FF80000 00000000, its high word as f32 1.9375.
  %first = stablehlo.slice %parts [0:1, 0:1] : (tensor<2x2xcomplex<f32>>) -> tensor<1x1xcomplex<f32>>
  check.expect_eq_const %first, dense<(0.0, 1.9375)> : tensor<1x1xcomplex<f32>>
  return
}
