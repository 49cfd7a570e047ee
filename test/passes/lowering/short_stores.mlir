// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tpuc-opt %s --pass-pipeline='builtin.module(func.func(tpuc-fuse-kernels),tpuc-plan-kernels{target=v5e},tpuc-lower-kernels{target=v5e})' \
// RUN:   --split-input-file | FileCheck %s

// 32 of 128 lanes: what lies beyond belongs to nobody.
// CHECK-LABEL: tpu.routine @k0 facts
// CHECK: tpu.inst "v.st"({{.*}}) {lanes = 32 : i64, off = 64 : i64, stride = 1 : i64}
func.func @main(%x: tensor<64x32xf32>) -> tensor<64x32xf32> {
  %0 = stablehlo.negate %x : tensor<64x32xf32>
  return %0 : tensor<64x32xf32>
}

// -----

// 6 rows of bf16 are 3 words of two rows each.
// CHECK-LABEL: tpu.routine @k0 facts
// CHECK: tpu.inst "v.st"({{.*}}) {lanes = 20 : i64, off = 8 : i64, stride = 1 : i64, sublanes = 3 : i64}
func.func @main(%x: tensor<6x20xbf16>) -> tensor<6x20xbf16> {
  %0 = stablehlo.negate %x : tensor<6x20xbf16>
  return %0 : tensor<6x20xbf16>
}

// -----

// 300 elements are two whole words and a part of a third.
// CHECK-LABEL: tpu.routine @k0 facts
// CHECK: tpu.inst "v.st"({{.*}}) {off = 8 : i64, stride = 1 : i64, sublanes = 3 : i64}
func.func @main(%x: tensor<300xf32>) -> tensor<300xf32> {
  %0 = stablehlo.negate %x : tensor<300xf32>
  return %0 : tensor<300xf32>
}

// -----

// Of two tiles the last alone is short: which one a store writes is known at run time.
// CHECK-LABEL: tpu.routine @k0 facts
// CHECK: tpu.inst "v.st"
// CHECK-NOT: lanes =
func.func @main(%x: tensor<64x200xf32>) -> tensor<64x200xf32> {
  %0 = stablehlo.negate %x : tensor<64x200xf32>
  return %0 : tensor<64x200xf32>
}
