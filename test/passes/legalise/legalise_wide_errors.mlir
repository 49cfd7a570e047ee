// RUN: tpuc-opt %s --tpuc-legalise-wide --split-input-file --verify-diagnostics

// --tpuc-expand-bits rewrites it before; words have no form of it.
func.func @reduce(%x: tensor<4xf64>) -> tensor<4xf64> {
  // expected-error @below {{expects an op with a form in 32-bit operations, but got 'stablehlo.reduce_precision' of 'f64'; cast to a narrower type around it [TPUC-EXPAND-003]}}
  %0 = stablehlo.reduce_precision %x, format = e5m10 : tensor<4xf64>
  return %0 : tensor<4xf64>
}
