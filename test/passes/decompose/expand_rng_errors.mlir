// RUN: tpuc-opt %s --tpuc-expand-rng --verify-diagnostics

// A key and a counter of 32 bits.
func.func @narrow(%state: tensor<2xui32>) -> (tensor<2xui32>, tensor<6xui32>) {
  // expected-error @below {{expects a state of two 64-bit words, or three for PHILOX, but got PHILOX with 'tensor<2xui32>'}}
  %0, %1 = stablehlo.rng_bit_generator %state, algorithm = PHILOX : (tensor<2xui32>) -> (tensor<2xui32>, tensor<6xui32>)
  return %0, %1 : tensor<2xui32>, tensor<6xui32>
}
