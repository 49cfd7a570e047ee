// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Complex functions where a part is infinite or the argument is a branch point: what C99's annex G says. Most were NaN.
// RUN: tpuc run %s
// RUN: tpuc run %s --check --target=v2
func.func @main() {
  // At 1 the logarithm is that of 1; an infinite part beside a NaN stays.
  %x0 = stablehlo.constant dense<[(1.0, 0.0), (-1.0, 0.0), (1.0, -0.0)]> : tensor<3xcomplex<f32>>
  %y0 = chlo.asin %x0 : tensor<3xcomplex<f32>> -> tensor<3xcomplex<f32>>
  check.expect_almost_eq_const %y0, dense<[(1.5707963267948966, 0.0), (-1.5707963267948966, 0.0), (1.5707963267948966,
      -0.0)]> : tensor<3xcomplex<f32>>, tolerance = 1.0e-6
  %x1 = stablehlo.constant dense<[(1.0, 0.0), (-1.0, 0.0), (0x7FC00000, 0x7F800000)]> : tensor<3xcomplex<f32>>
  %y1 = chlo.acosh %x1 : tensor<3xcomplex<f32>> -> tensor<3xcomplex<f32>>
  check.expect_almost_eq_const %y1, dense<[(0.0, 0.0), (0.0, 3.141592653589793), (0x7F800000, 0x7FC00000)]>
      : tensor<3xcomplex<f32>>, tolerance = 1.0e-6
  %x2 = stablehlo.constant dense<[(1.0, 0x7F800000), (0x7FC00000, 0x7F800000), (2.0, 0xFF800000)]>
      : tensor<3xcomplex<f32>>
  %y2 = chlo.atanh %x2 : tensor<3xcomplex<f32>> -> tensor<3xcomplex<f32>>
  check.expect_almost_eq_const %y2, dense<[(0.0, 1.5707963267948966), (0.0, 1.5707963267948966), (0.0,
      -1.5707963267948966)]> : tensor<3xcomplex<f32>>, tolerance = 1.0e-6
  // The imaginary part decides.
  %x3 = stablehlo.constant dense<[(1.0, 0x7F800000), (0xFF800000, 0x7F800000), (0x7FC00000, 0xFF800000), (0xFF800000,
      2.0)]> : tensor<4xcomplex<f32>>
  %y3 = stablehlo.sqrt %x3 : tensor<4xcomplex<f32>>
  check.expect_almost_eq_const %y3, dense<[(0x7F800000, 0x7F800000), (0x7F800000, 0x7F800000), (0x7F800000, 0xFF800000),
      (0.0, 0x7F800000)]> : tensor<4xcomplex<f32>>, tolerance = 1.0e-6
  // The angle of a diagonal.
  %x4 = stablehlo.constant dense<[(0x7F800000, 0x7F800000), (0xFF800000, 0x7F800000), (0x7F800000, 0xFF800000),
      (0xFF800000, 2.0)]> : tensor<4xcomplex<f32>>
  %y4 = stablehlo.log %x4 : tensor<4xcomplex<f32>>
  check.expect_almost_eq_const %y4, dense<[(0x7F800000, 0.7853981633974483), (0x7F800000, 2.356194490192345),
      (0x7F800000, -0.7853981633974483), (0x7F800000, 3.141592653589793)]> : tensor<4xcomplex<f32>>, tolerance = 1.0e-6
  %x5 = stablehlo.constant dense<[(0x7F800000, 0x7F800000), (0xFF800000, 0xFF800000), (0x7F800000, 1.0)]>
      : tensor<3xcomplex<f32>>
  %y5 = stablehlo.log_plus_one %x5 : tensor<3xcomplex<f32>>
  check.expect_almost_eq_const %y5, dense<[(0x7F800000, 0.7853981633974483), (0x7F800000, -2.356194490192345),
      (0x7F800000, 0.0)]> : tensor<3xcomplex<f32>>, tolerance = 1.0e-6
  // Real on the real axis.
  %x6 = stablehlo.constant dense<[(0x7F800000, 0.0), (0x7FC00000, 0.0), (0xFF800000, 0.0)]> : tensor<3xcomplex<f32>>
  %y6 = stablehlo.exponential_minus_one %x6 : tensor<3xcomplex<f32>>
  check.expect_almost_eq_const %y6, dense<[(0x7F800000, 0.0), (0x7FC00000, 0.0), (-1.0, 0.0)]>
      : tensor<3xcomplex<f32>>, tolerance = 1.0e-6
  %x7 = stablehlo.constant dense<[(0x7F800000, 0x7F800000), (0xFF800000, 0x7FC00000), (0x7FC00000, 0.0)]>
      : tensor<3xcomplex<f32>>
  %y7 = stablehlo.tanh %x7 : tensor<3xcomplex<f32>>
  check.expect_almost_eq_const %y7, dense<[(1.0, 0.0), (-1.0, 0.0), (0x7FC00000, 0.0)]>
      : tensor<3xcomplex<f32>>, tolerance = 1.0e-6
  // By zero: an infinite part keeps its sign times the zero's, the other part is infinite too.
  %p8 = stablehlo.constant dense<[(0x7F800000, 1.0), (-1.0, 0x7F800000), (2.0, 0xFF800000)]> : tensor<3xcomplex<f32>>
  %q8 = stablehlo.constant dense<[(0.0, 0.0), (0.0, 0.0), (-0.0, 0.0)]> : tensor<3xcomplex<f32>>
  %r8 = stablehlo.divide %p8, %q8 : tensor<3xcomplex<f32>>
  check.expect_eq_const %r8, dense<[(0x7F800000, 0x7F800000), (0xFF800000, 0x7F800000), (0xFF800000,
      0x7F800000)]> : tensor<3xcomplex<f32>>
  %x9 = stablehlo.constant dense<[(1.0, 0.0), (-1.0, 0.0), (1.0, -0.0)]> : tensor<3xcomplex<f64>>
  %y9 = chlo.asin %x9 : tensor<3xcomplex<f64>> -> tensor<3xcomplex<f64>>
  check.expect_almost_eq_const %y9, dense<[(1.5707963267948966, 0.0), (-1.5707963267948966, 0.0), (1.5707963267948966,
      -0.0)]> : tensor<3xcomplex<f64>>, tolerance = 1.0e-14
  %x10 = stablehlo.constant dense<[(1.0, 0.0), (-1.0, 0.0), (0x7FF8000000000000, 0x7FF0000000000000)]>
      : tensor<3xcomplex<f64>>
  %y10 = chlo.acosh %x10 : tensor<3xcomplex<f64>> -> tensor<3xcomplex<f64>>
  check.expect_almost_eq_const %y10, dense<[(0.0, 0.0), (0.0, 3.141592653589793), (0x7FF0000000000000,
      0x7FF8000000000000)]> : tensor<3xcomplex<f64>>, tolerance = 1.0e-14
  %x11 = stablehlo.constant dense<[(1.0, 0x7FF0000000000000), (0x7FF8000000000000, 0x7FF0000000000000), (2.0,
      0xFFF0000000000000)]> : tensor<3xcomplex<f64>>
  %y11 = chlo.atanh %x11 : tensor<3xcomplex<f64>> -> tensor<3xcomplex<f64>>
  check.expect_almost_eq_const %y11, dense<[(0.0, 1.5707963267948966), (0.0, 1.5707963267948966), (0.0,
      -1.5707963267948966)]> : tensor<3xcomplex<f64>>, tolerance = 1.0e-14
  %x12 = stablehlo.constant dense<[(1.0, 0x7FF0000000000000), (0xFFF0000000000000, 0x7FF0000000000000),
      (0x7FF8000000000000, 0xFFF0000000000000), (0xFFF0000000000000, 2.0)]> : tensor<4xcomplex<f64>>
  %y12 = stablehlo.sqrt %x12 : tensor<4xcomplex<f64>>
  check.expect_almost_eq_const %y12, dense<[(0x7FF0000000000000, 0x7FF0000000000000), (0x7FF0000000000000,
      0x7FF0000000000000), (0x7FF0000000000000, 0xFFF0000000000000), (0.0, 0x7FF0000000000000)]>
      : tensor<4xcomplex<f64>>, tolerance = 1.0e-14
  %x13 = stablehlo.constant dense<[(0x7FF0000000000000, 0x7FF0000000000000), (0xFFF0000000000000, 0x7FF0000000000000),
      (0x7FF0000000000000, 0xFFF0000000000000), (0xFFF0000000000000, 2.0)]> : tensor<4xcomplex<f64>>
  %y13 = stablehlo.log %x13 : tensor<4xcomplex<f64>>
  check.expect_almost_eq_const %y13, dense<[(0x7FF0000000000000, 0.7853981633974483), (0x7FF0000000000000,
      2.356194490192345), (0x7FF0000000000000, -0.7853981633974483), (0x7FF0000000000000, 3.141592653589793)]>
      : tensor<4xcomplex<f64>>, tolerance = 1.0e-14
  %x14 = stablehlo.constant dense<[(0x7FF0000000000000, 0x7FF0000000000000), (0xFFF0000000000000, 0xFFF0000000000000),
      (0x7FF0000000000000, 1.0)]> : tensor<3xcomplex<f64>>
  %y14 = stablehlo.log_plus_one %x14 : tensor<3xcomplex<f64>>
  check.expect_almost_eq_const %y14, dense<[(0x7FF0000000000000, 0.7853981633974483), (0x7FF0000000000000,
      -2.356194490192345), (0x7FF0000000000000, 0.0)]> : tensor<3xcomplex<f64>>, tolerance = 1.0e-14
  %x15 = stablehlo.constant dense<[(0x7FF0000000000000, 0.0), (0x7FF8000000000000, 0.0), (0xFFF0000000000000,
      0.0)]> : tensor<3xcomplex<f64>>
  %y15 = stablehlo.exponential_minus_one %x15 : tensor<3xcomplex<f64>>
  check.expect_almost_eq_const %y15, dense<[(0x7FF0000000000000, 0.0), (0x7FF8000000000000, 0.0), (-1.0, 0.0)]>
      : tensor<3xcomplex<f64>>, tolerance = 1.0e-14
  %x16 = stablehlo.constant dense<[(0x7FF0000000000000, 0x7FF0000000000000), (0xFFF0000000000000, 0x7FF8000000000000),
      (0x7FF8000000000000, 0.0)]> : tensor<3xcomplex<f64>>
  %y16 = stablehlo.tanh %x16 : tensor<3xcomplex<f64>>
  check.expect_almost_eq_const %y16, dense<[(1.0, 0.0), (-1.0, 0.0), (0x7FF8000000000000, 0.0)]>
      : tensor<3xcomplex<f64>>, tolerance = 1.0e-14
  %p17 = stablehlo.constant dense<[(0x7FF0000000000000, 1.0), (-1.0, 0x7FF0000000000000), (2.0,
      0xFFF0000000000000)]> : tensor<3xcomplex<f64>>
  %q17 = stablehlo.constant dense<[(0.0, 0.0), (0.0, 0.0), (-0.0, 0.0)]> : tensor<3xcomplex<f64>>
  %r17 = stablehlo.divide %p17, %q17 : tensor<3xcomplex<f64>>
  check.expect_eq_const %r17, dense<[(0x7FF0000000000000, 0x7FF0000000000000), (0xFFF0000000000000, 0x7FF0000000000000),
      (0xFFF0000000000000, 0x7FF0000000000000)]> : tensor<3xcomplex<f64>>
  // Finite by infinite is zero, infinite by finite infinite, whatever the other part; by NaN and zero all is NaN. Then
  // the signs of zeros: 0 / i, 0 / (-2 - i).
  %p18 = stablehlo.constant dense<[(1.0, 2.0), (0x7FF0000000000000, 0x7FF8000000000000), (0x7FF0000000000000,
      0x7FF0000000000000), (0.0, 1.0)]> : tensor<4xcomplex<f64>>
  %q18 = stablehlo.constant dense<[(0x7FF0000000000000, 0x7FF8000000000000), (2.0, 1.0), (0.0, 1.0),
      (0x7FF8000000000000, 0.0)]> : tensor<4xcomplex<f64>>
  %r18 = stablehlo.divide %p18, %q18 : tensor<4xcomplex<f64>>
  check.expect_eq_const %r18, dense<[(0.0, 0.0), (0x7FF0000000000000, 0xFFF0000000000000), (0x7FF0000000000000,
      0xFFF0000000000000), (0x7FF8000000000000, 0x7FF8000000000000)]> : tensor<4xcomplex<f64>>
  %p19 = stablehlo.constant dense<(0.0, 0.0)> : tensor<2xcomplex<f64>>
  %q19 = stablehlo.constant dense<[(0.0, 1.0), (-2.0, -1.0)]> : tensor<2xcomplex<f64>>
  %r19 = stablehlo.divide %p19, %q19 : tensor<2xcomplex<f64>>
  %i19 = stablehlo.imag %r19 : (tensor<2xcomplex<f64>>) -> tensor<2xf64>
  %one19 = stablehlo.constant dense<1.0> : tensor<2xf64>
  %s19 = stablehlo.divide %one19, %i19 : tensor<2xf64>
  check.expect_eq_const %s19, dense<[0x7FF0000000000000, 0xFFF0000000000000]> : tensor<2xf64>
  %p20 = stablehlo.constant dense<[(1.0, 2.0), (0x7F800000, 0x7FC00000), (0x7F800000, 0x7F800000), (0.0, 1.0)]>
      : tensor<4xcomplex<f32>>
  %q20 = stablehlo.constant dense<[(0x7F800000, 0x7FC00000), (2.0, 1.0), (0.0, 1.0), (0x7FC00000, 0.0)]>
      : tensor<4xcomplex<f32>>
  %r20 = stablehlo.divide %p20, %q20 : tensor<4xcomplex<f32>>
  check.expect_eq_const %r20, dense<[(0.0, 0.0), (0x7F800000, 0xFF800000), (0x7F800000, 0xFF800000), (0x7FC00000,
      0x7FC00000)]> : tensor<4xcomplex<f32>>
  %p21 = stablehlo.constant dense<(0.0, 0.0)> : tensor<2xcomplex<f32>>
  %q21 = stablehlo.constant dense<[(0.0, 1.0), (-2.0, -1.0)]> : tensor<2xcomplex<f32>>
  %r21 = stablehlo.divide %p21, %q21 : tensor<2xcomplex<f32>>
  %i21 = stablehlo.imag %r21 : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
  %one21 = stablehlo.constant dense<1.0> : tensor<2xf32>
  %s21 = stablehlo.divide %one21, %i21 : tensor<2xf32>
  check.expect_eq_const %s21, dense<[0x7F800000, 0xFF800000]> : tensor<2xf32>
  // An infinite angle is none, however far from the poles; but infinitely far the hyperbolic tangent is 1.
  %x22 = stablehlo.constant dense<[(0xFF800000, 0.0), (0xFF800000, 1.0e23), (0x7F800000, -30.0), (1.0,
      0x7F800000)]> : tensor<4xcomplex<f32>>
  %y22 = stablehlo.tan %x22 : tensor<4xcomplex<f32>>
  check.expect_almost_eq_const %y22, dense<[(0x7FC00000, 0x7FC00000), (0x7FC00000, 0x7FC00000), (0x7FC00000,
      0x7FC00000), (0.0, 1.0)]>
      : tensor<4xcomplex<f32>>, tolerance = 1.0e-6
  return
}
