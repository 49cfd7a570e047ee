// Transposes that put another dim along lanes: whole and ragged tiles, packed types, masks, dims of the other array's
// tile.
// RUN: tpuc run %s --check
// RUN: tpuc run %s --check --target=v6e --set core.vmem_bytes=1048576
// RUN: tpuc run %s --constants=arrays
// RUN: tpuc compile %s -o %t && tpuc disasm %t | FileCheck %s
// CHECK: x.tr.push
// CHECK: x.tr.pop
func.func @main() {
  %r0 = stablehlo.iota dim = 0 : tensor<300x200xi32>
  %c0 = stablehlo.iota dim = 1 : tensor<300x200xi32>
  %k0 = stablehlo.constant dense<1000> : tensor<300x200xi32>
  %m0 = stablehlo.multiply %r0, %k0 : tensor<300x200xi32>
  %x0 = stablehlo.add %m0, %c0 : tensor<300x200xi32>
  %b0 = stablehlo.optimization_barrier %x0 : tensor<300x200xi32>
  %t0 = stablehlo.transpose %b0, dims = [1, 0] : (tensor<300x200xi32>) -> tensor<200x300xi32>
  %er0 = stablehlo.iota dim = 1 : tensor<200x300xi32>
  %ec0 = stablehlo.iota dim = 0 : tensor<200x300xi32>
  %ek0 = stablehlo.constant dense<1000> : tensor<200x300xi32>
  %em0 = stablehlo.multiply %er0, %ek0 : tensor<200x300xi32>
  %e0 = stablehlo.add %em0, %ec0 : tensor<200x300xi32>
  check.expect_eq %t0, %e0 : tensor<200x300xi32>

  // bf16: two rows a word on both sides.
  %r1 = stablehlo.iota dim = 0 : tensor<129x17xbf16>
  %b1 = stablehlo.optimization_barrier %r1 : tensor<129x17xbf16>
  %t1 = stablehlo.transpose %b1, dims = [1, 0] : (tensor<129x17xbf16>) -> tensor<17x129xbf16>
  %e1 = stablehlo.iota dim = 1 : tensor<17x129xbf16>
  check.expect_eq %t1, %e1 : tensor<17x129xbf16>

  // The source's lanes become a leading dim; rows of i16 come one at a time.
  %r2 = stablehlo.iota dim = 2 : tensor<130x9x5xi16>
  %s2 = stablehlo.iota dim = 0 : tensor<130x9x5xi16>
  %k2 = stablehlo.constant dense<8> : tensor<130x9x5xi16>
  %m2 = stablehlo.multiply %s2, %k2 : tensor<130x9x5xi16>
  %x2 = stablehlo.add %m2, %r2 : tensor<130x9x5xi16>
  %b2 = stablehlo.optimization_barrier %x2 : tensor<130x9x5xi16>
  %t2 = stablehlo.transpose %b2, dims = [2, 0, 1] : (tensor<130x9x5xi16>) -> tensor<5x130x9xi16>
  %er2 = stablehlo.iota dim = 0 : tensor<5x130x9xi16>
  %es2 = stablehlo.iota dim = 1 : tensor<5x130x9xi16>
  %ek2 = stablehlo.constant dense<8> : tensor<5x130x9xi16>
  %em2 = stablehlo.multiply %es2, %ek2 : tensor<5x130x9xi16>
  %e2 = stablehlo.add %em2, %er2 : tensor<5x130x9xi16>
  check.expect_eq %t2, %e2 : tensor<5x130x9xi16>

  %r3 = stablehlo.iota dim = 0 : tensor<40x260xi32>
  %k3 = stablehlo.constant dense<13> : tensor<40x260xi32>
  %x3 = stablehlo.compare LT, %r3, %k3 : (tensor<40x260xi32>, tensor<40x260xi32>) -> tensor<40x260xi1>
  %b3 = stablehlo.optimization_barrier %x3 : tensor<40x260xi1>
  %t3 = stablehlo.transpose %b3, dims = [1, 0] : (tensor<40x260xi1>) -> tensor<260x40xi1>
  %er3 = stablehlo.iota dim = 1 : tensor<260x40xi32>
  %ek3 = stablehlo.constant dense<13> : tensor<260x40xi32>
  %e3 = stablehlo.compare LT, %er3, %ek3 : (tensor<260x40xi32>, tensor<260x40xi32>) -> tensor<260x40xi1>
  check.expect_eq %t3, %e3 : tensor<260x40xi1>
  return
}
