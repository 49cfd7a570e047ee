// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tpuc-opt %s --tpuc-expand-fft --mlir-elide-elementsattrs-if-larger=64 | FileCheck %s
// 600 points of 75 rows, an eighth: one matmul of each part. Of fewer rows, and of f64, 600 = 24 x 25.
// CHECK-LABEL: func @many
// CHECK-COUNT-2: stablehlo.dot_general {{.*}} : (tensor<75x600xf32>, tensor<600x600xf32>) -> tensor<75x600xf32>
// CHECK-NOT: stablehlo.dot_general
func.func @many(%x: tensor<75x600xf32>) -> tensor<75x301xcomplex<f32>> {
  %0 = stablehlo.fft %x, type = RFFT, length = [600] : (tensor<75x600xf32>) -> tensor<75x301xcomplex<f32>>
  return %0 : tensor<75x301xcomplex<f32>>
}

// CHECK-LABEL: func @few
// CHECK-NOT: tensor<600x600
func.func @few(%x: tensor<74x600xf32>) -> tensor<74x301xcomplex<f32>> {
  %0 = stablehlo.fft %x, type = RFFT, length = [600] : (tensor<74x600xf32>) -> tensor<74x301xcomplex<f32>>
  return %0 : tensor<74x301xcomplex<f32>>
}

// CHECK-LABEL: func @wide
// CHECK-NOT: tensor<600x600
func.func @wide(%x: tensor<75x600xf64>) -> tensor<75x301xcomplex<f64>> {
  %0 = stablehlo.fft %x, type = RFFT, length = [600] : (tensor<75x600xf64>) -> tensor<75x301xcomplex<f64>>
  return %0 : tensor<75x301xcomplex<f64>>
}
