// RUN: tpuc-opt %s --tpuc-simplify | FileCheck %s

// Two statistics meet before their dimension of size 1 comes back; a scalar comes along.
// CHECK-LABEL: func @two
func.func @two(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>, %s: tensor<f32>) -> tensor<4x1x8xf32> {
  // CHECK-DAG: %[[B:.*]] = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
  // CHECK-DAG: %[[A:.*]] = stablehlo.add %arg0, %arg1 : tensor<4x8xf32>
  // CHECK: %[[M:.*]] = stablehlo.multiply %[[A]], %[[B]] : tensor<4x8xf32>
  // CHECK: stablehlo.reshape %[[M]] : (tensor<4x8xf32>) -> tensor<4x1x8xf32>
  %0 = stablehlo.reshape %x : (tensor<4x8xf32>) -> tensor<4x1x8xf32>
  %1 = stablehlo.reshape %y : (tensor<4x8xf32>) -> tensor<4x1x8xf32>
  %2 = stablehlo.add %0, %1 : tensor<4x1x8xf32>
  %3 = stablehlo.broadcast_in_dim %s, dims = [] : (tensor<f32>) -> tensor<4x1x8xf32>
  %4 = stablehlo.multiply %2, %3 : tensor<4x1x8xf32>
  return %4 : tensor<4x1x8xf32>
}

// CHECK-LABEL: func @predicate
func.func @predicate(%x: tensor<4xf32>) -> tensor<4x1xi1> {
  // CHECK: %[[P:.*]] = stablehlo.is_finite %arg0 : (tensor<4xf32>) -> tensor<4xi1>
  // CHECK: stablehlo.reshape %[[P]] : (tensor<4xi1>) -> tensor<4x1xi1>
  %0 = stablehlo.reshape %x : (tensor<4xf32>) -> tensor<4x1xf32>
  %1 = stablehlo.is_finite %0 : (tensor<4x1xf32>) -> tensor<4x1xi1>
  return %1 : tensor<4x1xi1>
}

// An argument has the dimension anyway.
// CHECK-LABEL: func @stays
func.func @stays(%x: tensor<4xf32>, %y: tensor<4x1xf32>) -> tensor<4x1xf32> {
  // CHECK: stablehlo.add {{.*}} : tensor<4x1xf32>
  %0 = stablehlo.reshape %x : (tensor<4xf32>) -> tensor<4x1xf32>
  %1 = stablehlo.add %0, %y : tensor<4x1xf32>
  return %1 : tensor<4x1xf32>
}
