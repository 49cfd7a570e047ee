// RUN: tpuc-opt %s --tpuc-expand-regions | FileCheck %s

// CHECK-LABEL: @map
// CHECK: stablehlo.multiply %arg0, %arg1 : tensor<4xf32>
// CHECK-NOT: stablehlo.map
func.func @map(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.map"(%x, %y) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.multiply %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
