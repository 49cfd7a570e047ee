// RUN: tpuc-opt %s | tpuc-opt | FileCheck %s
// RUN: tpuc-opt %s --mlir-print-op-generic | tpuc-opt | FileCheck %s

// CHECK-LABEL: func @dynamic
func.func @dynamic(%x: tensor<4x?xf32>, %v: tensor<?xf32>, %s: tensor<2xi32>, %c: tensor<f32>) {
  // CHECK: stablehlo.dynamic_broadcast_in_dim %{{.*}}, %{{.*}}, dims = [1] : (tensor<?xf32>, tensor<2xi32>) -> tensor<4x?xf32>
  %0 = stablehlo.dynamic_broadcast_in_dim %v, %s, dims = [1] : (tensor<?xf32>, tensor<2xi32>) -> tensor<4x?xf32>
  // CHECK-NEXT: stablehlo.dynamic_iota %{{.*}}, dim = 1 : (tensor<2xi32>) -> tensor<4x?xi32>
  %1 = stablehlo.dynamic_iota %s, dim = 1 : (tensor<2xi32>) -> tensor<4x?xi32>
  // CHECK-NEXT: stablehlo.dynamic_pad %{{.*}} : (tensor<4x?xf32>, tensor<f32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x?xf32>
  %2 = stablehlo.dynamic_pad %x, %c, %s, %s, %s
      : (tensor<4x?xf32>, tensor<f32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x?xf32>
  // CHECK-NEXT: stablehlo.dynamic_reshape %{{.*}}, %{{.*}} : (tensor<4x?xf32>, tensor<2xi32>) -> tensor<?x8xf32>
  %3 = stablehlo.dynamic_reshape %x, %s : (tensor<4x?xf32>, tensor<2xi32>) -> tensor<?x8xf32>
  // CHECK-NEXT: stablehlo.real_dynamic_slice
  %4 = stablehlo.real_dynamic_slice %x, %s, %s, %s : (tensor<4x?xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>)
      -> tensor<?x?xf32>
  return
}

// The short and the long spelling of bounds.
// CHECK-LABEL: func @bounds(%{{.*}}: tensor<?x4xf32, #stablehlo.bounds<8, ?>>, %{{.*}}: tensor<?x4xf32, #stablehlo.bounds<8, ?>>)
func.func @bounds(%x: tensor<?x4xf32, #stablehlo.bounds<8, ?>>, %y: tensor<?x4xf32,
    #stablehlo.type_extensions<bounds = [8, ?]>>) {
  return
}
