// RUN: tpuc-opt %s | tpuc-opt | FileCheck %s
// RUN: tpuc-opt %s --mlir-print-op-generic | tpuc-opt | FileCheck %s

// One type for operands and result is printed once, several as a function type.

// CHECK-LABEL: func @unary
func.func @unary(%f: tensor<4x8xf32>, %i: tensor<4xi32>, %u: tensor<4xui8>, %b: tensor<i1>,
    %z: tensor<3xcomplex<f32>>) {
  // CHECK: stablehlo.abs %{{.*}} : tensor<4x8xf32>
  %0 = stablehlo.abs %f : tensor<4x8xf32>
  // The magnitude of a complex number is real.
  // CHECK-NEXT: stablehlo.abs %{{.*}} : (tensor<3xcomplex<f32>>) -> tensor<3xf32>
  %1 = stablehlo.abs %z : (tensor<3xcomplex<f32>>) -> tensor<3xf32>
  // CHECK-NEXT: stablehlo.cbrt
  %2 = stablehlo.cbrt %f : tensor<4x8xf32>
  // CHECK-NEXT: stablehlo.ceil
  %3 = stablehlo.ceil %f : tensor<4x8xf32>
  // CHECK-NEXT: stablehlo.count_leading_zeros %{{.*}} : tensor<4xi32>
  %4 = stablehlo.count_leading_zeros %i : tensor<4xi32>
  // CHECK-NEXT: stablehlo.cosine
  %5 = stablehlo.cosine %f : tensor<4x8xf32>
  // CHECK-NEXT: stablehlo.exponential %{{.*}} : tensor<4x8xf32>
  %6 = stablehlo.exponential %f : tensor<4x8xf32>
  // CHECK-NEXT: stablehlo.exponential_minus_one
  %7 = stablehlo.exponential_minus_one %f : tensor<4x8xf32>
  // CHECK-NEXT: stablehlo.floor
  %8 = stablehlo.floor %f : tensor<4x8xf32>
  // CHECK-NEXT: stablehlo.log
  %9 = stablehlo.log %f : tensor<4x8xf32>
  // CHECK-NEXT: stablehlo.log_plus_one
  %10 = stablehlo.log_plus_one %f : tensor<4x8xf32>
  // CHECK-NEXT: stablehlo.logistic
  %11 = stablehlo.logistic %f : tensor<4x8xf32>
  // CHECK-NEXT: stablehlo.negate %{{.*}} : tensor<4xui8>
  %12 = stablehlo.negate %u : tensor<4xui8>
  // CHECK-NEXT: stablehlo.not %{{.*}} : tensor<i1>
  %13 = stablehlo.not %b : tensor<i1>
  // CHECK-NEXT: stablehlo.popcnt
  %14 = stablehlo.popcnt %i : tensor<4xi32>
  // CHECK-NEXT: stablehlo.round_nearest_afz
  %15 = stablehlo.round_nearest_afz %f : tensor<4x8xf32>
  // CHECK-NEXT: stablehlo.round_nearest_even
  %16 = stablehlo.round_nearest_even %f : tensor<4x8xf32>
  // CHECK-NEXT: stablehlo.rsqrt
  %17 = stablehlo.rsqrt %f : tensor<4x8xf32>
  // CHECK-NEXT: stablehlo.sign
  %18 = stablehlo.sign %f : tensor<4x8xf32>
  // CHECK-NEXT: stablehlo.sine
  %19 = stablehlo.sine %z : tensor<3xcomplex<f32>>
  // CHECK-NEXT: stablehlo.sqrt
  %20 = stablehlo.sqrt %f : tensor<4x8xf32>
  // CHECK-NEXT: stablehlo.tan
  %21 = stablehlo.tan %f : tensor<4x8xf32>
  // CHECK-NEXT: stablehlo.tanh
  %22 = stablehlo.tanh %f : tensor<4x8xf32>
  // CHECK-NEXT: stablehlo.reduce_precision %{{.*}}, format = e5m2 : tensor<4x8xf32>
  %23 = stablehlo.reduce_precision %f, format = e5m2 : tensor<4x8xf32>
  // CHECK-NEXT: stablehlo.is_finite %{{.*}} : (tensor<4x8xf32>) -> tensor<4x8xi1>
  %24 = stablehlo.is_finite %f : (tensor<4x8xf32>) -> tensor<4x8xi1>
  // CHECK-NEXT: stablehlo.real %{{.*}} : (tensor<3xcomplex<f32>>) -> tensor<3xf32>
  %25 = stablehlo.real %z : (tensor<3xcomplex<f32>>) -> tensor<3xf32>
  // CHECK-NEXT: stablehlo.imag
  %26 = stablehlo.imag %z : (tensor<3xcomplex<f32>>) -> tensor<3xf32>
  // CHECK-NEXT: stablehlo.convert %{{.*}} : (tensor<4x8xf32>) -> tensor<4x8xbf16>
  %27 = stablehlo.convert %f : (tensor<4x8xf32>) -> tensor<4x8xbf16>
  // CHECK-NEXT: stablehlo.convert %{{.*}} : tensor<4xi32>
  %28 = stablehlo.convert %i : tensor<4xi32>
  return
}

// CHECK-LABEL: func @accuracy
func.func @accuracy(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: stablehlo.tanh %{{.*}} {result_accuracy = #stablehlo.result_accuracy<ulps = 5, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>}
  %0 = stablehlo.tanh %x {result_accuracy = #stablehlo.result_accuracy<ulps = 5,
      mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : tensor<4xf32>
  // CHECK: stablehlo.log %{{.*}} {result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<HIGHEST>>}
  %1 = stablehlo.log %0 {result_accuracy = #stablehlo.result_accuracy<atol = 0.0, rtol = 0.0, ulps = 0,
      mode = #stablehlo.result_accuracy_mode<HIGHEST>>} : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// CHECK-LABEL: func @binary
func.func @binary(%f: tensor<4xf32>, %i: tensor<4xi8>, %b: tensor<4xi1>) {
  // CHECK: stablehlo.add %{{.*}}, %{{.*}} : tensor<4xf32>
  %0 = stablehlo.add %f, %f : tensor<4xf32>
  // CHECK-NEXT: stablehlo.and %{{.*}}, %{{.*}} : tensor<4xi1>
  %1 = stablehlo.and %b, %b : tensor<4xi1>
  // CHECK-NEXT: stablehlo.atan2
  %2 = stablehlo.atan2 %f, %f : tensor<4xf32>
  // CHECK-NEXT: stablehlo.divide
  %3 = stablehlo.divide %f, %f : tensor<4xf32>
  // CHECK-NEXT: stablehlo.maximum
  %4 = stablehlo.maximum %f, %f : tensor<4xf32>
  // CHECK-NEXT: stablehlo.minimum
  %5 = stablehlo.minimum %f, %f : tensor<4xf32>
  // CHECK-NEXT: stablehlo.multiply
  %6 = stablehlo.multiply %f, %f : tensor<4xf32>
  // CHECK-NEXT: stablehlo.or
  %7 = stablehlo.or %i, %i : tensor<4xi8>
  // CHECK-NEXT: stablehlo.power
  %8 = stablehlo.power %f, %f : tensor<4xf32>
  // CHECK-NEXT: stablehlo.remainder
  %9 = stablehlo.remainder %i, %i : tensor<4xi8>
  // CHECK-NEXT: stablehlo.shift_left
  %10 = stablehlo.shift_left %i, %i : tensor<4xi8>
  // CHECK-NEXT: stablehlo.shift_right_arithmetic
  %11 = stablehlo.shift_right_arithmetic %i, %i : tensor<4xi8>
  // CHECK-NEXT: stablehlo.shift_right_logical
  %12 = stablehlo.shift_right_logical %i, %i : tensor<4xi8>
  // CHECK-NEXT: stablehlo.subtract
  %13 = stablehlo.subtract %f, %f : tensor<4xf32>
  // CHECK-NEXT: stablehlo.xor
  %14 = stablehlo.xor %i, %i : tensor<4xi8>
  // CHECK-NEXT: stablehlo.complex %{{.*}}, %{{.*}} : tensor<4xcomplex<f32>>
  %15 = stablehlo.complex %f, %f : tensor<4xcomplex<f32>>
  // CHECK-NEXT: stablehlo.compare GT, %{{.*}}, %{{.*}}, FLOAT : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %16 = stablehlo.compare GT, %f, %f, FLOAT : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  // CHECK-NEXT: stablehlo.compare EQ, %{{.*}}, %{{.*}} : (tensor<4xi8>, tensor<4xi8>) -> tensor<4xi1>
  %17 = "stablehlo.compare"(%i, %i) {comparison_direction = #stablehlo<comparison_direction EQ>}
      : (tensor<4xi8>, tensor<4xi8>) -> tensor<4xi1>
  return
}

// CHECK-LABEL: func @ternary
func.func @ternary(%p: tensor<i1>, %ps: tensor<4xi1>, %f: tensor<4xf32>, %s: tensor<f32>) {
  // CHECK: stablehlo.select %{{.*}}, %{{.*}}, %{{.*}} : tensor<4xi1>, tensor<4xf32>
  %0 = stablehlo.select %ps, %f, %f : tensor<4xi1>, tensor<4xf32>
  // CHECK-NEXT: stablehlo.select %{{.*}}, %{{.*}}, %{{.*}} : tensor<i1>, tensor<4xf32>
  %1 = stablehlo.select %p, %f, %f : tensor<i1>, tensor<4xf32>
  // CHECK-NEXT: stablehlo.clamp %{{.*}}, %{{.*}}, %{{.*}} : tensor<4xf32>
  %2 = stablehlo.clamp %f, %f, %f : tensor<4xf32>
  // CHECK-NEXT: stablehlo.clamp %{{.*}}, %{{.*}}, %{{.*}} : (tensor<f32>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %3 = stablehlo.clamp %s, %f, %s : (tensor<f32>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// What is static in one operand and dynamic in the other agrees.
// CHECK-LABEL: func @dynamic
func.func @dynamic(%x: tensor<?x4xf32>, %y: tensor<2x?xf32>, %b: tensor<?x4xf32, #stablehlo.bounds<8, ?>>) {
  // CHECK: stablehlo.add %{{.*}}, %{{.*}} : (tensor<?x4xf32>, tensor<2x?xf32>) -> tensor<2x4xf32>
  %0 = stablehlo.add %x, %y : (tensor<?x4xf32>, tensor<2x?xf32>) -> tensor<2x4xf32>
  // CHECK: stablehlo.tanh %{{.*}} : tensor<?x4xf32, #stablehlo.bounds<8, ?>>
  %1 = stablehlo.tanh %b : tensor<?x4xf32, #stablehlo.bounds<8, ?>>
  return
}

// CHECK-LABEL: func @quantized
func.func @quantized(%q: tensor<4x!quant.uniform<i8:f32, 0.5:3>>, %f: tensor<4xf32>) {
  // CHECK: stablehlo.add {{.*}} : tensor<4x!quant.uniform<i8:f32, 5.000000e-01:3>>
  %0 = stablehlo.add %q, %q : tensor<4x!quant.uniform<i8:f32, 0.5:3>>
  // Scales may differ.
  // CHECK: stablehlo.multiply {{.*}} -> tensor<4x!quant.uniform<i8:f32, 2.500000e-01>>
  %1 = stablehlo.multiply %q, %q : (tensor<4x!quant.uniform<i8:f32, 0.5:3>>, tensor<4x!quant.uniform<i8:f32, 0.5:3>>)
      -> tensor<4x!quant.uniform<i8:f32, 0.25>>
  // CHECK: stablehlo.uniform_dequantize %{{.*}} : (tensor<4x!quant.uniform<i8:f32, 5.000000e-01:3>>) -> tensor<4xf32>
  %2 = stablehlo.uniform_dequantize %q : (tensor<4x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<4xf32>
  // CHECK: stablehlo.uniform_quantize
  %3 = stablehlo.uniform_quantize %f : (tensor<4xf32>) -> tensor<4x!quant.uniform<i8:f32, 0.5:3>>
  return
}
