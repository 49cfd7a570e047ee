// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lanes that are dealt to rows, as steps along lanes: a pixel shuffle as PyTorch has it, 3 elements that take turns, 24
// in two dims. Elements are numbers of their places, against the same numbers made in the result's places.
// RUN: tpuc run %s --check
// RUN: tpuc run %s --check --target=v5p
// RUN: tpuc run %s --check --target=v6e
func.func @main() {
  // [b, h, w, (c, p, q)]: 16 h + 64 c + 4 p + q mod 251, as bf16.
  %h = stablehlo.iota dim = 1 : tensor<4x16x16x256xi32>
  %l = stablehlo.iota dim = 3 : tensor<4x16x16x256xi32>
  %h16 = stablehlo.constant dense<16> : tensor<4x16x16x256xi32>
  %prime = stablehlo.constant dense<251> : tensor<4x16x16x256xi32>
  %hs = stablehlo.multiply %h, %h16 : tensor<4x16x16x256xi32>
  %xs = stablehlo.add %hs, %l : tensor<4x16x16x256xi32>
  %xm = stablehlo.remainder %xs, %prime : tensor<4x16x16x256xi32>
  %x = stablehlo.convert %xm : (tensor<4x16x16x256xi32>) -> tensor<4x16x16x256xbf16>
  %0 = stablehlo.reshape %x : (tensor<4x16x16x256xbf16>) -> tensor<4x16x16x64x2x2xbf16>
  %1 = stablehlo.transpose %0, dims = [0, 1, 4, 2, 5, 3]
      : (tensor<4x16x16x64x2x2xbf16>) -> tensor<4x16x2x16x2x64xbf16>
  %2 = stablehlo.reshape %1 : (tensor<4x16x2x16x2x64xbf16>) -> tensor<4x32x32x64xbf16>
  %eh = stablehlo.iota dim = 1 : tensor<4x16x2x16x2x64xi32>
  %ep = stablehlo.iota dim = 2 : tensor<4x16x2x16x2x64xi32>
  %eq = stablehlo.iota dim = 4 : tensor<4x16x2x16x2x64xi32>
  %ec = stablehlo.iota dim = 5 : tensor<4x16x2x16x2x64xi32>
  %e16 = stablehlo.constant dense<16> : tensor<4x16x2x16x2x64xi32>
  %e4 = stablehlo.constant dense<4> : tensor<4x16x2x16x2x64xi32>
  %e2 = stablehlo.constant dense<2> : tensor<4x16x2x16x2x64xi32>
  %e251 = stablehlo.constant dense<251> : tensor<4x16x2x16x2x64xi32>
  %ehs = stablehlo.multiply %eh, %e16 : tensor<4x16x2x16x2x64xi32>
  %ecs = stablehlo.multiply %ec, %e4 : tensor<4x16x2x16x2x64xi32>
  %eps = stablehlo.multiply %ep, %e2 : tensor<4x16x2x16x2x64xi32>
  %es0 = stablehlo.add %ehs, %ecs : tensor<4x16x2x16x2x64xi32>
  %es1 = stablehlo.add %eps, %eq : tensor<4x16x2x16x2x64xi32>
  %es = stablehlo.add %es0, %es1 : tensor<4x16x2x16x2x64xi32>
  %em = stablehlo.remainder %es, %e251 : tensor<4x16x2x16x2x64xi32>
  %ef = stablehlo.convert %em : (tensor<4x16x2x16x2x64xi32>) -> tensor<4x16x2x16x2x64xbf16>
  %expected = stablehlo.reshape %ef : (tensor<4x16x2x16x2x64xbf16>) -> tensor<4x32x32x64xbf16>
  check.expect_eq %2, %expected : tensor<4x32x32x64xbf16>

  // [r, (n, 3)] and [r, (n, 4, 6)] of i32: 3 n + t and 24 n + 6 t + u, and a thousand a row.
  %r3 = stablehlo.iota dim = 0 : tensor<70x300xi32>
  %l3 = stablehlo.iota dim = 1 : tensor<70x300xi32>
  %k3 = stablehlo.constant dense<1000> : tensor<70x300xi32>
  %rk3 = stablehlo.multiply %r3, %k3 : tensor<70x300xi32>
  %y3 = stablehlo.add %rk3, %l3 : tensor<70x300xi32>
  %3 = stablehlo.reshape %y3 : (tensor<70x300xi32>) -> tensor<70x100x3xi32>
  %4 = stablehlo.transpose %3, dims = [2, 0, 1] : (tensor<70x100x3xi32>) -> tensor<3x70x100xi32>
  %t3 = stablehlo.iota dim = 0 : tensor<3x70x100xi32>
  %er3 = stablehlo.iota dim = 1 : tensor<3x70x100xi32>
  %n3 = stablehlo.iota dim = 2 : tensor<3x70x100xi32>
  %c1000 = stablehlo.constant dense<1000> : tensor<3x70x100xi32>
  %c3 = stablehlo.constant dense<3> : tensor<3x70x100xi32>
  %er = stablehlo.multiply %er3, %c1000 : tensor<3x70x100xi32>
  %en = stablehlo.multiply %n3, %c3 : tensor<3x70x100xi32>
  %ent = stablehlo.add %en, %t3 : tensor<3x70x100xi32>
  %e3 = stablehlo.add %er, %ent : tensor<3x70x100xi32>
  check.expect_eq %4, %e3 : tensor<3x70x100xi32>

  %r24 = stablehlo.iota dim = 0 : tensor<17x1560xi32>
  %l24 = stablehlo.iota dim = 1 : tensor<17x1560xi32>
  %k24 = stablehlo.constant dense<10000> : tensor<17x1560xi32>
  %rk24 = stablehlo.multiply %r24, %k24 : tensor<17x1560xi32>
  %y24 = stablehlo.add %rk24, %l24 : tensor<17x1560xi32>
  %5 = stablehlo.reshape %y24 : (tensor<17x1560xi32>) -> tensor<17x65x4x6xi32>
  %6 = stablehlo.transpose %5, dims = [3, 0, 2, 1] : (tensor<17x65x4x6xi32>) -> tensor<6x17x4x65xi32>
  %u = stablehlo.iota dim = 0 : tensor<6x17x4x65xi32>
  %r = stablehlo.iota dim = 1 : tensor<6x17x4x65xi32>
  %t = stablehlo.iota dim = 2 : tensor<6x17x4x65xi32>
  %n = stablehlo.iota dim = 3 : tensor<6x17x4x65xi32>
  %c10000 = stablehlo.constant dense<10000> : tensor<6x17x4x65xi32>
  %c24 = stablehlo.constant dense<24> : tensor<6x17x4x65xi32>
  %c6 = stablehlo.constant dense<6> : tensor<6x17x4x65xi32>
  %rs = stablehlo.multiply %r, %c10000 : tensor<6x17x4x65xi32>
  %ns = stablehlo.multiply %n, %c24 : tensor<6x17x4x65xi32>
  %ts = stablehlo.multiply %t, %c6 : tensor<6x17x4x65xi32>
  %rn = stablehlo.add %rs, %ns : tensor<6x17x4x65xi32>
  %tu = stablehlo.add %ts, %u : tensor<6x17x4x65xi32>
  %e24 = stablehlo.add %rn, %tu : tensor<6x17x4x65xi32>
  check.expect_eq %6, %e24 : tensor<6x17x4x65xi32>
  return
}
