// RUN: tpuc-opt %s --tpuc-verify-simplify --split-input-file --verify-diagnostics

// A second function: inlining has not run.
module {
  func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
    return %x : tensor<4xf32>
  }
  // expected-error@+1 {{expects no function besides @main, but got @f [TPUC-STAGE-001]}}
  func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> {
    return %x : tensor<4xf32>
  }
}

// -----

// No entry.
// expected-error@+1 {{expects a function @main with a body [TPUC-STAGE-001]}}
module {
}

// -----

// A call of itself: the import refuses cycles, so a stage must have made it.
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{expects no calls, but got one of @main}}
  %0 = func.call @main(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// Ops of chlo are written in stablehlo; lgamma of f32 too.
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{expects ops of stablehlo, but got 'chlo.lgamma'}}
  %0 = chlo.lgamma %x : tensor<4xf32> -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
