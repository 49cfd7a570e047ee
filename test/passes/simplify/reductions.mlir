// RUN: tpuc-opt %s --tpuc-simplify | FileCheck %s

// CHECK-LABEL: func @of_one
func.func @of_one(%x: tensor<4x1xf32>, %c: tensor<f32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  // CHECK-DAG: %[[R:.*]] = stablehlo.reshape %arg0 : (tensor<4x1xf32>) -> tensor<4xf32>
  // An initial value that is not known may count.
  // CHECK-DAG: %[[S:.*]] = stablehlo.reduce(%arg0 init: %arg1)
  // CHECK: return %[[R]], %[[R1:.*]], %[[S]]
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x1xf32>, tensor<f32>) -> tensor<4xf32>
  %1 = stablehlo.reduce(%x init: %least) applies stablehlo.maximum across dimensions = [1] : (tensor<4x1xf32>, tensor<f32>) -> tensor<4xf32>
  %2 = stablehlo.reduce(%x init: %c) applies stablehlo.add across dimensions = [1] : (tensor<4x1xf32>, tensor<f32>) -> tensor<4xf32>
  return %0, %1, %2 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func @of_none
func.func @of_none(%x: tensor<4x0xf32>, %c: tensor<f32>) -> tensor<4xf32> {
  // CHECK: stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %0 = stablehlo.reduce(%x init: %c) applies stablehlo.add across dimensions = [1] : (tensor<4x0xf32>, tensor<f32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func @product_of_none
func.func @product_of_none(%x: tensor<4x0xf32>, %y: tensor<0x3xf32>) -> tensor<4x3xf32> {
  // CHECK: stablehlo.constant dense<0.000000e+00> : tensor<4x3xf32>
  // CHECK-NOT: dot_general
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<4x0xf32>, tensor<0x3xf32>) -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}
