// RUN: tpuc-opt %s --tpuc-legalize-chlo | FileCheck %s

// The example of the pass's description.
// CHECK-LABEL: func @square
func.func @square(%x: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK: stablehlo.multiply %arg0, %arg0 : tensor<8xf32>
  %0 = chlo.square %x : tensor<8xf32> -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// CHECK-LABEL: func @square_complex
func.func @square_complex(%x: tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>> {
  // CHECK-DAG: %[[R:.*]] = stablehlo.real
  // CHECK-DAG: %[[I:.*]] = stablehlo.imag
  // CHECK-DAG: %[[D:.*]] = stablehlo.subtract %[[R]], %[[I]]
  // CHECK-DAG: %[[S:.*]] = stablehlo.add %[[R]], %[[I]]
  // CHECK-DAG: %[[A:.*]] = stablehlo.multiply %[[D]], %[[S]]
  // CHECK-DAG: %[[P:.*]] = stablehlo.multiply %[[R]], %[[I]]
  // CHECK-DAG: %[[B:.*]] = stablehlo.add %[[P]], %[[P]]
  // CHECK: stablehlo.complex %[[A]], %[[B]]
  %0 = chlo.square %x : tensor<2xcomplex<f32>> -> tensor<2xcomplex<f32>>
  return %0 : tensor<2xcomplex<f32>>
}

// CHECK-LABEL: func @broadcast
func.func @broadcast(%x: tensor<4x1xf32>, %y: tensor<8xf32>) -> tensor<4x8xf32> {
  // Aligned at the last dimension.
  // CHECK-NEXT: %[[A:.*]] = stablehlo.broadcast_in_dim %arg0, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x8xf32>
  // CHECK-NEXT: %[[B:.*]] = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<8xf32>) -> tensor<4x8xf32>
  // CHECK-NEXT: stablehlo.add %[[A]], %[[B]] : tensor<4x8xf32>
  %0 = chlo.broadcast_add %x, %y : (tensor<4x1xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// CHECK-LABEL: func @compare
func.func @compare(%x: tensor<4x8xf32>, %y: tensor<4xf32>) -> tensor<4x8xi1> {
  // By dimension.
  // CHECK: %[[B:.*]] = stablehlo.broadcast_in_dim %arg1, dims = [0] : (tensor<4xf32>) -> tensor<4x8xf32>
  // CHECK: stablehlo.compare LT, %arg0, %[[B]], TOTALORDER
  %0 = chlo.broadcast_compare %x, %y {broadcast_dimensions = array<i64: 0>,
      comparison_direction = #chlo<comparison_direction LT>, compare_type = #chlo<comparison_type TOTALORDER>}
      : (tensor<4x8xf32>, tensor<4xf32>) -> tensor<4x8xi1>
  return %0 : tensor<4x8xi1>
}

// CHECK-LABEL: func @select
func.func @select(%p: tensor<i1>, %x: tensor<4x8xf32>, %y: tensor<8xf32>) -> tensor<4x8xf32> {
  // A scalar predicate stays one.
  // CHECK: %[[B:.*]] = stablehlo.broadcast_in_dim %arg2, dims = [1]
  // CHECK: stablehlo.select %arg0, %arg1, %[[B]] : tensor<i1>, tensor<4x8xf32>
  %0 = chlo.broadcast_select %p, %x, %y : (tensor<i1>, tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// CHECK-LABEL: func @constants
func.func @constants(%x: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<2xf32>) {
  // CHECK-DAG: stablehlo.constant dense<2.000000e+00> : tensor<4x8xf32>
  %0 = "chlo.constant_like"(%x) <{value = 2.0 : f32}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
  // CHECK-DAG: stablehlo.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
  %1 = chlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  return %0, %1 : tensor<4x8xf32>, tensor<2xf32>
}

// CHECK-LABEL: func @infinities
func.func @infinities(%x: tensor<2xf32>, %n: tensor<2xf8E4M3FN>) -> (tensor<2xi1>, tensor<2xi1>, tensor<2xi1>) {
  // CHECK-DAG: %[[P:.*]] = stablehlo.constant dense<0x7F800000> : tensor<2xf32>
  // CHECK-DAG: %[[N:.*]] = stablehlo.constant dense<0xFF800000> : tensor<2xf32>
  // The type has no infinity.
  // CHECK-DAG: %[[F:.*]] = stablehlo.constant dense<false> : tensor<2xi1>
  // CHECK-DAG: %[[A:.*]] = stablehlo.abs %arg0
  // CHECK-DAG: %[[R0:.*]] = stablehlo.compare EQ, %[[A]], %[[P]]
  // CHECK-DAG: %[[R1:.*]] = stablehlo.compare EQ, %arg0, %[[N]]
  // CHECK: return %[[R0]], %[[R1]], %[[F]]
  %0 = chlo.is_inf %x : tensor<2xf32> -> tensor<2xi1>
  %1 = chlo.is_neg_inf %x : tensor<2xf32> -> tensor<2xi1>
  %2 = chlo.is_pos_inf %n : tensor<2xf8E4M3FN> -> tensor<2xi1>
  return %0, %1, %2 : tensor<2xi1>, tensor<2xi1>, tensor<2xi1>
}

// CHECK-LABEL: func @mulhi
func.func @mulhi(%a: tensor<2xui32>) -> tensor<2xui32> {
  // CHECK-DAG: %[[S:.*]] = stablehlo.constant dense<32> : tensor<2xui64>
  // CHECK-DAG: %[[W:.*]] = stablehlo.convert %arg0 : (tensor<2xui32>) -> tensor<2xui64>
  // CHECK: %[[P:.*]] = stablehlo.multiply %[[W]], %
  // CHECK: %[[H:.*]] = stablehlo.shift_right_logical %[[P]], %[[S]]
  // CHECK: stablehlo.convert %[[H]] : (tensor<2xui64>) -> tensor<2xui32>
  %0 = chlo.mulhi %a, %a : tensor<2xui32>, tensor<2xui32> -> tensor<2xui32>
  return %0 : tensor<2xui32>
}

