// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Small matmuls of two batch dims, and of columns with a leading dim, are one run of a kernel (`passes/plan/dot`), as
// they are with those dims as one. Elements are small whole numbers, so that all sums are exact. Four arrays share
// neither 37 nor 3 evenly, and the last block of either is short where VMEM is small.
// RUN: tpuc run %s
// RUN: tpuc run %s --target=v2
// RUN: tpuc run %s --target=v6e
// RUN: tpuc run %s --set=core.vmem_bytes=1048576
// RUN: tpuc run %s --set=hbm_bandwidth_gbps=5
func.func @main() {
  %q = call @numbers() : () -> tensor<37x3x49x32xf32>
  %k = stablehlo.reverse %q, dims = [2, 3] : tensor<37x3x49x32xf32>
  %qb = stablehlo.optimization_barrier %q : tensor<37x3x49x32xf32>
  %kb = stablehlo.optimization_barrier %k : tensor<37x3x49x32xf32>
  %q1 = stablehlo.reshape %qb : (tensor<37x3x49x32xf32>) -> tensor<111x49x32xf32>
  %k1 = stablehlo.reshape %kb : (tensor<37x3x49x32xf32>) -> tensor<111x49x32xf32>

  // Batches [37, 3].
  %s = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3]
      : (tensor<37x3x49x32xf32>, tensor<37x3x49x32xf32>) -> tensor<37x3x49x49xf32>
  %s1 = stablehlo.dot_general %q1, %k1, batching_dims = [0] x [0], contracting_dims = [2] x [2]
      : (tensor<111x49x32xf32>, tensor<111x49x32xf32>) -> tensor<111x49x49xf32>
  %s2 = stablehlo.reshape %s1 : (tensor<111x49x49xf32>) -> tensor<37x3x49x49xf32>
  check.expect_eq %s, %s2 : tensor<37x3x49x49xf32>

  // Columns [37, 49], rows [3, 32].
  %x0 = stablehlo.reshape %kb : (tensor<37x3x49x32xf32>) -> tensor<37x49x96xf32>
  %x = stablehlo.optimization_barrier %x0 : tensor<37x49x96xf32>
  %w0 = stablehlo.slice %x [0:2, 0:48, 0:96] : (tensor<37x49x96xf32>) -> tensor<2x48x96xf32>
  %w1 = stablehlo.reshape %w0 : (tensor<2x48x96xf32>) -> tensor<3x32x96xf32>
  %w = stablehlo.optimization_barrier %w1 : tensor<3x32x96xf32>
  %p0 = stablehlo.dot_general %x, %w, contracting_dims = [2] x [2]
      : (tensor<37x49x96xf32>, tensor<3x32x96xf32>) -> tensor<37x49x3x32xf32>
  %p = stablehlo.transpose %p0, dims = [0, 2, 3, 1] : (tensor<37x49x3x32xf32>) -> tensor<37x3x32x49xf32>
  %xb = stablehlo.optimization_barrier %x : tensor<37x49x96xf32>
  %wb = stablehlo.optimization_barrier %w : tensor<3x32x96xf32>
  %rows = stablehlo.reshape %xb : (tensor<37x49x96xf32>) -> tensor<1813x96xf32>
  %columns = stablehlo.reshape %wb : (tensor<3x32x96xf32>) -> tensor<96x96xf32>
  %r0 = stablehlo.dot_general %rows, %columns, contracting_dims = [1] x [1]
      : (tensor<1813x96xf32>, tensor<96x96xf32>) -> tensor<1813x96xf32>
  %r1 = stablehlo.reshape %r0 : (tensor<1813x96xf32>) -> tensor<37x49x3x32xf32>
  %r = stablehlo.transpose %r1, dims = [0, 2, 3, 1] : (tensor<37x49x3x32xf32>) -> tensor<37x3x32x49xf32>
  check.expect_eq %p, %r : tensor<37x3x32x49xf32>
  %some = stablehlo.slice %p [7:8, 2:3, 9:10, 40:41] : (tensor<37x3x32x49xf32>) -> tensor<1x1x1x1xf32>
  check.expect_eq_const %some, dense<-189.0> : tensor<1x1x1x1xf32>
  return
}

// ((5 b + 11 h + 3 s + 13 d) mod 7) - 3.
func.func private @numbers() -> tensor<37x3x49x32xf32> {
  %i0 = stablehlo.iota dim = 0 : tensor<37x3x49x32xf32>
  %c0 = stablehlo.constant dense<5.0> : tensor<37x3x49x32xf32>
  %m0 = stablehlo.multiply %i0, %c0 : tensor<37x3x49x32xf32>
  %i1 = stablehlo.iota dim = 1 : tensor<37x3x49x32xf32>
  %c1 = stablehlo.constant dense<11.0> : tensor<37x3x49x32xf32>
  %m1 = stablehlo.multiply %i1, %c1 : tensor<37x3x49x32xf32>
  %i2 = stablehlo.iota dim = 2 : tensor<37x3x49x32xf32>
  %c2 = stablehlo.constant dense<3.0> : tensor<37x3x49x32xf32>
  %m2 = stablehlo.multiply %i2, %c2 : tensor<37x3x49x32xf32>
  %i3 = stablehlo.iota dim = 3 : tensor<37x3x49x32xf32>
  %c3 = stablehlo.constant dense<13.0> : tensor<37x3x49x32xf32>
  %m3 = stablehlo.multiply %i3, %c3 : tensor<37x3x49x32xf32>
  %s0 = stablehlo.add %m0, %m1 : tensor<37x3x49x32xf32>
  %s1 = stablehlo.add %s0, %m2 : tensor<37x3x49x32xf32>
  %s2 = stablehlo.add %s1, %m3 : tensor<37x3x49x32xf32>
  %seven = stablehlo.constant dense<7.0> : tensor<37x3x49x32xf32>
  %three = stablehlo.constant dense<3.0> : tensor<37x3x49x32xf32>
  %r = stablehlo.remainder %s2, %seven : tensor<37x3x49x32xf32>
  %n = stablehlo.subtract %r, %three : tensor<37x3x49x32xf32>
  %b = stablehlo.optimization_barrier %n : tensor<37x3x49x32xf32>
  return %b : tensor<37x3x49x32xf32>
}
