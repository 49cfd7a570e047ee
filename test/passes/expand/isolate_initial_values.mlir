// RUN: tpuc-opt %s --tpuc-isolate-initial-values | FileCheck %s

// The sum starts from -0, which adds nothing to any number; its own initial value comes once, at the end.
// CHECK-LABEL: func @sum(
// CHECK-SAME: %[[X:.*]]: tensor<4x6xf64>, %[[INIT:.*]]: tensor<f64>)
// CHECK: %[[NEUTRAL:.*]] = stablehlo.constant dense<-0.000000e+00> : tensor<f64>
// CHECK: %[[SUM:.*]] = stablehlo.reduce(%[[X]] init: %[[NEUTRAL]]) applies stablehlo.add across dimensions = [0]
// CHECK: %[[SPREAD:.*]] = stablehlo.broadcast_in_dim %[[INIT]], dims = []
// CHECK: stablehlo.add %[[SPREAD]], %[[SUM]]
func.func @sum(%x: tensor<4x6xf64>, %init: tensor<f64>) -> tensor<6xf64> {
  %0 = stablehlo.reduce(%x init: %init) applies stablehlo.add across dimensions = [0] : (tensor<4x6xf64>, tensor<f64>) -> tensor<6xf64>
  return %0 : tensor<6xf64>
}

// A lane's type does so in its kernel.
// CHECK-LABEL: func @narrow
// CHECK: stablehlo.reduce(%arg0 init: %arg1)
func.func @narrow(%x: tensor<4x6xf32>, %init: tensor<f32>) -> tensor<6xf32> {
  %0 = stablehlo.reduce(%x init: %init) applies stablehlo.add across dimensions = [0] : (tensor<4x6xf32>, tensor<f32>) -> tensor<6xf32>
  return %0 : tensor<6xf32>
}
