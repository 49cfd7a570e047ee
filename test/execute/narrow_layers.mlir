// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matmuls in a loop read the layers of a stack of 8-bit weights where they lie, one of a layer's two matrices each, and
// convert and scale them as they take them: the same numbers as products and sums on the vector unit. All of them are
// integers that bf16 holds, and so are the sums in f32.
// RUN: tpuc run %s
// RUN: tpuc run %s --check --target=v2
// RUN: tpuc run %s --check --target=v5p
// RUN: tpuc run %s --target=v6e --matmul-precision=highest
// RUN: tpuc run %s --no-fuse
// RUN: tpuc compile %s --stop-after=fuse -o - | FileCheck %s
// CHECK: stablehlo.while
// CHECK-NOT: kernel.fusion "copy"
// CHECK-COUNT-2: kernel.fusion "dot"({{.*}}tensor<3x2x300x200xi8>
func.func @main() {
  // Weights of -128 to 127, in an array of their own.
  %c = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %layers = stablehlo.constant dense<3> : tensor<i32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %number = stablehlo.iota dim = 0 : tensor<360000xi32>
  %cells = stablehlo.reshape %number : (tensor<360000xi32>) -> tensor<3x2x300x200xi32>
  %seven = stablehlo.constant dense<7919> : tensor<3x2x300x200xi32>
  %range = stablehlo.constant dense<256> : tensor<3x2x300x200xi32>
  %mask = stablehlo.constant dense<1048575> : tensor<3x2x300x200xi32>
  %half = stablehlo.constant dense<128> : tensor<3x2x300x200xi32>
  %0 = stablehlo.multiply %cells, %seven : tensor<3x2x300x200xi32>
  %1 = stablehlo.and %0, %mask : tensor<3x2x300x200xi32>
  %2 = stablehlo.remainder %1, %range : tensor<3x2x300x200xi32>
  %3 = stablehlo.subtract %2, %half : tensor<3x2x300x200xi32>
  %w = stablehlo.convert %3 : (tensor<3x2x300x200xi32>) -> tensor<3x2x300x200xi8>
  // Scales of 1, 2 and 4 a column of each layer; rows of -1, 0 and 1.
  %at = stablehlo.iota dim = 1 : tensor<3x200xi32>
  %layer = stablehlo.iota dim = 0 : tensor<3x200xi32>
  %three = stablehlo.constant dense<3> : tensor<3x200xi32>
  %ones = stablehlo.constant dense<1> : tensor<3x200xi32>
  %4 = stablehlo.add %at, %layer : tensor<3x200xi32>
  %kind = stablehlo.remainder %4, %three : tensor<3x200xi32>
  %power = stablehlo.shift_left %ones, %kind : tensor<3x200xi32>
  %scale = stablehlo.convert %power : (tensor<3x200xi32>) -> tensor<3x200xf32>
  %m = stablehlo.iota dim = 0 : tensor<5x300xi32>
  %k = stablehlo.iota dim = 1 : tensor<5x300xi32>
  %units = stablehlo.constant dense<1> : tensor<5x300xi32>
  %threes = stablehlo.constant dense<3> : tensor<5x300xi32>
  %5 = stablehlo.add %m, %k : tensor<5x300xi32>
  %6 = stablehlo.remainder %5, %threes : tensor<5x300xi32>
  %7 = stablehlo.subtract %6, %units : tensor<5x300xi32>
  %x = stablehlo.convert %7 : (tensor<5x300xi32>) -> tensor<5x300xf32>
  %none = stablehlo.broadcast_in_dim %zero, dims = [] : (tensor<f32>) -> tensor<5x200xf32>

  // The sum over layers of x (w[0] scale) - (x w[1]) scale.
  %8:2 = stablehlo.while(%i = %c, %sum = %none) : tensor<i32>, tensor<5x200xf32>
    cond {
      %more = stablehlo.compare LT, %i, %layers : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %more : tensor<i1>
    } do {
      %both = stablehlo.dynamic_slice %w, %i, %c, %c, %c, sizes = [1, 2, 300, 200]
          : (tensor<3x2x300x200xi8>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x300x200xi8>
      %matrices = stablehlo.reshape %both : (tensor<1x2x300x200xi8>) -> tensor<2x300x200xi8>
      %part0 = stablehlo.slice %matrices [0:1, 0:300, 0:200] : (tensor<2x300x200xi8>) -> tensor<1x300x200xi8>
      %part1 = stablehlo.slice %matrices [1:2, 0:300, 0:200] : (tensor<2x300x200xi8>) -> tensor<1x300x200xi8>
      %w0 = stablehlo.reshape %part0 : (tensor<1x300x200xi8>) -> tensor<300x200xi8>
      %w1 = stablehlo.reshape %part1 : (tensor<1x300x200xi8>) -> tensor<300x200xi8>
      %row = stablehlo.dynamic_slice %scale, %i, %c, sizes = [1, 200]
          : (tensor<3x200xf32>, tensor<i32>, tensor<i32>) -> tensor<1x200xf32>
      %wide0 = stablehlo.convert %w0 : (tensor<300x200xi8>) -> tensor<300x200xf32>
      %rows0 = stablehlo.broadcast_in_dim %row, dims = [0, 1] : (tensor<1x200xf32>) -> tensor<300x200xf32>
      %scaled0 = stablehlo.multiply %wide0, %rows0 : tensor<300x200xf32>
      %product0 = stablehlo.dot_general %x, %scaled0, contracting_dims = [1] x [0]
          : (tensor<5x300xf32>, tensor<300x200xf32>) -> tensor<5x200xf32>
      %wide1 = stablehlo.convert %w1 : (tensor<300x200xi8>) -> tensor<300x200xf32>
      %product1 = stablehlo.dot_general %x, %wide1, contracting_dims = [1] x [0]
          : (tensor<5x300xf32>, tensor<300x200xf32>) -> tensor<5x200xf32>
      %rows1 = stablehlo.broadcast_in_dim %row, dims = [0, 1] : (tensor<1x200xf32>) -> tensor<5x200xf32>
      %scaled1 = stablehlo.multiply %product1, %rows1 : tensor<5x200xf32>
      %added = stablehlo.add %sum, %product0 : tensor<5x200xf32>
      %taken = stablehlo.subtract %added, %scaled1 : tensor<5x200xf32>
      %next = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %next, %taken : tensor<i32>, tensor<5x200xf32>
    }

  // The same of all layers at once.
  %wide = stablehlo.convert %w : (tensor<3x2x300x200xi8>) -> tensor<3x2x300x200xf32>
  %first = stablehlo.slice %wide [0:3, 0:1, 0:300, 0:200] : (tensor<3x2x300x200xf32>) -> tensor<3x1x300x200xf32>
  %second = stablehlo.slice %wide [0:3, 1:2, 0:300, 0:200] : (tensor<3x2x300x200xf32>) -> tensor<3x1x300x200xf32>
  %less = stablehlo.subtract %first, %second : tensor<3x1x300x200xf32>
  %difference = stablehlo.reshape %less : (tensor<3x1x300x200xf32>) -> tensor<3x300x200xf32>
  %scales = stablehlo.broadcast_in_dim %scale, dims = [0, 2] : (tensor<3x200xf32>) -> tensor<3x300x200xf32>
  %scaled = stablehlo.multiply %difference, %scales : tensor<3x300x200xf32>
  %of_layers = stablehlo.reduce(%scaled init: %zero) applies stablehlo.add across dimensions = [0]
      : (tensor<3x300x200xf32>, tensor<f32>) -> tensor<300x200xf32>
  %xs = stablehlo.broadcast_in_dim %x, dims = [0, 1] : (tensor<5x300xf32>) -> tensor<5x300x200xf32>
  %ws = stablehlo.broadcast_in_dim %of_layers, dims = [1, 2] : (tensor<300x200xf32>) -> tensor<5x300x200xf32>
  %terms = stablehlo.multiply %xs, %ws : tensor<5x300x200xf32>
  %expected = stablehlo.reduce(%terms init: %zero) applies stablehlo.add across dimensions = [1]
      : (tensor<5x300x200xf32>, tensor<f32>) -> tensor<5x200xf32>
  check.expect_eq %8#1, %expected : tensor<5x200xf32>
  return
}
