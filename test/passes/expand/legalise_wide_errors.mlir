// RUN: tpuc-opt %s --tpuc-legalise-wide --split-input-file --verify-diagnostics

// No form in words yet.
func.func @power(%x: tensor<4xf64>) -> tensor<4xf64> {
  // expected-error @below {{expects an op with a form in 32-bit operations, but got 'stablehlo.remainder' of 'f64'; cast to a narrower type around it [TPUC-EXPAND-003]}}
  %0 = stablehlo.remainder %x, %x : tensor<4xf64>
  return %0 : tensor<4xf64>
}
