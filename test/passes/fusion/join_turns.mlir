// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tpuc-opt %s --tpuc-fuse-kernels --split-input-file | FileCheck %s

// Eight weights of four bits in a number. Position l has those of number l / 8, moved by 4 (l mod 8) bits.
// CHECK-LABEL: @lanes
// CHECK: kernel.fusion "loop"(%arg0 : tensor<4096x512xi32>) -> tensor<4096x4096xi32>
// CHECK-COUNT-8: stablehlo.pad {{.*}} interior = [0, 7]
// CHECK: %[[T:.*]] = stablehlo.and
// CHECK: %[[B:.*]] = stablehlo.multiply %[[T]], %{{.*}} : tensor<4096x4096xi32>
// CHECK: stablehlo.shift_right_arithmetic %{{.*}}, %[[B]] : tensor<4096x4096xi32>
// CHECK-NOT: kernel.fusion
func.func @lanes(%w: tensor<4096x512xi32>) -> tensor<4096x4096xi32> {
  %c15 = stablehlo.constant dense<15> : tensor<4096x512x8xi32>
  %c4 = stablehlo.constant dense<4> : tensor<8xi32>
  %0 = stablehlo.iota dim = 0 : tensor<8xi32>
  %1 = stablehlo.multiply %0, %c4 : tensor<8xi32>
  %2 = stablehlo.broadcast_in_dim %w, dims = [0, 1] : (tensor<4096x512xi32>) -> tensor<4096x512x8xi32>
  %3 = stablehlo.broadcast_in_dim %1, dims = [2] : (tensor<8xi32>) -> tensor<4096x512x8xi32>
  %4 = stablehlo.shift_right_arithmetic %2, %3 : tensor<4096x512x8xi32>
  %5 = stablehlo.and %4, %c15 : tensor<4096x512x8xi32>
  %6 = stablehlo.reshape %5 : (tensor<4096x512x8xi32>) -> tensor<4096x4096xi32>
  return %6 : tensor<4096x4096xi32>
}

// -----

// Two weights in a byte, in two rows: the array is read with a gap behind, or before, each of its rows.
// CHECK-LABEL: @rows
// CHECK: kernel.fusion "loop"(%arg0 : tensor<2048x4096xi8>) -> tensor<4096x4096xbf16>
// CHECK-DAG: stablehlo.pad {{.*}}, low = [0, 0], high = [1, 0], interior = [1, 0]
// CHECK-DAG: stablehlo.pad {{.*}}, low = [1, 0], high = [0, 0], interior = [1, 0]
// CHECK: stablehlo.select
// CHECK-NOT: kernel.fusion
// CHECK: return
func.func @rows(%w: tensor<2048x4096xi8>) -> tensor<32x128x4096xbf16> {
  %c4 = stablehlo.constant dense<4> : tensor<2048x4096xi8>
  %c15 = stablehlo.constant dense<15> : tensor<2048x4096xi8>
  %0 = stablehlo.and %w, %c15 : tensor<2048x4096xi8>
  %1 = stablehlo.shift_right_logical %w, %c4 : tensor<2048x4096xi8>
  %2 = stablehlo.reshape %0 : (tensor<2048x4096xi8>) -> tensor<2048x1x4096xi8>
  %3 = stablehlo.reshape %1 : (tensor<2048x4096xi8>) -> tensor<2048x1x4096xi8>
  %4 = stablehlo.concatenate %2, %3, dim = 1
      : (tensor<2048x1x4096xi8>, tensor<2048x1x4096xi8>) -> tensor<2048x2x4096xi8>
  %5 = stablehlo.convert %4 : (tensor<2048x2x4096xi8>) -> tensor<2048x2x4096xbf16>
  %6 = stablehlo.reshape %5 : (tensor<2048x2x4096xbf16>) -> tensor<32x128x4096xbf16>
  return %6 : tensor<32x128x4096xbf16>
}

// -----

// What others read too, an array of the turns' own numbers, and three that take turns: none of them.
// CHECK-LABEL: @others
// CHECK-NOT: stablehlo.pad
func.func @others(%w: tensor<4096x512xi32>, %n: tensor<8xi32>, %v: tensor<4096x3x512xi32>)
    -> (tensor<4096x4096xi32>, tensor<4096x4096xi32>, tensor<4096x512x8xi32>, tensor<12288x512xi32>) {
  %0 = stablehlo.broadcast_in_dim %w, dims = [0, 1] : (tensor<4096x512xi32>) -> tensor<4096x512x8xi32>
  %1 = stablehlo.broadcast_in_dim %n, dims = [2] : (tensor<8xi32>) -> tensor<4096x512x8xi32>
  %2 = stablehlo.shift_right_arithmetic %0, %1 : tensor<4096x512x8xi32>
  %3 = stablehlo.reshape %2 : (tensor<4096x512x8xi32>) -> tensor<4096x4096xi32>
  %4 = stablehlo.iota dim = 2 : tensor<4096x512x8xi32>
  %5 = stablehlo.add %0, %4 : tensor<4096x512x8xi32>
  %6 = stablehlo.reshape %5 : (tensor<4096x512x8xi32>) -> tensor<4096x4096xi32>
  %7 = stablehlo.negate %v : tensor<4096x3x512xi32>
  %8 = stablehlo.reshape %7 : (tensor<4096x3x512xi32>) -> tensor<12288x512xi32>
  return %3, %6, %5, %8 : tensor<4096x4096xi32>, tensor<4096x4096xi32>, tensor<4096x512x8xi32>, tensor<12288x512xi32>
}
