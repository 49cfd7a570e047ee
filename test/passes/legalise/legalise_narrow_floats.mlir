// RUN: tpuc-opt %s --tpuc-legalise-narrow-floats | FileCheck %s

// The same bytes, seen as integers. To f32: seven bits below the sign moved up by 20, times 2^120 (the biases'
// difference); 127 is the NaN. From f32: rounded at bit 20, with the exponent's difference 120 * 8 = 960 taken off;
// below 2^-6, in steps of 2^-9, by adding 2^-9 * 2^23 = 16384; above 126 the NaN.
// CHECK-LABEL: func @add(
// CHECK-SAME: %[[X:.*]]: tensor<4xf8E4M3FN>
// CHECK: %[[BITS:.*]] = kernel.split %[[X]] : tensor<4xf8E4M3FN> -> tensor<4xui8>
// CHECK-DAG: %[[SCALE:.*]] = stablehlo.constant dense<1.329228E+36> : tensor<4xf32>
// CHECK-DAG: %[[UP:.*]] = stablehlo.constant dense<20> : tensor<4xui32>
// CHECK: stablehlo.shift_left %{{.*}}, %[[UP]]
// CHECK: stablehlo.multiply %{{.*}}, %[[SCALE]] : tensor<4xf32>
// CHECK: %[[SUM:.*]] = stablehlo.add %{{.*}}, %{{.*}} : tensor<4xf32>
// CHECK: stablehlo.bitcast_convert %[[SUM]] : (tensor<4xf32>) -> tensor<4xui32>
// CHECK: dense<960>
// CHECK: dense<1.638400e+04>
// CHECK: %[[R:.*]] = stablehlo.convert %{{.*}} : (tensor<4xui32>) -> tensor<4xui8>
// CHECK: %[[J:.*]] = kernel.join %[[R]] : tensor<4xui8> -> tensor<4xf8E4M3FN>
// CHECK: return %[[J]]
func.func @add(%x: tensor<4xf8E4M3FN>) -> tensor<4xf8E4M3FN> {
  %0 = stablehlo.add %x, %x : tensor<4xf8E4M3FN>
  return %0 : tensor<4xf8E4M3FN>
}

// What only moves keeps the bits.
// CHECK-LABEL: func @moves
// CHECK-NOT: f32
// CHECK: stablehlo.transpose %{{.*}} : (tensor<2x3xui8>) -> tensor<3x2xui8>
// CHECK: stablehlo.select %{{.*}} : tensor<3x2xi1>, tensor<3x2xui8>
// 0x38 is 1.
// CHECK: stablehlo.constant dense<56> : tensor<3x2xui8>
func.func @moves(%x: tensor<2x3xf8E4M3FN>, %p: tensor<3x2xi1>) -> (tensor<3x2xf8E4M3FN>, tensor<3x2xf8E4M3FN>) {
  %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<2x3xf8E4M3FN>) -> tensor<3x2xf8E4M3FN>
  %1 = stablehlo.select %p, %0, %0 : tensor<3x2xi1>, tensor<3x2xf8E4M3FN>
  %c = stablehlo.constant dense<1.0> : tensor<3x2xf8E4M3FN>
  return %1, %c : tensor<3x2xf8E4M3FN>, tensor<3x2xf8E4M3FN>
}

// The matrix unit takes bf16.
// CHECK-LABEL: func @dot
// CHECK: stablehlo.dot_general %{{.*}}, %{{.*}}, contracting_dims = [1] x [0] : (tensor<4x8xbf16>, tensor<8x4xbf16>) -> tensor<4x4xf32>
func.func @dot(%x: tensor<4x8xf8E5M2>, %w: tensor<8x4xf8E5M2>) -> tensor<4x4xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<4x8xf8E5M2>, tensor<8x4xf8E5M2>)
      -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// A sum is one of f32, rounded at its end.
// CHECK-LABEL: func @reduce
// CHECK: stablehlo.reduce(%{{.*}} init: %{{.*}}) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
// Four bits: packed as ui4.
// CHECK: kernel.join %{{.*}} : tensor<4xui4> -> tensor<4xf4E2M1FN>
func.func @reduce(%x: tensor<4x8xf4E2M1FN>, %i: tensor<f4E2M1FN>) -> tensor<4xf4E2M1FN> {
  %0 = stablehlo.reduce(%x init: %i) applies stablehlo.add across dimensions = [1]
      : (tensor<4x8xf4E2M1FN>, tensor<f4E2M1FN>) -> tensor<4xf4E2M1FN>
  return %0 : tensor<4xf4E2M1FN>
}
