// RUN: tpuc-opt %s --tpuc-expand-linalg | FileCheck %s

// One loop of as many steps as there are columns; each takes the root of a diagonal element.
// CHECK-LABEL: func @factor
// CHECK: %[[R:.*]]:3 = stablehlo.while
// CHECK: stablehlo.constant dense<8> : tensor<i32>
// CHECK: stablehlo.sqrt %{{.*}} : tensor<f32>
// CHECK: return %[[R]]#2
func.func @factor(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = stablehlo.cholesky %a, lower = true : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// An upper system from the right: the transposed, lower one from the left, solved from the first row on.
// CHECK-LABEL: func @solve
// CHECK: stablehlo.transpose %arg1, dims = [0, 2, 1] : (tensor<2x5x8xf32>) -> tensor<2x8x5xf32>
// CHECK: stablehlo.transpose %arg0, dims = [0, 2, 1]
// CHECK: stablehlo.while
// CHECK-NOT: stablehlo.divide
// CHECK: stablehlo.transpose %{{.*}}, dims = [0, 2, 1] : (tensor<2x8x5xf32>) -> tensor<2x5x8xf32>
func.func @solve(%a: tensor<2x8x8xf32>, %b: tensor<2x5x8xf32>) -> tensor<2x5x8xf32> {
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = false, lower = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = true}> : (tensor<2x8x8xf32>, tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
  return %0 : tensor<2x5x8xf32>
}
