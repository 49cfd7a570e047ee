// RUN: tpuc-opt %s --tpuc-simplify --split-input-file | FileCheck %s

// In the type of the op: 1 + 2^-8 rounds to 1 in bf16, and ties go to even.
// CHECK-LABEL: func @bf16
func.func @bf16() -> (tensor<4xbf16>, tensor<4xbf16>) {
  // CHECK-DAG: %[[A:.*]] = stablehlo.constant dense<1.000000e+00> : tensor<4xbf16>
  // CHECK-DAG: %[[B:.*]] = stablehlo.constant dense<1.015630e+00> : tensor<4xbf16>
  // CHECK: return %[[A]], %[[B]]
  %one = stablehlo.constant dense<1.0> : tensor<4xbf16>
  %odd = stablehlo.constant dense<1.0078125> : tensor<4xbf16>
  %half = stablehlo.constant dense<0.00390625> : tensor<4xbf16>
  %0 = stablehlo.add %one, %half : tensor<4xbf16>
  %1 = stablehlo.add %odd, %half : tensor<4xbf16>
  return %0, %1 : tensor<4xbf16>, tensor<4xbf16>
}

// -----

// CHECK-LABEL: func @integers
func.func @integers() -> (tensor<i8>, tensor<ui8>, tensor<i8>, tensor<i1>, tensor<i32>) {
  // 100 + 100 wraps to -56, 200 / 3 is 66, -100 >> 2 is -25
  // CHECK-DAG: %[[A:.*]] = stablehlo.constant dense<-56> : tensor<i8>
  // CHECK-DAG: %[[B:.*]] = stablehlo.constant dense<66> : tensor<ui8>
  // CHECK-DAG: %[[C:.*]] = stablehlo.constant dense<-25> : tensor<i8>
  // CHECK-DAG: %[[D:.*]] = stablehlo.constant dense<true> : tensor<i1>
  // CHECK-DAG: %[[E:.*]] = stablehlo.constant dense<3> : tensor<i32>
  // CHECK: return %[[A]], %[[B]], %[[C]], %[[D]], %[[E]]
  %a = stablehlo.constant dense<100> : tensor<i8>
  %u = stablehlo.constant dense<200> : tensor<ui8>
  %u3 = stablehlo.constant dense<3> : tensor<ui8>
  %m = stablehlo.constant dense<-100> : tensor<i8>
  %two = stablehlo.constant dense<2> : tensor<i8>
  %f = stablehlo.constant dense<-3.75> : tensor<f32>
  %0 = stablehlo.add %a, %a : tensor<i8>
  %1 = stablehlo.divide %u, %u3 : tensor<ui8>
  %2 = stablehlo.shift_right_arithmetic %m, %two : tensor<i8>
  %3 = stablehlo.compare LT, %m, %two, SIGNED : (tensor<i8>, tensor<i8>) -> tensor<i1>
  %g = stablehlo.convert %f : (tensor<f32>) -> tensor<i32>
  %4 = stablehlo.negate %g : tensor<i32>
  return %0, %1, %2, %3, %4 : tensor<i8>, tensor<ui8>, tensor<i8>, tensor<i1>, tensor<i32>
}

// -----

// What the machine decides: division by zero, wide shifts, conversions out of range, NaNs, denormals, functions that
// IEEE 754 does not round.
// CHECK-LABEL: func @left
func.func @left() -> (tensor<i32>, tensor<i32>, tensor<i8>, tensor<f32>, tensor<f32>, tensor<f32>) {
  // CHECK-DAG: stablehlo.divide
  // CHECK-DAG: stablehlo.shift_left
  // CHECK-DAG: stablehlo.convert
  // CHECK-DAG: stablehlo.subtract
  // CHECK-DAG: stablehlo.multiply
  // CHECK-DAG: stablehlo.exponential
  %z = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %wide = stablehlo.constant dense<32> : tensor<i32>
  %big = stablehlo.constant dense<1000.0> : tensor<f32>
  %inf = stablehlo.constant dense<0x7F800000> : tensor<f32>
  %tiny = stablehlo.constant dense<1.0e-20> : tensor<f32>
  %0 = stablehlo.divide %one, %z : tensor<i32>
  %1 = stablehlo.shift_left %one, %wide : tensor<i32>
  %2 = stablehlo.convert %big : (tensor<f32>) -> tensor<i8>
  %3 = stablehlo.subtract %inf, %inf : tensor<f32>
  %4 = stablehlo.multiply %tiny, %tiny : tensor<f32>
  %5 = stablehlo.exponential %big : tensor<f32>
  return %0, %1, %2, %3, %4, %5 : tensor<i32>, tensor<i32>, tensor<i8>, tensor<f32>, tensor<f32>, tensor<f32>
}

// -----

// Never the elements of an array.
// CHECK-LABEL: func @arrays
func.func @arrays() -> (tensor<2xf32>, tensor<2x1xf32>) {
  // CHECK-DAG: stablehlo.add
  // A reshaped array is the same array.
  // CHECK-DAG: stablehlo.constant dense<{{\[\[}}3.000000e+00], [4.000000e+00]]> : tensor<2x1xf32>
  %a = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %b = stablehlo.constant dense<[3.0, 4.0]> : tensor<2xf32>
  %0 = stablehlo.add %a, %a : tensor<2xf32>
  %1 = stablehlo.reshape %b : (tensor<2xf32>) -> tensor<2x1xf32>
  return %0, %1 : tensor<2xf32>, tensor<2x1xf32>
}

// -----

// CHECK-LABEL: func @moves
func.func @moves() -> (tensor<2x3xf32>, tensor<6xf32>, tensor<8xf32>, tensor<1x4xi32>, tensor<i32>) {
  // CHECK-DAG: %[[A:.*]] = stablehlo.constant dense<1.000000e+00> : tensor<2x3xf32>
  // CHECK-DAG: %[[B:.*]] = stablehlo.constant dense<1.000000e+00> : tensor<6xf32>
  // CHECK-DAG: %[[C:.*]] = stablehlo.constant dense<1.000000e+00> : tensor<8xf32>
  // CHECK-DAG: %[[D:.*]] = stablehlo.constant dense<0> : tensor<1x4xi32>
  // CHECK-DAG: %[[E:.*]] = stablehlo.constant dense<3> : tensor<i32>
  // CHECK: return %[[A]], %[[B]], %[[C]], %[[D]], %[[E]]
  %c = stablehlo.constant dense<1.0> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
  %1 = stablehlo.reshape %0 : (tensor<2x3xf32>) -> tensor<6xf32>
  %2 = stablehlo.pad %1, %c, low = [1], high = [1], interior = [0] : (tensor<6xf32>, tensor<f32>) -> tensor<8xf32>
  %3 = stablehlo.iota dim = 0 : tensor<1x4xi32>
  %4 = stablehlo.get_dimension_size %0, dim = 1 : (tensor<2x3xf32>) -> tensor<i32>
  return %0, %1, %2, %3, %4 : tensor<2x3xf32>, tensor<6xf32>, tensor<8xf32>, tensor<1x4xi32>, tensor<i32>
}

// -----

// An array of 2^40 elements is one element to write.
// CHECK-LABEL: func @large
func.func @large() -> tensor<1048576x1048576xf32> {
  // CHECK: stablehlo.constant dense<3.000000e+00> : tensor<1048576x1048576xf32>
  %c = stablehlo.constant dense<1.5> : tensor<1048576x1048576xf32>
  %0 = stablehlo.add %c, %c : tensor<1048576x1048576xf32>
  return %0 : tensor<1048576x1048576xf32>
}
