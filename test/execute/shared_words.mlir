// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parts of one array that lie in the same words of VMEM: they begin behind each other's lanes and rows, in one step and
// in many, of f32 and of bf16. The element in row p and lane l is 1000 p + l; sums of parts are known by their starts.
// RUN: tpuc run %s --check
// RUN: tpuc run %s --check --target=v5p
// RUN: tpuc run %s --check --target=v2
// RUN: tpuc run %s --no-fuse
func.func @main() {
  %r = stablehlo.iota dim = 0 : tensor<2050x384xf32>
  %l = stablehlo.iota dim = 1 : tensor<2050x384xf32>
  %c1000 = stablehlo.constant dense<1000.0> : tensor<2050x384xf32>
  %rows = stablehlo.multiply %r, %c1000 : tensor<2050x384xf32>
  %all = stablehlo.add %rows, %l : tensor<2050x384xf32>
  %x = stablehlo.optimization_barrier %all : tensor<2050x384xf32>

  // Lanes 0, 1 and 3 of the first tile, 2 of the second; rows 0, 1 and 2.
  %a = stablehlo.slice %x [0:2048, 0:250] : (tensor<2050x384xf32>) -> tensor<2048x250xf32>
  %b = stablehlo.slice %x [0:2048, 1:251] : (tensor<2050x384xf32>) -> tensor<2048x250xf32>
  %c = stablehlo.slice %x [0:2048, 130:380] : (tensor<2050x384xf32>) -> tensor<2048x250xf32>
  %d = stablehlo.slice %x [1:2049, 0:250] : (tensor<2050x384xf32>) -> tensor<2048x250xf32>
  %e = stablehlo.slice %x [2:2050, 3:253] : (tensor<2050x384xf32>) -> tensor<2048x250xf32>
  %0 = stablehlo.add %a, %b : tensor<2048x250xf32>
  %1 = stablehlo.add %0, %c : tensor<2048x250xf32>
  %2 = stablehlo.add %1, %d : tensor<2048x250xf32>
  %sum = stablehlo.add %2, %e : tensor<2048x250xf32>
  %wr = stablehlo.iota dim = 0 : tensor<2048x250xf32>
  %wl = stablehlo.iota dim = 1 : tensor<2048x250xf32>
  %w5000 = stablehlo.constant dense<5000.0> : tensor<2048x250xf32>
  %w5 = stablehlo.constant dense<5.0> : tensor<2048x250xf32>
  // 3 rows and 134 lanes more than five times the first part.
  %more = stablehlo.constant dense<3134.0> : tensor<2048x250xf32>
  %3 = stablehlo.multiply %wr, %w5000 : tensor<2048x250xf32>
  %4 = stablehlo.multiply %wl, %w5 : tensor<2048x250xf32>
  %5 = stablehlo.add %3, %4 : tensor<2048x250xf32>
  %want = stablehlo.add %5, %more : tensor<2048x250xf32>
  check.expect_eq %sum, %want : tensor<2048x250xf32>

  // The last of the blocks is shorter: one of more rows would be moved back into the array.
  %i = stablehlo.iota dim = 0 : tensor<8003x100xf32>
  %z = stablehlo.optimization_barrier %i : tensor<8003x100xf32>
  %n = stablehlo.slice %z [0:8001, 0:100] : (tensor<8003x100xf32>) -> tensor<8001x100xf32>
  %o = stablehlo.slice %z [2:8003, 0:100] : (tensor<8003x100xf32>) -> tensor<8001x100xf32>
  %tail = stablehlo.add %n, %o : tensor<8001x100xf32>
  %n2 = stablehlo.constant dense<2.0> : tensor<8001x100xf32>
  %n0 = stablehlo.iota dim = 0 : tensor<8001x100xf32>
  %n1 = stablehlo.add %n0, %n0 : tensor<8001x100xf32>
  %tail_want = stablehlo.add %n1, %n2 : tensor<8001x100xf32>
  check.expect_eq %tail, %tail_want : tensor<8001x100xf32>

  // Of bf16, of which two rows share a word: integers up to 256 are exact.
  %h = stablehlo.iota dim = 1 : tensor<64x200xbf16>
  %y = stablehlo.optimization_barrier %h : tensor<64x200xbf16>
  %f = stablehlo.slice %y [0:50, 0:40] : (tensor<64x200xbf16>) -> tensor<50x40xbf16>
  %g = stablehlo.slice %y [3:53, 5:45] : (tensor<64x200xbf16>) -> tensor<50x40xbf16>
  %k = stablehlo.slice %y [14:64, 9:49] : (tensor<64x200xbf16>) -> tensor<50x40xbf16>
  %6 = stablehlo.add %f, %g : tensor<50x40xbf16>
  %half = stablehlo.add %6, %k : tensor<50x40xbf16>
  %hl = stablehlo.iota dim = 1 : tensor<50x40xbf16>
  %h3 = stablehlo.constant dense<3.0> : tensor<50x40xbf16>
  %h14 = stablehlo.constant dense<14.0> : tensor<50x40xbf16>
  %7 = stablehlo.multiply %hl, %h3 : tensor<50x40xbf16>
  %half_want = stablehlo.add %7, %h14 : tensor<50x40xbf16>
  check.expect_eq %half, %half_want : tensor<50x40xbf16>
  return
}
