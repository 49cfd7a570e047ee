// RUN: tpuc-opt %s --tpuc-inline-calls="max-ops=100" --split-input-file --verify-diagnostics

// expected-note@+1 {{the function that calls itself}}
func.func @main() {
  call @a() : () -> ()
  return
}
func.func private @a() {
  call @b() : () -> ()
  return
}
func.func private @b() {
  // expected-error@+1 {{expects calls without cycles, but @main is being called already}}
  call @main() : () -> ()
  return
}

// -----

func.func @main() {
  // expected-error@+1 {{expects a function with a body, but got @outside}}
  call @outside() : () -> ()
  return
}
func.func private @outside()

// -----

// 1 + 5 + 5 + 1 ops become 1 + 2 * (1 + 2 * (..)): each function doubles what it calls.
func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %0 = call @a(%x) : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
// expected-error@+1 {{expects 100 ops at most after inlining, but got more; repeat with stablehlo.while [TPUC-SIMPLIFY-001]}}
func.func private @a(%x: tensor<f32>) -> tensor<f32> {
  %0 = call @b(%x) : (tensor<f32>) -> tensor<f32>
  %1 = call @b(%0) : (tensor<f32>) -> tensor<f32>
  %2 = call @b(%1) : (tensor<f32>) -> tensor<f32>
  %3 = call @b(%2) : (tensor<f32>) -> tensor<f32>
  %4 = call @b(%3) : (tensor<f32>) -> tensor<f32>
  return %4 : tensor<f32>
}
func.func private @b(%x: tensor<f32>) -> tensor<f32> {
  %0 = call @c(%x) : (tensor<f32>) -> tensor<f32>
  %1 = call @c(%0) : (tensor<f32>) -> tensor<f32>
  %2 = call @c(%1) : (tensor<f32>) -> tensor<f32>
  %3 = call @c(%2) : (tensor<f32>) -> tensor<f32>
  %4 = call @c(%3) : (tensor<f32>) -> tensor<f32>
  return %4 : tensor<f32>
}
func.func private @c(%x: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.negate %x : tensor<f32>
  return %0 : tensor<f32>
}
