// RUN: tpuc-opt %s --tpuc-legalize-chlo | FileCheck %s

// Up to 1 a polynomial in x^2, beyond it one minus an exponential; nothing of chlo is left.
// CHECK-LABEL: func @erf
func.func @erf(%x: tensor<2xf32>) -> tensor<2xf32> {
  // CHECK-NOT: chlo
  // CHECK: %[[S:.*]] = stablehlo.multiply %arg0, %arg0
  // CHECK: kernel.fma %{{.*}}, %[[S]], %{{.*}} : tensor<2xf32>
  // CHECK: stablehlo.exponential
  // CHECK: stablehlo.compare GT
  // CHECK: stablehlo.select
  %0 = chlo.erf %x : tensor<2xf32> -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// One reciprocal and one power of two; below 0 it is 2 less the result of -x. What rounding took away from the square
// comes back.
// CHECK-LABEL: func @erfc
func.func @erfc(%x: tensor<2xf32>) -> tensor<2xf32> {
  // CHECK-NOT: chlo
  // CHECK: %[[A:.*]] = stablehlo.abs %arg0
  // CHECK: %[[C:.*]] = stablehlo.minimum %[[A]]
  // CHECK: stablehlo.divide
  // CHECK: %[[S:.*]] = stablehlo.multiply %[[C]], %[[C]]
  // CHECK: kernel.exp2
  // CHECK: %[[N:.*]] = stablehlo.negate %[[S]]
  // CHECK: kernel.fma %[[C]], %[[C]], %[[N]]
  // CHECK-NOT: stablehlo.exponential
  // CHECK: %[[M:.*]] = stablehlo.compare LT, %arg0
  // CHECK-NEXT: stablehlo.select %[[M]]
  %0 = chlo.erfc %x : tensor<2xf32> -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// What is rounded to bf16 takes six fused products instead of twenty.
// CHECK-LABEL: func @erfc_short
func.func @erfc_short(%x: tensor<2xbf16>) -> tensor<2xbf16> {
  // CHECK: stablehlo.divide
  // CHECK: kernel.exp2
  // CHECK-COUNT-6: kernel.fma
  // CHECK-NOT: kernel.fma
  // CHECK: stablehlo.convert {{.*}} : (tensor<2xf32>) -> tensor<2xbf16>
  %0 = chlo.erfc %x : tensor<2xbf16> -> tensor<2xbf16>
  return %0 : tensor<2xbf16>
}

// So does erf: a quotient of two polynomials of an argument that is cut where a bf16 is 1.
// CHECK-LABEL: func @erf_short
func.func @erf_short(%x: tensor<2xbf16>) -> tensor<2xbf16> {
  // CHECK: stablehlo.minimum
  // CHECK-NEXT: stablehlo.maximum
  // CHECK-COUNT-3: kernel.fma
  // CHECK: stablehlo.divide
  // CHECK-COUNT-3: kernel.fma
  // CHECK-NOT: stablehlo.exponential
  // CHECK: stablehlo.convert {{.*}} : (tensor<2xf32>) -> tensor<2xbf16>
  %0 = chlo.erf %x : tensor<2xbf16> -> tensor<2xbf16>
  return %0 : tensor<2xbf16>
}

// f16 holds more than the short form has.
// CHECK-LABEL: func @erfc_f16
func.func @erfc_f16(%x: tensor<2xf16>) -> tensor<2xf16> {
  // CHECK-COUNT-20: kernel.fma
  // CHECK-NOT: kernel.fma
  // CHECK: return
  %0 = chlo.erfc %x : tensor<2xf16> -> tensor<2xf16>
  return %0 : tensor<2xf16>
}

// A complex power of f32: logarithm, angle and exponential in pairs of numbers, no function of complex numbers is left.
// CHECK-LABEL: func @power
func.func @power(%x: tensor<2xcomplex<f32>>, %y: tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>> {
  // CHECK: stablehlo.real %arg0
  // CHECK: kernel.fma
  // CHECK-NOT: stablehlo.power
  // CHECK: stablehlo.sine
  // CHECK: stablehlo.complex
  %0 = stablehlo.power %x, %y : tensor<2xcomplex<f32>>
  return %0 : tensor<2xcomplex<f32>>
}

// Narrow types are computed in f32 and rounded once.
// CHECK-LABEL: func @narrow
func.func @narrow(%x: tensor<2xbf16>) -> tensor<2xbf16> {
  // CHECK: %[[W:.*]] = stablehlo.convert %arg0 : (tensor<2xbf16>) -> tensor<2xf32>
  // CHECK: %[[R:.*]] = stablehlo.convert %{{.*}} : (tensor<2xf32>) -> tensor<2xbf16>
  // CHECK: return %[[R]]
  %0 = chlo.sinh %x : tensor<2xbf16> -> tensor<2xbf16>
  return %0 : tensor<2xbf16>
}

// Each of the others has its formula, in f64 too.
// CHECK-LABEL: func @all
// CHECK-NOT: chlo
func.func @all(%x: tensor<2xf32>, %d: tensor<2xf64>, %z: tensor<2xcomplex<f32>>)
    -> (tensor<2xf32>, tensor<2xf64>, tensor<2xcomplex<f32>>) {
  %0 = chlo.asin %x : tensor<2xf32> -> tensor<2xf32>
  %1 = chlo.acos %0 : tensor<2xf32> -> tensor<2xf32>
  %2 = chlo.atan %1 : tensor<2xf32> -> tensor<2xf32>
  %3 = chlo.cosh %2 : tensor<2xf32> -> tensor<2xf32>
  %4 = chlo.asinh %3 : tensor<2xf32> -> tensor<2xf32>
  %5 = chlo.acosh %4 : tensor<2xf32> -> tensor<2xf32>
  %6 = chlo.atanh %5 : tensor<2xf32> -> tensor<2xf32>
  %7 = chlo.erfc %6 : tensor<2xf32> -> tensor<2xf32>
  %8 = chlo.erf_inv %7 : tensor<2xf32> -> tensor<2xf32>
  %9 = chlo.lgamma %8 : tensor<2xf32> -> tensor<2xf32>
  %10 = chlo.digamma %9 : tensor<2xf32> -> tensor<2xf32>
  %11 = chlo.zeta %10, %x : tensor<2xf32>, tensor<2xf32> -> tensor<2xf32>
  %12 = chlo.polygamma %11, %x : tensor<2xf32>, tensor<2xf32> -> tensor<2xf32>
  %13 = chlo.bessel_i1e %12 : tensor<2xf32> -> tensor<2xf32>
  %14 = chlo.erf_inv %d : tensor<2xf64> -> tensor<2xf64>
  %15 = chlo.erfc %14 : tensor<2xf64> -> tensor<2xf64>
  %16 = chlo.asin %z : tensor<2xcomplex<f32>> -> tensor<2xcomplex<f32>>
  %17 = chlo.acosh %16 : tensor<2xcomplex<f32>> -> tensor<2xcomplex<f32>>
  %18 = chlo.atan %17 : tensor<2xcomplex<f32>> -> tensor<2xcomplex<f32>>
  %19 = chlo.sinh %18 : tensor<2xcomplex<f32>> -> tensor<2xcomplex<f32>>
  return %13, %15, %19 : tensor<2xf32>, tensor<2xf64>, tensor<2xcomplex<f32>>
}

// On words these are sums of 128 bits: they stay, also where another function takes them in.
// CHECK-LABEL: func @stay
func.func @stay(%x: tensor<2xf64>, %n: tensor<2xf64>) -> (tensor<2xf64>, tensor<2xf64>) {
  // CHECK: %[[L:.*]] = chlo.lgamma %arg0 : tensor<2xf64> -> tensor<2xf64>
  // CHECK: chlo.lgamma
  // CHECK: chlo.digamma %[[L]]
  // CHECK-NOT: chlo
  %0 = chlo.lgamma %x : tensor<2xf64> -> tensor<2xf64>
  %1 = chlo.polygamma %n, %0 : tensor<2xf64>, tensor<2xf64> -> tensor<2xf64>
  return %0, %1 : tensor<2xf64>, tensor<2xf64>
}
