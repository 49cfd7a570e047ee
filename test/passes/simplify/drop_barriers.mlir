// RUN: tpuc-opt %s --tpuc-drop-barriers | FileCheck %s

// CHECK-LABEL: func @f
func.func @f(%x: tensor<8xf32>, %y: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  // CHECK-NEXT: %[[N:.*]] = stablehlo.negate %arg0
  %0:2 = stablehlo.optimization_barrier %x, %y : tensor<8xf32>, tensor<8xf32>
  %1 = stablehlo.negate %0#0 : tensor<8xf32>
  // CHECK-NEXT: return %[[N]], %arg1
  return %1, %0#1 : tensor<8xf32>, tensor<8xf32>
}
