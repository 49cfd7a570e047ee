// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tpuc-opt %s --pass-pipeline='builtin.module(func.func(tpuc-fuse-kernels),tpuc-plan-kernels{target=v5e},tpuc-lower-kernels{target=v5e})' \
// RUN:   | FileCheck %s

// A tile of 128 rows of 128 lanes goes through the transpose buffer in 16 vregs of 8 rows. The op behind the transpose
// works on what comes out. The array has two such tiles.
// CHECK-LABEL: tpu.routine @k0 facts
// CHECK-SAME: kind = "transpose"
// CHECK: scf.for %{{.*}} = %c0_i64 to %c2_i64
// CHECK-COUNT-16: "x.tr.push"
// CHECK-NOT: "x.tr.push"
// CHECK: %[[FIRST:.*]] = tpu.inst "x.tr.pop"()
// CHECK-NEXT: "v.xor"(%[[FIRST]],
// CHECK-COUNT-15: "x.tr.pop"
func.func @main(%x: tensor<256x128xf32>) -> tensor<128x256xf32> {
  %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<256x128xf32>) -> tensor<128x256xf32>
  %1 = stablehlo.negate %0 : tensor<128x256xf32>
  return %1 : tensor<128x256xf32>
}
