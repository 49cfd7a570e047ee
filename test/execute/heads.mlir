// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Heads as dims of matmuls (`tpuc-find-heads`) against the same with a barrier between matmul and reshape. All elements
// are small whole numbers: sums are exact. 40 rows and 24 lanes a head fill no tile.
// RUN: tpuc run %s
// RUN: tpuc run %s --target=v2
// RUN: tpuc run %s --target=v6e
func.func @main() {
  %x = call @numbers() : () -> tensor<16x40x72xf32>
  %wide = call @weights() : () -> tensor<72x216xf32>
  %bias0 = stablehlo.iota dim = 0 : tensor<216xf32>
  %bias = stablehlo.optimization_barrier %bias0 : tensor<216xf32>
  // Queries, keys and values of one weight with a bias.
  %xb = stablehlo.optimization_barrier %x : tensor<16x40x72xf32>  // not the same op twice
  %pa = stablehlo.dot_general %x, %wide, contracting_dims = [2] x [0]
      : (tensor<16x40x72xf32>, tensor<72x216xf32>) -> tensor<16x40x216xf32>
  %sa = stablehlo.broadcast_in_dim %bias, dims = [2] : (tensor<216xf32>) -> tensor<16x40x216xf32>
  %aa = stablehlo.add %pa, %sa : tensor<16x40x216xf32>
  %q0a = stablehlo.slice %aa [0:16, 0:40, 0:72] : (tensor<16x40x216xf32>) -> tensor<16x40x72xf32>
  %q1a = stablehlo.reshape %q0a : (tensor<16x40x72xf32>) -> tensor<16x40x3x24xf32>
  %q2a = stablehlo.transpose %q1a, dims = [0, 2, 1, 3] : (tensor<16x40x3x24xf32>) -> tensor<16x3x40x24xf32>
  %k0a = stablehlo.slice %aa [0:16, 0:40, 72:144] : (tensor<16x40x216xf32>) -> tensor<16x40x72xf32>
  %k1a = stablehlo.reshape %k0a : (tensor<16x40x72xf32>) -> tensor<16x40x3x24xf32>
  %k2a = stablehlo.transpose %k1a, dims = [0, 2, 1, 3] : (tensor<16x40x3x24xf32>) -> tensor<16x3x40x24xf32>
  %v0a = stablehlo.slice %aa [0:16, 0:40, 144:216] : (tensor<16x40x216xf32>) -> tensor<16x40x72xf32>
  %v1a = stablehlo.reshape %v0a : (tensor<16x40x72xf32>) -> tensor<16x40x3x24xf32>
  %v2a = stablehlo.transpose %v1a, dims = [0, 2, 1, 3] : (tensor<16x40x3x24xf32>) -> tensor<16x3x40x24xf32>
  %pb = stablehlo.dot_general %xb, %wide, contracting_dims = [2] x [0]
      : (tensor<16x40x72xf32>, tensor<72x216xf32>) -> tensor<16x40x216xf32>
  %sb = stablehlo.broadcast_in_dim %bias, dims = [2] : (tensor<216xf32>) -> tensor<16x40x216xf32>
  %ab = stablehlo.add %pb, %sb : tensor<16x40x216xf32>
  %kb = stablehlo.optimization_barrier %ab : tensor<16x40x216xf32>
  %q0b = stablehlo.slice %kb [0:16, 0:40, 0:72] : (tensor<16x40x216xf32>) -> tensor<16x40x72xf32>
  %q1b = stablehlo.reshape %q0b : (tensor<16x40x72xf32>) -> tensor<16x40x3x24xf32>
  %q2b = stablehlo.transpose %q1b, dims = [0, 2, 1, 3] : (tensor<16x40x3x24xf32>) -> tensor<16x3x40x24xf32>
  %k0b = stablehlo.slice %kb [0:16, 0:40, 72:144] : (tensor<16x40x216xf32>) -> tensor<16x40x72xf32>
  %k1b = stablehlo.reshape %k0b : (tensor<16x40x72xf32>) -> tensor<16x40x3x24xf32>
  %k2b = stablehlo.transpose %k1b, dims = [0, 2, 1, 3] : (tensor<16x40x3x24xf32>) -> tensor<16x3x40x24xf32>
  %v0b = stablehlo.slice %kb [0:16, 0:40, 144:216] : (tensor<16x40x216xf32>) -> tensor<16x40x72xf32>
  %v1b = stablehlo.reshape %v0b : (tensor<16x40x72xf32>) -> tensor<16x40x3x24xf32>
  %v2b = stablehlo.transpose %v1b, dims = [0, 2, 1, 3] : (tensor<16x40x3x24xf32>) -> tensor<16x3x40x24xf32>
  check.expect_eq %q2a, %q2b : tensor<16x3x40x24xf32>
  check.expect_eq %k2a, %k2b : tensor<16x3x40x24xf32>
  check.expect_eq %v2a, %v2b : tensor<16x3x40x24xf32>
  // Heads that are joined: contracted, and free in a gradient.
  %w0 = stablehlo.slice %wide [0:72, 5:77] : (tensor<72x216xf32>) -> tensor<72x72xf32>
  %w = stablehlo.optimization_barrier %w0 : tensor<72x72xf32>
  %h0 = stablehlo.reshape %x : (tensor<16x40x72xf32>) -> tensor<16x3x40x24xf32>
  %h = stablehlo.optimization_barrier %h0 : tensor<16x3x40x24xf32>
  %t = stablehlo.transpose %h, dims = [0, 2, 1, 3] : (tensor<16x3x40x24xf32>) -> tensor<16x40x3x24xf32>
  %j = stablehlo.reshape %t : (tensor<16x40x3x24xf32>) -> tensor<16x40x72xf32>
  %jb = stablehlo.optimization_barrier %j : tensor<16x40x72xf32>
  %oa = stablehlo.dot_general %j, %w, contracting_dims = [2] x [0]
      : (tensor<16x40x72xf32>, tensor<72x72xf32>) -> tensor<16x40x72xf32>
  %ga = stablehlo.dot_general %x, %j, contracting_dims = [0, 1] x [0, 1]
      : (tensor<16x40x72xf32>, tensor<16x40x72xf32>) -> tensor<72x72xf32>
  %fa = stablehlo.dot_general %j, %x, contracting_dims = [0, 1] x [0, 1]
      : (tensor<16x40x72xf32>, tensor<16x40x72xf32>) -> tensor<72x72xf32>
  %ob = stablehlo.dot_general %jb, %w, contracting_dims = [2] x [0]
      : (tensor<16x40x72xf32>, tensor<72x72xf32>) -> tensor<16x40x72xf32>
  %gb = stablehlo.dot_general %x, %jb, contracting_dims = [0, 1] x [0, 1]
      : (tensor<16x40x72xf32>, tensor<16x40x72xf32>) -> tensor<72x72xf32>
  %fb = stablehlo.dot_general %jb, %x, contracting_dims = [0, 1] x [0, 1]
      : (tensor<16x40x72xf32>, tensor<16x40x72xf32>) -> tensor<72x72xf32>
  check.expect_eq %oa, %ob : tensor<16x40x72xf32>
  check.expect_eq %ga, %gb : tensor<72x72xf32>
  check.expect_eq %fa, %fb : tensor<72x72xf32>
  %one = stablehlo.slice %oa [3:4, 4:5, 5:6] : (tensor<16x40x72xf32>) -> tensor<1x1x1xf32>
  check.expect_eq_const %one, dense<23.0> : tensor<1x1x1xf32>
  return
}

// ((sum of i * prime) mod 7) - 3.
func.func private @numbers() -> tensor<16x40x72xf32> {
  %i0 = stablehlo.iota dim = 0 : tensor<16x40x72xf32>
  %c0 = stablehlo.constant dense<5.0> : tensor<16x40x72xf32>
  %m0 = stablehlo.multiply %i0, %c0 : tensor<16x40x72xf32>
  %i1 = stablehlo.iota dim = 1 : tensor<16x40x72xf32>
  %c1 = stablehlo.constant dense<11.0> : tensor<16x40x72xf32>
  %m1 = stablehlo.multiply %i1, %c1 : tensor<16x40x72xf32>
  %s1 = stablehlo.add %m0, %m1 : tensor<16x40x72xf32>
  %i2 = stablehlo.iota dim = 2 : tensor<16x40x72xf32>
  %c2 = stablehlo.constant dense<3.0> : tensor<16x40x72xf32>
  %m2 = stablehlo.multiply %i2, %c2 : tensor<16x40x72xf32>
  %s2 = stablehlo.add %s1, %m2 : tensor<16x40x72xf32>
  %seven = stablehlo.constant dense<7.0> : tensor<16x40x72xf32>
  %three = stablehlo.constant dense<3.0> : tensor<16x40x72xf32>
  %r = stablehlo.remainder %s2, %seven : tensor<16x40x72xf32>
  %n = stablehlo.subtract %r, %three : tensor<16x40x72xf32>
  %b = stablehlo.optimization_barrier %n : tensor<16x40x72xf32>
  return %b : tensor<16x40x72xf32>
}

// ((sum of i * prime) mod 7) - 3.
func.func private @weights() -> tensor<72x216xf32> {
  %i0 = stablehlo.iota dim = 0 : tensor<72x216xf32>
  %c0 = stablehlo.constant dense<13.0> : tensor<72x216xf32>
  %m0 = stablehlo.multiply %i0, %c0 : tensor<72x216xf32>
  %i1 = stablehlo.iota dim = 1 : tensor<72x216xf32>
  %c1 = stablehlo.constant dense<3.0> : tensor<72x216xf32>
  %m1 = stablehlo.multiply %i1, %c1 : tensor<72x216xf32>
  %s1 = stablehlo.add %m0, %m1 : tensor<72x216xf32>
  %seven = stablehlo.constant dense<7.0> : tensor<72x216xf32>
  %three = stablehlo.constant dense<3.0> : tensor<72x216xf32>
  %r = stablehlo.remainder %s1, %seven : tensor<72x216xf32>
  %n = stablehlo.subtract %r, %three : tensor<72x216xf32>
  %b = stablehlo.optimization_barrier %n : tensor<72x216xf32>
  return %b : tensor<72x216xf32>
}
