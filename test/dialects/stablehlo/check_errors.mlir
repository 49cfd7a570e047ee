// RUN: tpuc-opt %s --split-input-file --verify-diagnostics

func.func @types(%x: tensor<2xf32>, %y: tensor<3xf32>) {
  // expected-error@+1 {{expects values of one type, but got 'tensor<2xf32>' and 'tensor<3xf32>'}}
  "check.expect_eq"(%x, %y) : (tensor<2xf32>, tensor<3xf32>) -> ()
  return
}

// -----

// Integers are equal or not.
func.func @integers(%x: tensor<2xi32>) {
  // expected-error@+1 {{operand #0 must be ranked tensor of floating-point, complex type}}
  check.expect_almost_eq %x, %x : tensor<2xi32>
  return
}
