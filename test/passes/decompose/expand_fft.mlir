// RUN: tpuc-opt %s --tpuc-expand-fft | FileCheck %s

// A real transform of 4: by the cosines and by minus the sines of the multiples of a quarter turn, the first 3 of them.
// CHECK-LABEL: func @real
// CHECK-DAG: %[[C:.*]] = stablehlo.constant dense<{{\[\[}}1.000000e+00, 1.000000e+00, 1.000000e+00, 1.000000e+00], [1.000000e+00, 0.000000e+00, -1.000000e+00, 0.000000e+00]
// CHECK-DAG: %[[RE:.*]] = stablehlo.dot_general %arg0, %[[C]], contracting_dims = [1] x [0]
// CHECK-DAG: stablehlo.slice %[[RE]] [0:2, 0:3]
// CHECK: stablehlo.complex
func.func @real(%x: tensor<2x4xf32>) -> tensor<2x3xcomplex<f32>> {
  %0 = stablehlo.fft %x, type = RFFT, length = [4] : (tensor<2x4xf32>) -> tensor<2x3xcomplex<f32>>
  return %0 : tensor<2x3xcomplex<f32>>
}

// 1024 = 32 x 32: two transforms of 32 with twiddles between; no matrix of 1024 x 1024.
// CHECK-LABEL: func @long
// CHECK-NOT: tensor<1024x1024
// CHECK: stablehlo.dot_general {{.*}} (tensor<32x32xf32>, tensor<32x32xf32>)
// CHECK-NOT: tensor<1024x1024
// CHECK: return
func.func @long(%x: tensor<1024xcomplex<f32>>) -> tensor<1024xcomplex<f32>> {
  %0 = stablehlo.fft %x, type = FFT, length = [1024] : (tensor<1024xcomplex<f32>>) -> tensor<1024xcomplex<f32>>
  return %0 : tensor<1024xcomplex<f32>>
}
