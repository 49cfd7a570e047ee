// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tpuc-opt %s --tpuc-simplify | FileCheck %s

// The gradient of three slices of one position: their concatenation. Elements are added to zeros, which makes negative
// zeros positive: before they are moved. What a reshape merges is merged part by part.
// CHECK-LABEL: @heads
// CHECK-SAME: (%[[Q:.*]]: tensor<8x3x32xf32>, %[[K:.*]]: tensor<8x3x32xf32>, %[[V:.*]]: tensor<8x3x32xf32>)
// CHECK-DAG: %[[ZERO:.*]] = stablehlo.constant dense<0.000000e+00> : tensor<8x3x32xf32>
// CHECK-DAG: %[[QZ:.*]] = stablehlo.add %[[Q]], %[[ZERO]]
// CHECK-DAG: %[[KZ:.*]] = stablehlo.add %[[K]], %[[ZERO]]
// CHECK-DAG: %[[VZ:.*]] = stablehlo.add %[[V]], %[[ZERO]]
// CHECK-DAG: %[[QR:.*]] = stablehlo.reshape %[[QZ]] : (tensor<8x3x32xf32>) -> tensor<8x96xf32>
// CHECK-DAG: %[[KR:.*]] = stablehlo.reshape %[[KZ]] : (tensor<8x3x32xf32>) -> tensor<8x96xf32>
// CHECK-DAG: %[[VR:.*]] = stablehlo.reshape %[[VZ]] : (tensor<8x3x32xf32>) -> tensor<8x96xf32>
// CHECK: %[[ALL:.*]] = stablehlo.concatenate %[[QR]], %[[KR]], %[[VR]], dim = 1
// CHECK: return %[[ALL]]
func.func @heads(%q: tensor<8x3x32xf32>, %k: tensor<8x3x32xf32>, %v: tensor<8x3x32xf32>) -> tensor<8x288xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reshape %v : (tensor<8x3x32xf32>) -> tensor<8x1x3x32xf32>
  %1 = stablehlo.pad %0, %zero, low = [0, 2, 0, 0], high = [0, 0, 0, 0], interior = [0, 0, 0, 0]
      : (tensor<8x1x3x32xf32>, tensor<f32>) -> tensor<8x3x3x32xf32>
  %2 = stablehlo.reshape %k : (tensor<8x3x32xf32>) -> tensor<8x1x3x32xf32>
  %3 = stablehlo.pad %2, %zero, low = [0, 1, 0, 0], high = [0, 1, 0, 0], interior = [0, 0, 0, 0]
      : (tensor<8x1x3x32xf32>, tensor<f32>) -> tensor<8x3x3x32xf32>
  %4 = stablehlo.add %1, %3 : tensor<8x3x3x32xf32>
  %5 = stablehlo.reshape %q : (tensor<8x3x32xf32>) -> tensor<8x1x3x32xf32>
  %6 = stablehlo.pad %5, %zero, low = [0, 0, 0, 0], high = [0, 2, 0, 0], interior = [0, 0, 0, 0]
      : (tensor<8x1x3x32xf32>, tensor<f32>) -> tensor<8x3x3x32xf32>
  %7 = stablehlo.add %4, %6 : tensor<8x3x3x32xf32>
  %8 = stablehlo.reshape %7 : (tensor<8x3x3x32xf32>) -> tensor<8x288xf32>
  return %8 : tensor<8x288xf32>
}

// Where nothing is, there are zeros; what else is added stays. Integers have one zero.
// CHECK-LABEL: @gaps
// CHECK: stablehlo.concatenate %{{.*}}, %arg0, %{{.*}}, %arg1, dim = 0
// CHECK-SAME: (tensor<1xi32>, tensor<2xi32>, tensor<3xi32>, tensor<4xi32>) -> tensor<10xi32>
// CHECK: stablehlo.add %arg2
func.func @gaps(%a: tensor<2xi32>, %b: tensor<4xi32>, %c: tensor<10xi32>) -> tensor<10xi32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.pad %a, %zero, low = [1], high = [7], interior = [0] : (tensor<2xi32>, tensor<i32>) -> tensor<10xi32>
  %1 = stablehlo.pad %b, %zero, low = [6], high = [0], interior = [0] : (tensor<4xi32>, tensor<i32>) -> tensor<10xi32>
  %2 = stablehlo.add %0, %c : tensor<10xi32>
  %3 = stablehlo.add %2, %1 : tensor<10xi32>
  return %3 : tensor<10xi32>
}

// Floats: what else is added is one array, a sum of its own too. With two, each between pads, the sum has other bits.
// CHECK-LABEL: @in_order
// CHECK: %[[OWN:.*]] = stablehlo.add %arg2, %arg3
// CHECK: %[[ALL:.*]] = stablehlo.concatenate
// CHECK: %[[FIRST:.*]] = stablehlo.add %[[OWN]], %[[ALL]]
// CHECK: %[[A:.*]] = stablehlo.pad %arg0
// CHECK: %[[B:.*]] = stablehlo.pad %arg1
// CHECK: %[[AC:.*]] = stablehlo.add %[[A]], %arg2
// CHECK: %[[ACD:.*]] = stablehlo.add %[[AC]], %arg3
// CHECK: %[[SECOND:.*]] = stablehlo.add %[[ACD]], %[[B]]
// CHECK: return %[[FIRST]], %[[SECOND]]
func.func @in_order(%a: tensor<2xf32>, %b: tensor<4xf32>, %c: tensor<6xf32>, %d: tensor<6xf32>)
    -> (tensor<6xf32>, tensor<6xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.pad %a, %zero, low = [0], high = [4], interior = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<6xf32>
  %1 = stablehlo.pad %b, %zero, low = [2], high = [0], interior = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<6xf32>
  %2 = stablehlo.add %c, %d : tensor<6xf32>
  %3 = stablehlo.add %0, %1 : tensor<6xf32>
  %4 = stablehlo.add %2, %3 : tensor<6xf32>
  %5 = stablehlo.pad %a, %zero, low = [0], high = [4], interior = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<6xf32>
  %6 = stablehlo.pad %b, %zero, low = [2], high = [0], interior = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<6xf32>
  %7 = stablehlo.add %5, %c : tensor<6xf32>
  %8 = stablehlo.add %7, %d : tensor<6xf32>
  %9 = stablehlo.add %8, %6 : tensor<6xf32>
  return %4, %9 : tensor<6xf32>, tensor<6xf32>
}

// Slices that overlap, gaps between elements, other numbers, and an array that others read are added.
// CHECK-LABEL: @meeting
// CHECK-NOT: stablehlo.concatenate
// CHECK: return
func.func @meeting(%a: tensor<4xf32>, %b: tensor<2xf32>) -> (tensor<6xf32>, tensor<6xf32>, tensor<6xf32>,
    tensor<6xf32>, tensor<6xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %negative = stablehlo.constant dense<-0.0> : tensor<f32>
  %0 = stablehlo.pad %a, %zero, low = [0], high = [2], interior = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<6xf32>
  %1 = stablehlo.pad %b, %zero, low = [3], high = [1], interior = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<6xf32>
  %2 = stablehlo.add %0, %1 : tensor<6xf32>
  %3 = stablehlo.pad %b, %zero, low = [1], high = [2], interior = [1] : (tensor<2xf32>, tensor<f32>) -> tensor<6xf32>
  %4 = stablehlo.pad %b, %zero, low = [4], high = [0], interior = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<6xf32>
  %5 = stablehlo.add %3, %4 : tensor<6xf32>
  %6 = stablehlo.pad %a, %negative, low = [0], high = [2], interior = [0]
      : (tensor<4xf32>, tensor<f32>) -> tensor<6xf32>
  %7 = stablehlo.pad %b, %zero, low = [4], high = [0], interior = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<6xf32>
  %8 = stablehlo.add %6, %7 : tensor<6xf32>
  %9 = stablehlo.pad %a, %zero, low = [0], high = [2], interior = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<6xf32>
  %10 = stablehlo.pad %b, %zero, low = [4], high = [0], interior = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<6xf32>
  %11 = stablehlo.add %9, %10 : tensor<6xf32>
  return %2, %5, %8, %11, %10 : tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>
}

// A reshape that does not merge at a part's edges stays behind.
// CHECK-LABEL: @across
// CHECK: %[[ALL:.*]] = stablehlo.concatenate %arg0, %arg1, dim = 1
// CHECK: stablehlo.reshape %[[ALL]]
func.func @across(%a: tensor<4x1x6xf32>, %b: tensor<4x2x6xf32>) -> tensor<8x9xf32> {
  %0 = stablehlo.concatenate %a, %b, dim = 1 : (tensor<4x1x6xf32>, tensor<4x2x6xf32>) -> tensor<4x3x6xf32>
  %1 = stablehlo.reshape %0 : (tensor<4x3x6xf32>) -> tensor<8x9xf32>
  return %1 : tensor<8x9xf32>
}
