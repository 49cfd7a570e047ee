// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Transposes in which a third dim lies under tiles and is too long for blocks to have all of it. Each element says
// where it was.
// DEFINE: %{flags} = --set=core.vmem_bytes=4194304 --set=core.kernel_vmem_bytes=2097152
// RUN: tpuc run %s --check %{flags}
// RUN: tpuc run %s --check --no-fuse %{flags}
// RUN: tpuc run %s --check --target=v5p %{flags}
// RUN: tpuc compile %s --no-fuse %{flags} --stop-after=plan -o - | FileCheck %s
// CHECK-COUNT-3: cuts_tiles, transposes
func.func @main() {
  // The result's.
  %x0i0 = stablehlo.iota dim = 0 : tensor<40x130x140xi32>
  %x0f0 = stablehlo.constant dense<13> : tensor<40x130x140xi32>
  %x0p0 = stablehlo.multiply %x0i0, %x0f0 : tensor<40x130x140xi32>
  %x0i1 = stablehlo.iota dim = 1 : tensor<40x130x140xi32>
  %x0f1 = stablehlo.constant dense<7> : tensor<40x130x140xi32>
  %x0p1 = stablehlo.multiply %x0i1, %x0f1 : tensor<40x130x140xi32>
  %x0s1 = stablehlo.add %x0p0, %x0p1 : tensor<40x130x140xi32>
  %x0i2 = stablehlo.iota dim = 2 : tensor<40x130x140xi32>
  %x0f2 = stablehlo.constant dense<1> : tensor<40x130x140xi32>
  %x0p2 = stablehlo.multiply %x0i2, %x0f2 : tensor<40x130x140xi32>
  %x0s2 = stablehlo.add %x0s1, %x0p2 : tensor<40x130x140xi32>
  %x0m = stablehlo.constant dense<251> : tensor<40x130x140xi32>
  %x0r = stablehlo.remainder %x0s2, %x0m : tensor<40x130x140xi32>
  %x0 = stablehlo.convert %x0r : (tensor<40x130x140xi32>) -> tensor<40x130x140xf32>
  %b0 = stablehlo.optimization_barrier %x0 : tensor<40x130x140xf32>
  %t0 = stablehlo.transpose %b0, dims = [2, 0, 1] : (tensor<40x130x140xf32>) -> tensor<140x40x130xf32>
  %y0i0 = stablehlo.iota dim = 0 : tensor<140x40x130xi32>
  %y0f0 = stablehlo.constant dense<1> : tensor<140x40x130xi32>
  %y0p0 = stablehlo.multiply %y0i0, %y0f0 : tensor<140x40x130xi32>
  %y0i1 = stablehlo.iota dim = 1 : tensor<140x40x130xi32>
  %y0f1 = stablehlo.constant dense<13> : tensor<140x40x130xi32>
  %y0p1 = stablehlo.multiply %y0i1, %y0f1 : tensor<140x40x130xi32>
  %y0s1 = stablehlo.add %y0p0, %y0p1 : tensor<140x40x130xi32>
  %y0i2 = stablehlo.iota dim = 2 : tensor<140x40x130xi32>
  %y0f2 = stablehlo.constant dense<7> : tensor<140x40x130xi32>
  %y0p2 = stablehlo.multiply %y0i2, %y0f2 : tensor<140x40x130xi32>
  %y0s2 = stablehlo.add %y0s1, %y0p2 : tensor<140x40x130xi32>
  %y0m = stablehlo.constant dense<251> : tensor<140x40x130xi32>
  %y0r = stablehlo.remainder %y0s2, %y0m : tensor<140x40x130xi32>
  %y0 = stablehlo.convert %y0r : (tensor<140x40x130xi32>) -> tensor<140x40x130xf32>
  check.expect_eq %t0, %y0 : tensor<140x40x130xf32>

  // The operand's, and the result's other one.
  %x1i0 = stablehlo.iota dim = 0 : tensor<150x70x140xi32>
  %x1f0 = stablehlo.constant dense<13> : tensor<150x70x140xi32>
  %x1p0 = stablehlo.multiply %x1i0, %x1f0 : tensor<150x70x140xi32>
  %x1i1 = stablehlo.iota dim = 1 : tensor<150x70x140xi32>
  %x1f1 = stablehlo.constant dense<7> : tensor<150x70x140xi32>
  %x1p1 = stablehlo.multiply %x1i1, %x1f1 : tensor<150x70x140xi32>
  %x1s1 = stablehlo.add %x1p0, %x1p1 : tensor<150x70x140xi32>
  %x1i2 = stablehlo.iota dim = 2 : tensor<150x70x140xi32>
  %x1f2 = stablehlo.constant dense<1> : tensor<150x70x140xi32>
  %x1p2 = stablehlo.multiply %x1i2, %x1f2 : tensor<150x70x140xi32>
  %x1s2 = stablehlo.add %x1s1, %x1p2 : tensor<150x70x140xi32>
  %x1m = stablehlo.constant dense<251> : tensor<150x70x140xi32>
  %x1r = stablehlo.remainder %x1s2, %x1m : tensor<150x70x140xi32>
  %x1 = stablehlo.convert %x1r : (tensor<150x70x140xi32>) -> tensor<150x70x140xbf16>
  %b1 = stablehlo.optimization_barrier %x1 : tensor<150x70x140xbf16>
  %t1 = stablehlo.transpose %b1, dims = [1, 2, 0] : (tensor<150x70x140xbf16>) -> tensor<70x140x150xbf16>
  %y1i0 = stablehlo.iota dim = 0 : tensor<70x140x150xi32>
  %y1f0 = stablehlo.constant dense<7> : tensor<70x140x150xi32>
  %y1p0 = stablehlo.multiply %y1i0, %y1f0 : tensor<70x140x150xi32>
  %y1i1 = stablehlo.iota dim = 1 : tensor<70x140x150xi32>
  %y1f1 = stablehlo.constant dense<1> : tensor<70x140x150xi32>
  %y1p1 = stablehlo.multiply %y1i1, %y1f1 : tensor<70x140x150xi32>
  %y1s1 = stablehlo.add %y1p0, %y1p1 : tensor<70x140x150xi32>
  %y1i2 = stablehlo.iota dim = 2 : tensor<70x140x150xi32>
  %y1f2 = stablehlo.constant dense<13> : tensor<70x140x150xi32>
  %y1p2 = stablehlo.multiply %y1i2, %y1f2 : tensor<70x140x150xi32>
  %y1s2 = stablehlo.add %y1s1, %y1p2 : tensor<70x140x150xi32>
  %y1m = stablehlo.constant dense<251> : tensor<70x140x150xi32>
  %y1r = stablehlo.remainder %y1s2, %y1m : tensor<70x140x150xi32>
  %y1 = stablehlo.convert %y1r : (tensor<70x140x150xi32>) -> tensor<70x140x150xbf16>
  check.expect_eq %t1, %y1 : tensor<70x140x150xbf16>

  // All turned.
  %x2i0 = stablehlo.iota dim = 0 : tensor<140x100x150xi32>
  %x2f0 = stablehlo.constant dense<13> : tensor<140x100x150xi32>
  %x2p0 = stablehlo.multiply %x2i0, %x2f0 : tensor<140x100x150xi32>
  %x2i1 = stablehlo.iota dim = 1 : tensor<140x100x150xi32>
  %x2f1 = stablehlo.constant dense<7> : tensor<140x100x150xi32>
  %x2p1 = stablehlo.multiply %x2i1, %x2f1 : tensor<140x100x150xi32>
  %x2s1 = stablehlo.add %x2p0, %x2p1 : tensor<140x100x150xi32>
  %x2i2 = stablehlo.iota dim = 2 : tensor<140x100x150xi32>
  %x2f2 = stablehlo.constant dense<1> : tensor<140x100x150xi32>
  %x2p2 = stablehlo.multiply %x2i2, %x2f2 : tensor<140x100x150xi32>
  %x2s2 = stablehlo.add %x2s1, %x2p2 : tensor<140x100x150xi32>
  %x2m = stablehlo.constant dense<113> : tensor<140x100x150xi32>
  %x2r = stablehlo.remainder %x2s2, %x2m : tensor<140x100x150xi32>
  %x2 = stablehlo.convert %x2r : (tensor<140x100x150xi32>) -> tensor<140x100x150xi8>
  %b2 = stablehlo.optimization_barrier %x2 : tensor<140x100x150xi8>
  %t2 = stablehlo.transpose %b2, dims = [2, 1, 0] : (tensor<140x100x150xi8>) -> tensor<150x100x140xi8>
  %y2i0 = stablehlo.iota dim = 0 : tensor<150x100x140xi32>
  %y2f0 = stablehlo.constant dense<1> : tensor<150x100x140xi32>
  %y2p0 = stablehlo.multiply %y2i0, %y2f0 : tensor<150x100x140xi32>
  %y2i1 = stablehlo.iota dim = 1 : tensor<150x100x140xi32>
  %y2f1 = stablehlo.constant dense<7> : tensor<150x100x140xi32>
  %y2p1 = stablehlo.multiply %y2i1, %y2f1 : tensor<150x100x140xi32>
  %y2s1 = stablehlo.add %y2p0, %y2p1 : tensor<150x100x140xi32>
  %y2i2 = stablehlo.iota dim = 2 : tensor<150x100x140xi32>
  %y2f2 = stablehlo.constant dense<13> : tensor<150x100x140xi32>
  %y2p2 = stablehlo.multiply %y2i2, %y2f2 : tensor<150x100x140xi32>
  %y2s2 = stablehlo.add %y2s1, %y2p2 : tensor<150x100x140xi32>
  %y2m = stablehlo.constant dense<113> : tensor<150x100x140xi32>
  %y2r = stablehlo.remainder %y2s2, %y2m : tensor<150x100x140xi32>
  %y2 = stablehlo.convert %y2r : (tensor<150x100x140xi32>) -> tensor<150x100x140xi8>
  check.expect_eq %t2, %y2 : tensor<150x100x140xi8>
  return
}
