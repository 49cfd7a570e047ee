// RUN: tpuc-opt %s --tpuc-simplify | FileCheck %s

// CHECK-LABEL: func @batched
// CHECK: stablehlo.dot_general %arg0, %arg1, batching_dims = [0] x [0], contracting_dims = [2] x [1]
func.func @batched(%a: tensor<2x3x4xf32>, %b: tensor<2x4x5xf32>) -> tensor<2x3x5xf32> {
  %0 = stablehlo.einsum %a, %b, config = "bij,bjk->bik" : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  return %0 : tensor<2x3x5xf32>
}

// j is summed before the dot, the dot's [i, k] transposed after.
// CHECK-LABEL: func @summed
// CHECK: %[[SUM:.*]] = stablehlo.reduce(%arg0 init: %{{.*}}) {{.*}} dimensions = [1]
// CHECK: %[[DOT:.*]] = stablehlo.dot_general %[[SUM]], %arg1, contracting_dims = [1] x [1]
// CHECK: stablehlo.transpose %[[DOT]], dims = [1, 0]
func.func @summed(%a: tensor<3x7x4xf32>, %b: tensor<5x4xf32>) -> tensor<5x3xf32> {
  %0 = stablehlo.einsum %a, %b, config = "ijc,kc->ki" : (tensor<3x7x4xf32>, tensor<5x4xf32>) -> tensor<5x3xf32>
  return %0 : tensor<5x3xf32>
}

// CHECK-LABEL: func @diagonal
// CHECK: stablehlo.compare EQ
// CHECK: stablehlo.select
// CHECK: stablehlo.reduce
func.func @diagonal(%a: tensor<4x4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.unary_einsum %a, config = "ii->i" : (tensor<4x4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// A name that no operand has stays, and is refused later.
// CHECK-LABEL: func @unknown
// CHECK: stablehlo.unary_einsum
func.func @unknown(%a: tensor<4x4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.unary_einsum %a, config = "ij->k" : (tensor<4x4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
