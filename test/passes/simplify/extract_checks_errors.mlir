// RUN: tpuc-opt %s --tpuc-extract-checks --split-input-file --verify-diagnostics

// How often a loop runs is not known, so neither is how many values there are to compare.
func.func @main(%x: tensor<2xf32>, %p: tensor<i1>) {
  stablehlo.while(%y = %x) : tensor<2xf32>
  cond {
    stablehlo.return %p : tensor<i1>
  } do {
    // expected-error @+1 {{expects checks at the top of main, but got one within 'stablehlo.while'; return the value and check it there [TPUC-CHECK-003]}}
    check.expect_eq %y, %x : tensor<2xf32>
    stablehlo.return %y : tensor<2xf32>
  }
  return
}
