// RUN: tpuc-opt %s --tpuc-split-integer-dots | FileCheck %s

// 2001 products: 1024 and 977, each within 2^24 in magnitude.
// CHECK-LABEL: func.func @long
func.func @long(%a: tensor<16x2001xi8>, %b: tensor<2001x128xi8>) -> tensor<16x128xi32> {
  // CHECK-DAG: stablehlo.slice %arg0 [0:16, 0:1024]
  // CHECK-DAG: stablehlo.slice %arg1 [0:1024, 0:128]
  // CHECK: %[[X:.*]] = stablehlo.dot_general {{.*}} (tensor<16x1024xi8>, tensor<1024x128xi8>)
  // CHECK-DAG: stablehlo.slice %arg0 [0:16, 1024:2001]
  // CHECK: %[[Y:.*]] = stablehlo.dot_general {{.*}} (tensor<16x977xi8>, tensor<977x128xi8>)
  // CHECK: stablehlo.add %[[X]], %[[Y]] : tensor<16x128xi32>
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<16x2001xi8>, tensor<2001x128xi8>)
      -> tensor<16x128xi32>
  return %0 : tensor<16x128xi32>
}

// 1024 products of 128 * 128 are 2^24, which f32 holds.
// CHECK-LABEL: func.func @short
func.func @short(%a: tensor<16x1024xi8>, %b: tensor<1024x128xi8>) -> tensor<16x128xi32> {
  // CHECK-NOT: stablehlo.slice
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<16x1024xi8>, tensor<1024x128xi8>)
      -> tensor<16x128xi32>
  return %0 : tensor<16x128xi32>
}
