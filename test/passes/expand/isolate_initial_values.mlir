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

// Operands that are combined apart do too, each from its own.
// CHECK-LABEL: func @apart
// CHECK-DAG: %[[SUM:.*]] = stablehlo.constant dense<-0.000000e+00> : tensor<f32>
// CHECK-DAG: %[[LEAST:.*]] = stablehlo.constant dense<-2147483648> : tensor<i32>
// CHECK: %[[R:.*]]:2 = stablehlo.reduce(%arg0 init: %[[SUM]]), (%arg1 init: %[[LEAST]])
// CHECK: stablehlo.add %{{.*}}, %[[R]]#0
// CHECK: stablehlo.maximum %{{.*}}, %[[R]]#1
func.func @apart(%x: tensor<4x6xf32>, %y: tensor<4x6xi32>, %a: tensor<f32>, %b: tensor<i32>) -> (tensor<4xf32>, tensor<4xi32>) {
  %0:2 = stablehlo.reduce(%x init: %a), (%y init: %b) across dimensions = [1] : (tensor<4x6xf32>, tensor<4x6xi32>, tensor<f32>, tensor<i32>) -> (tensor<4xf32>, tensor<4xi32>)
   reducer(%p: tensor<f32>, %q: tensor<f32>) (%r: tensor<i32>, %s: tensor<i32>) {
    %1 = stablehlo.add %p, %q : tensor<f32>
    %2 = stablehlo.maximum %r, %s : tensor<i32>
    stablehlo.return %1, %2 : tensor<f32>, tensor<i32>
  }
  return %0#0, %0#1 : tensor<4xf32>, tensor<4xi32>
}
