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
