// RUN: tpuc-opt %s --tpuc-legalise-wide --split-input-file --verify-diagnostics

// No form in words yet.
func.func @power(%x: tensor<4xf64>) -> tensor<4xf64> {
  // expected-error @below {{TPUC-EXPAND-003: 'stablehlo.remainder' has no lowering to the instruction set for 'f64'}}
  %0 = stablehlo.remainder %x, %x : tensor<4xf64>
  return %0 : tensor<4xf64>
}
