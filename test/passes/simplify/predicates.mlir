// RUN: tpuc-opt %s --tpuc-simplify | FileCheck %s

// CHECK-LABEL: func @select
func.func @select(%p: tensor<4xi1>, %s: tensor<i1>, %x: tensor<4xf32>, %y: tensor<4xf32>)
    -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xi1>, tensor<4xi1>) {
  // CHECK-DAG: %[[R2:.*]] = stablehlo.select %arg0, %arg3, %arg2
  // CHECK-DAG: %[[R3:.*]] = stablehlo.select %arg1, %arg2, %arg3 : tensor<i1>, tensor<4xf32>
  // CHECK-DAG: %[[R5:.*]] = stablehlo.not %arg0
  // CHECK: return %arg2, %arg3, %[[R2]], %[[R3]], %arg0, %[[R5]]
  %t = stablehlo.constant dense<true> : tensor<4xi1>
  %f = stablehlo.constant dense<false> : tensor<4xi1>
  %0 = stablehlo.select %t, %x, %y : tensor<4xi1>, tensor<4xf32>
  %1 = stablehlo.select %p, %y, %y : tensor<4xi1>, tensor<4xf32>
  %n = stablehlo.not %p : tensor<4xi1>
  %2 = stablehlo.select %n, %x, %y : tensor<4xi1>, tensor<4xf32>
  %b = stablehlo.broadcast_in_dim %s, dims = [] : (tensor<i1>) -> tensor<4xi1>
  %3 = stablehlo.select %b, %x, %y : tensor<4xi1>, tensor<4xf32>
  %4 = stablehlo.select %p, %t, %f : tensor<4xi1>, tensor<4xi1>
  %5 = stablehlo.select %p, %f, %t : tensor<4xi1>, tensor<4xi1>
  return %0, %1, %2, %3, %4, %5 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xi1>, tensor<4xi1>
}

// Integers equal themselves; a NaN doesn't.
// CHECK-LABEL: func @compare
func.func @compare(%i: tensor<4xi32>, %x: tensor<4xf32>) -> (tensor<4xi1>, tensor<4xi1>, tensor<4xi1>) {
  // CHECK-DAG: %[[F:.*]] = stablehlo.constant dense<false>
  // CHECK-DAG: %[[T:.*]] = stablehlo.constant dense<true>
  // CHECK-DAG: %[[R2:.*]] = stablehlo.compare EQ, %arg1, %arg1
  // CHECK: return %[[T]], %[[F]], %[[R2]]
  %0 = stablehlo.compare GE, %i, %i : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  %1 = stablehlo.compare LT, %i, %i : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  %2 = stablehlo.compare EQ, %x, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  return %0, %1, %2 : tensor<4xi1>, tensor<4xi1>, tensor<4xi1>
}
