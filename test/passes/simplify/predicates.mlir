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

// Whether an argument of a maximum is above the other is known of the result as well; the argument is free to go.
// CHECK-LABEL: func @compare_of_maximum
func.func @compare_of_maximum(%a: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xi1>, tensor<4xi1>) {
  // CHECK-DAG: %[[ZERO:.*]] = stablehlo.constant dense<0.000000e+00>
  // CHECK-DAG: %[[Y:.*]] = stablehlo.maximum
  // CHECK-DAG: %[[R1:.*]] = stablehlo.compare GT, %[[Y]], %[[ZERO]]
  // CHECK-DAG: %[[R2:.*]] = stablehlo.compare GE, %[[ZERO]], %[[Y]]
  // CHECK: return %[[Y]], %[[R1]], %[[R2]]
  %zero = stablehlo.constant dense<0.0> : tensor<4xf32>
  %x = stablehlo.sine %a : tensor<4xf32>
  %y = stablehlo.maximum %x, %zero : tensor<4xf32>
  %1 = stablehlo.compare GT, %x, %zero : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %2 = stablehlo.compare GE, %zero, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  return %y, %1, %2 : tensor<4xf32>, tensor<4xi1>, tensor<4xi1>
}

// CHECK-LABEL: func @compare_of_minimum
func.func @compare_of_minimum(%a: tensor<4xf32>, %c: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xi1>, tensor<4xi1>) {
  // CHECK: %[[Y:.*]] = stablehlo.minimum %arg1,
  // CHECK-DAG: %[[R1:.*]] = stablehlo.compare LT, %[[Y]], %arg1
  // CHECK-DAG: %[[R2:.*]] = stablehlo.compare LE, %arg1, %[[Y]]
  // CHECK: return %[[Y]], %[[R1]], %[[R2]]
  %x = stablehlo.sine %a : tensor<4xf32>
  %y = stablehlo.minimum %c, %x : tensor<4xf32>
  %1 = stablehlo.compare LT, %x, %c : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %2 = stablehlo.compare LE, %c, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  return %y, %1, %2 : tensor<4xf32>, tensor<4xi1>, tensor<4xi1>
}

// Not where the argument is used otherwise, where the maximum says nothing (x >= 0, another bound, an order of all
// floats), comes later, or where the argument is one of the program's.
// CHECK-LABEL: func @compare_of_argument
func.func @compare_of_argument(%a: tensor<4xf32>)
    -> (tensor<4xf32>, tensor<4xi1>, tensor<4xf32>, tensor<4xf32>, tensor<4xi1>, tensor<4xf32>, tensor<4xi1>,
        tensor<4xf32>, tensor<4xi1>, tensor<4xf32>, tensor<4xi1>, tensor<4xi1>, tensor<4xf32>) {
  // CHECK-DAG: %[[USED:.*]] = stablehlo.sine
  // CHECK-DAG: %[[ABOVE:.*]] = stablehlo.cosine
  // CHECK-DAG: %[[OTHER:.*]] = stablehlo.tan
  // CHECK-DAG: %[[TOTAL:.*]] = stablehlo.exponential
  // CHECK-DAG: %[[LATER:.*]] = stablehlo.logistic
  // CHECK-DAG: stablehlo.compare GT, %[[USED]],
  // CHECK-DAG: stablehlo.compare GE, %[[ABOVE]],
  // CHECK-DAG: stablehlo.compare GT, %[[OTHER]],
  // CHECK-DAG: stablehlo.compare GT, %[[TOTAL]],
  // CHECK-DAG: stablehlo.compare GT, %[[LATER]],
  // CHECK-DAG: stablehlo.compare GT, %arg0,
  %zero = stablehlo.constant dense<0.0> : tensor<4xf32>
  %one = stablehlo.constant dense<1.0> : tensor<4xf32>
  %used = stablehlo.sine %a : tensor<4xf32>
  %m1 = stablehlo.maximum %used, %zero : tensor<4xf32>
  %c1 = stablehlo.compare GT, %used, %zero : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %above = stablehlo.cosine %a : tensor<4xf32>
  %m2 = stablehlo.maximum %above, %zero : tensor<4xf32>
  %c2 = stablehlo.compare GE, %above, %zero : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %other = stablehlo.tan %a : tensor<4xf32>
  %m3 = stablehlo.maximum %other, %zero : tensor<4xf32>
  %c3 = stablehlo.compare GT, %other, %one : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %total = stablehlo.exponential %a : tensor<4xf32>
  %m4 = stablehlo.maximum %total, %one : tensor<4xf32>
  %c4 = stablehlo.compare GT, %total, %one, TOTALORDER : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %later = stablehlo.logistic %a : tensor<4xf32>
  %c5 = stablehlo.compare GT, %later, %zero : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %m5 = stablehlo.maximum %later, %zero : tensor<4xf32>
  %m6 = stablehlo.maximum %a, %zero : tensor<4xf32>
  %c6 = stablehlo.compare GT, %a, %zero : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  return %m1, %c1, %used, %m2, %c2, %m3, %c3, %m4, %c4, %m5, %c5, %c6, %m6
      : tensor<4xf32>, tensor<4xi1>, tensor<4xf32>, tensor<4xf32>, tensor<4xi1>, tensor<4xf32>, tensor<4xi1>,
        tensor<4xf32>, tensor<4xi1>, tensor<4xf32>, tensor<4xi1>, tensor<4xi1>, tensor<4xf32>
}
