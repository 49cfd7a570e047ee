// RUN: tpuc-opt %s --tpuc-legalise-quantised | FileCheck %s

!q = !quant.uniform<i8:f32, 0.5:-1>

// (q + 1) * 0.5 before, x / 0.5 - 1 clamped to [-128, 127] and rounded after. The function takes and returns the
// integers.
// CHECK-LABEL: func @add(
// CHECK-SAME: %[[X:.*]]: tensor<4xi8>) -> tensor<4xi8>
// CHECK-DAG: %[[ZP:.*]] = stablehlo.constant dense<-1.000000e+00>
// CHECK-DAG: %[[F:.*]] = stablehlo.convert %[[X]] : (tensor<4xi8>) -> tensor<4xf32>
// CHECK: %[[C:.*]] = stablehlo.subtract %[[F]], %[[ZP]]
// CHECK: stablehlo.multiply %[[C]], %{{.*}}
// CHECK: %[[S:.*]] = stablehlo.add %{{.*}}, %{{.*}} : tensor<4xf32>
// CHECK: stablehlo.divide %[[S]], %{{.*}}
// CHECK-DAG: dense<-1.280000e+02>
// CHECK-DAG: dense<1.270000e+02>
// CHECK: stablehlo.clamp
// CHECK: stablehlo.round_nearest_even
// CHECK: stablehlo.convert %{{.*}} : (tensor<4xf32>) -> tensor<4xi8>
func.func @add(%x: tensor<4x!q>) -> tensor<4x!q> {
  %0 = stablehlo.add %x, %x : tensor<4x!q>
  return %0 : tensor<4x!q>
}

// Centred integers as bf16; 0.5 * [0.25, 1] along the result's columns.
// CHECK-LABEL: func @dot
// CHECK: %[[D:.*]] = stablehlo.dot_general %{{.*}} : (tensor<4x8xbf16>, tensor<8x2xbf16>) -> tensor<4x2xf32>
// CHECK: %[[L:.*]] = stablehlo.constant dense<[1.250000e-01, 5.000000e-01]> : tensor<2xf32>
// CHECK: %[[B:.*]] = stablehlo.broadcast_in_dim %[[L]], dims = [1] : (tensor<2xf32>) -> tensor<4x2xf32>
// CHECK: stablehlo.multiply %[[D]], %[[B]]
func.func @dot(%x: tensor<4x8x!q>, %w: tensor<8x2x!quant.uniform<i8:f32:1, {0.25, 1.0}>>) -> tensor<4x2x!q> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
      : (tensor<4x8x!q>, tensor<8x2x!quant.uniform<i8:f32:1, {0.25, 1.0}>>) -> tensor<4x2x!q>
  return %0 : tensor<4x2x!q>
}
