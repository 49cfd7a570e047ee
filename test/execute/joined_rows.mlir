// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Packed rows that are put together out of step, as selections: a token before its rows, a roll, three parts of 7, 30
// and 64 rows of int8. Elements are numbers of their rows and lanes, against the same made in the result's places.
// RUN: tpuc run %s --check
// RUN: tpuc run %s --check --target=v5p
// RUN: tpuc run %s --check --target=v6e
func.func @main() {
  // 100 rows of bf16: 2 r + l mod 128.
  %r = stablehlo.iota dim = 1 : tensor<40x100x768xi32>
  %l = stablehlo.iota dim = 2 : tensor<40x100x768xi32>
  %two = stablehlo.constant dense<2> : tensor<40x100x768xi32>
  %c128 = stablehlo.constant dense<128> : tensor<40x100x768xi32>
  %r2 = stablehlo.multiply %r, %two : tensor<40x100x768xi32>
  %rl = stablehlo.add %r2, %l : tensor<40x100x768xi32>
  %xm = stablehlo.remainder %rl, %c128 : tensor<40x100x768xi32>
  %x = stablehlo.convert %xm : (tensor<40x100x768xi32>) -> tensor<40x100x768xbf16>
  %tb = stablehlo.iota dim = 0 : tensor<40x1x768xi32>
  %t = stablehlo.convert %tb : (tensor<40x1x768xi32>) -> tensor<40x1x768xbf16>
  %0 = stablehlo.concatenate %t, %x, dim = 1
      : (tensor<40x1x768xbf16>, tensor<40x100x768xbf16>) -> tensor<40x101x768xbf16>
  %b = stablehlo.iota dim = 0 : tensor<40x101x768xi32>
  %er = stablehlo.iota dim = 1 : tensor<40x101x768xi32>
  %el = stablehlo.iota dim = 2 : tensor<40x101x768xi32>
  %one = stablehlo.constant dense<1> : tensor<40x101x768xi32>
  %e2 = stablehlo.constant dense<2> : tensor<40x101x768xi32>
  %e128 = stablehlo.constant dense<128> : tensor<40x101x768xi32>
  %before = stablehlo.compare LT, %er, %one : (tensor<40x101x768xi32>, tensor<40x101x768xi32>) -> tensor<40x101x768xi1>
  %row = stablehlo.subtract %er, %one : tensor<40x101x768xi32>
  %row2 = stablehlo.multiply %row, %e2 : tensor<40x101x768xi32>
  %rowl = stablehlo.add %row2, %el : tensor<40x101x768xi32>
  %of = stablehlo.remainder %rowl, %e128 : tensor<40x101x768xi32>
  %ei = stablehlo.select %before, %b, %of : tensor<40x101x768xi1>, tensor<40x101x768xi32>
  %e = stablehlo.convert %ei : (tensor<40x101x768xi32>) -> tensor<40x101x768xbf16>
  check.expect_eq %0, %e : tensor<40x101x768xbf16>

  // The last 37 rows first.
  %1 = stablehlo.slice %x [0:40, 63:100, 0:768] : (tensor<40x100x768xbf16>) -> tensor<40x37x768xbf16>
  %2 = stablehlo.slice %x [0:40, 0:63, 0:768] : (tensor<40x100x768xbf16>) -> tensor<40x63x768xbf16>
  %3 = stablehlo.concatenate %1, %2, dim = 1
      : (tensor<40x37x768xbf16>, tensor<40x63x768xbf16>) -> tensor<40x100x768xbf16>
  %c63 = stablehlo.constant dense<63> : tensor<40x100x768xi32>
  %c100 = stablehlo.constant dense<100> : tensor<40x100x768xi32>
  %from = stablehlo.add %r, %c63 : tensor<40x100x768xi32>
  %rolled = stablehlo.remainder %from, %c100 : tensor<40x100x768xi32>
  %rolled2 = stablehlo.multiply %rolled, %two : tensor<40x100x768xi32>
  %rolledl = stablehlo.add %rolled2, %l : tensor<40x100x768xi32>
  %rm = stablehlo.remainder %rolledl, %c128 : tensor<40x100x768xi32>
  %rf = stablehlo.convert %rm : (tensor<40x100x768xi32>) -> tensor<40x100x768xbf16>
  check.expect_eq %3, %rf : tensor<40x100x768xbf16>

  // int8, four rows a word: 7 rows of the first, 30 of the second, 64 of the third.
  %ai = stablehlo.iota dim = 1 : tensor<130x7x500xi32>
  %bi = stablehlo.iota dim = 1 : tensor<130x30x500xi32>
  %ci = stablehlo.iota dim = 1 : tensor<130x64x500xi32>
  %bo = stablehlo.constant dense<7> : tensor<130x30x500xi32>
  %co = stablehlo.constant dense<37> : tensor<130x64x500xi32>
  %bs = stablehlo.add %bi, %bo : tensor<130x30x500xi32>
  %cs = stablehlo.add %ci, %co : tensor<130x64x500xi32>
  %p = stablehlo.convert %ai : (tensor<130x7x500xi32>) -> tensor<130x7x500xi8>
  %q = stablehlo.convert %bs : (tensor<130x30x500xi32>) -> tensor<130x30x500xi8>
  %s = stablehlo.convert %cs : (tensor<130x64x500xi32>) -> tensor<130x64x500xi8>
  %4 = stablehlo.concatenate %p, %q, %s, dim = 1
      : (tensor<130x7x500xi8>, tensor<130x30x500xi8>, tensor<130x64x500xi8>) -> tensor<130x101x500xi8>
  %all = stablehlo.iota dim = 1 : tensor<130x101x500xi8>
  check.expect_eq %4, %all : tensor<130x101x500xi8>
  return
}
