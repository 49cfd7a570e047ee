// RUN: tpuc-opt %s --tpuc-simplify | FileCheck %s

// The example of the pass's description.
// CHECK-LABEL: func @example
func.func @example(%x: tensor<16xf32>) -> tensor<8x16xf32> {
  // CHECK-NEXT: %[[B:.*]] = stablehlo.broadcast_in_dim %arg0, dims = [1] : (tensor<16xf32>) -> tensor<8x16xf32>
  // CHECK-NEXT: return %[[B]]
  %c = stablehlo.constant dense<1.0> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
  %1 = stablehlo.broadcast_in_dim %x, dims = [1] : (tensor<16xf32>) -> tensor<1x16xf32>
  %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<1x16xf32>) -> tensor<8x16xf32>
  %3 = stablehlo.multiply %2, %0 : tensor<8x16xf32>
  return %3 : tensor<8x16xf32>
}

// Rms norm as JAX writes it: statistics stay of rank 2, one broadcast puts them back.
// CHECK-LABEL: func @rms_norm
func.func @rms_norm(%x: tensor<2x128x512xf32>) -> tensor<2x128x512xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  // CHECK: %[[S:.*]] = stablehlo.reduce
  %0 = stablehlo.multiply %x, %x : tensor<2x128x512xf32>
  %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [2]
      : (tensor<2x128x512xf32>, tensor<f32>) -> tensor<2x128xf32>
  %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<2x128xf32>) -> tensor<2x128x1xf32>
  // 1 / 512 is exact, 1 / 500 isn't.
  // CHECK-NEXT: %[[M:.*]] = stablehlo.multiply %[[S]], %{{.*}} : tensor<2x128xf32>
  %n = stablehlo.constant dense<512.0> : tensor<f32>
  %3 = stablehlo.broadcast_in_dim %n, dims = [] : (tensor<f32>) -> tensor<2x128x1xf32>
  %4 = stablehlo.divide %2, %3 : tensor<2x128x1xf32>
  // CHECK-NEXT: %[[A:.*]] = stablehlo.add %[[M]], %{{.*}} : tensor<2x128xf32>
  %e = stablehlo.constant dense<1.0e-6> : tensor<f32>
  %5 = stablehlo.broadcast_in_dim %e, dims = [] : (tensor<f32>) -> tensor<2x128x1xf32>
  %6 = stablehlo.add %4, %5 : tensor<2x128x1xf32>
  // CHECK-NEXT: %[[R:.*]] = stablehlo.rsqrt %[[A]] : tensor<2x128xf32>
  %7 = stablehlo.rsqrt %6 : tensor<2x128x1xf32>
  // CHECK-NEXT: stablehlo.broadcast_in_dim %[[R]], dims = [0, 1] : (tensor<2x128xf32>) -> tensor<2x128x512xf32>
  %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2] : (tensor<2x128x1xf32>) -> tensor<2x128x512xf32>
  %9 = stablehlo.multiply %x, %8 : tensor<2x128x512xf32>
  return %9 : tensor<2x128x512xf32>
}
