// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tpuc-opt %s --tpuc-round-in-dots | FileCheck %s
// RUN: tpuc-opt %s --tpuc-round-in-dots=matmul-precision=highest | FileCheck %s --check-prefix=PRECISE

// PRECISE: func.func @weights
// PRECISE: stablehlo.convert
// CHECK-LABEL: func.func @weights
// CHECK-NOT: stablehlo.convert
// CHECK: dot_general {{.*}} : (tensor<128x512xbf16>, tensor<512x256xf32>)
func.func @weights(%x: tensor<128x512xbf16>, %w: tensor<512x256xf32>) -> tensor<128x256xbf16> {
  %0 = stablehlo.convert %w : (tensor<512x256xf32>) -> tensor<512x256xbf16>
  %1 = stablehlo.dot_general %x, %0, contracting_dims = [1] x [0]
      : (tensor<128x512xbf16>, tensor<512x256xbf16>) -> tensor<128x256xbf16>
  return %1 : tensor<128x256xbf16>
}

// Two readers share the rounded array.
// CHECK-LABEL: func.func @shared
// CHECK: stablehlo.convert
func.func @shared(%x: tensor<128x512xbf16>, %w: tensor<512x256xf32>) -> (tensor<128x256xbf16>, tensor<512x256xbf16>) {
  %0 = stablehlo.convert %w : (tensor<512x256xf32>) -> tensor<512x256xbf16>
  %1 = stablehlo.dot_general %x, %0, contracting_dims = [1] x [0]
      : (tensor<128x512xbf16>, tensor<512x256xbf16>) -> tensor<128x256xbf16>
  return %1, %0 : tensor<128x256xbf16>, tensor<512x256xbf16>
}

// What a kernel computes leaves it as bf16.
// CHECK-LABEL: func.func @computed
// CHECK: stablehlo.convert
func.func @computed(%x: tensor<128x512xbf16>, %w: tensor<512x256xf32>) -> tensor<128x256xbf16> {
  %t = stablehlo.tanh %w : tensor<512x256xf32>
  %0 = stablehlo.convert %t : (tensor<512x256xf32>) -> tensor<512x256xbf16>
  %1 = stablehlo.dot_general %x, %0, contracting_dims = [1] x [0]
      : (tensor<128x512xbf16>, tensor<512x256xbf16>) -> tensor<128x256xbf16>
  return %1 : tensor<128x256xbf16>
}
