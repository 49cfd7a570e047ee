// RUN: tpuc-opt %s --tpuc-simplify | FileCheck %s

// CHECK-LABEL: func @known_shapes
func.func @known_shapes(%x: tensor<2x3xf32>, %s: tensor<2xi32>, %zero: tensor<f32>)
    -> (tensor<4x3xi32>, tensor<4x2x3xf32>, tensor<6xf32>, tensor<4x5xf32>, tensor<1x2xf32>, tensor<i32>) {
  // CHECK-DAG: %[[I:.*]] = stablehlo.iota dim = 0 : tensor<4x3xi32>
  %0 = stablehlo.dynamic_iota %s, dim = 0 : (tensor<2xi32>) -> tensor<4x3xi32>
  %three = stablehlo.constant dense<[4, 2, 3]> : tensor<3xi32>
  // CHECK-DAG: %[[B:.*]] = stablehlo.broadcast_in_dim %arg0, dims = [1, 2] : (tensor<2x3xf32>) -> tensor<4x2x3xf32>
  %1 = stablehlo.dynamic_broadcast_in_dim %x, %three, dims = [1, 2] : (tensor<2x3xf32>, tensor<3xi32>)
      -> tensor<4x2x3xf32>
  %six = stablehlo.constant dense<6> : tensor<1xi32>
  // CHECK-DAG: %[[R:.*]] = stablehlo.reshape %arg0 : (tensor<2x3xf32>) -> tensor<6xf32>
  %2 = stablehlo.dynamic_reshape %x, %six : (tensor<2x3xf32>, tensor<1xi32>) -> tensor<6xf32>
  %one = stablehlo.constant dense<1> : tensor<2xi32>
  %none = stablehlo.constant dense<0> : tensor<2xi32>
  // CHECK-DAG: %[[P:.*]] = stablehlo.pad %arg0, %arg2, low = [1, 1], high = [1, 1], interior = [0, 0]
  %3 = stablehlo.dynamic_pad %x, %zero, %one, %one, %none
      : (tensor<2x3xf32>, tensor<f32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<4x5xf32>
  %limits = stablehlo.constant dense<[2, 3]> : tensor<2xi32>
  // CHECK-DAG: %[[S:.*]] = stablehlo.slice %arg0 [1:2, 1:3]
  %4 = stablehlo.real_dynamic_slice %x, %one, %limits, %one
      : (tensor<2x3xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<1x2xf32>
  // CHECK-DAG: %[[D:.*]] = stablehlo.constant dense<3> : tensor<i32>
  %5 = stablehlo.get_dimension_size %x, dim = 1 : (tensor<2x3xf32>) -> tensor<i32>
  // CHECK: return %[[I]], %[[B]], %[[R]], %[[P]], %[[S]], %[[D]]
  return %0, %1, %2, %3, %4, %5 : tensor<4x3xi32>, tensor<4x2x3xf32>, tensor<6xf32>, tensor<4x5xf32>, tensor<1x2xf32>,
      tensor<i32>
}

// CHECK-LABEL: func @older_forms
func.func @older_forms(%x: tensor<2x3xf32>, %y: tensor<3x4xf32>) -> (tensor<5x2x3xf32>, tensor<2x4xf32>) {
  // CHECK-DAG: %[[B:.*]] = stablehlo.broadcast_in_dim %arg0, dims = [1, 2]
  %0 = stablehlo.broadcast %x, sizes = [5] : (tensor<2x3xf32>) -> tensor<5x2x3xf32>
  // CHECK-DAG: %[[D:.*]] = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0]
  %1 = stablehlo.dot %x, %y : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  // CHECK: return %[[B]], %[[D]]
  return %0, %1 : tensor<5x2x3xf32>, tensor<2x4xf32>
}

// CHECK-LABEL: func @map
func.func @map(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK-DAG: %[[C:.*]] = stablehlo.constant dense<2.000000e+00> : tensor<4xf32>
  // CHECK-DAG: %[[S:.*]] = stablehlo.add %arg0, %arg1 : tensor<4xf32>
  // CHECK: %[[P:.*]] = stablehlo.multiply %[[S]], %[[C]] : tensor<4xf32>
  // CHECK: return %[[P]]
  %0 = "stablehlo.map"(%x, %y) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.constant dense<2.0> : tensor<f32>
    %s = stablehlo.add %a, %b : tensor<f32>
    %p = stablehlo.multiply %s, %c : tensor<f32>
    stablehlo.return %p : tensor<f32>
  }) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func @index_select
// CHECK: "stablehlo.gather"(%arg0, %arg1) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 2], collapsed_slice_dims = [1], start_index_map = [1], index_vector_dim = 1>{{.*}}slice_sizes = array<i64: 5, 1, 3>
func.func @index_select(%a: tensor<5x4x3xf32>, %i: tensor<2xi32>) -> tensor<5x2x3xf32> {
  %0 = "stablehlo.torch_index_select"(%a, %i) {dim = 1 : i64, batch_dims = 0 : i64}
      : (tensor<5x4x3xf32>, tensor<2xi32>) -> tensor<5x2x3xf32>
  return %0 : tensor<5x2x3xf32>
}
