// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Weights of four bits, eight in a number along lanes and two along rows: what takes turns is the same as each by
// itself.
// RUN: tpuc run %s --check
// RUN: tpuc run %s --check --target=v5p
// RUN: tpuc run %s --check --target=v4
func.func @main() {
  %r = stablehlo.iota dim = 0 : tensor<264x40xi32>
  %l = stablehlo.iota dim = 1 : tensor<264x40xi32>
  %p = stablehlo.constant dense<-1640531535> : tensor<264x40xi32>
  %s = stablehlo.constant dense<40503> : tensor<264x40xi32>
  %0 = stablehlo.multiply %r, %p : tensor<264x40xi32>
  %1 = stablehlo.multiply %l, %s : tensor<264x40xi32>
  %2 = stablehlo.add %0, %1 : tensor<264x40xi32>
  %w = stablehlo.optimization_barrier %2 : tensor<264x40xi32>
  %wide = stablehlo.broadcast_in_dim %w, dims = [0, 1] : (tensor<264x40xi32>) -> tensor<264x40x8xi32>
  %eight = stablehlo.iota dim = 0 : tensor<8xi32>
  %four = stablehlo.constant dense<4> : tensor<8xi32>
  %bits = stablehlo.multiply %eight, %four : tensor<8xi32>
  %by = stablehlo.broadcast_in_dim %bits, dims = [2] : (tensor<8xi32>) -> tensor<264x40x8xi32>
  %down = stablehlo.shift_right_arithmetic %wide, %by : tensor<264x40x8xi32>
  %15 = stablehlo.constant dense<15> : tensor<264x40x8xi32>
  %low = stablehlo.and %down, %15 : tensor<264x40x8xi32>
  %at = stablehlo.iota dim = 1 : tensor<264x40x8xi32>
  %more = stablehlo.add %low, %at : tensor<264x40x8xi32>
  %q = stablehlo.reshape %more : (tensor<264x40x8xi32>) -> tensor<264x320xi32>
  %all = stablehlo.optimization_barrier %q : tensor<264x320xi32>
  %mask = stablehlo.constant dense<15> : tensor<264x40xi32>

  %n0 = stablehlo.constant dense<0> : tensor<264x40xi32>
  %d0 = stablehlo.shift_right_arithmetic %w, %n0 : tensor<264x40xi32>
  %m0 = stablehlo.and %d0, %mask : tensor<264x40xi32>
  %e0 = stablehlo.add %m0, %l : tensor<264x40xi32>
  %g0 = stablehlo.slice %all [0:264, 0:320:8] : (tensor<264x320xi32>) -> tensor<264x40xi32>
  check.expect_eq %g0, %e0 : tensor<264x40xi32>

  %n3 = stablehlo.constant dense<12> : tensor<264x40xi32>
  %d3 = stablehlo.shift_right_arithmetic %w, %n3 : tensor<264x40xi32>
  %m3 = stablehlo.and %d3, %mask : tensor<264x40xi32>
  %e3 = stablehlo.add %m3, %l : tensor<264x40xi32>
  %g3 = stablehlo.slice %all [0:264, 3:320:8] : (tensor<264x320xi32>) -> tensor<264x40xi32>
  check.expect_eq %g3, %e3 : tensor<264x40xi32>

  %n7 = stablehlo.constant dense<28> : tensor<264x40xi32>
  %d7 = stablehlo.shift_right_arithmetic %w, %n7 : tensor<264x40xi32>
  %m7 = stablehlo.and %d7, %mask : tensor<264x40xi32>
  %e7 = stablehlo.add %m7, %l : tensor<264x40xi32>
  %g7 = stablehlo.slice %all [0:264, 7:320:8] : (tensor<264x320xi32>) -> tensor<264x40xi32>
  check.expect_eq %g7, %e7 : tensor<264x40xi32>

  // Two along rows, of int8.
  %br = stablehlo.iota dim = 0 : tensor<136x300xi32>
  %bl = stablehlo.iota dim = 1 : tensor<136x300xi32>
  %b7 = stablehlo.constant dense<7> : tensor<136x300xi32>
  %b0 = stablehlo.multiply %br, %b7 : tensor<136x300xi32>
  %b1 = stablehlo.add %b0, %bl : tensor<136x300xi32>
  %b127 = stablehlo.constant dense<127> : tensor<136x300xi32>
  %b2 = stablehlo.and %b1, %b127 : tensor<136x300xi32>
  %b3 = stablehlo.convert %b2 : (tensor<136x300xi32>) -> tensor<136x300xi8>
  %b = stablehlo.optimization_barrier %b3 : tensor<136x300xi8>
  %bm = stablehlo.constant dense<15> : tensor<136x300xi8>
  %bs = stablehlo.constant dense<4> : tensor<136x300xi8>
  %first = stablehlo.and %b, %bm : tensor<136x300xi8>
  %next = stablehlo.shift_right_logical %b, %bs : tensor<136x300xi8>
  %f = stablehlo.reshape %first : (tensor<136x300xi8>) -> tensor<136x1x300xi8>
  %s1 = stablehlo.reshape %next : (tensor<136x300xi8>) -> tensor<136x1x300xi8>
  %both = stablehlo.concatenate %f, %s1, dim = 1 : (tensor<136x1x300xi8>, tensor<136x1x300xi8>) -> tensor<136x2x300xi8>
  %as = stablehlo.convert %both : (tensor<136x2x300xi8>) -> tensor<136x2x300xbf16>
  %rows = stablehlo.reshape %as : (tensor<136x2x300xbf16>) -> tensor<272x300xbf16>
  %read = stablehlo.optimization_barrier %rows : tensor<272x300xbf16>
  %r0 = stablehlo.slice %read [0:272:2, 0:300] : (tensor<272x300xbf16>) -> tensor<136x300xbf16>
  %r1 = stablehlo.slice %read [1:272:2, 0:300] : (tensor<272x300xbf16>) -> tensor<136x300xbf16>
  %w0 = stablehlo.convert %first : (tensor<136x300xi8>) -> tensor<136x300xbf16>
  %w1 = stablehlo.convert %next : (tensor<136x300xi8>) -> tensor<136x300xbf16>
  check.expect_eq %r0, %w0 : tensor<136x300xbf16>
  check.expect_eq %r1, %w1 : tensor<136x300xbf16>
  return
}
