// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of a matrix and a vector of packed elements, in blocks that end between words: a word of bf16 has elements
// 128 apart. A vector that stays while the grid goes on along it is converted anew for each of its blocks.
// RUN: tpuc run %s --check
func.func @main() {
  // 520 of bf16, the vector last.
  %i0 = stablehlo.iota dim = 0 : tensor<4680xi32>
  %f0 = stablehlo.constant dense<5> : tensor<4680xi32>
  %r0 = stablehlo.remainder %i0, %f0 : tensor<4680xi32>
  %s0 = stablehlo.reshape %r0 : (tensor<4680xi32>) -> tensor<520x9xi32>
  %m0 = stablehlo.convert %s0 : (tensor<520x9xi32>) -> tensor<520x9xbf16>
  %j0 = stablehlo.iota dim = 0 : tensor<9xi32>
  %v0 = stablehlo.convert %j0 : (tensor<9xi32>) -> tensor<9xbf16>
  %d0 = stablehlo.dot_general %m0, %v0, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST]
      : (tensor<520x9xbf16>, tensor<9xbf16>) -> tensor<520xbf16>
  %w0 = stablehlo.broadcast_in_dim %j0, dims = [1] : (tensor<9xi32>) -> tensor<520x9xi32>
  %p0 = stablehlo.multiply %s0, %w0 : tensor<520x9xi32>
  %z0 = stablehlo.constant dense<0> : tensor<i32>
  %e0 = stablehlo.reduce(%p0 init: %z0) applies stablehlo.add across dimensions = [1]
      : (tensor<520x9xi32>, tensor<i32>) -> tensor<520xi32>
  %g0 = stablehlo.convert %e0 : (tensor<520xi32>) -> tensor<520xbf16>
  check.expect_eq %d0, %g0 : tensor<520xbf16>
  // 520 of bf16, the vector first.
  %i1 = stablehlo.iota dim = 0 : tensor<4680xi32>
  %f1 = stablehlo.constant dense<5> : tensor<4680xi32>
  %r1 = stablehlo.remainder %i1, %f1 : tensor<4680xi32>
  %s1 = stablehlo.reshape %r1 : (tensor<4680xi32>) -> tensor<520x9xi32>
  %m1 = stablehlo.convert %s1 : (tensor<520x9xi32>) -> tensor<520x9xbf16>
  %j1 = stablehlo.iota dim = 0 : tensor<9xi32>
  %v1 = stablehlo.convert %j1 : (tensor<9xi32>) -> tensor<9xbf16>
  %d1 = stablehlo.dot_general %v1, %m1, contracting_dims = [0] x [1], precision = [HIGHEST, HIGHEST]
      : (tensor<9xbf16>, tensor<520x9xbf16>) -> tensor<520xbf16>
  %w1 = stablehlo.broadcast_in_dim %j1, dims = [1] : (tensor<9xi32>) -> tensor<520x9xi32>
  %p1 = stablehlo.multiply %s1, %w1 : tensor<520x9xi32>
  %z1 = stablehlo.constant dense<0> : tensor<i32>
  %e1 = stablehlo.reduce(%p1 init: %z1) applies stablehlo.add across dimensions = [1]
      : (tensor<520x9xi32>, tensor<i32>) -> tensor<520xi32>
  %g1 = stablehlo.convert %e1 : (tensor<520xi32>) -> tensor<520xbf16>
  check.expect_eq %d1, %g1 : tensor<520xbf16>
  // 1300 of bf16, the vector last.
  %i2 = stablehlo.iota dim = 0 : tensor<11700xi32>
  %f2 = stablehlo.constant dense<5> : tensor<11700xi32>
  %r2 = stablehlo.remainder %i2, %f2 : tensor<11700xi32>
  %s2 = stablehlo.reshape %r2 : (tensor<11700xi32>) -> tensor<1300x9xi32>
  %m2 = stablehlo.convert %s2 : (tensor<1300x9xi32>) -> tensor<1300x9xbf16>
  %j2 = stablehlo.iota dim = 0 : tensor<9xi32>
  %v2 = stablehlo.convert %j2 : (tensor<9xi32>) -> tensor<9xbf16>
  %d2 = stablehlo.dot_general %m2, %v2, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST]
      : (tensor<1300x9xbf16>, tensor<9xbf16>) -> tensor<1300xbf16>
  %w2 = stablehlo.broadcast_in_dim %j2, dims = [1] : (tensor<9xi32>) -> tensor<1300x9xi32>
  %p2 = stablehlo.multiply %s2, %w2 : tensor<1300x9xi32>
  %z2 = stablehlo.constant dense<0> : tensor<i32>
  %e2 = stablehlo.reduce(%p2 init: %z2) applies stablehlo.add across dimensions = [1]
      : (tensor<1300x9xi32>, tensor<i32>) -> tensor<1300xi32>
  %g2 = stablehlo.convert %e2 : (tensor<1300xi32>) -> tensor<1300xbf16>
  check.expect_eq %d2, %g2 : tensor<1300xbf16>
  // 1300 of bf16, the vector first.
  %i3 = stablehlo.iota dim = 0 : tensor<11700xi32>
  %f3 = stablehlo.constant dense<5> : tensor<11700xi32>
  %r3 = stablehlo.remainder %i3, %f3 : tensor<11700xi32>
  %s3 = stablehlo.reshape %r3 : (tensor<11700xi32>) -> tensor<1300x9xi32>
  %m3 = stablehlo.convert %s3 : (tensor<1300x9xi32>) -> tensor<1300x9xbf16>
  %j3 = stablehlo.iota dim = 0 : tensor<9xi32>
  %v3 = stablehlo.convert %j3 : (tensor<9xi32>) -> tensor<9xbf16>
  %d3 = stablehlo.dot_general %v3, %m3, contracting_dims = [0] x [1], precision = [HIGHEST, HIGHEST]
      : (tensor<9xbf16>, tensor<1300x9xbf16>) -> tensor<1300xbf16>
  %w3 = stablehlo.broadcast_in_dim %j3, dims = [1] : (tensor<9xi32>) -> tensor<1300x9xi32>
  %p3 = stablehlo.multiply %s3, %w3 : tensor<1300x9xi32>
  %z3 = stablehlo.constant dense<0> : tensor<i32>
  %e3 = stablehlo.reduce(%p3 init: %z3) applies stablehlo.add across dimensions = [1]
      : (tensor<1300x9xi32>, tensor<i32>) -> tensor<1300xi32>
  %g3 = stablehlo.convert %e3 : (tensor<1300xi32>) -> tensor<1300xbf16>
  check.expect_eq %d3, %g3 : tensor<1300xbf16>
  // 640 of f16, the vector last.
  %i4 = stablehlo.iota dim = 0 : tensor<5760xi32>
  %f4 = stablehlo.constant dense<5> : tensor<5760xi32>
  %r4 = stablehlo.remainder %i4, %f4 : tensor<5760xi32>
  %s4 = stablehlo.reshape %r4 : (tensor<5760xi32>) -> tensor<640x9xi32>
  %m4 = stablehlo.convert %s4 : (tensor<640x9xi32>) -> tensor<640x9xf16>
  %j4 = stablehlo.iota dim = 0 : tensor<9xi32>
  %v4 = stablehlo.convert %j4 : (tensor<9xi32>) -> tensor<9xf16>
  %d4 = stablehlo.dot_general %m4, %v4, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST]
      : (tensor<640x9xf16>, tensor<9xf16>) -> tensor<640xf16>
  %w4 = stablehlo.broadcast_in_dim %j4, dims = [1] : (tensor<9xi32>) -> tensor<640x9xi32>
  %p4 = stablehlo.multiply %s4, %w4 : tensor<640x9xi32>
  %z4 = stablehlo.constant dense<0> : tensor<i32>
  %e4 = stablehlo.reduce(%p4 init: %z4) applies stablehlo.add across dimensions = [1]
      : (tensor<640x9xi32>, tensor<i32>) -> tensor<640xi32>
  %g4 = stablehlo.convert %e4 : (tensor<640xi32>) -> tensor<640xf16>
  check.expect_eq %d4, %g4 : tensor<640xf16>
  // 640 of f16, the vector first.
  %i5 = stablehlo.iota dim = 0 : tensor<5760xi32>
  %f5 = stablehlo.constant dense<5> : tensor<5760xi32>
  %r5 = stablehlo.remainder %i5, %f5 : tensor<5760xi32>
  %s5 = stablehlo.reshape %r5 : (tensor<5760xi32>) -> tensor<640x9xi32>
  %m5 = stablehlo.convert %s5 : (tensor<640x9xi32>) -> tensor<640x9xf16>
  %j5 = stablehlo.iota dim = 0 : tensor<9xi32>
  %v5 = stablehlo.convert %j5 : (tensor<9xi32>) -> tensor<9xf16>
  %d5 = stablehlo.dot_general %v5, %m5, contracting_dims = [0] x [1], precision = [HIGHEST, HIGHEST]
      : (tensor<9xf16>, tensor<640x9xf16>) -> tensor<640xf16>
  %w5 = stablehlo.broadcast_in_dim %j5, dims = [1] : (tensor<9xi32>) -> tensor<640x9xi32>
  %p5 = stablehlo.multiply %s5, %w5 : tensor<640x9xi32>
  %z5 = stablehlo.constant dense<0> : tensor<i32>
  %e5 = stablehlo.reduce(%p5 init: %z5) applies stablehlo.add across dimensions = [1]
      : (tensor<640x9xi32>, tensor<i32>) -> tensor<640xi32>
  %g5 = stablehlo.convert %e5 : (tensor<640xi32>) -> tensor<640xf16>
  check.expect_eq %d5, %g5 : tensor<640xf16>
  // 1300 of i8, the vector last.
  %i6 = stablehlo.iota dim = 0 : tensor<11700xi32>
  %f6 = stablehlo.constant dense<3> : tensor<11700xi32>
  %r6 = stablehlo.remainder %i6, %f6 : tensor<11700xi32>
  %s6 = stablehlo.reshape %r6 : (tensor<11700xi32>) -> tensor<1300x9xi32>
  %m6 = stablehlo.convert %s6 : (tensor<1300x9xi32>) -> tensor<1300x9xi8>
  %j6 = stablehlo.iota dim = 0 : tensor<9xi32>
  %v6 = stablehlo.convert %j6 : (tensor<9xi32>) -> tensor<9xi8>
  %d6 = stablehlo.dot_general %m6, %v6, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST]
      : (tensor<1300x9xi8>, tensor<9xi8>) -> tensor<1300xi8>
  %w6 = stablehlo.broadcast_in_dim %j6, dims = [1] : (tensor<9xi32>) -> tensor<1300x9xi32>
  %p6 = stablehlo.multiply %s6, %w6 : tensor<1300x9xi32>
  %z6 = stablehlo.constant dense<0> : tensor<i32>
  %e6 = stablehlo.reduce(%p6 init: %z6) applies stablehlo.add across dimensions = [1]
      : (tensor<1300x9xi32>, tensor<i32>) -> tensor<1300xi32>
  %g6 = stablehlo.convert %e6 : (tensor<1300xi32>) -> tensor<1300xi8>
  check.expect_eq %d6, %g6 : tensor<1300xi8>
  // 1300 of i8, the vector first.
  %i7 = stablehlo.iota dim = 0 : tensor<11700xi32>
  %f7 = stablehlo.constant dense<3> : tensor<11700xi32>
  %r7 = stablehlo.remainder %i7, %f7 : tensor<11700xi32>
  %s7 = stablehlo.reshape %r7 : (tensor<11700xi32>) -> tensor<1300x9xi32>
  %m7 = stablehlo.convert %s7 : (tensor<1300x9xi32>) -> tensor<1300x9xi8>
  %j7 = stablehlo.iota dim = 0 : tensor<9xi32>
  %v7 = stablehlo.convert %j7 : (tensor<9xi32>) -> tensor<9xi8>
  %d7 = stablehlo.dot_general %v7, %m7, contracting_dims = [0] x [1], precision = [HIGHEST, HIGHEST]
      : (tensor<9xi8>, tensor<1300x9xi8>) -> tensor<1300xi8>
  %w7 = stablehlo.broadcast_in_dim %j7, dims = [1] : (tensor<9xi32>) -> tensor<1300x9xi32>
  %p7 = stablehlo.multiply %s7, %w7 : tensor<1300x9xi32>
  %z7 = stablehlo.constant dense<0> : tensor<i32>
  %e7 = stablehlo.reduce(%p7 init: %z7) applies stablehlo.add across dimensions = [1]
      : (tensor<1300x9xi32>, tensor<i32>) -> tensor<1300xi32>
  %g7 = stablehlo.convert %e7 : (tensor<1300xi32>) -> tensor<1300xi8>
  check.expect_eq %d7, %g7 : tensor<1300xi8>
  // 700 of f16, the contraction in two blocks.
  %i8 = stablehlo.iota dim = 0 : tensor<140000xi32>
  %f8 = stablehlo.constant dense<3> : tensor<140000xi32>
  %r8 = stablehlo.remainder %i8, %f8 : tensor<140000xi32>
  %s8 = stablehlo.reshape %r8 : (tensor<140000xi32>) -> tensor<700x200xi32>
  %m8 = stablehlo.convert %s8 : (tensor<700x200xi32>) -> tensor<700x200xf16>
  %j8 = stablehlo.iota dim = 0 : tensor<200xi32>
  %five = stablehlo.constant dense<5> : tensor<200xi32>
  %q8 = stablehlo.remainder %j8, %five : tensor<200xi32>
  %v8 = stablehlo.convert %q8 : (tensor<200xi32>) -> tensor<200xf16>
  %d8 = stablehlo.dot_general %m8, %v8, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST]
      : (tensor<700x200xf16>, tensor<200xf16>) -> tensor<700xf16>
  %w8 = stablehlo.broadcast_in_dim %q8, dims = [1] : (tensor<200xi32>) -> tensor<700x200xi32>
  %p8 = stablehlo.multiply %s8, %w8 : tensor<700x200xi32>
  %z8 = stablehlo.constant dense<0> : tensor<i32>
  %e8 = stablehlo.reduce(%p8 init: %z8) applies stablehlo.add across dimensions = [1]
      : (tensor<700x200xi32>, tensor<i32>) -> tensor<700xi32>
  %g8 = stablehlo.convert %e8 : (tensor<700xi32>) -> tensor<700xf16>
  check.expect_eq %d8, %g8 : tensor<700xf16>
  return
}
