// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lines that lie in blocks on eight or sixteen devices: sorted by exchanges of blocks, they are what one device makes
// of them, equal elements in their order; so are real numbers from half of their transform. Results are how much they
// differ by.
// RUN: tpuc run %s --check --matmul-precision=highest | FileCheck %s
// RUN: tpuc run %s --mesh=x:16 --target=v4 --matmul-precision=highest | FileCheck %s
// RUN: tpuc compile %s --stop-after=shard | FileCheck %s --check-prefix=BLOCKS
// CHECK: result 0  i32  0
// CHECK: result 1  i32  0
// CHECK: result 2  i32  0
// CHECK: result 3  i1  true
// Six meetings of a block of 17 with another.
// BLOCKS: "stablehlo.collective_permute"{{.*}}tensor<17xi32>
sdy.mesh @mesh = <["x"=8]>
func.func @main() -> (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i1>) {
  %none = stablehlo.constant dense<0> : tensor<i32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>

  // 130 numbers of 31 kinds, in blocks of 17: the last of eight has 11, of sixteen (of 9) the last two have 4 and none.
  %i = stablehlo.iota dim = 0 : tensor<130xi32>
  %factor = stablehlo.constant dense<37> : tensor<130xi32>
  %kinds = stablehlo.constant dense<31> : tensor<130xi32>
  %m = stablehlo.multiply %i, %factor : tensor<130xi32>
  %x = stablehlo.remainder %m, %kinds : tensor<130xi32>
  %xs = sdy.sharding_constraint %x <@mesh, [{"x"}]> : tensor<130xi32>
  %xw = sdy.sharding_constraint %x <@mesh, [{}]> : tensor<130xi32>

  %s0 = "stablehlo.sort"(%xs) <{dimension = 0 : i64}> ({
  ^bb0(%p: tensor<i32>, %q: tensor<i32>):
    %c = stablehlo.compare GT, %p, %q : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) : (tensor<130xi32>) -> tensor<130xi32>
  %s1 = sdy.sharding_constraint %s0 <@mesh, [{"x"}]> : tensor<130xi32>
  %w0 = "stablehlo.sort"(%xw) <{dimension = 0 : i64}> ({
  ^bb0(%p: tensor<i32>, %q: tensor<i32>):
    %c = stablehlo.compare GT, %p, %q : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) : (tensor<130xi32>) -> tensor<130xi32>
  %w1 = sdy.sharding_constraint %w0 <@mesh, [{}]> : tensor<130xi32>
  %d0 = stablehlo.subtract %s1, %w1 : tensor<130xi32>
  %a0 = stablehlo.abs %d0 : tensor<130xi32>
  %r0 = stablehlo.reduce(%a0 init: %none) applies stablehlo.maximum across dimensions = [0]
      : (tensor<130xi32>, tensor<i32>) -> tensor<i32>

  // Numbers with their places: equal numbers stay in order.
  %f = stablehlo.convert %x : (tensor<130xi32>) -> tensor<130xf32>
  %fs = sdy.sharding_constraint %f <@mesh, [{"x"}]> : tensor<130xf32>
  %fw = sdy.sharding_constraint %f <@mesh, [{}]> : tensor<130xf32>
  %iw = sdy.sharding_constraint %i <@mesh, [{}]> : tensor<130xi32>
  %t:2 = "stablehlo.sort"(%fs, %i) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>, %pi: tensor<i32>, %qi: tensor<i32>):
    %c = stablehlo.compare LT, %p, %q : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) : (tensor<130xf32>, tensor<130xi32>) -> (tensor<130xf32>, tensor<130xi32>)
  %t0 = sdy.sharding_constraint %t#0 <@mesh, [{"x"}]> : tensor<130xf32>
  %t1 = sdy.sharding_constraint %t#1 <@mesh, [{"x"}]> : tensor<130xi32>
  %u:2 = "stablehlo.sort"(%fw, %iw) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>, %pi: tensor<i32>, %qi: tensor<i32>):
    %c = stablehlo.compare LT, %p, %q : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) : (tensor<130xf32>, tensor<130xi32>) -> (tensor<130xf32>, tensor<130xi32>)
  %u1 = sdy.sharding_constraint %u#1 <@mesh, [{}]> : tensor<130xi32>
  %d1 = stablehlo.subtract %t1, %u1 : tensor<130xi32>
  %a1 = stablehlo.abs %d1 : tensor<130xi32>
  %r1 = stablehlo.reduce(%a1 init: %none) applies stablehlo.maximum across dimensions = [0]
      : (tensor<130xi32>, tensor<i32>) -> tensor<i32>
  %d2 = stablehlo.subtract %t0, %u#0 : tensor<130xf32>
  %a2 = stablehlo.abs %d2 : tensor<130xf32>
  %m2 = stablehlo.reduce(%a2 init: %zero) applies stablehlo.maximum across dimensions = [0]
      : (tensor<130xf32>, tensor<f32>) -> tensor<f32>
  %r2 = stablehlo.convert %m2 : (tensor<f32>) -> tensor<i32>

  // 1024 real numbers from 513 complex ones. The imaginary parts of the first and of the last are no part of it.
  %k = stablehlo.iota dim = 0 : tensor<513xf32>
  %step = stablehlo.constant dense<0.37> : tensor<513xf32>
  %angle = stablehlo.multiply %k, %step : tensor<513xf32>
  %real = stablehlo.cosine %angle : tensor<513xf32>
  %sine = stablehlo.sine %k : tensor<513xf32>
  %one = stablehlo.constant dense<1.0> : tensor<513xf32>
  %imag = stablehlo.add %sine, %one : tensor<513xf32>
  %z = stablehlo.complex %real, %imag : tensor<513xcomplex<f32>>
  %zs = sdy.sharding_constraint %z <@mesh, [{"x"}]> : tensor<513xcomplex<f32>>
  %zw = sdy.sharding_constraint %z <@mesh, [{}]> : tensor<513xcomplex<f32>>
  %g0 = stablehlo.fft %zs, type = IRFFT, length = [1024] : (tensor<513xcomplex<f32>>) -> tensor<1024xf32>
  %g1 = sdy.sharding_constraint %g0 <@mesh, [{"x"}]> : tensor<1024xf32>
  %h0 = stablehlo.fft %zw, type = IRFFT, length = [1024] : (tensor<513xcomplex<f32>>) -> tensor<1024xf32>
  %h1 = sdy.sharding_constraint %h0 <@mesh, [{}]> : tensor<1024xf32>
  %d3 = stablehlo.subtract %g1, %h1 : tensor<1024xf32>
  %a3 = stablehlo.abs %d3 : tensor<1024xf32>
  %m3 = stablehlo.reduce(%a3 init: %zero) applies stablehlo.maximum across dimensions = [0]
      : (tensor<1024xf32>, tensor<f32>) -> tensor<f32>
  %small = stablehlo.constant dense<1.0e-6> : tensor<f32>
  %r3 = stablehlo.compare LT, %m3, %small : (tensor<f32>, tensor<f32>) -> tensor<i1>
  return %r0, %r1, %r2, %r3 : tensor<i32>, tensor<i32>, tensor<i32>, tensor<i1>
}
