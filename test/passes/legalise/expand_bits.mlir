// RUN: tpuc-opt %s --tpuc-expand-bits | FileCheck %s

// 7 of 23 bits of the mantissa stay, so 16 go: 2^15 - 1 and the last bit that stays are added (nearest even), the mask
// is 2^32 - 2^16. NaN stays what it is.
// CHECK-LABEL: @narrow
// CHECK: stablehlo.bitcast_convert %arg0 : (tensor<4xf32>) -> tensor<4xui32>
// CHECK: stablehlo.constant dense<16>
// CHECK: stablehlo.constant dense<32767>
// CHECK: stablehlo.constant dense<4294901760>
// CHECK: stablehlo.select
// CHECK-NOT: reduce_precision
func.func @narrow(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.reduce_precision %x, format = e8m7 : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// The low half of each word first.
// CHECK-LABEL: @halves
// CHECK: stablehlo.constant dense<65535>
// CHECK: stablehlo.constant dense<16>
// CHECK: stablehlo.shift_right_logical
// CHECK: stablehlo.concatenate %{{.*}}, dim = 1 : (tensor<4x1xui16>, tensor<4x1xui16>) -> tensor<4x2xui16>
func.func @halves(%x: tensor<4xi32>) -> tensor<4x2xi16> {
  %0 = stablehlo.bitcast_convert %x : (tensor<4xi32>) -> tensor<4x2xi16>
  return %0 : tensor<4x2xi16>
}

// Eight squarings, then 1 / x where the exponent is negative.
// CHECK-LABEL: func @power
// CHECK-COUNT-15: stablehlo.multiply
// CHECK-NOT: stablehlo.multiply
// CHECK: stablehlo.compare LT
// CHECK-NOT: stablehlo.power
func.func @power(%a: tensor<8xi8>, %b: tensor<8xi8>) -> tensor<8xi8> {
  %0 = stablehlo.power %a, %b : tensor<8xi8>
  return %0 : tensor<8xi8>
}

// The bits of each word, lowest first: the word everywhere, shifted by the place.
// CHECK-LABEL: @bits_of
// CHECK: stablehlo.iota dim = 1 : tensor<4x32xui32>
// CHECK: stablehlo.broadcast_in_dim %{{.*}}, dims = [0] : (tensor<4xui32>) -> tensor<4x32xui32>
// CHECK: stablehlo.shift_right_logical
// CHECK: stablehlo.compare NE, {{.*}} -> tensor<4x32xi1>
func.func @bits_of(%x: tensor<4xf32>) -> tensor<4x32xi1> {
  %0 = stablehlo.bitcast_convert %x : (tensor<4xf32>) -> tensor<4x32xi1>
  return %0 : tensor<4x32xi1>
}

// And back.
// CHECK-LABEL: @of_bits
// CHECK: stablehlo.shift_left
// CHECK: stablehlo.reduce({{.*}}) applies stablehlo.or across dimensions = [1] : (tensor<4x8xui8>, tensor<ui8>) -> tensor<4xui8>
// CHECK: stablehlo.bitcast_convert %{{.*}} : (tensor<4xui8>) -> tensor<4xi8>
func.func @of_bits(%x: tensor<4x8xi1>) -> tensor<4xi8> {
  %0 = stablehlo.bitcast_convert %x : (tensor<4x8xi1>) -> tensor<4xi8>
  return %0 : tensor<4xi8>
}

// A complex number is two numbers, the real one first: the four words of one, two by two.
// CHECK-LABEL: @parts_of
// CHECK: stablehlo.concatenate %{{.*}}, dim = 1 : (tensor<4x1xf64>, tensor<4x1xf64>) -> tensor<4x2xf64>
// CHECK: stablehlo.concatenate %{{.*}}, dim = 2 : (tensor<4x2x1xui32>, tensor<4x2x1xui32>) -> tensor<4x2x2xui32>
// CHECK: stablehlo.complex %{{.*}} : tensor<4x2xcomplex<f32>>
func.func @parts_of(%x: tensor<4xcomplex<f64>>) -> tensor<4x2xcomplex<f32>> {
  %0 = stablehlo.bitcast_convert %x : (tensor<4xcomplex<f64>>) -> tensor<4x2xcomplex<f32>>
  return %0 : tensor<4x2xcomplex<f32>>
}

// A format that holds all of the type changes nothing; but a kernel's bf16 is f32, which this rounds.
// CHECK-LABEL: @as_wide
// CHECK: %[[R:.*]] = stablehlo.reduce_precision %arg0, format = e8m7 : tensor<4xbf16>
// CHECK-NEXT: return %[[R]], %arg1
func.func @as_wide(%x: tensor<4xbf16>, %y: tensor<4xf16>) -> (tensor<4xbf16>, tensor<4xf16>) {
  %0 = stablehlo.reduce_precision %x, format = e8m7 : tensor<4xbf16>
  %1 = stablehlo.reduce_precision %y, format = e8m23 : tensor<4xf16>
  return %0, %1 : tensor<4xbf16>, tensor<4xf16>
}
