// RUN: tpuc-opt %s | tpuc-opt | FileCheck %s
// RUN: tpuc-opt %s --mlir-print-op-generic | tpuc-opt | FileCheck %s

// CHECK-LABEL: func @linalg
func.func @linalg(%r: tensor<4x10xf32>, %z: tensor<4x6xcomplex<f32>>, %a: tensor<2x3x3xf32>, %b: tensor<2x3x5xf32>) {
  // 10 / 2 + 1 = 6
  // CHECK: stablehlo.fft %{{.*}}, type = RFFT, length = [10] : (tensor<4x10xf32>) -> tensor<4x6xcomplex<f32>>
  %0 = stablehlo.fft %r, type = RFFT, length = [10] : (tensor<4x10xf32>) -> tensor<4x6xcomplex<f32>>
  // CHECK-NEXT: stablehlo.fft %{{.*}}, type = IRFFT, length = [4, 10]
  %1 = stablehlo.fft %z, type = IRFFT, length = [4, 10] : (tensor<4x6xcomplex<f32>>) -> tensor<4x10xf32>
  // CHECK-NEXT: stablehlo.fft %{{.*}}, type = IFFT, length = [6]
  %2 = stablehlo.fft %z, type = IFFT, length = [6] : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xcomplex<f32>>
  // CHECK-NEXT: stablehlo.cholesky %{{.*}} : tensor<2x3x3xf32>
  %3 = stablehlo.cholesky %a : tensor<2x3x3xf32>
  // CHECK-NEXT: stablehlo.cholesky %{{.*}}, lower = true : tensor<2x3x3xf32>
  %4 = stablehlo.cholesky %a, lower = true : tensor<2x3x3xf32>
  // CHECK-NEXT: "stablehlo.triangular_solve"(%{{.*}}, %{{.*}}) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose ADJOINT>, unit_diagonal = false}>
  %5 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true,
      transpose_a = #stablehlo<transpose ADJOINT>, unit_diagonal = false}> : (tensor<2x3x3xf32>, tensor<2x3x5xf32>)
      -> tensor<2x3x5xf32>
  return
}

// CHECK-LABEL: func @random
func.func @random(%a: tensor<f32>, %s: tensor<2xui64>) {
  %shape = stablehlo.constant dense<[2, 3]> : tensor<2xi64>
  // CHECK: stablehlo.rng %{{.*}}, %{{.*}}, %{{.*}}, distribution = NORMAL : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<2x3xf32>
  %0 = stablehlo.rng %a, %a, %shape, distribution = NORMAL : (tensor<f32>, tensor<f32>, tensor<2xi64>)
      -> tensor<2x3xf32>
  // CHECK-NEXT: %output_state, %output = stablehlo.rng_bit_generator %{{.*}}, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<5xui32>)
  %1:2 = stablehlo.rng_bit_generator %s, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<5xui32>)
  return
}
