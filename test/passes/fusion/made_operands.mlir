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

// -----

// A layer of a stack under another shape is an array like any other, and so is a scale that keeps its dims.
// CHECK-LABEL: @narrow_layer
// CHECK: %[[W:.*]] = kernel.fusion "copy"(%arg1, %arg3
// CHECK: %[[L:.*]] = kernel.view %[[W]] : tensor<1x4096x1024xi8> -> tensor<4096x1024xi8>
// CHECK-NOT: kernel.fusion "loop"
// CHECK: kernel.fusion "dot"(%[[L]], %arg2, %arg0 : tensor<4096x1024xi8>, tensor<1x1024xf32>, tensor<16x4096xf32>)
// CHECK: stablehlo.convert
// CHECK: stablehlo.multiply
// CHECK: stablehlo.dot_general
func.func @narrow_layer(%x: tensor<16x4096xf32>, %w: tensor<8x4096x1024xi8>, %scale: tensor<1x1024xf32>,
                        %i: tensor<i32>) -> tensor<16x1024xf32> {
  %c = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.dynamic_slice %w, %i, %c, %c, sizes = [1, 4096, 1024]
      : (tensor<8x4096x1024xi8>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4096x1024xi8>
  %1 = stablehlo.reshape %0 : (tensor<1x4096x1024xi8>) -> tensor<4096x1024xi8>
  %2 = stablehlo.convert %1 : (tensor<4096x1024xi8>) -> tensor<4096x1024xf32>
  %3 = stablehlo.broadcast_in_dim %scale, dims = [0, 1] : (tensor<1x1024xf32>) -> tensor<4096x1024xf32>
  %4 = stablehlo.multiply %2, %3 : tensor<4096x1024xf32>
  %5 = stablehlo.dot_general %x, %4, contracting_dims = [1] x [0]
      : (tensor<16x4096xf32>, tensor<4096x1024xf32>) -> tensor<16x1024xf32>
  return %5 : tensor<16x1024xf32>
}

// -----

// So is what another kernel makes: 100 rows fill no tiles of 8-bit elements, and their reshape moves elements.
// CHECK-LABEL: @moved_layer
// CHECK: %[[W:.*]] = kernel.fusion "relayout"(%arg1 : tensor<40x100x1024xi8>)
// CHECK: kernel.fusion "dot"(%[[W]], %arg0 : tensor<4000x1024xi8>, tensor<16x4000xf32>)
func.func @moved_layer(%x: tensor<16x4000xf32>, %w: tensor<40x100x1024xi8>) -> tensor<16x1024xf32> {
  %0 = stablehlo.reshape %w : (tensor<40x100x1024xi8>) -> tensor<4000x1024xi8>
  %1 = stablehlo.convert %0 : (tensor<4000x1024xi8>) -> tensor<4000x1024xf32>
  %2 = stablehlo.dot_general %x, %1, contracting_dims = [1] x [0]
      : (tensor<16x4000xf32>, tensor<4000x1024xf32>) -> tensor<16x1024xf32>
  return %2 : tensor<16x1024xf32>
}

// -----

// Floats of 8 bits are decoded there too, which takes 12 ops: sign, exponent and significand, NaN.
// CHECK-LABEL: @narrow_floats
// CHECK-NOT: kernel.fusion "loop"
// CHECK: kernel.fusion "dot"(%arg1, %arg0 : tensor<4096x4096xui8>, tensor<16x4096xbf16>)
// CHECK-NOT: kernel.fusion
func.func @narrow_floats(%x: tensor<16x4096xbf16>, %w: tensor<4096x4096xui8>) -> tensor<16x4096xbf16> {
  %sign = stablehlo.constant dense<128> : tensor<4096x4096xui32>
  %rest = stablehlo.constant dense<127> : tensor<4096x4096xui32>
  %largest = stablehlo.constant dense<126> : tensor<4096x4096xui32>
  %up = stablehlo.constant dense<24> : tensor<4096x4096xui32>
  %less = stablehlo.constant dense<20> : tensor<4096x4096xui32>
  %nan = stablehlo.constant dense<2143289344> : tensor<4096x4096xui32>
  %bias = stablehlo.constant dense<1.329228E+36> : tensor<4096x4096xf32>
  %0 = stablehlo.convert %w : (tensor<4096x4096xui8>) -> tensor<4096x4096xui32>
  %1 = stablehlo.and %0, %sign : tensor<4096x4096xui32>
  %2 = stablehlo.shift_left %1, %up : tensor<4096x4096xui32>
  %3 = stablehlo.and %0, %rest : tensor<4096x4096xui32>
  %4 = stablehlo.shift_left %3, %less : tensor<4096x4096xui32>
  %5 = stablehlo.bitcast_convert %4 : (tensor<4096x4096xui32>) -> tensor<4096x4096xf32>
  %6 = stablehlo.multiply %5, %bias : tensor<4096x4096xf32>
  %7 = stablehlo.bitcast_convert %6 : (tensor<4096x4096xf32>) -> tensor<4096x4096xui32>
  %8 = stablehlo.compare LT, %largest, %3 : (tensor<4096x4096xui32>, tensor<4096x4096xui32>) -> tensor<4096x4096xi1>
  %9 = stablehlo.select %8, %nan, %7 : tensor<4096x4096xi1>, tensor<4096x4096xui32>
  %10 = stablehlo.or %9, %2 : tensor<4096x4096xui32>
  %11 = stablehlo.bitcast_convert %10 : (tensor<4096x4096xui32>) -> tensor<4096x4096xf32>
  %12 = stablehlo.convert %11 : (tensor<4096x4096xf32>) -> tensor<4096x4096xbf16>
  %13 = stablehlo.dot_general %x, %12, contracting_dims = [1] x [0]
      : (tensor<16x4096xbf16>, tensor<4096x4096xbf16>) -> tensor<16x4096xbf16>
  return %13 : tensor<16x4096xbf16>
}
