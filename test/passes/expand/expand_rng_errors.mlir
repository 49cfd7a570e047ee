// RUN: tpuc-opt %s --tpuc-expand-rng --verify-diagnostics

// Another generator.
func.func @philox(%state: tensor<3xui64>) -> (tensor<3xui64>, tensor<6xui32>) {
  // expected-error @below {{expects algorithm THREE_FRY with a state of two 64-bit words, but got PHILOX}}
  %0, %1 = stablehlo.rng_bit_generator %state, algorithm = PHILOX : (tensor<3xui64>) -> (tensor<3xui64>, tensor<6xui32>)
  return %0, %1 : tensor<3xui64>, tensor<6xui32>
}
