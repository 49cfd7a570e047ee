// RUN: tpuc-opt %s | tpuc-opt | FileCheck %s
// RUN: tpuc-opt %s --mlir-print-op-generic | tpuc-opt | FileCheck %s

// CHECK-LABEL: func @constants
func.func @constants() -> tensor<2xf32> {
  // CHECK: %[[C:.*]] = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %0 = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  // CHECK: stablehlo.constant dense<0xFF800000> : tensor<f32>
  %1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  // CHECK: stablehlo.constant {note = 1 : i32} dense<true> : tensor<i1>
  %2 = stablehlo.constant {note = 1 : i32} dense<true> : tensor<i1>
  // CHECK: stablehlo.constant dense<(1.000000e+00,2.000000e+00)> : tensor<complex<f32>>
  %3 = stablehlo.constant dense<(1.0, 2.0)> : tensor<complex<f32>>
  // A quantized constant holds what is stored.
  // CHECK: stablehlo.constant() <{value = dense<[1, 2]> : tensor<2xi8>}> : () -> tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>
  %4 = "stablehlo.constant"() <{value = dense<[1, 2]> : tensor<2xi8>}> : () -> tensor<2x!quant.uniform<i8:f32, 0.5>>
  // CHECK: %[[R:.*]] = stablehlo.constant dense_resource<r> : tensor<2xf32>
  %5 = stablehlo.constant dense_resource<r> : tensor<2xf32>
  return %5 : tensor<2xf32>
}

// CHECK-LABEL: func @moves
func.func @moves(%x: tensor<4x6xf32>, %v: tensor<6xf32>, %s: tensor<f32>) {
  // CHECK: stablehlo.iota dim = 1 : tensor<4x6xi32>
  %0 = stablehlo.iota dim = 1 : tensor<4x6xi32>
  // CHECK-NEXT: stablehlo.broadcast_in_dim %{{.*}}, dims = [1] : (tensor<6xf32>) -> tensor<4x6xf32>
  %1 = stablehlo.broadcast_in_dim %v, dims = [1] : (tensor<6xf32>) -> tensor<4x6xf32>
  // CHECK-NEXT: stablehlo.broadcast_in_dim %{{.*}}, dims = [] : (tensor<f32>) -> tensor<2xf32>
  %2 = stablehlo.broadcast_in_dim %s, dims = [] : (tensor<f32>) -> tensor<2xf32>
  // CHECK-NEXT: stablehlo.broadcast %{{.*}}, sizes = [3] : (tensor<6xf32>) -> tensor<3x6xf32>
  %3 = stablehlo.broadcast %v, sizes = [3] : (tensor<6xf32>) -> tensor<3x6xf32>
  // CHECK-NEXT: stablehlo.reshape %{{.*}} : (tensor<4x6xf32>) -> tensor<24xf32>
  %4 = stablehlo.reshape %x : (tensor<4x6xf32>) -> tensor<24xf32>
  // CHECK-NEXT: stablehlo.transpose %{{.*}}, dims = [1, 0] : (tensor<4x6xf32>) -> tensor<6x4xf32>
  %5 = stablehlo.transpose %x, dims = [1, 0] : (tensor<4x6xf32>) -> tensor<6x4xf32>
  // CHECK-NEXT: stablehlo.reverse %{{.*}}, dims = [0, 1] : tensor<4x6xf32>
  %6 = stablehlo.reverse %x, dims = [0, 1] : tensor<4x6xf32>
  // ceil((6 - 1) / 2) = 3; a stride of 1 is not printed.
  // CHECK-NEXT: stablehlo.slice %{{.*}} [0:4, 1:6:2] : (tensor<4x6xf32>) -> tensor<4x3xf32>
  %7 = stablehlo.slice %x [0:4:1, 1:6:2] : (tensor<4x6xf32>) -> tensor<4x3xf32>
  // 1 + 4 + 3 * 2 + 0 = 11, -1 + 6 + 0 + 2 = 7
  // CHECK-NEXT: stablehlo.pad %{{.*}}, %{{.*}}, low = [1, -1], high = [0, 2], interior = [2, 0] : (tensor<4x6xf32>, tensor<f32>) -> tensor<11x7xf32>
  %8 = stablehlo.pad %x, %s, low = [1, -1], high = [0, 2], interior = [2, 0] : (tensor<4x6xf32>, tensor<f32>)
      -> tensor<11x7xf32>
  // CHECK-NEXT: stablehlo.concatenate %{{.*}}, %{{.*}}, dim = 0 : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  %9 = stablehlo.concatenate %x, %x, dim = 0 : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  // CHECK-NEXT: stablehlo.bitcast_convert %{{.*}} : (tensor<4x6xf32>) -> tensor<4x6x4xi8>
  %10 = stablehlo.bitcast_convert %x : (tensor<4x6xf32>) -> tensor<4x6x4xi8>
  // CHECK-NEXT: stablehlo.bitcast_convert %{{.*}} : (tensor<4x6x4xi8>) -> tensor<4x6xf32>
  %11 = stablehlo.bitcast_convert %10 : (tensor<4x6x4xi8>) -> tensor<4x6xf32>
  // CHECK-NEXT: stablehlo.get_dimension_size %{{.*}}, dim = 1 : (tensor<4x6xf32>) -> tensor<i32>
  %12 = stablehlo.get_dimension_size %x, dim = 1 : (tensor<4x6xf32>) -> tensor<i32>
  // CHECK-NEXT: stablehlo.set_dimension_size %{{.*}}, %{{.*}}, dim = 0 : (tensor<4x6xf32>, tensor<i32>) -> tensor<?x6xf32, #stablehlo.bounds<4, ?>>
  %13 = stablehlo.set_dimension_size %x, %12, dim = 0 : (tensor<4x6xf32>, tensor<i32>)
      -> tensor<?x6xf32, #stablehlo.bounds<4, ?>>
  return
}

// Sizes are multiplied with care: 2^40 elements are as good as 2.
// CHECK-LABEL: func @large
func.func @large(%x: tensor<1048576x1048576xf32>) {
  // CHECK: stablehlo.reshape
  %0 = stablehlo.reshape %x : (tensor<1048576x1048576xf32>) -> tensor<1099511627776xf32>
  // CHECK: stablehlo.constant dense<0.000000e+00> : tensor<1099511627776xf32>
  %1 = stablehlo.constant dense<0.0> : tensor<1099511627776xf32>
  return
}

{-#
  dialect_resources: { builtin: { r: "0x040000000000803F00000040" } }
#-}
