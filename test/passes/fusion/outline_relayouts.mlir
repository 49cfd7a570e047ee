// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tpuc-opt %s --split-input-file --tpuc-fuse-kernels | FileCheck %s

// Windows of 7 by 7: rows of 96 lanes stay together, so that both reshapes and the transpose are one kernel.
// CHECK-LABEL: @main
// CHECK: %[[K:.*]] = kernel.fusion "relayout"(%arg0 : tensor<2x56x21x96xbf16>) -> tensor<48x49x96xbf16> {
// CHECK: stablehlo.reshape
// CHECK: stablehlo.transpose
// CHECK: stablehlo.reshape
// CHECK: return %[[K]]
func.func @main(%x: tensor<2x56x21x96xbf16>) -> tensor<48x49x96xbf16> {
  %0 = stablehlo.reshape %x : (tensor<2x56x21x96xbf16>) -> tensor<2x8x7x3x7x96xbf16>
  %1 = stablehlo.transpose %0, dims = [0, 1, 3, 2, 4, 5]
      : (tensor<2x8x7x3x7x96xbf16>) -> tensor<2x8x3x7x7x96xbf16>
  %2 = stablehlo.reshape %1 : (tensor<2x8x3x7x7x96xbf16>) -> tensor<48x49x96xbf16>
  return %2 : tensor<48x49x96xbf16>
}

// -----

// Of factors of less than eight positions none is a vreg's sublanes: rows would move one at a time.
// CHECK-LABEL: @main
// CHECK-NOT: "relayout"
func.func @main(%x: tensor<2x14x21x96xbf16>) -> tensor<12x49x96xbf16> {
  %0 = stablehlo.reshape %x : (tensor<2x14x21x96xbf16>) -> tensor<2x2x7x3x7x96xbf16>
  %1 = stablehlo.transpose %0, dims = [0, 1, 3, 2, 4, 5]
      : (tensor<2x2x7x3x7x96xbf16>) -> tensor<2x2x3x7x7x96xbf16>
  %2 = stablehlo.reshape %1 : (tensor<2x2x3x7x7x96xbf16>) -> tensor<12x49x96xbf16>
  return %2 : tensor<12x49x96xbf16>
}

// -----

// Seven moves and more, one after the other.
// CHECK-LABEL: @main
// CHECK: kernel.fusion "relayout"(%arg0 : tensor<16x12x40xf32>)
// CHECK-COUNT-8: stablehlo.
// CHECK: kernel.yield
func.func @main(%x: tensor<16x12x40xf32>) -> tensor<48x160xf32> {
  %0 = stablehlo.transpose %x, dims = [1, 0, 2] : (tensor<16x12x40xf32>) -> tensor<12x16x40xf32>
  %1 = stablehlo.reshape %0 : (tensor<12x16x40xf32>) -> tensor<12x2x8x40xf32>
  %2 = stablehlo.transpose %1, dims = [1, 0, 2, 3] : (tensor<12x2x8x40xf32>) -> tensor<2x12x8x40xf32>
  %3 = stablehlo.reshape %2 : (tensor<2x12x8x40xf32>) -> tensor<24x8x40xf32>
  %4 = stablehlo.transpose %3, dims = [1, 0, 2] : (tensor<24x8x40xf32>) -> tensor<8x24x40xf32>
  %5 = stablehlo.reshape %4 : (tensor<8x24x40xf32>) -> tensor<8x6x4x40xf32>
  %6 = stablehlo.transpose %5, dims = [1, 0, 2, 3] : (tensor<8x6x4x40xf32>) -> tensor<6x8x4x40xf32>
  %7 = stablehlo.reshape %6 : (tensor<6x8x4x40xf32>) -> tensor<48x160xf32>
  return %7 : tensor<48x160xf32>
}

// -----

// Heads repeated for their queries: the broadcast in front is one of its moves.
// CHECK-LABEL: @main
// CHECK: kernel.fusion "relayout"(%arg0 : tensor<3x20x4x128xbf16>) -> tensor<3x20x20x128xbf16> {
// CHECK: stablehlo.broadcast_in_dim
// CHECK: stablehlo.reshape
func.func @main(%x: tensor<3x20x4x128xbf16>) -> tensor<3x20x20x128xbf16> {
  %0 = stablehlo.broadcast_in_dim %x, dims = [0, 1, 2, 4] : (tensor<3x20x4x128xbf16>) -> tensor<3x20x4x5x128xbf16>
  %1 = stablehlo.reshape %0 : (tensor<3x20x4x5x128xbf16>) -> tensor<3x20x20x128xbf16>
  return %1 : tensor<3x20x20x128xbf16>
}

// -----

// What others read too is an array; a broadcast behind is read where it lies.
// CHECK-LABEL: @main
// CHECK: %[[T:.*]] = kernel.fusion "loop"(%arg0 : tensor<6x10x96xf32>) -> tensor<10x6x96xf32> {
// CHECK: stablehlo.transpose
// CHECK: %[[R:.*]] = kernel.fusion "relayout"(%[[T]] : tensor<10x6x96xf32>) -> tensor<60x96xf32> {
// CHECK: stablehlo.reshape
// CHECK: kernel.fusion "loop"({{.*}}%[[R]]
// CHECK: stablehlo.broadcast_in_dim
func.func @main(%x: tensor<6x10x96xf32>) -> (tensor<10x6x96xf32>, tensor<3x60x96xf32>) {
  %0 = stablehlo.transpose %x, dims = [1, 0, 2] : (tensor<6x10x96xf32>) -> tensor<10x6x96xf32>
  %1 = stablehlo.reshape %0 : (tensor<10x6x96xf32>) -> tensor<60x96xf32>
  %2 = stablehlo.broadcast_in_dim %1, dims = [1, 2] : (tensor<60x96xf32>) -> tensor<3x60x96xf32>
  return %0, %2 : tensor<10x6x96xf32>, tensor<3x60x96xf32>
}

// -----

// Another dim comes to lie along lanes: the transpose is a kernel of its own, and what is left keeps its lanes.
// CHECK-LABEL: @main
// CHECK: kernel.fusion "relayout"(%arg0 : tensor<12x60x96xf32>) -> tensor<12x3x20x96xf32> {
// CHECK: kernel.fusion "copy"({{.*}} -> tensor<96x3x20x12xf32> {
// CHECK: stablehlo.transpose
func.func @main(%x: tensor<12x60x96xf32>) -> tensor<96x3x20x12xf32> {
  %0 = stablehlo.reshape %x : (tensor<12x60x96xf32>) -> tensor<12x3x20x96xf32>
  %1 = stablehlo.transpose %0, dims = [3, 1, 2, 0] : (tensor<12x3x20x96xf32>) -> tensor<96x3x20x12xf32>
  return %1 : tensor<96x3x20x12xf32>
}

// -----

// Dims without a common factor, and a move that leaves every element in its place.
// CHECK-LABEL: @main
// CHECK-NOT: "relayout"
func.func @main(%x: tensor<35x77x64xf32>, %y: tensor<8x16x128xf32>) -> (tensor<77x35x64xf32>, tensor<128x128xf32>) {
  %0 = stablehlo.reshape %x : (tensor<35x77x64xf32>) -> tensor<77x35x64xf32>
  %1 = stablehlo.reshape %y : (tensor<8x16x128xf32>) -> tensor<128x128xf32>
  return %0, %1 : tensor<77x35x64xf32>, tensor<128x128xf32>
}

// -----

// Joined rows that two want in different dims: the second reads the first, whose kernel has the transpose. Heads of 32
// lanes are no array.
// CHECK-LABEL: @main
// CHECK: %[[J:.*]] = kernel.fusion "relayout"(%arg0 : tensor<3x256x3x49x32xbf16>) -> tensor<256x49x288xbf16>
// CHECK: kernel.fusion "relayout"(%[[J]] : tensor<256x49x288xbf16>) -> tensor<12544x288xbf16>
func.func @main(%x: tensor<3x256x3x49x32xbf16>) -> (tensor<256x49x288xbf16>, tensor<12544x288xbf16>) {
  %0 = stablehlo.transpose %x, dims = [1, 3, 0, 2, 4] : (tensor<3x256x3x49x32xbf16>) -> tensor<256x49x3x3x32xbf16>
  %1 = stablehlo.reshape %0 : (tensor<256x49x3x3x32xbf16>) -> tensor<256x49x288xbf16>
  %2 = stablehlo.reshape %0 : (tensor<256x49x3x3x32xbf16>) -> tensor<12544x288xbf16>
  return %1, %2 : tensor<256x49x288xbf16>, tensor<12544x288xbf16>
}
