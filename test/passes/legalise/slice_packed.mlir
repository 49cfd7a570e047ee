// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tpuc-opt %s --tpuc-slice-packed --split-input-file | FileCheck %s

// A layer of stacked weights is widened where it is read.
// CHECK-LABEL: @layer
// CHECK: %[[L:.*]] = stablehlo.dynamic_slice %arg0, {{.*}} -> tensor<1x256x128xi4>
// CHECK: stablehlo.convert %[[L]] : (tensor<1x256x128xi4>) -> tensor<1x256x128xi8>
// CHECK-NOT: convert
func.func @layer(%weights: tensor<4x256x128xi4>, %at: tensor<i32>) -> tensor<1x256x128xi8> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.convert %weights : (tensor<4x256x128xi4>) -> tensor<4x256x128xi8>
  %1 = stablehlo.dynamic_slice %0, %at, %zero, %zero, sizes = [1, 256, 128]
      : (tensor<4x256x128xi8>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x256x128xi8>
  return %1 : tensor<1x256x128xi8>
}

// -----

// A loop that hands the stack on carries it packed. %v is read whole too, and %u is changed: they are bytes before it.
// CHECK-LABEL: @loop
// CHECK-DAG: %[[V:.*]] = stablehlo.convert %arg1 : (tensor<4x256x128xi4>) -> tensor<4x256x128xi8>
// CHECK-DAG: %[[U:.*]] = stablehlo.convert %arg2 : (tensor<4x256x128xi4>) -> tensor<4x256x128xi8>
// CHECK: stablehlo.while(%{{.*}} = %{{.*}}, %[[A:.*]] = %arg0, %{{.*}} = %[[V]], %{{.*}} = %[[U]], {{.*}})
// CHECK-SAME: tensor<i32>, tensor<4x256x128xi4>, tensor<4x256x128xi8>, tensor<4x256x128xi8>
// CHECK: do {
// CHECK: %[[L:.*]] = stablehlo.dynamic_slice %[[A]], {{.*}} -> tensor<1x256x128xi4>
// CHECK: stablehlo.convert %[[L]] : (tensor<1x256x128xi4>) -> tensor<1x256x128xi8>
// CHECK-NOT: convert
func.func @loop(%w: tensor<4x256x128xi4>, %v: tensor<4x256x128xi4>, %u: tensor<4x256x128xi4>,
                %x: tensor<1x256x128xi8>) -> tensor<1x256x128xi8> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.convert %w : (tensor<4x256x128xi4>) -> tensor<4x256x128xi8>
  %1 = stablehlo.convert %v : (tensor<4x256x128xi4>) -> tensor<4x256x128xi8>
  %2 = stablehlo.convert %u : (tensor<4x256x128xi4>) -> tensor<4x256x128xi8>
  %3:5 = stablehlo.while(%i = %zero, %a = %0, %b = %1, %c = %2, %y = %x)
      : tensor<i32>, tensor<4x256x128xi8>, tensor<4x256x128xi8>, tensor<4x256x128xi8>, tensor<1x256x128xi8>
  cond {
    %n = stablehlo.constant dense<4> : tensor<i32>
    %4 = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %4 : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %4 = stablehlo.dynamic_slice %a, %i, %zero, %zero, sizes = [1, 256, 128]
        : (tensor<4x256x128xi8>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x256x128xi8>
    %5 = stablehlo.dynamic_slice %b, %i, %zero, %zero, sizes = [1, 256, 128]
        : (tensor<4x256x128xi8>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x256x128xi8>
    %6 = stablehlo.dynamic_slice %c, %i, %zero, %zero, sizes = [1, 256, 128]
        : (tensor<4x256x128xi8>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x256x128xi8>
    %7 = stablehlo.add %4, %5 : tensor<1x256x128xi8>
    %8 = stablehlo.add %7, %6 : tensor<1x256x128xi8>
    %9 = stablehlo.add %y, %8 : tensor<1x256x128xi8>
    %10 = stablehlo.add %b, %c : tensor<4x256x128xi8>
    %11 = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %11, %a, %b, %10, %9
        : tensor<i32>, tensor<4x256x128xi8>, tensor<4x256x128xi8>, tensor<4x256x128xi8>, tensor<1x256x128xi8>
  }
  return %3#4 : tensor<1x256x128xi8>
}

// -----

// A part of each layer is no piece: its rows share words with others.
// CHECK-LABEL: @part
// CHECK: stablehlo.convert %arg0
// CHECK: stablehlo.dynamic_slice {{.*}} -> tensor<4x8x128xi8>
func.func @part(%weights: tensor<4x256x128xi4>, %at: tensor<i32>) -> tensor<4x8x128xi8> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.convert %weights : (tensor<4x256x128xi4>) -> tensor<4x256x128xi8>
  %1 = stablehlo.dynamic_slice %0, %zero, %at, %zero, sizes = [4, 8, 128]
      : (tensor<4x256x128xi8>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x8x128xi8>
  return %1 : tensor<4x8x128xi8>
}
