// RUN: tpuc-opt %s --tpuc-join-rows --split-input-file | FileCheck %s

// Of what each of 8 x 1024 rows is reduced to a tile has 8 x 128, whose rows of 50257 VMEM does not hold. They are 8192
// rows, until what is made of them leaves; labels of rows and a number for each place along them come in.
// CHECK-LABEL: @loss
// CHECK-SAME: (%[[X:.*]]: tensor<8x1024x50257xbf16>, %[[L:.*]]: tensor<8x1024xi32>, %[[B:.*]]: tensor<50257xf32>)
// CHECK: %[[R:.*]] = stablehlo.reshape %[[X]] : (tensor<8x1024x50257xbf16>) -> tensor<8192x50257xbf16>
// CHECK: %[[C:.*]] = stablehlo.convert %[[R]]
// CHECK: stablehlo.broadcast_in_dim %[[B]], dims = [1] : (tensor<50257xf32>) -> tensor<8192x50257xf32>
// CHECK: stablehlo.reduce{{.*}} applies stablehlo.maximum across dimensions = [1] : (tensor<8192x50257xf32>
// CHECK: stablehlo.broadcast_in_dim {{.*}}, dims = [0] : (tensor<8192xf32>) -> tensor<8192x50257xf32>
// CHECK: stablehlo.exponential
// CHECK: %[[S:.*]] = stablehlo.reduce{{.*}} applies stablehlo.add across dimensions = [1] : (tensor<8192x50257xf32>
// CHECK: stablehlo.iota dim = 1 : tensor<8192x50257xi32>
// CHECK: stablehlo.reshape %[[L]] : (tensor<8x1024xi32>) -> tensor<8192xi32>
// CHECK: %[[G:.*]] = stablehlo.select
// CHECK: stablehlo.reshape %[[G]] : (tensor<8192x50257xf32>) -> tensor<8x1024x50257xf32>
// CHECK: %[[LOG:.*]] = stablehlo.log %[[S]] : tensor<8192xf32>
// CHECK: stablehlo.reshape %[[LOG]] : (tensor<8192xf32>) -> tensor<8x1024xf32>
func.func @loss(%x: tensor<8x1024x50257xbf16>, %labels: tensor<8x1024xi32>, %b: tensor<50257xf32>)
    -> (tensor<8x1024xf32>, tensor<8x1024x50257xf32>) {
  %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %zeros = stablehlo.constant dense<0.0> : tensor<8x1024x50257xf32>
  %0 = stablehlo.convert %x : (tensor<8x1024x50257xbf16>) -> tensor<8x1024x50257xf32>
  %1 = stablehlo.broadcast_in_dim %b, dims = [2] : (tensor<50257xf32>) -> tensor<8x1024x50257xf32>
  %2 = stablehlo.add %0, %1 : tensor<8x1024x50257xf32>
  %3 = stablehlo.reduce(%2 init: %least) applies stablehlo.maximum across dimensions = [2]
      : (tensor<8x1024x50257xf32>, tensor<f32>) -> tensor<8x1024xf32>
  %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<8x1024xf32>) -> tensor<8x1024x50257xf32>
  %5 = stablehlo.subtract %2, %4 : tensor<8x1024x50257xf32>
  %6 = stablehlo.exponential %5 : tensor<8x1024x50257xf32>
  %7 = stablehlo.reduce(%6 init: %zero) applies stablehlo.add across dimensions = [2]
      : (tensor<8x1024x50257xf32>, tensor<f32>) -> tensor<8x1024xf32>
  %8 = stablehlo.iota dim = 2 : tensor<8x1024x50257xi32>
  %9 = stablehlo.broadcast_in_dim %labels, dims = [0, 1] : (tensor<8x1024xi32>) -> tensor<8x1024x50257xi32>
  %10 = stablehlo.compare EQ, %8, %9 : (tensor<8x1024x50257xi32>, tensor<8x1024x50257xi32>) -> tensor<8x1024x50257xi1>
  %11 = stablehlo.select %10, %6, %zeros : tensor<8x1024x50257xi1>, tensor<8x1024x50257xf32>
  %12 = stablehlo.log %7 : tensor<8x1024xf32>
  return %12, %11 : tensor<8x1024xf32>, tensor<8x1024x50257xf32>
}

// -----

// Rows that fit, and few of them, stay as they are.
// CHECK-LABEL: @fits
// CHECK-NOT: reshape
func.func @fits(%x: tensor<8x1024x4096xf32>, %y: tensor<2x8x50257xf32>) -> (tensor<8x1024xf32>, tensor<2x8xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [2]
      : (tensor<8x1024x4096xf32>, tensor<f32>) -> tensor<8x1024xf32>
  %1 = stablehlo.reduce(%y init: %zero) applies stablehlo.add across dimensions = [2]
      : (tensor<2x8x50257xf32>, tensor<f32>) -> tensor<2x8xf32>
  return %0, %1 : tensor<8x1024xf32>, tensor<2x8xf32>
}

// -----

// 1020 rows of a batch end within a tile: the array would have to be moved. So would a number for each position.
// CHECK-LABEL: @within_tiles
// CHECK-NOT: reshape
func.func @within_tiles(%x: tensor<8x1020x50257xf32>, %y: tensor<8x1024x50257xf32>, %n: tensor<1024xf32>)
    -> (tensor<8x1020xf32>, tensor<8x1024xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [2]
      : (tensor<8x1020x50257xf32>, tensor<f32>) -> tensor<8x1020xf32>
  %1 = stablehlo.broadcast_in_dim %n, dims = [1] : (tensor<1024xf32>) -> tensor<8x1024x50257xf32>
  %2 = stablehlo.multiply %y, %1 : tensor<8x1024x50257xf32>
  %3 = stablehlo.reduce(%2 init: %zero) applies stablehlo.add across dimensions = [2]
      : (tensor<8x1024x50257xf32>, tensor<f32>) -> tensor<8x1024xf32>
  return %0, %3 : tensor<8x1020xf32>, tensor<8x1024xf32>
}
