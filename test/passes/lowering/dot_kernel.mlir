// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tpuc-opt %s --pass-pipeline='builtin.module(func.func(tpuc-fuse-kernels),tpuc-plan-kernels{target=v5e},tpuc-lower-kernels{target=v5e})' \
// RUN:   | FileCheck %s

// 128 rows of weights are 8 vregs of 16 bf16 each. When they are in the array, 64 rows are 4 pushes of 16. A pop has 8
// rows of sums: 2 for each push, to which the epilogue adds the bias.
// CHECK-LABEL: tpu.routine @k0 facts
// CHECK-SAME: kind = "dot"
// CHECK-COUNT-8: "mxu.ldw.bf16"
// CHECK-NOT: "mxu.ldw.bf16"
// CHECK: "mxu.swap"
// CHECK: scf.for %{{.*}} = %c0_i64 to %c4_i64
// CHECK: "mxu.push.bf16"
// CHECK: scf.for %{{.*}} = %c0_i64 to %c4_i64
// CHECK: %[[A:.*]] = tpu.inst "mxu.pop"
// CHECK: %[[B:.*]] = tpu.inst "mxu.pop"
// CHECK: "v.add.f32"(%[[A]],
// CHECK: "v.add.f32"(%[[B]],
func.func @main(%x: tensor<64x128xbf16>, %w: tensor<128x128xbf16>, %b: tensor<128xf32>) -> tensor<64x128xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
      : (tensor<64x128xbf16>, tensor<128x128xbf16>) -> tensor<64x128xf32>
  %1 = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<128xf32>) -> tensor<64x128xf32>
  %2 = stablehlo.add %0, %1 : tensor<64x128xf32>
  return %2 : tensor<64x128xf32>
}
