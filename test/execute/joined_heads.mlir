// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Batch and heads in one dim, as PyTorch's attention has them, and parted (`tpuc-undo-joins`), against the same behind
// barriers. 3 batches by 5 heads of 16: no part fills a tile. A mask for each head of the batch, a sum over all of
// them, a sum over the batch's dim alone, which sees where each part went.
// RUN: tpuc run %s --random=1 --check --matmul-precision=highest
// RUN: tpuc run %s --random=1 --check --matmul-precision=highest --target=v2
// RUN: tpuc run %s --random=1 --check --matmul-precision=highest --target=v6e
func.func @main(%q: tensor<40x3x80xf32>, %k: tensor<24x3x80xf32>, %m: tensor<3x5x24xf32>)
    -> (tensor<120x80xf32>, tensor<40x24xf32>) {
  %q0 = stablehlo.reshape %q : (tensor<40x3x80xf32>) -> tensor<40x15x16xf32>
  %k0 = stablehlo.reshape %k : (tensor<24x3x80xf32>) -> tensor<24x15x16xf32>
  %m0 = stablehlo.reshape %m : (tensor<3x5x24xf32>) -> tensor<15x1x24xf32>
  %o:2 = call @attention(%q0, %k0, %m0) : (tensor<40x15x16xf32>, tensor<24x15x16xf32>, tensor<15x1x24xf32>)
      -> (tensor<40x15x16xf32>, tensor<40x24xf32>)
  %r = stablehlo.reshape %o#0 : (tensor<40x15x16xf32>) -> tensor<120x80xf32>
  %qx = stablehlo.optimization_barrier %q : tensor<40x3x80xf32>
  %qy = stablehlo.reshape %qx : (tensor<40x3x80xf32>) -> tensor<40x15x16xf32>
  %q1 = stablehlo.optimization_barrier %qy : tensor<40x15x16xf32>
  %kx = stablehlo.optimization_barrier %k : tensor<24x3x80xf32>
  %ky = stablehlo.reshape %kx : (tensor<24x3x80xf32>) -> tensor<24x15x16xf32>
  %k1 = stablehlo.optimization_barrier %ky : tensor<24x15x16xf32>
  %mx = stablehlo.optimization_barrier %m : tensor<3x5x24xf32>
  %my = stablehlo.reshape %mx : (tensor<3x5x24xf32>) -> tensor<15x1x24xf32>
  %m1 = stablehlo.optimization_barrier %my : tensor<15x1x24xf32>
  %p:2 = call @attention(%q1, %k1, %m1) : (tensor<40x15x16xf32>, tensor<24x15x16xf32>, tensor<15x1x24xf32>)
      -> (tensor<40x15x16xf32>, tensor<40x24xf32>)
  %p0 = stablehlo.optimization_barrier %p#0 : tensor<40x15x16xf32>
  %s = stablehlo.reshape %p0 : (tensor<40x15x16xf32>) -> tensor<120x80xf32>
  check.expect_close %r, %s, max_ulp_difference = 64 : tensor<120x80xf32>, tensor<120x80xf32>
  check.expect_close %o#1, %p#1, max_ulp_difference = 64 : tensor<40x24xf32>, tensor<40x24xf32>
  return %r, %o#1 : tensor<120x80xf32>, tensor<40x24xf32>
}

func.func private @attention(%q: tensor<40x15x16xf32>, %k: tensor<24x15x16xf32>, %m: tensor<15x1x24xf32>)
    -> (tensor<40x15x16xf32>, tensor<40x24xf32>) {
  %q0 = stablehlo.transpose %q, dims = [1, 0, 2] : (tensor<40x15x16xf32>) -> tensor<15x40x16xf32>
  %k0 = stablehlo.transpose %k, dims = [1, 2, 0] : (tensor<24x15x16xf32>) -> tensor<15x16x24xf32>
  %0 = stablehlo.dot_general %q0, %k0, batching_dims = [0] x [0], contracting_dims = [2] x [1]
      : (tensor<15x40x16xf32>, tensor<15x16x24xf32>) -> tensor<15x40x24xf32>
  %1 = stablehlo.broadcast_in_dim %m, dims = [0, 1, 2] : (tensor<15x1x24xf32>) -> tensor<15x40x24xf32>
  %2 = stablehlo.add %0, %1 : tensor<15x40x24xf32>
  %3 = stablehlo.logistic %2 : tensor<15x40x24xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %4 = stablehlo.reduce(%3 init: %zero) applies stablehlo.add across dimensions = [2]
      : (tensor<15x40x24xf32>, tensor<f32>) -> tensor<15x40xf32>
  %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<15x40xf32>) -> tensor<15x40x24xf32>
  %6 = stablehlo.divide %3, %5 : tensor<15x40x24xf32>
  %7 = stablehlo.reduce(%6 init: %zero) applies stablehlo.add across dimensions = [0]
      : (tensor<15x40x24xf32>, tensor<f32>) -> tensor<40x24xf32>
  %v = stablehlo.transpose %k, dims = [1, 0, 2] : (tensor<24x15x16xf32>) -> tensor<15x24x16xf32>
  %8 = stablehlo.dot_general %6, %v, batching_dims = [0] x [0], contracting_dims = [2] x [1]
      : (tensor<15x40x24xf32>, tensor<15x24x16xf32>) -> tensor<15x40x16xf32>
  %9 = stablehlo.transpose %8, dims = [1, 0, 2] : (tensor<15x40x16xf32>) -> tensor<40x15x16xf32>
  return %9, %7 : tensor<40x15x16xf32>, tensor<40x24xf32>
}
