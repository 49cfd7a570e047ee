// RUN: tpuc-opt %s --tpuc-legalise-complex | FileCheck %s

// (a + bi)(c + di) = (ac - bd) + (ad + bc)i, each sum fused with its first product.
// CHECK-LABEL: func @product(
// CHECK-SAME: %[[X:.*]]: tensor<3xcomplex<f32>>, %[[Y:.*]]: tensor<3xcomplex<f32>>)
// CHECK-DAG: %[[A:.*]]:2 = kernel.split %[[X]] : tensor<3xcomplex<f32>> -> tensor<3xf32>, tensor<3xf32>
// CHECK-DAG: %[[B:.*]]:2 = kernel.split %[[Y]]
// CHECK-DAG: %[[BD:.*]] = stablehlo.multiply %[[A]]#1, %[[B]]#1
// CHECK-DAG: %[[AD:.*]] = stablehlo.multiply %[[A]]#0, %[[B]]#1
// CHECK-DAG: %[[NBD:.*]] = stablehlo.negate %[[BD]]
// CHECK-DAG: %[[RE:.*]] = kernel.fma %[[A]]#0, %[[B]]#0, %[[NBD]]
// CHECK-DAG: %[[IM:.*]] = kernel.fma %[[A]]#1, %[[B]]#0, %[[AD]]
// CHECK: kernel.join %[[RE]], %[[IM]] : tensor<3xf32>, tensor<3xf32> -> tensor<3xcomplex<f32>>
func.func @product(%x: tensor<3xcomplex<f32>>, %y: tensor<3xcomplex<f32>>) -> tensor<3xcomplex<f32>> {
  %0 = stablehlo.multiply %x, %y : tensor<3xcomplex<f32>>
  return %0 : tensor<3xcomplex<f32>>
}

// Parts of f64 are two words each at the function's boundary, joined for the next step.
// CHECK-LABEL: func @double
// CHECK: %[[W:.*]]:4 = kernel.split %arg0 : tensor<3xcomplex<f64>> -> tensor<3xui32>, tensor<3xui32>, tensor<3xui32>, tensor<3xui32>
// CHECK-DAG: kernel.join %[[W]]#0, %[[W]]#1 : tensor<3xui32>, tensor<3xui32> -> tensor<3xf64>
// CHECK-DAG: %[[IM:.*]] = kernel.join %[[W]]#2, %[[W]]#3
// CHECK: return %[[IM]] : tensor<3xf64>
func.func @double(%x: tensor<3xcomplex<f64>>) -> tensor<3xf64> {
  %0 = stablehlo.imag %x : (tensor<3xcomplex<f64>>) -> tensor<3xf64>
  return %0 : tensor<3xf64>
}
