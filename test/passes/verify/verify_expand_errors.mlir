// RUN: tpuc-opt %s --tpuc-verify-expand --split-input-file --verify-diagnostics

// An extent that is not known: shapes are static from here on.
// expected-error@+1 {{expects arrays of known size, but got 'tensor<?xf32>' [TPUC-STAGE-001]}}
func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  return %x : tensor<?xf32>
}

// -----

// An op of linear algebra.
func.func @main(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-error@+1 {{expects plain ops, but got 'stablehlo.cholesky' [TPUC-STAGE-001]}}
  %0 = stablehlo.cholesky %x, lower = true : tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// -----

// Arithmetic on f64; arguments and results may be of any type.
func.func @main(%x: tensor<4xf64>) -> tensor<4xf64> {
  // expected-error@+1 {{expects elements that a lane of 32 bits holds, but got 'f64' [TPUC-STAGE-001]}}
  %0 = stablehlo.add %x, %x : tensor<4xf64>
  return %0 : tensor<4xf64>
}
