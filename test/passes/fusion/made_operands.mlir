// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operands of a matmul that are made of arrays with fewer dims lie nowhere, where that takes less time.
// RUN: tpuc-opt %s --tpuc-fuse-kernels --split-input-file | FileCheck %s

// One-hot rows: 512 MiB that neither are written nor read.
// CHECK-LABEL: @one_hot
// CHECK: kernel.fusion "dot"(%arg0, %arg1 : tensor<8192xi32>, tensor<32000x512xbf16>)
// CHECK: stablehlo.compare EQ
// CHECK: stablehlo.dot_general
// CHECK-NOT: kernel.fusion
func.func @one_hot(%ids: tensor<8192xi32>, %table: tensor<32000x512xbf16>) -> tensor<8192x512xbf16> {
  %0 = stablehlo.broadcast_in_dim %ids, dims = [0] : (tensor<8192xi32>) -> tensor<8192x32000xi32>
  %1 = stablehlo.iota dim = 1 : tensor<8192x32000xi32>
  %2 = stablehlo.compare EQ, %0, %1 : (tensor<8192x32000xi32>, tensor<8192x32000xi32>) -> tensor<8192x32000xi1>
  %3 = stablehlo.convert %2 : (tensor<8192x32000xi1>) -> tensor<8192x32000xbf16>
  %4 = stablehlo.dot_general %3, %table, contracting_dims = [1] x [0]
      : (tensor<8192x32000xbf16>, tensor<32000x512xbf16>) -> tensor<8192x512xbf16>
  return %4 : tensor<8192x512xbf16>
}

// -----

// Each row's weight where its number says, for two matmuls: each makes it.
// CHECK-LABEL: @two_readers
// CHECK: kernel.fusion "dot"(%arg0, %arg1, %arg2 :
// CHECK: stablehlo.select
// CHECK: kernel.fusion "dot"(%arg0, %arg1, %arg3 :
// CHECK: stablehlo.select
// CHECK-NOT: kernel.fusion
func.func @two_readers(%ids: tensor<1024xi32>, %gate: tensor<1024xf32>, %x: tensor<2048x256xf32>,
                       %y: tensor<2048x128xf32>) -> (tensor<1024x256xf32>, tensor<1024x128xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<1024x2048xf32>
  %0 = stablehlo.broadcast_in_dim %ids, dims = [0] : (tensor<1024xi32>) -> tensor<1024x2048xi32>
  %1 = stablehlo.iota dim = 1 : tensor<1024x2048xi32>
  %2 = stablehlo.compare EQ, %0, %1 : (tensor<1024x2048xi32>, tensor<1024x2048xi32>) -> tensor<1024x2048xi1>
  %3 = stablehlo.broadcast_in_dim %gate, dims = [0] : (tensor<1024xf32>) -> tensor<1024x2048xf32>
  %4 = stablehlo.select %2, %3, %zero : tensor<1024x2048xi1>, tensor<1024x2048xf32>
  %5 = stablehlo.dot_general %4, %x, contracting_dims = [1] x [0]
      : (tensor<1024x2048xf32>, tensor<2048x256xf32>) -> tensor<1024x256xf32>
  %6 = stablehlo.dot_general %4, %y, contracting_dims = [1] x [0]
      : (tensor<1024x2048xf32>, tensor<2048x128xf32>) -> tensor<1024x128xf32>
  return %5, %6 : tensor<1024x256xf32>, tensor<1024x128xf32>
}

// -----

// A result of the program is an array anyway: the matmul reads it.
// CHECK-LABEL: @returned
// CHECK: %[[ROWS:.*]] = kernel.fusion "loop"
// CHECK: kernel.fusion "dot"(%[[ROWS]], %arg1 :
func.func @returned(%ids: tensor<1024xi32>, %x: tensor<2048x256xf32>) -> (tensor<1024x256xf32>, tensor<1024x2048xf32>) {
  %0 = stablehlo.broadcast_in_dim %ids, dims = [0] : (tensor<1024xi32>) -> tensor<1024x2048xi32>
  %1 = stablehlo.iota dim = 1 : tensor<1024x2048xi32>
  %2 = stablehlo.compare EQ, %0, %1 : (tensor<1024x2048xi32>, tensor<1024x2048xi32>) -> tensor<1024x2048xi1>
  %3 = stablehlo.convert %2 : (tensor<1024x2048xi1>) -> tensor<1024x2048xf32>
  %4 = stablehlo.dot_general %3, %x, contracting_dims = [1] x [0]
      : (tensor<1024x2048xf32>, tensor<2048x256xf32>) -> tensor<1024x256xf32>
  return %4, %3 : tensor<1024x256xf32>, tensor<1024x2048xf32>
}

// -----

// So is what reads an array of as many dims.
// CHECK-LABEL: @of_an_array
// CHECK: %[[ROWS:.*]] = kernel.fusion "loop"(%arg0, %arg1 :
// CHECK: kernel.fusion "dot"(%[[ROWS]], %arg2 :
func.func @of_an_array(%scale: tensor<1024xf32>, %a: tensor<1024x2048xf32>, %x: tensor<2048x256xf32>)
    -> tensor<1024x256xf32> {
  %0 = stablehlo.broadcast_in_dim %scale, dims = [0] : (tensor<1024xf32>) -> tensor<1024x2048xf32>
  %1 = stablehlo.multiply %0, %a : tensor<1024x2048xf32>
  %2 = stablehlo.dot_general %1, %x, contracting_dims = [1] x [0]
      : (tensor<1024x2048xf32>, tensor<2048x256xf32>) -> tensor<1024x256xf32>
  return %2 : tensor<1024x256xf32>
}

// -----

// Nor is an elementary function worked out for each column of results.
// CHECK-LABEL: @elementary
// CHECK: %[[ROWS:.*]] = kernel.fusion "loop"(%arg0 :
// CHECK: kernel.fusion "dot"(%[[ROWS]], %arg1 :
func.func @elementary(%scale: tensor<1024xf32>, %x: tensor<2048x256xf32>) -> tensor<1024x256xf32> {
  %0 = stablehlo.broadcast_in_dim %scale, dims = [0] : (tensor<1024xf32>) -> tensor<1024x2048xf32>
  %1 = stablehlo.iota dim = 1 : tensor<1024x2048xf32>
  %2 = stablehlo.multiply %0, %1 : tensor<1024x2048xf32>
  %3 = stablehlo.sine %2 : tensor<1024x2048xf32>
  %4 = stablehlo.dot_general %3, %x, contracting_dims = [1] x [0]
      : (tensor<1024x2048xf32>, tensor<2048x256xf32>) -> tensor<1024x256xf32>
  return %4 : tensor<1024x256xf32>
}

// -----

// Weights of 8 bits are converted, and scaled, as they go into the array: a quarter of their f32 bytes is read.
// CHECK-LABEL: @narrow_weights
// CHECK: kernel.fusion "dot"(%arg1, %arg2, %arg0 : tensor<4096x1024xi8>, tensor<1024xf32>, tensor<16x4096xf32>)
// CHECK: stablehlo.convert
// CHECK: stablehlo.multiply
// CHECK: stablehlo.dot_general
// CHECK-NOT: kernel.fusion
func.func @narrow_weights(%x: tensor<16x4096xf32>, %w: tensor<4096x1024xi8>, %scale: tensor<1024xf32>)
    -> tensor<16x1024xf32> {
  %0 = stablehlo.convert %w : (tensor<4096x1024xi8>) -> tensor<4096x1024xf32>
  %1 = stablehlo.broadcast_in_dim %scale, dims = [1] : (tensor<1024xf32>) -> tensor<4096x1024xf32>
  %2 = stablehlo.multiply %0, %1 : tensor<4096x1024xf32>
  %3 = stablehlo.dot_general %x, %2, contracting_dims = [1] x [0]
      : (tensor<16x4096xf32>, tensor<4096x1024xf32>) -> tensor<16x1024xf32>
  return %3 : tensor<16x1024xf32>
}

// -----

// Not so elements that are as wide: to read them converted takes no longer.
// CHECK-LABEL: @as_wide
// CHECK: kernel.fusion "loop"(%arg1 :
// CHECK: kernel.fusion "dot"
func.func @as_wide(%x: tensor<16x4096xf32>, %w: tensor<4096x1024xi32>) -> tensor<16x1024xf32> {
  %0 = stablehlo.convert %w : (tensor<4096x1024xi32>) -> tensor<4096x1024xf32>
  %1 = stablehlo.dot_general %x, %0, contracting_dims = [1] x [0]
      : (tensor<16x4096xf32>, tensor<4096x1024xf32>) -> tensor<16x1024xf32>
  return %1 : tensor<16x1024xf32>
}
