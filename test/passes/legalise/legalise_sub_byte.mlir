// RUN: tpuc-opt %s --tpuc-legalise-sub-byte | FileCheck %s

// The argument is unpacked where it is read and the result packed where it is written; the sum wraps in four bits.
// CHECK-LABEL: func @add(
// CHECK-SAME: %[[X:.*]]: tensor<4xi4>
// CHECK: %[[B:.*]] = stablehlo.convert %[[X]] : (tensor<4xi4>) -> tensor<4xi8>
// CHECK: stablehlo.add %{{.*}}, %{{.*}} : tensor<4xi4>
// CHECK: %[[S:.*]] = stablehlo.convert %{{.*}} : (tensor<4xi4>) -> tensor<4xi8>
// CHECK: %[[T:.*]] = stablehlo.slice %[[S]] [0:2] : (tensor<4xi8>) -> tensor<2xi8>
// CHECK: stablehlo.convert %[[T]] : (tensor<2xi8>) -> tensor<2xi4>
func.func @add(%x: tensor<4xi4>) -> tensor<2xi4> {
  %0 = stablehlo.add %x, %x : tensor<4xi4>
  %1 = stablehlo.slice %0 [0:2] : (tensor<4xi4>) -> tensor<2xi4>
  return %1 : tensor<2xi4>
}

// Products are those of bytes.
// CHECK-LABEL: func @dot
// CHECK: stablehlo.dot_general %{{.*}} : (tensor<4x8xi8>, tensor<8x4xi8>) -> tensor<4x4xi32>
func.func @dot(%x: tensor<4x8xi4>, %w: tensor<8x4xi4>) -> tensor<4x4xi32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<4x8xi4>, tensor<8x4xi4>) -> tensor<4x4xi32>
  return %0 : tensor<4x4xi32>
}

// An array constant stays packed; bits are put together in integers of the wide type.
// CHECK-LABEL: func @bits
// CHECK: stablehlo.constant dense<[1, 2]> : tensor<2xui4>
// CHECK: stablehlo.or %{{.*}}, %{{.*}} : tensor<ui8>
func.func @bits() -> tensor<ui8> {
  %c = stablehlo.constant dense<[1, 2]> : tensor<2xui4>
  %0 = stablehlo.bitcast_convert %c : (tensor<2xui4>) -> tensor<ui8>
  return %0 : tensor<ui8>
}
