// Quantised arrays compute on their meaning: per tensor and per axis, saturating, with 8-, 4- and 32-bit storage.
// RUN: tpuc run %s --split-input-file --matmul-precision=highest
// RUN: tpuc run %s --split-input-file --matmul-precision=highest --constants=arrays

// (x - zp) s: -5 saturates to -128 + 0, 100 to 127.
func.func @main() {
  %x = stablehlo.constant dense<[-5.0, 0.0, 0.25, 0.75, 1.25, 100.0]> : tensor<6xf32>
  %q = stablehlo.uniform_quantize %x : (tensor<6xf32>) -> tensor<6x!quant.uniform<i8:f32, 0.5:-128>>
  %b = stablehlo.bitcast_convert %q : (tensor<6x!quant.uniform<i8:f32, 0.5:-128>>) -> tensor<6xi8>
  check.expect_eq_const %b, dense<[-128, -128, -128, -126, -126, 72]> : tensor<6xi8>
  %d = stablehlo.uniform_dequantize %q : (tensor<6x!quant.uniform<i8:f32, 0.5:-128>>) -> tensor<6xf32>
  check.expect_eq_const %d, dense<[0.0, 0.0, 0.0, 1.0, 1.0, 100.0]> : tensor<6xf32>
  return
}

// -----

// Each row has its scale and zero point; the transposed array has them by column.
func.func @main() {
  %q = stablehlo.constant() <{value = dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi8>}> : ()
      -> tensor<2x3x!quant.uniform<i8:f32:0, {0.5:1, 2.0}>>
  %t = stablehlo.transpose %q, dims = [1, 0] : (tensor<2x3x!quant.uniform<i8:f32:0, {0.5:1, 2.0}>>)
      -> tensor<3x2x!quant.uniform<i8:f32:1, {0.5:1, 2.0}>>
  %d = stablehlo.uniform_dequantize %t : (tensor<3x2x!quant.uniform<i8:f32:1, {0.5:1, 2.0}>>) -> tensor<3x2xf32>
  check.expect_eq_const %d, dense<[[0.0, 8.0], [0.5, 10.0], [1.0, 12.0]]> : tensor<3x2xf32>
  return
}

// -----

// [1, -1] x [[3, 1], [2, 4]] with scales 0.5 and, by column, 0.25 and 1: 0.125 (3 - 2) and 0.5 (1 - 4); 0.125 / 0.125 +
// 1 = 2 and -1.5 / 0.125 + 1 = -11.
func.func @main() {
  %x = stablehlo.constant() <{value = dense<[[2, 0]]> : tensor<1x2xi8>}> : ()
      -> tensor<1x2x!quant.uniform<i8:f32, 0.5:1>>
  %w = stablehlo.constant() <{value = dense<[[3, 1], [2, 4]]> : tensor<2x2xi8>}> : ()
      -> tensor<2x2x!quant.uniform<i8:f32:1, {0.25, 1.0}>>
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
      : (tensor<1x2x!quant.uniform<i8:f32, 0.5:1>>, tensor<2x2x!quant.uniform<i8:f32:1, {0.25, 1.0}>>)
      -> tensor<1x2x!quant.uniform<i8:f32, 0.125:1>>
  %b = stablehlo.bitcast_convert %0 : (tensor<1x2x!quant.uniform<i8:f32, 0.125:1>>) -> tensor<1x2xi8>
  check.expect_eq_const %b, dense<[[2, -11]]> : tensor<1x2xi8>
  return
}

// -----

// A sum in another scale; four bits saturate at 7.
func.func @main() {
  %a = stablehlo.constant() <{value = dense<[1, 2, 7]> : tensor<3xi4>}> : () -> tensor<3x!quant.uniform<i4:f32, 1.0>>
  %s = stablehlo.add %a, %a : (tensor<3x!quant.uniform<i4:f32, 1.0>>, tensor<3x!quant.uniform<i4:f32, 1.0>>)
      -> tensor<3x!quant.uniform<i4:f32, 0.5>>
  %b = stablehlo.bitcast_convert %s : (tensor<3x!quant.uniform<i4:f32, 0.5>>) -> tensor<3xi4>
  check.expect_eq_const %b, dense<[4, 7, 7]> : tensor<3xi4>
  return
}
