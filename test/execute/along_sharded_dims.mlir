// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ops along a sharded dimension give what they give where the array lies whole: sums up to each element, largest
// elements with their places among equal ones, transforms, drawn bits. Each result is the largest difference.
// RUN: tpuc run %s --check --matmul-precision=highest | FileCheck %s
// RUN: tpuc run %s --mesh=x:2 --target=v4 --matmul-precision=highest | FileCheck %s
// CHECK: result 0  f32  0
// CHECK: result 1  f32  0
// CHECK: result 2  i32  0
// CHECK: result 3  i1  true
// CHECK: result 4  i1  true
// CHECK: result 5  ui32  0
// CHECK: result 6  ui32  0
sdy.mesh @mesh = <["x"=4]>
func.func @main() -> (tensor<f32>, tensor<f32>, tensor<i32>, tensor<i1>, tensor<i1>, tensor<ui32>, tensor<ui32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %none = stablehlo.constant dense<0> : tensor<i32>
  %no = stablehlo.constant dense<0> : tensor<ui32>

  // 130 whole numbers in blocks of 33: sums are exact.
  %i = stablehlo.iota dim = 0 : tensor<130xi32>
  %seven = stablehlo.constant dense<7> : tensor<130xi32>
  %m = stablehlo.remainder %i, %seven : tensor<130xi32>
  %x = stablehlo.convert %m : (tensor<130xi32>) -> tensor<130xf32>
  %xs = sdy.sharding_constraint %x <@mesh, [{"x"}]> : tensor<130xf32>
  %xw = sdy.sharding_constraint %x <@mesh, [{}]> : tensor<130xf32>
  %s0 = func.call @sums(%xs) : (tensor<130xf32>) -> tensor<130xf32>
  %s1 = sdy.sharding_constraint %s0 <@mesh, [{"x"}]> : tensor<130xf32>
  %w0 = func.call @sums_whole(%xw) : (tensor<130xf32>) -> tensor<130xf32>
  %w1 = sdy.sharding_constraint %w0 <@mesh, [{}]> : tensor<130xf32>
  %d0 = stablehlo.subtract %s1, %w1 : tensor<130xf32>
  %a0 = stablehlo.abs %d0 : tensor<130xf32>
  %r0 = stablehlo.reduce(%a0 init: %zero) applies stablehlo.maximum across dimensions = [0]
      : (tensor<130xf32>, tensor<f32>) -> tensor<f32>

  // The 4 largest of 130 numbers of which only 7 differ.
  %ks:2 = chlo.top_k(%xs, k = 4) : tensor<130xf32> -> (tensor<4xf32>, tensor<4xi32>)
  %kw:2 = chlo.top_k(%xw, k = 4) : tensor<130xf32> -> (tensor<4xf32>, tensor<4xi32>)
  %d1 = stablehlo.subtract %ks#0, %kw#0 : tensor<4xf32>
  %a1 = stablehlo.abs %d1 : tensor<4xf32>
  %r1 = stablehlo.reduce(%a1 init: %zero) applies stablehlo.maximum across dimensions = [0]
      : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  %d2 = stablehlo.subtract %ks#1, %kw#1 : tensor<4xi32>
  %a2 = stablehlo.abs %d2 : tensor<4xi32>
  %r2 = stablehlo.reduce(%a2 init: %none) applies stablehlo.maximum across dimensions = [0]
      : (tensor<4xi32>, tensor<i32>) -> tensor<i32>

  // A line of 64 in four steps, and a plane of 8 x 6 with its first dimension sharded.
  %l0 = stablehlo.slice %x [0:64] : (tensor<130xf32>) -> tensor<64xf32>
  %ls = sdy.sharding_constraint %l0 <@mesh, [{"x"}]> : tensor<64xf32>
  %lw = sdy.sharding_constraint %l0 <@mesh, [{}]> : tensor<64xf32>
  %lc = stablehlo.convert %ls : (tensor<64xf32>) -> tensor<64xcomplex<f32>>
  %lb = stablehlo.convert %lw : (tensor<64xf32>) -> tensor<64xcomplex<f32>>
  %f0 = stablehlo.fft %lc, type = FFT, length = [64] : (tensor<64xcomplex<f32>>) -> tensor<64xcomplex<f32>>
  %f1 = stablehlo.fft %lb, type = FFT, length = [64] : (tensor<64xcomplex<f32>>) -> tensor<64xcomplex<f32>>
  %d3 = stablehlo.subtract %f0, %f1 : tensor<64xcomplex<f32>>
  %a3 = stablehlo.abs %d3 : (tensor<64xcomplex<f32>>) -> tensor<64xf32>
  %m3 = stablehlo.reduce(%a3 init: %zero) applies stablehlo.maximum across dimensions = [0]
      : (tensor<64xf32>, tensor<f32>) -> tensor<f32>
  %bound = stablehlo.constant dense<1.0e-4> : tensor<f32>
  %r3 = stablehlo.compare LT, %m3, %bound : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %p0 = stablehlo.slice %x [0:48] : (tensor<130xf32>) -> tensor<48xf32>
  %p1 = stablehlo.reshape %p0 : (tensor<48xf32>) -> tensor<8x6xf32>
  %ps = sdy.sharding_constraint %p1 <@mesh, [{"x"}, {}]> : tensor<8x6xf32>
  %pw = sdy.sharding_constraint %p1 <@mesh, [{}, {}]> : tensor<8x6xf32>
  %g0 = stablehlo.fft %ps, type = RFFT, length = [8, 6] : (tensor<8x6xf32>) -> tensor<8x4xcomplex<f32>>
  %g1 = stablehlo.fft %pw, type = RFFT, length = [8, 6] : (tensor<8x6xf32>) -> tensor<8x4xcomplex<f32>>
  %d4 = stablehlo.subtract %g0, %g1 : tensor<8x4xcomplex<f32>>
  %a4 = stablehlo.abs %d4 : (tensor<8x4xcomplex<f32>>) -> tensor<8x4xf32>
  %m4 = stablehlo.reduce(%a4 init: %zero) applies stablehlo.maximum across dimensions = [0, 1]
      : (tensor<8x4xf32>, tensor<f32>) -> tensor<f32>
  %r4 = stablehlo.compare LT, %m4, %bound : (tensor<f32>, tensor<f32>) -> tensor<i1>

  // Columns of bits: of Philox four of a counter, of Threefry pairs along the first even dimension.
  %state = stablehlo.constant dense<[7, 18446744073709551613]> : tensor<2xui64>
  %n0, %b0 = stablehlo.rng_bit_generator %state, algorithm = PHILOX
      : (tensor<2xui64>) -> (tensor<2xui64>, tensor<5x64xui32>)
  %n1, %b1 = stablehlo.rng_bit_generator %n0, algorithm = THREE_FRY
      : (tensor<2xui64>) -> (tensor<2xui64>, tensor<5x64xui32>)
  %bs = sdy.sharding_constraint %b0 <@mesh, [{}, {"x"}]> : tensor<5x64xui32>
  %ts = sdy.sharding_constraint %b1 <@mesh, [{}, {"x"}]> : tensor<5x64xui32>
  %same = stablehlo.optimization_barrier %state : tensor<2xui64>
  %n2, %b2 = stablehlo.rng_bit_generator %same, algorithm = PHILOX
      : (tensor<2xui64>) -> (tensor<2xui64>, tensor<5x64xui32>)
  %n3, %b3 = stablehlo.rng_bit_generator %n2, algorithm = THREE_FRY
      : (tensor<2xui64>) -> (tensor<2xui64>, tensor<5x64xui32>)
  %bw = sdy.sharding_constraint %b2 <@mesh, [{}, {}]> : tensor<5x64xui32>
  %tw = sdy.sharding_constraint %b3 <@mesh, [{}, {}]> : tensor<5x64xui32>
  %d5 = stablehlo.xor %bs, %bw : tensor<5x64xui32>
  %d6 = stablehlo.xor %ts, %tw : tensor<5x64xui32>
  %r5 = stablehlo.reduce(%d5 init: %no) applies stablehlo.or across dimensions = [0, 1]
      : (tensor<5x64xui32>, tensor<ui32>) -> tensor<ui32>
  %r6 = stablehlo.reduce(%d6 init: %no) applies stablehlo.or across dimensions = [0, 1]
      : (tensor<5x64xui32>, tensor<ui32>) -> tensor<ui32>
  return %r0, %r1, %r2, %r3, %r4, %r5, %r6
      : tensor<f32>, tensor<f32>, tensor<i32>, tensor<i1>, tensor<i1>, tensor<ui32>, tensor<ui32>
}

func.func private @sums(%a: tensor<130xf32>) -> tensor<130xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%a, %zero) <{window_dimensions = array<i64: 130>,
      padding = dense<[[129, 0]]> : tensor<1x2xi64>}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %s = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<130xf32>, tensor<f32>) -> tensor<130xf32>
  return %0 : tensor<130xf32>
}

func.func private @sums_whole(%a: tensor<130xf32>) -> tensor<130xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%a, %zero) <{window_dimensions = array<i64: 130>,
      padding = dense<[[129, 0]]> : tensor<1x2xi64>}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %s = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<130xf32>, tensor<f32>) -> tensor<130xf32>
  return %0 : tensor<130xf32>
}
