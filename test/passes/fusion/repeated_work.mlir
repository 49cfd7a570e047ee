// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What several kernels compute for themselves, from one array that is in memory anyway.
// RUN: tpuc-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(tpuc-fuse-kernels))' | FileCheck %s
// RUN: tpuc-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(tpuc-fuse-kernels{target=v5p}))' \
// RUN:   | FileCheck %s --check-prefix=CORES

// A batch norm of 98 MiB of f32, whose centred rows VMEM does not hold: three kernels read the rows of bf16, and no
// array of f32 is between them.
// CHECK-LABEL: func.func @batch_norm
// CHECK: %[[SUM:.*]] = kernel.fusion "loop"(%arg0 : tensor<64x56x56x64xbf16>) -> tensor<64xf32> {
// CHECK: %[[SQUARES:.*]] = kernel.fusion "loop"(%arg0, %[[SUM]] : {{.*}}) -> tensor<64xf32> {
// CHECK: stablehlo.subtract
// CHECK: stablehlo.reduce
// CHECK: kernel.fusion "loop"({{.*}}%arg0{{.*}}) -> tensor<64x56x56x64xbf16> {
// CHECK: stablehlo.subtract
// CHECK-NOT: kernel.fusion
func.func @batch_norm(%x: tensor<64x56x56x64xbf16>) -> tensor<64x56x56x64xbf16> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %n = stablehlo.constant dense<2.0e+05> : tensor<64xf32>
  %0 = stablehlo.convert %x : (tensor<64x56x56x64xbf16>) -> tensor<64x56x56x64xf32>
  %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [0, 1, 2]
      : (tensor<64x56x56x64xf32>, tensor<f32>) -> tensor<64xf32>
  %2 = stablehlo.divide %1, %n : tensor<64xf32>
  %3 = stablehlo.broadcast_in_dim %2, dims = [3] : (tensor<64xf32>) -> tensor<64x56x56x64xf32>
  %4 = stablehlo.subtract %0, %3 : tensor<64x56x56x64xf32>
  %5 = stablehlo.multiply %4, %4 : tensor<64x56x56x64xf32>
  %6 = stablehlo.reduce(%5 init: %zero) applies stablehlo.add across dimensions = [0, 1, 2]
      : (tensor<64x56x56x64xf32>, tensor<f32>) -> tensor<64xf32>
  %7 = stablehlo.rsqrt %6 : tensor<64xf32>
  %8 = stablehlo.broadcast_in_dim %7, dims = [3] : (tensor<64xf32>) -> tensor<64x56x56x64xf32>
  %9 = stablehlo.multiply %4, %8 : tensor<64x56x56x64xf32>
  %10 = stablehlo.convert %9 : (tensor<64x56x56x64xf32>) -> tensor<64x56x56x64xbf16>
  return %10 : tensor<64x56x56x64xbf16>
}

// -----

// VMEM holds the centred rows of 2 MiB from kernel to kernel.
// CHECK-LABEL: func.func @small
// CHECK: kernel.fusion
// CHECK: stablehlo.subtract
// CHECK-NOT: stablehlo.subtract
func.func @small(%x: tensor<1024x512xf32>, %y: tensor<512xf32>) -> (tensor<512xf32>, tensor<1024xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %y, dims = [1] : (tensor<512xf32>) -> tensor<1024x512xf32>
  %1 = stablehlo.subtract %x, %0 : tensor<1024x512xf32>
  %2 = stablehlo.reduce(%1 init: %zero) applies stablehlo.maximum across dimensions = [0]
      : (tensor<1024x512xf32>, tensor<f32>) -> tensor<512xf32>
  %3 = stablehlo.reduce(%1 init: %zero) applies stablehlo.add across dimensions = [1]
      : (tensor<1024x512xf32>, tensor<f32>) -> tensor<1024xf32>
  return %2, %3 : tensor<512xf32>, tensor<1024xf32>
}

// -----

// A kernel with the rows' means has these rows in VMEM: it subtracts them, once.
// CHECK-LABEL: func.func @means_once
// CHECK-COUNT-1: applies stablehlo.add across dimensions = [1]
// CHECK-COUNT-1: stablehlo.subtract
// CHECK-NOT: {{applies stablehlo.add across dimensions = .1.|stablehlo.subtract}}
func.func @means_once(%x: tensor<65536x256xf32>) -> (tensor<256xf32>, tensor<256xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1]
      : (tensor<65536x256xf32>, tensor<f32>) -> tensor<65536xf32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<65536xf32>) -> tensor<65536x256xf32>
  %2 = stablehlo.subtract %x, %1 : tensor<65536x256xf32>
  %3 = stablehlo.reduce(%2 init: %zero) applies stablehlo.maximum across dimensions = [0]
      : (tensor<65536x256xf32>, tensor<f32>) -> tensor<256xf32>
  %4 = stablehlo.broadcast_in_dim %3, dims = [1] : (tensor<256xf32>) -> tensor<65536x256xf32>
  %5 = stablehlo.add %2, %4 : tensor<65536x256xf32>
  %6 = stablehlo.reduce(%5 init: %zero) applies stablehlo.maximum across dimensions = [0]
      : (tensor<65536x256xf32>, tensor<f32>) -> tensor<256xf32>
  return %3, %6 : tensor<256xf32>, tensor<256xf32>
}

// -----

// The systolic arrays read an array: what they read is not computed again beside it.
// CHECK-LABEL: func.func @read_by_a_matmul
// CHECK: kernel.fusion
// CHECK: stablehlo.multiply
// CHECK-NOT: stablehlo.multiply
func.func @read_by_a_matmul(%x: tensor<65536x256xf32>, %w: tensor<256x64xf32>)
    -> (tensor<65536x64xf32>, tensor<256xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %two = stablehlo.constant dense<2.0> : tensor<65536x256xf32>
  %0 = stablehlo.multiply %x, %two : tensor<65536x256xf32>
  %1 = stablehlo.dot_general %0, %w, contracting_dims = [1] x [0]
      : (tensor<65536x256xf32>, tensor<256x64xf32>) -> tensor<65536x64xf32>
  %2 = stablehlo.reduce(%0 init: %zero) applies stablehlo.maximum across dimensions = [0]
      : (tensor<65536x256xf32>, tensor<f32>) -> tensor<256xf32>
  return %1, %2 : tensor<65536x64xf32>, tensor<256xf32>
}

// -----

// The sum of rows' sums is one kernel; where cores share the rows, theirs is one and the sum of all another.
// CHECK-LABEL: func.func @sum_of_sums
// CHECK-COUNT-1: kernel.fusion
// CHECK-NOT: kernel.fusion
// CORES-LABEL: func.func @sum_of_sums
// CORES: kernel.fusion {{.*}} -> tensor<65536xf32>
// CORES: kernel.fusion {{.*}} -> tensor<f32>
// CORES-NOT: kernel.fusion
// CORES: return
func.func @sum_of_sums(%x: tensor<65536x256xf32>) -> tensor<f32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1]
      : (tensor<65536x256xf32>, tensor<f32>) -> tensor<65536xf32>
  %1 = stablehlo.multiply %0, %0 : tensor<65536xf32>
  %2 = stablehlo.reduce(%1 init: %zero) applies stablehlo.add across dimensions = [0]
      : (tensor<65536xf32>, tensor<f32>) -> tensor<f32>
  return %2 : tensor<f32>
}

// -----

// A window loads each element for every position: it is made once, and its conversion by each kernel.
// CHECK-LABEL: func.func @window_once
// CHECK-COUNT-1: stablehlo.convolution
// CHECK-NOT: stablehlo.convolution
func.func @window_once(%x: tensor<64x40x40x144xbf16>, %w: tensor<3x3x1x144xbf16>)
    -> (tensor<144xf32>, tensor<64x40x40x144xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
      window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 144 : i64}
      : (tensor<64x40x40x144xbf16>, tensor<3x3x1x144xbf16>) -> tensor<64x40x40x144xbf16>
  %1 = stablehlo.convert %0 : (tensor<64x40x40x144xbf16>) -> tensor<64x40x40x144xf32>
  %2 = stablehlo.reduce(%1 init: %zero) applies stablehlo.add across dimensions = [0, 1, 2]
      : (tensor<64x40x40x144xf32>, tensor<f32>) -> tensor<144xf32>
  %3 = stablehlo.multiply %1, %1 : tensor<64x40x40x144xf32>
  return %2, %3 : tensor<144xf32>, tensor<64x40x40x144xf32>
}

// -----

// So is a convolution of few features: it has rows for each of its 49 positions.
// CHECK-LABEL: func.func @stem_once
// CHECK-COUNT-1: stablehlo.convolution
// CHECK-NOT: stablehlo.convolution
func.func @stem_once(%x: tensor<8x224x224x3xbf16>, %w: tensor<7x7x3x64xbf16>)
    -> (tensor<64xf32>, tensor<8x112x112x64xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
      window = {stride = [2, 2], pad = [[2, 3], [2, 3]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<8x224x224x3xbf16>, tensor<7x7x3x64xbf16>) -> tensor<8x112x112x64xbf16>
  %1 = stablehlo.convert %0 : (tensor<8x112x112x64xbf16>) -> tensor<8x112x112x64xf32>
  %2 = stablehlo.reduce(%1 init: %zero) applies stablehlo.add across dimensions = [0, 1, 2]
      : (tensor<8x112x112x64xf32>, tensor<f32>) -> tensor<64xf32>
  %3 = stablehlo.multiply %1, %1 : tensor<8x112x112x64xf32>
  return %2, %3 : tensor<64xf32>, tensor<8x112x112x64xf32>
}
