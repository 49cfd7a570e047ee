// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A matmul converts and scales weights of 8 bits as it takes them, the last tile of k being ragged: the same numbers as
// products and sums on the vector unit. All of them are integers that bf16 holds, and so are the sums in f32.
// RUN: tpuc run %s
// RUN: tpuc run %s --check --target=v2
// RUN: tpuc run %s --target=v6e --matmul-precision=highest
// RUN: tpuc compile %s --stop-after=fuse -o - | FileCheck %s
// CHECK: kernel.fusion "dot"({{.*}}tensor<1100x200xi8>
func.func @main() {
  // Weights of -128 to 127, in an array of their own: two parts that lie one above the other.
  %row = stablehlo.iota dim = 0 : tensor<1000x200xi32>
  %column = stablehlo.iota dim = 1 : tensor<1000x200xi32>
  %seven = stablehlo.constant dense<7> : tensor<1000x200xi32>
  %range = stablehlo.constant dense<256> : tensor<1000x200xi32>
  %half = stablehlo.constant dense<128> : tensor<1000x200xi32>
  %0 = stablehlo.multiply %row, %seven : tensor<1000x200xi32>
  %1 = stablehlo.multiply %0, %column : tensor<1000x200xi32>
  %2 = stablehlo.remainder %1, %range : tensor<1000x200xi32>
  %3 = stablehlo.subtract %2, %half : tensor<1000x200xi32>
  %upper = stablehlo.convert %3 : (tensor<1000x200xi32>) -> tensor<1000x200xi8>
  %lower = stablehlo.slice %upper [300:400, 0:200] : (tensor<1000x200xi8>) -> tensor<100x200xi8>
  %w8 = stablehlo.concatenate %upper, %lower, dim = 0
      : (tensor<1000x200xi8>, tensor<100x200xi8>) -> tensor<1100x200xi8>
  // Scales of 1, 2 and 4 a column; rows of -1, 0 and 1.
  %at = stablehlo.iota dim = 0 : tensor<200xi32>
  %three = stablehlo.constant dense<3> : tensor<200xi32>
  %one = stablehlo.constant dense<1> : tensor<200xi32>
  %kind = stablehlo.remainder %at, %three : tensor<200xi32>
  %power = stablehlo.shift_left %one, %kind : tensor<200xi32>
  %scale = stablehlo.convert %power : (tensor<200xi32>) -> tensor<200xf32>
  %m = stablehlo.iota dim = 0 : tensor<5x1100xi32>
  %k = stablehlo.iota dim = 1 : tensor<5x1100xi32>
  %ones = stablehlo.constant dense<1> : tensor<5x1100xi32>
  %threes = stablehlo.constant dense<3> : tensor<5x1100xi32>
  %4 = stablehlo.add %m, %k : tensor<5x1100xi32>
  %5 = stablehlo.remainder %4, %threes : tensor<5x1100xi32>
  %6 = stablehlo.subtract %5, %ones : tensor<5x1100xi32>
  %x = stablehlo.convert %6 : (tensor<5x1100xi32>) -> tensor<5x1100xf32>

  %w = stablehlo.convert %w8 : (tensor<1100x200xi8>) -> tensor<1100x200xf32>
  %scales = stablehlo.broadcast_in_dim %scale, dims = [1] : (tensor<200xf32>) -> tensor<1100x200xf32>
  %scaled = stablehlo.multiply %w, %scales : tensor<1100x200xf32>
  %product = stablehlo.dot_general %x, %scaled, contracting_dims = [1] x [0]
      : (tensor<5x1100xf32>, tensor<1100x200xf32>) -> tensor<5x200xf32>

  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %xs = stablehlo.broadcast_in_dim %x, dims = [0, 1] : (tensor<5x1100xf32>) -> tensor<5x1100x200xf32>
  %ws = stablehlo.broadcast_in_dim %w, dims = [1, 2] : (tensor<1100x200xf32>) -> tensor<5x1100x200xf32>
  %terms = stablehlo.multiply %xs, %ws : tensor<5x1100x200xf32>
  %sums = stablehlo.reduce(%terms init: %zero) applies stablehlo.add across dimensions = [1]
      : (tensor<5x1100x200xf32>, tensor<f32>) -> tensor<5x200xf32>
  %factors = stablehlo.broadcast_in_dim %scale, dims = [1] : (tensor<200xf32>) -> tensor<5x200xf32>
  %expected = stablehlo.multiply %sums, %factors : tensor<5x200xf32>
  check.expect_eq %product, %expected : tensor<5x200xf32>
  return
}
