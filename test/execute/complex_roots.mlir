// Complex cube roots and angles; square roots of what is near the ends of the range.
// RUN: tpuc run %s
// RUN: tpuc run %s --check --target=v2
// RUN: tpuc run %s --constants=arrays
func.func @main() {
  %x = stablehlo.constant dense<[(8.0, 0.0), (-8.0, 0.0), (2.0, -11.0), (1.0e30, 3.0e30)]> : tensor<4xcomplex<f32>>
  %cbrt = stablehlo.cbrt %x : tensor<4xcomplex<f32>>
  %expected1 = stablehlo.constant dense<[(2.0, 0.0), (1.0, 1.73205081), (2.0, -1.0), (13424077452.3314,
      5936127825.1901)]> : tensor<4xcomplex<f32>>
  check.expect_close %cbrt, %expected1 : tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>

  // -i log((x + i y) / sqrt(x^2 + y^2))
  %y = stablehlo.constant dense<[(1.0, 2.0), (-0.5, 0.25)]> : tensor<2xcomplex<f32>>
  %of = stablehlo.constant dense<[(3.0, -1.0), (-1.0, 2.0)]> : tensor<2xcomplex<f32>>
  %angle = stablehlo.atan2 %y, %of : tensor<2xcomplex<f32>>
  check.expect_almost_eq_const %angle, dense<[(0.190253189, 0.841823958), (-2.93995191, 0.145118505)]>
      : tensor<2xcomplex<f32>>

  // (3e38 + 3e38 i) has a magnitude beyond f32's largest number.
  %ends = stablehlo.constant dense<[(3.0e38, 3.0e38), (3.0e-45, 4.0e-45)]> : tensor<2xcomplex<f32>>
  %sqrt = stablehlo.sqrt %ends : tensor<2xcomplex<f32>>
  %expected2 = stablehlo.constant dense<[(1.90297670774e+19, 7.88238761225e+18), (6.26699704564e-23,
      3.35399503332e-23)]> : tensor<2xcomplex<f32>>
  check.expect_close %sqrt, %expected2 : tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>
  return
}
