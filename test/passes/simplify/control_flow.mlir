// RUN: tpuc-opt %s --tpuc-simplify | FileCheck %s

// CHECK-LABEL: func @branches
func.func @branches(%x: tensor<f32>, %y: tensor<f32>) -> (tensor<f32>, tensor<f32>, tensor<f32>) {
  // CHECK-DAG: %[[R0:.*]] = stablehlo.negate %arg0
  // CHECK-DAG: %[[R1:.*]] = stablehlo.tanh %arg1
  // CHECK: return %[[R0]], %[[R1]], %arg0
  %t = stablehlo.constant dense<true> : tensor<i1>
  %0 = "stablehlo.if"(%t) ({
    %n = stablehlo.negate %x : tensor<f32>
    stablehlo.return %n : tensor<f32>
  }, {
    stablehlo.return %y : tensor<f32>
  }) : (tensor<i1>) -> tensor<f32>
  // Out of range: the last branch.
  %i = stablehlo.constant dense<7> : tensor<i32>
  %1 = "stablehlo.case"(%i) ({
    stablehlo.return %x : tensor<f32>
  }, {
    %n = stablehlo.tanh %y : tensor<f32>
    stablehlo.return %n : tensor<f32>
  }) : (tensor<i32>) -> tensor<f32>
  %2 = stablehlo.while(%a = %x) : tensor<f32>
  cond {
    %f = stablehlo.constant dense<false> : tensor<i1>
    stablehlo.return %f : tensor<i1>
  } do {
    stablehlo.return %a : tensor<f32>
  }
  return %0, %1, %2 : tensor<f32>, tensor<f32>, tensor<f32>
}

// CHECK-LABEL: func @tuples
func.func @tuples(%x: tensor<f32>, %y: tensor<i32>) -> tensor<i32> {
  // CHECK-NEXT: return %arg1
  %0 = stablehlo.tuple %x, %y : tuple<tensor<f32>, tensor<i32>>
  %1 = stablehlo.get_tuple_element %0[1] : (tuple<tensor<f32>, tensor<i32>>) -> tensor<i32>
  return %1 : tensor<i32>
}

// A constant that a loop hands on: its slice in the loop is a constant, and so is the loop's result.
// CHECK-LABEL: func @constant_of_loop
func.func @constant_of_loop(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<8x4xf32>) {
  // CHECK-DAG: %[[ALL:.*]] = stablehlo.constant dense<2.000000e+00> : tensor<8x4xf32>
  // CHECK-DAG: %[[PART:.*]] = stablehlo.constant dense<2.000000e+00> : tensor<4xf32>
  // CHECK: %[[LOOP:.*]]:3 = stablehlo.while
  // CHECK-NOT: stablehlo.dynamic_slice
  // CHECK: stablehlo.multiply %{{.*}}, %[[PART]] : tensor<4xf32>
  // CHECK: return %[[LOOP]]#1, %[[ALL]]
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %all = stablehlo.constant dense<2.0> : tensor<8x4xf32>
  %0:3 = stablehlo.while(%i = %zero, %s = %x, %c = %all) : tensor<i32>, tensor<4xf32>, tensor<8x4xf32>
  cond {
    %n = stablehlo.constant dense<8> : tensor<i32>
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %k = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_slice %c, %i, %k, sizes = [1, 4]
      : (tensor<8x4xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4xf32>
    %2 = stablehlo.reshape %1 : (tensor<1x4xf32>) -> tensor<4xf32>
    %3 = stablehlo.multiply %s, %2 : tensor<4xf32>
    %4 = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %4, %3, %c : tensor<i32>, tensor<4xf32>, tensor<8x4xf32>
  }
  return %0#1, %0#2 : tensor<4xf32>, tensor<8x4xf32>
}
