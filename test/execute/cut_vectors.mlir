// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two vectors of 300000 along lanes of an array with more dims, where VMEM holds neither: they come in parts.
// RUN: tpuc run %s --check --no-fuse --set=core.vmem_bytes=1048576
// RUN: tpuc run %s --check --no-fuse --set=core.vmem_bytes=1048576 --target=v4
func.func @main() {
  %i = stablehlo.iota dim = 0 : tensor<300000xi32>
  %k = stablehlo.constant dense<16> : tensor<300000xi32>
  %p = stablehlo.remainder %i, %k : tensor<300000xi32>
  %place = stablehlo.optimization_barrier %p : tensor<300000xi32>
  %f = stablehlo.convert %p : (tensor<300000xi32>) -> tensor<300000xf32>
  %v = stablehlo.optimization_barrier %f : tensor<300000xf32>
  %b = stablehlo.convert %f : (tensor<300000xf32>) -> tensor<300000xbf16>
  %narrow = stablehlo.optimization_barrier %b : tensor<300000xbf16>
  %w = stablehlo.broadcast_in_dim %place, dims = [1] : (tensor<300000xi32>) -> tensor<16x300000xi32>
  %n = stablehlo.iota dim = 0 : tensor<16x300000xi32>
  %is = stablehlo.compare EQ, %w, %n : (tensor<16x300000xi32>, tensor<16x300000xi32>) -> tensor<16x300000xi1>
  %x = stablehlo.broadcast_in_dim %v, dims = [1] : (tensor<300000xf32>) -> tensor<16x300000xf32>
  %y = stablehlo.broadcast_in_dim %narrow, dims = [1] : (tensor<300000xbf16>) -> tensor<16x300000xbf16>
  %wide = stablehlo.convert %y : (tensor<16x300000xbf16>) -> tensor<16x300000xf32>
  %xy = stablehlo.add %x, %wide : tensor<16x300000xf32>
  %z = stablehlo.constant dense<0.0> : tensor<16x300000xf32>
  %s = stablehlo.select %is, %xy, %z : tensor<16x300000xi1>, tensor<16x300000xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %m = stablehlo.reduce(%s init: %zero) applies stablehlo.add across dimensions = [1]
      : (tensor<16x300000xf32>, tensor<f32>) -> tensor<16xf32>
  %r = stablehlo.iota dim = 0 : tensor<16xf32>
  %c = stablehlo.constant dense<37500.0> : tensor<16xf32>
  %e = stablehlo.multiply %r, %c : tensor<16xf32>
  check.expect_eq %m, %e : tensor<16xf32>
  return
}
