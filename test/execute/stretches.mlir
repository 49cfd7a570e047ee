// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that walk their columns in stretches give what the same does along rows.
// RUN: tpuc run %s --check
// RUN: tpuc run %s --check --target=v2
// RUN: tpuc run %s --check --target=v6e
func.func @main() {
  // Three arrays, of which the second begins within a tile and the third ends within one.
  %i0 = stablehlo.iota dim = 0 : tensor<51200xi32>
  %a0 = stablehlo.reshape %i0 : (tensor<51200xi32>) -> tensor<256x200xi32>
  %i1 = stablehlo.iota dim = 0 : tensor<76800xi32>
  %m1 = stablehlo.negate %i1 : tensor<76800xi32>
  %b0 = stablehlo.reshape %m1 : (tensor<76800xi32>) -> tensor<256x300xi32>
  %a = stablehlo.optimization_barrier %a0 : tensor<256x200xi32>
  %b = stablehlo.optimization_barrier %b0 : tensor<256x300xi32>
  %y = stablehlo.concatenate %a, %b, %a, dim = 1
      : (tensor<256x200xi32>, tensor<256x300xi32>, tensor<256x200xi32>) -> tensor<256x700xi32>
  %at = stablehlo.transpose %a, dims = [1, 0] : (tensor<256x200xi32>) -> tensor<200x256xi32>
  %bt = stablehlo.transpose %b, dims = [1, 0] : (tensor<256x300xi32>) -> tensor<300x256xi32>
  %ar = stablehlo.optimization_barrier %at : tensor<200x256xi32>
  %br = stablehlo.optimization_barrier %bt : tensor<300x256xi32>
  %yr = stablehlo.concatenate %ar, %br, %ar, dim = 0
      : (tensor<200x256xi32>, tensor<300x256xi32>, tensor<200x256xi32>) -> tensor<700x256xi32>
  %yb = stablehlo.optimization_barrier %yr : tensor<700x256xi32>
  %e = stablehlo.transpose %yb, dims = [1, 0] : (tensor<700x256xi32>) -> tensor<256x700xi32>
  check.expect_eq %y, %e : tensor<256x700xi32>

  // The same of rounded numbers, two rows a word, computed with on the way.
  %ah = stablehlo.convert %a : (tensor<256x200xi32>) -> tensor<256x200xbf16>
  %bh = stablehlo.convert %b : (tensor<256x300xi32>) -> tensor<256x300xbf16>
  %ha = stablehlo.optimization_barrier %ah : tensor<256x200xbf16>
  %hb = stablehlo.optimization_barrier %bh : tensor<256x300xbf16>
  %hy = stablehlo.concatenate %ha, %hb, dim = 1
      : (tensor<256x200xbf16>, tensor<256x300xbf16>) -> tensor<256x500xbf16>
  %h2 = stablehlo.add %hy, %hy : tensor<256x500xbf16>
  %hs = stablehlo.slice %e [0:256, 0:500] : (tensor<256x700xi32>) -> tensor<256x500xi32>
  %hc = stablehlo.convert %hs : (tensor<256x500xi32>) -> tensor<256x500xbf16>
  %hd = stablehlo.optimization_barrier %hc : tensor<256x500xbf16>
  %he = stablehlo.add %hd, %hd : tensor<256x500xbf16>
  check.expect_eq %h2, %he : tensor<256x500xbf16>

  // Padding of whole tiles and of parts of them, and a mask of columns.
  %ten = stablehlo.constant dense<10> : tensor<i32>
  %p = stablehlo.pad %a, %ten, low = [0, 131], high = [0, 300], interior = [0, 0]
      : (tensor<256x200xi32>, tensor<i32>) -> tensor<256x631xi32>
  %k = stablehlo.iota dim = 1 : tensor<256x631xi32>
  %l = stablehlo.constant dense<256> : tensor<256x631xi32>
  %c = stablehlo.compare GE, %k, %l : (tensor<256x631xi32>, tensor<256x631xi32>) -> tensor<256x631xi1>
  %n = stablehlo.negate %p : tensor<256x631xi32>
  %s = stablehlo.select %c, %p, %n : tensor<256x631xi1>, tensor<256x631xi32>
  %pr = stablehlo.pad %ar, %ten, low = [131, 0], high = [300, 0], interior = [0, 0]
      : (tensor<200x256xi32>, tensor<i32>) -> tensor<631x256xi32>
  %low = stablehlo.slice %pr [0:256, 0:256] : (tensor<631x256xi32>) -> tensor<256x256xi32>
  %high = stablehlo.slice %pr [256:631, 0:256] : (tensor<631x256xi32>) -> tensor<375x256xi32>
  %lown = stablehlo.negate %low : tensor<256x256xi32>
  %lowb = stablehlo.optimization_barrier %lown : tensor<256x256xi32>
  %highb = stablehlo.optimization_barrier %high : tensor<375x256xi32>
  %sr = stablehlo.concatenate %lowb, %highb, dim = 0 : (tensor<256x256xi32>, tensor<375x256xi32>) -> tensor<631x256xi32>
  %sb = stablehlo.optimization_barrier %sr : tensor<631x256xi32>
  %se = stablehlo.transpose %sb, dims = [1, 0] : (tensor<631x256xi32>) -> tensor<256x631xi32>
  check.expect_eq %s, %se : tensor<256x631xi32>

  // A mask that changes at the last lane of a tile.
  %limit = stablehlo.constant dense<127> : tensor<256x631xi32>
  %before = stablehlo.compare LT, %k, %limit : (tensor<256x631xi32>, tensor<256x631xi32>) -> tensor<256x631xi1>
  %pb = stablehlo.optimization_barrier %p : tensor<256x631xi32>
  %last = stablehlo.select %before, %pb, %k : tensor<256x631xi1>, tensor<256x631xi32>
  %lastb = stablehlo.optimization_barrier %last : tensor<256x631xi32>
  %lanes = stablehlo.slice %lastb [0:1, 126:129] : (tensor<256x631xi32>) -> tensor<1x3xi32>
  check.expect_eq_const %lanes, dense<[[10, 127, 128]]> : tensor<1x3xi32>
  return
}
