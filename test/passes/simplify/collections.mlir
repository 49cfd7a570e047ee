// RUN: tpuc-opt %s --tpuc-legalize-chlo --cse | FileCheck %s

// Sorted in descending total order with the places, the first two of it.
// CHECK-LABEL: func @top_k
func.func @top_k(%x: tensor<3x5xf32>) -> (tensor<3x2xf32>, tensor<3x2xi32>) {
  // CHECK: %[[I:.*]] = stablehlo.iota dim = 1 : tensor<3x5xi32>
  // CHECK: %[[S:.*]]:2 = "stablehlo.sort"(%arg0, %[[I]]) <{dimension = 1 : i64, is_stable = true}>
  // CHECK: stablehlo.compare GT, %{{.*}}, %{{.*}}, TOTALORDER
  // CHECK: %[[V:.*]] = stablehlo.slice %[[S]]#0 [0:3, 0:2]
  // CHECK: %[[P:.*]] = stablehlo.slice %[[S]]#1 [0:3, 0:2]
  // CHECK: return %[[V]], %[[P]]
  %0:2 = chlo.top_k(%x, k = 2) : tensor<3x5xf32> -> (tensor<3x2xf32>, tensor<3x2xi32>)
  return %0#0, %0#1 : tensor<3x2xf32>, tensor<3x2xi32>
}

// From the end: step i looks at place 3 - i.
// CHECK-LABEL: func @scan
func.func @scan(%x: tensor<2x4xi32>, %init: tensor<2xi32>) -> (tensor<2x4xi32>, tensor<2xi32>) {
  // CHECK-DAG: %[[LAST:.*]] = stablehlo.constant dense<3> : tensor<i32>
  // CHECK-DAG: %[[N:.*]] = stablehlo.constant dense<4> : tensor<i32>
  // CHECK: %[[W:.*]]:3 = stablehlo.while(%[[I:.*]] = %{{.*}}, %[[C:.*]] = %arg1, %[[O:.*]] = %{{.*}})
  // CHECK: stablehlo.compare LT, %[[I]], %[[N]]
  // CHECK: %[[AT:.*]] = stablehlo.subtract %[[LAST]], %[[I]]
  // CHECK: %[[S:.*]] = stablehlo.dynamic_slice %arg0, %{{.*}}, %[[AT]], sizes = [2, 1]
  // CHECK: %[[X:.*]] = stablehlo.reshape %[[S]]
  // CHECK: %[[SUM:.*]] = stablehlo.add %[[X]], %[[C]]
  // CHECK: %[[R:.*]] = stablehlo.reshape %[[SUM]]
  // CHECK: %[[U:.*]] = stablehlo.dynamic_update_slice %[[O]], %[[R]], %{{.*}}, %[[AT]]
  // CHECK: stablehlo.return %{{.*}}, %[[SUM]], %[[U]]
  // CHECK: return %[[W]]#2, %[[W]]#1
  %0:2 = chlo.scan(%x) inits(%init) dimension = 1 attributes {is_reverse = true} {
  ^bb0(%a: tensor<2xi32>, %b: tensor<2xi32>):
    %1 = stablehlo.add %a, %b : tensor<2xi32>
    stablehlo.return %1, %1 : tensor<2xi32>, tensor<2xi32>
  } : (tensor<2x4xi32>, tensor<2xi32>) -> (tensor<2x4xi32>, tensor<2xi32>)
  return %0#0, %0#1 : tensor<2x4xi32>, tensor<2xi32>
}
