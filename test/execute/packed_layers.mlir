// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Layers of weights below a byte, read by a loop, beside one and returned as they are, of rows that fill no tile. An
// element says where it was: (31 l + 7 r + 3 c) mod 16 - 8.
// RUN: tpuc run %s --check
// RUN: tpuc run %s --check --no-fuse
// RUN: tpuc run %s --check --target=v5p
// RUN: tpuc compile %s --stop-after=expand -o - | FileCheck %s
// CHECK-COUNT-2: stablehlo.dynamic_slice {{.*}} : (tensor<3x70x5xi4>
func.func @main() {
  %w = stablehlo.constant dense<
      [[[-8,-5,-2,1,4],[-1,2,5,-8,-5],[6,-7,-4,-1,2],[-3,0,3,6,-7],[4,7,-6,-3,0],[-5,-2,1,4,7],[2,5,-8,-5,-2],[-7,
      -4,-1,2,5],[0,3,6,-7,-4],[7,-6,-3,0,3],[-2,1,4,7,-6],[5,-8,-5,-2,1],[-4,-1,2,5,-8],[3,6,-7,-4,-1],[-6,-3,0,3,
      6],[1,4,7,-6,-3],[-8,-5,-2,1,4],[-1,2,5,-8,-5],[6,-7,-4,-1,2],[-3,0,3,6,-7],[4,7,-6,-3,0],[-5,-2,1,4,7],[2,5,
      -8,-5,-2],[-7,-4,-1,2,5],[0,3,6,-7,-4],[7,-6,-3,0,3],[-2,1,4,7,-6],[5,-8,-5,-2,1],[-4,-1,2,5,-8],[3,6,-7,-4,
      -1],[-6,-3,0,3,6],[1,4,7,-6,-3],[-8,-5,-2,1,4],[-1,2,5,-8,-5],[6,-7,-4,-1,2],[-3,0,3,6,-7],[4,7,-6,-3,0],[-5,
      -2,1,4,7],[2,5,-8,-5,-2],[-7,-4,-1,2,5],[0,3,6,-7,-4],[7,-6,-3,0,3],[-2,1,4,7,-6],[5,-8,-5,-2,1],[-4,-1,2,5,
      -8],[3,6,-7,-4,-1],[-6,-3,0,3,6],[1,4,7,-6,-3],[-8,-5,-2,1,4],[-1,2,5,-8,-5],[6,-7,-4,-1,2],[-3,0,3,6,-7],[4,
      7,-6,-3,0],[-5,-2,1,4,7],[2,5,-8,-5,-2],[-7,-4,-1,2,5],[0,3,6,-7,-4],[7,-6,-3,0,3],[-2,1,4,7,-6],[5,-8,-5,-2,
      1],[-4,-1,2,5,-8],[3,6,-7,-4,-1],[-6,-3,0,3,6],[1,4,7,-6,-3],[-8,-5,-2,1,4],[-1,2,5,-8,-5],[6,-7,-4,-1,2],[-3,
      0,3,6,-7],[4,7,-6,-3,0],[-5,-2,1,4,7]],[[7,-6,-3,0,3],[-2,1,4,7,-6],[5,-8,-5,-2,1],[-4,-1,2,5,-8],[3,6,-7,-4,
      -1],[-6,-3,0,3,6],[1,4,7,-6,-3],[-8,-5,-2,1,4],[-1,2,5,-8,-5],[6,-7,-4,-1,2],[-3,0,3,6,-7],[4,7,-6,-3,0],[-5,
      -2,1,4,7],[2,5,-8,-5,-2],[-7,-4,-1,2,5],[0,3,6,-7,-4],[7,-6,-3,0,3],[-2,1,4,7,-6],[5,-8,-5,-2,1],[-4,-1,2,5,
      -8],[3,6,-7,-4,-1],[-6,-3,0,3,6],[1,4,7,-6,-3],[-8,-5,-2,1,4],[-1,2,5,-8,-5],[6,-7,-4,-1,2],[-3,0,3,6,-7],[4,
      7,-6,-3,0],[-5,-2,1,4,7],[2,5,-8,-5,-2],[-7,-4,-1,2,5],[0,3,6,-7,-4],[7,-6,-3,0,3],[-2,1,4,7,-6],[5,-8,-5,-2,
      1],[-4,-1,2,5,-8],[3,6,-7,-4,-1],[-6,-3,0,3,6],[1,4,7,-6,-3],[-8,-5,-2,1,4],[-1,2,5,-8,-5],[6,-7,-4,-1,2],[-3,
      0,3,6,-7],[4,7,-6,-3,0],[-5,-2,1,4,7],[2,5,-8,-5,-2],[-7,-4,-1,2,5],[0,3,6,-7,-4],[7,-6,-3,0,3],[-2,1,4,7,-6],
      [5,-8,-5,-2,1],[-4,-1,2,5,-8],[3,6,-7,-4,-1],[-6,-3,0,3,6],[1,4,7,-6,-3],[-8,-5,-2,1,4],[-1,2,5,-8,-5],[6,-7,
      -4,-1,2],[-3,0,3,6,-7],[4,7,-6,-3,0],[-5,-2,1,4,7],[2,5,-8,-5,-2],[-7,-4,-1,2,5],[0,3,6,-7,-4],[7,-6,-3,0,3],
      [-2,1,4,7,-6],[5,-8,-5,-2,1],[-4,-1,2,5,-8],[3,6,-7,-4,-1],[-6,-3,0,3,6]],[[6,-7,-4,-1,2],[-3,0,3,6,-7],[4,7,
      -6,-3,0],[-5,-2,1,4,7],[2,5,-8,-5,-2],[-7,-4,-1,2,5],[0,3,6,-7,-4],[7,-6,-3,0,3],[-2,1,4,7,-6],[5,-8,-5,-2,1],
      [-4,-1,2,5,-8],[3,6,-7,-4,-1],[-6,-3,0,3,6],[1,4,7,-6,-3],[-8,-5,-2,1,4],[-1,2,5,-8,-5],[6,-7,-4,-1,2],[-3,0,
      3,6,-7],[4,7,-6,-3,0],[-5,-2,1,4,7],[2,5,-8,-5,-2],[-7,-4,-1,2,5],[0,3,6,-7,-4],[7,-6,-3,0,3],[-2,1,4,7,-6],
      [5,-8,-5,-2,1],[-4,-1,2,5,-8],[3,6,-7,-4,-1],[-6,-3,0,3,6],[1,4,7,-6,-3],[-8,-5,-2,1,4],[-1,2,5,-8,-5],[6,-7,
      -4,-1,2],[-3,0,3,6,-7],[4,7,-6,-3,0],[-5,-2,1,4,7],[2,5,-8,-5,-2],[-7,-4,-1,2,5],[0,3,6,-7,-4],[7,-6,-3,0,3],
      [-2,1,4,7,-6],[5,-8,-5,-2,1],[-4,-1,2,5,-8],[3,6,-7,-4,-1],[-6,-3,0,3,6],[1,4,7,-6,-3],[-8,-5,-2,1,4],[-1,2,5,
      -8,-5],[6,-7,-4,-1,2],[-3,0,3,6,-7],[4,7,-6,-3,0],[-5,-2,1,4,7],[2,5,-8,-5,-2],[-7,-4,-1,2,5],[0,3,6,-7,-4],
      [7,-6,-3,0,3],[-2,1,4,7,-6],[5,-8,-5,-2,1],[-4,-1,2,5,-8],[3,6,-7,-4,-1],[-6,-3,0,3,6],[1,4,7,-6,-3],[-8,-5,
      -2,1,4],[-1,2,5,-8,-5],[6,-7,-4,-1,2],[-3,0,3,6,-7],[4,7,-6,-3,0],[-5,-2,1,4,7],[2,5,-8,-5,-2],[-7,-4,-1,2,
      5]]]> : tensor<3x70x5xi4>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %none = stablehlo.constant dense<0.0> : tensor<70x5xf32>
  %at = stablehlo.optimization_barrier %one : tensor<i32>

  // Each layer times its number.
  %0:3 = stablehlo.while(%i = %zero, %v = %w, %sum = %none) : tensor<i32>, tensor<3x70x5xi4>, tensor<70x5xf32>
  cond {
    %p = stablehlo.compare LT, %i, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %1 = stablehlo.dynamic_slice %v, %i, %zero, %zero, sizes = [1, 70, 5]
        : (tensor<3x70x5xi4>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x70x5xi4>
    %2 = stablehlo.reshape %1 : (tensor<1x70x5xi4>) -> tensor<70x5xi4>
    %3 = stablehlo.convert %2 : (tensor<70x5xi4>) -> tensor<70x5xf32>
    %4 = stablehlo.convert %i : (tensor<i32>) -> tensor<f32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [] : (tensor<f32>) -> tensor<70x5xf32>
    %6 = stablehlo.multiply %3, %5 : tensor<70x5xf32>
    %7 = stablehlo.add %sum, %6 : tensor<70x5xf32>
    %8 = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %8, %v, %7 : tensor<i32>, tensor<3x70x5xi4>, tensor<70x5xf32>
  }

  // What each holds.
  %l = stablehlo.iota dim = 0 : tensor<3x70x5xi32>
  %r = stablehlo.iota dim = 1 : tensor<3x70x5xi32>
  %c = stablehlo.iota dim = 2 : tensor<3x70x5xi32>
  %c31 = stablehlo.constant dense<31> : tensor<3x70x5xi32>
  %c7 = stablehlo.constant dense<7> : tensor<3x70x5xi32>
  %c3 = stablehlo.constant dense<3> : tensor<3x70x5xi32>
  %c16 = stablehlo.constant dense<16> : tensor<3x70x5xi32>
  %c8 = stablehlo.constant dense<8> : tensor<3x70x5xi32>
  %10 = stablehlo.multiply %l, %c31 : tensor<3x70x5xi32>
  %11 = stablehlo.multiply %r, %c7 : tensor<3x70x5xi32>
  %12 = stablehlo.multiply %c, %c3 : tensor<3x70x5xi32>
  %13 = stablehlo.add %10, %11 : tensor<3x70x5xi32>
  %14 = stablehlo.add %13, %12 : tensor<3x70x5xi32>
  %15 = stablehlo.remainder %14, %c16 : tensor<3x70x5xi32>
  %16 = stablehlo.subtract %15, %c8 : tensor<3x70x5xi32>
  %17 = stablehlo.multiply %16, %l : tensor<3x70x5xi32>
  %sumzero = stablehlo.constant dense<0> : tensor<i32>
  %18 = stablehlo.reduce(%17 init: %sumzero) applies stablehlo.add across dimensions = [0]
      : (tensor<3x70x5xi32>, tensor<i32>) -> tensor<70x5xi32>
  %19 = stablehlo.convert %18 : (tensor<70x5xi32>) -> tensor<70x5xf32>
  check.expect_eq %0#2, %19 : tensor<70x5xf32>

  // Two layers from a place that is known late.
  %20 = stablehlo.dynamic_slice %w, %at, %zero, %zero, sizes = [2, 70, 5]
      : (tensor<3x70x5xi4>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x70x5xi4>
  %21 = stablehlo.convert %20 : (tensor<2x70x5xi4>) -> tensor<2x70x5xi32>
  %22 = stablehlo.slice %16 [1:3, 0:70, 0:5] : (tensor<3x70x5xi32>) -> tensor<2x70x5xi32>
  check.expect_eq %21, %22 : tensor<2x70x5xi32>
  %23 = stablehlo.convert %22 : (tensor<2x70x5xi32>) -> tensor<2x70x5xi4>
  check.expect_eq %20, %23 : tensor<2x70x5xi4>
  return
}
