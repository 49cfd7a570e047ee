// RUN: tpuc-opt %s --tpuc-expand-dot | FileCheck %s

// The arrays multiply no 32-bit integers: k = 3 products of 4x5, summed.
// CHECK-LABEL: @main
// CHECK: stablehlo.multiply %{{.*}} : tensor<3x4x5xi32>
// CHECK: stablehlo.reduce(%{{.*}} applies stablehlo.add across dimensions = [0]
// CHECK-NOT: dot_general
// CHECK: return
func.func @main(%x: tensor<4x3xi32>, %y: tensor<3x5xi32>) -> tensor<4x5xi32> {
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<4x3xi32>, tensor<3x5xi32>)
      -> tensor<4x5xi32>
  return %0 : tensor<4x5xi32>
}

// f32 they do.
// CHECK-LABEL: @float
// CHECK: stablehlo.dot_general
func.func @float(%x: tensor<4x3xf32>, %y: tensor<3x5xf32>) -> tensor<4x5xf32> {
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<4x3xf32>, tensor<3x5xf32>)
      -> tensor<4x5xf32>
  return %0 : tensor<4x5xf32>
}

// Products of doubles are long: 3 4 rows as one dim, and that along lanes, 12 of 128, rather than 5 of them in two
// tiles of rows.
// CHECK-LABEL: @rows
// CHECK: stablehlo.multiply %{{.*}} : tensor<7x5x12xf64>
// CHECK: stablehlo.transpose
// CHECK: return %{{.*}} : tensor<3x4x5xf64>
func.func @rows(%x: tensor<3x4x7xf64>, %y: tensor<7x5xf64>) -> tensor<3x4x5xf64> {
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [2] x [0] : (tensor<3x4x7xf64>, tensor<7x5xf64>)
      -> tensor<3x4x5xf64>
  return %0 : tensor<3x4x5xf64>
}

// As many tiles either way: as the result lies.
// CHECK-LABEL: @square
// CHECK: stablehlo.multiply %{{.*}} : tensor<7x8x128xf64>
func.func @square(%x: tensor<8x7xf64>, %y: tensor<7x128xf64>) -> tensor<8x128xf64> {
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<8x7xf64>, tensor<7x128xf64>)
      -> tensor<8x128xf64>
  return %0 : tensor<8x128xf64>
}
