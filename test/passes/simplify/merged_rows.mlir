// RUN: tpuc-opt %s --tpuc-simplify | FileCheck %s

// A linear layer as PyTorch has it: no reshape is left around it.
// CHECK-LABEL: func @layer
// CHECK-SAME: %[[X:.*]]: tensor<4x197x64xf32>, %[[W:.*]]: tensor<64x96xf32>, %[[B:.*]]: tensor<96xf32>
// CHECK-NOT: reshape
// CHECK: %[[D:.*]] = stablehlo.dot_general %[[X]], %[[W]], contracting_dims = [2] x [0] : (tensor<4x197x64xf32>, tensor<64x96xf32>) -> tensor<4x197x96xf32>
// CHECK: %[[S:.*]] = stablehlo.broadcast_in_dim %[[B]], dims = [2] : (tensor<96xf32>) -> tensor<4x197x96xf32>
// CHECK: %[[A:.*]] = stablehlo.add %[[D]], %[[S]] : tensor<4x197x96xf32>
// CHECK: %[[M:.*]] = stablehlo.maximum %[[A]], %{{.*}} : tensor<4x197x96xf32>
// CHECK-NOT: reshape
// CHECK: return %[[M]]
func.func @layer(%x: tensor<4x197x64xf32>, %w: tensor<64x96xf32>, %b: tensor<96xf32>) -> tensor<4x197x96xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<788x96xf32>
  %0 = stablehlo.reshape %x : (tensor<4x197x64xf32>) -> tensor<788x64xf32>
  %1 = stablehlo.dot_general %0, %w, contracting_dims = [1] x [0] : (tensor<788x64xf32>, tensor<64x96xf32>)
      -> tensor<788x96xf32>
  %2 = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<96xf32>) -> tensor<788x96xf32>
  %3 = stablehlo.add %1, %2 : tensor<788x96xf32>
  %4 = stablehlo.maximum %3, %zero : tensor<788x96xf32>
  %5 = stablehlo.reshape %4 : (tensor<788x96xf32>) -> tensor<4x197x96xf32>
  return %5 : tensor<4x197x96xf32>
}

// Rows that fill tiles lie merged already; rows of three would take eight; rows that differ from one another are not
// the same in all.
// CHECK-LABEL: func @as_they_are
// CHECK: %[[R0:.*]] = stablehlo.reshape %arg0
// CHECK: stablehlo.tanh %[[R0]] : tensor<800x64xf32>
// CHECK: %[[R1:.*]] = stablehlo.reshape %arg1
// CHECK: stablehlo.tanh %[[R1]] : tensor<900x64xf32>
// CHECK: %[[R2:.*]] = stablehlo.reshape %arg2
// CHECK: stablehlo.add %[[R2]], %{{.*}} : tensor<788x64xf32>
func.func @as_they_are(%x: tensor<4x200x64xf32>, %y: tensor<300x3x64xf32>, %z: tensor<4x197x64xf32>,
    %v: tensor<788xf32>) -> (tensor<800x64xf32>, tensor<900x64xf32>, tensor<788x64xf32>) {
  %0 = stablehlo.reshape %x : (tensor<4x200x64xf32>) -> tensor<800x64xf32>
  %1 = stablehlo.tanh %0 : tensor<800x64xf32>
  %2 = stablehlo.reshape %y : (tensor<300x3x64xf32>) -> tensor<900x64xf32>
  %3 = stablehlo.tanh %2 : tensor<900x64xf32>
  %4 = stablehlo.reshape %z : (tensor<4x197x64xf32>) -> tensor<788x64xf32>
  %5 = stablehlo.broadcast_in_dim %v, dims = [0] : (tensor<788xf32>) -> tensor<788x64xf32>
  %6 = stablehlo.add %4, %5 : tensor<788x64xf32>
  return %1, %3, %6 : tensor<800x64xf32>, tensor<900x64xf32>, tensor<788x64xf32>
}
