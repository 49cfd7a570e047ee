// RUN: tpuc-opt %s --tpuc-isolate-initial-values | FileCheck %s

// The sum starts from -0, which adds nothing to any number; its own initial value comes once, at the end.
// CHECK-LABEL: func @sum(
// CHECK-SAME: %[[X:.*]]: tensor<4x6xf64>, %[[INIT:.*]]: tensor<f64>)
// CHECK: %[[NEUTRAL:.*]] = stablehlo.constant dense<-0.000000e+00> : tensor<f64>
// CHECK: %[[SUM:.*]] = stablehlo.reduce(%[[X]] init: %[[NEUTRAL]]) applies stablehlo.add across dimensions = [0]
// CHECK: %[[SPREAD:.*]] = stablehlo.broadcast_in_dim %[[INIT]], dims = []
// CHECK: stablehlo.add %[[SPREAD]], %[[SUM]]
func.func @sum(%x: tensor<4x6xf64>, %init: tensor<f64>) -> tensor<6xf64> {
  %0 = stablehlo.reduce(%x init: %init) applies stablehlo.add across dimensions = [0]
      : (tensor<4x6xf64>, tensor<f64>) -> tensor<6xf64>
  return %0 : tensor<6xf64>
}

// A lane's type does so in its kernel.
// CHECK-LABEL: func @narrow
// CHECK: stablehlo.reduce(%arg0 init: %arg1)
func.func @narrow(%x: tensor<4x6xf32>, %init: tensor<f32>) -> tensor<6xf32> {
  %0 = stablehlo.reduce(%x init: %init) applies stablehlo.add across dimensions = [0]
      : (tensor<4x6xf32>, tensor<f32>) -> tensor<6xf32>
  return %0 : tensor<6xf32>
}

// Operands that are combined apart do too, each from its own.
// CHECK-LABEL: func @apart
// CHECK-DAG: %[[SUM:.*]] = stablehlo.constant dense<-0.000000e+00> : tensor<f32>
// CHECK-DAG: %[[LEAST:.*]] = stablehlo.constant dense<-2147483648> : tensor<i32>
// CHECK: %[[R:.*]]:2 = stablehlo.reduce(%arg0 init: %[[SUM]]), (%arg1 init: %[[LEAST]])
// CHECK: stablehlo.add %{{.*}}, %[[R]]#0
// CHECK: stablehlo.maximum %{{.*}}, %[[R]]#1
func.func @apart(%x: tensor<4x6xf32>, %y: tensor<4x6xi32>, %a: tensor<f32>, %b: tensor<i32>)
    -> (tensor<4xf32>, tensor<4xi32>) {
  %0:2 = stablehlo.reduce(%x init: %a), (%y init: %b) across dimensions = [1]
      : (tensor<4x6xf32>, tensor<4x6xi32>, tensor<f32>, tensor<i32>) -> (tensor<4xf32>, tensor<4xi32>)
   reducer(%p: tensor<f32>, %q: tensor<f32>) (%r: tensor<i32>, %s: tensor<i32>) {
    %1 = stablehlo.add %p, %q : tensor<f32>
    %2 = stablehlo.maximum %r, %s : tensor<i32>
    stablehlo.return %1, %2 : tensor<f32>, tensor<i32>
  }
  return %0#0, %0#1 : tensor<4xf32>, tensor<4xi32>
}

// Booleans have no sign: the greatest starts from false.
// CHECK-LABEL: func @booleans
// CHECK-DAG: %[[NO:.*]] = stablehlo.constant dense<false> : tensor<i1>
// CHECK-DAG: %[[YES:.*]] = stablehlo.constant dense<true> : tensor<i1>
// CHECK: stablehlo.reduce(%arg0 init: %[[NO]]), (%arg1 init: %[[YES]])
func.func @booleans(%x: tensor<4x6xi1>, %y: tensor<4x6xi1>, %a: tensor<i1>, %b: tensor<i1>)
    -> (tensor<4xi1>, tensor<4xi1>) {
  %0:2 = stablehlo.reduce(%x init: %a), (%y init: %b) across dimensions = [1]
      : (tensor<4x6xi1>, tensor<4x6xi1>, tensor<i1>, tensor<i1>) -> (tensor<4xi1>, tensor<4xi1>)
   reducer(%p: tensor<i1>, %q: tensor<i1>) (%r: tensor<i1>, %s: tensor<i1>) {
    %1 = stablehlo.maximum %p, %q : tensor<i1>
    %2 = stablehlo.minimum %r, %s : tensor<i1>
    stablehlo.return %1, %2 : tensor<i1>, tensor<i1>
  }
  return %0#0, %0#1 : tensor<4xi1>, tensor<4xi1>
}

// No element is known that leaves a sum that stops at 9 unchanged: what is no element is told apart, and the initial
// value comes at the end.
// CHECK-LABEL: func @stops
// CHECK-DAG: %[[ALL:.*]] = stablehlo.constant dense<true> : tensor<4x6xi1>
// CHECK-DAG: %[[NONE:.*]] = stablehlo.constant dense<false> : tensor<i1>
// CHECK: %[[R:.*]]:2 = stablehlo.reduce(%arg0 init: %arg1), (%[[ALL]] init: %[[NONE]]) across dimensions = [1]
// CHECK: reducer(%[[X:.*]]: tensor<i32>, %[[Y:.*]]: tensor<i32>) (%[[P:.*]]: tensor<i1>, %[[Q:.*]]: tensor<i1>)
// CHECK: %[[SUM:.*]] = stablehlo.minimum
// CHECK: %[[BOTH:.*]] = stablehlo.and %[[P]], %[[Q]]
// CHECK: %[[ONE:.*]] = stablehlo.select %[[P]], %[[X]], %[[Y]]
// CHECK: %[[NEXT:.*]] = stablehlo.select %[[BOTH]], %[[SUM]], %[[ONE]]
// CHECK: %[[ANY:.*]] = stablehlo.or %[[P]], %[[Q]]
// CHECK: stablehlo.return %[[NEXT]], %[[ANY]]
// CHECK: %[[INIT:.*]] = stablehlo.broadcast_in_dim %arg1, dims = []
// CHECK: %[[S:.*]] = stablehlo.add %[[INIT]], %[[R]]#0
// CHECK: %[[T:.*]] = stablehlo.minimum %[[S]],
// CHECK: return %[[T]]
func.func @stops(%x: tensor<4x6xi32>, %init: tensor<i32>) -> tensor<4xi32> {
  %0 = stablehlo.reduce(%x init: %init) across dimensions = [1] : (tensor<4x6xi32>, tensor<i32>) -> tensor<4xi32>
   reducer(%p: tensor<i32>, %q: tensor<i32>) {
    %nine = stablehlo.constant dense<9> : tensor<i32>
    %1 = stablehlo.add %p, %q : tensor<i32>
    %2 = stablehlo.minimum %1, %nine : tensor<i32>
    stablehlo.return %2 : tensor<i32>
  }
  return %0 : tensor<4xi32>
}

// A choice may meet its initial value any number of times.
// CHECK-LABEL: func @chooses
// CHECK: stablehlo.reduce(%arg0 init: %arg1) across dimensions = [1]
// CHECK-NOT: i1>)
// CHECK: return
func.func @chooses(%x: tensor<4x6xf32>, %init: tensor<f32>) -> tensor<4xf32> {
  %0 = stablehlo.reduce(%x init: %init) across dimensions = [1] : (tensor<4x6xf32>, tensor<f32>) -> tensor<4xf32>
   reducer(%p: tensor<f32>, %q: tensor<f32>) {
    %1 = stablehlo.compare GT, %p, %q : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %2 = stablehlo.select %1, %p, %q : tensor<i1>, tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }
  return %0 : tensor<4xf32>
}
