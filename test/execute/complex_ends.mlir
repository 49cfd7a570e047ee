// Complex quotients whose powers of two are far apart, and powers of numbers of magnitude 1 by large exponents: they
// keep it.
// RUN: tpuc run %s
// RUN: tpuc run %s --check --target=v2
// RUN: tpuc run %s --constants=arrays
func.func @main() {
  // 1.7e38 / 2^-149 and 2^-149 / 1.7e38 are out of range, 2^126 / 2^-1 is not.
  %a = stablehlo.constant dense<[(1.7e38, 0.0), (0x00000001, 0.0), (0x7E800000, 0.0), (0x7E800000, 0.0), (0x00000008,
      0x00000010)]> : tensor<5xcomplex<f32>>
  %b = stablehlo.constant dense<[(0x00000001, 0.0), (1.7e38, 0.0), (0.5, 0.0), (0x00040000, 0.0), (0x00000002,
      0.0)]> : tensor<5xcomplex<f32>>
  %quotient = stablehlo.divide %a, %b : tensor<5xcomplex<f32>>
  %expected = stablehlo.constant dense<[(0x7F800000, 0.0), (0.0, 0.0), (0x7F000000, 0.0), (0x7F800000, 0.0), (4.0,
      8.0)]> : tensor<5xcomplex<f32>>
  check.expect_eq %quotient, %expected : tensor<5xcomplex<f32>>

  // By zero: infinities of the numerator's signs.
  %n = stablehlo.constant dense<[(0x4E800000, 1.0), (-3.0e38, 1.0e-3)]> : tensor<2xcomplex<f32>>
  %none = stablehlo.constant dense<(0.0, 0.0)> : tensor<2xcomplex<f32>>
  %infinite = stablehlo.divide %n, %none : tensor<2xcomplex<f32>>
  check.expect_eq_const %infinite, dense<[(0x7F800000, 0x7F800000), (0xFF800000, 0x7F800000)]> : tensor<2xcomplex<f32>>

  %one = stablehlo.constant dense<[(0.0, 1.0), (0.0, 1.0), (0.0, -1.0), (0.0, 1.0)]> : tensor<4xcomplex<f32>>
  %to = stablehlo.constant dense<[(1.0e8, 0.0), (1.0e10, 0.0), (1.0e13, 0.0), (1.0e15, 0.0)]> : tensor<4xcomplex<f32>>
  %power = stablehlo.power %one, %to : tensor<4xcomplex<f32>>
  %magnitude = stablehlo.abs %power : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  %ones = stablehlo.constant dense<1.0> : tensor<4xf32>
  check.expect_close %magnitude, %ones : tensor<4xf32>, tensor<4xf32>

  %infinity = stablehlo.constant dense<(0x7F800000, 0.0)> : tensor<1xcomplex<f32>>
  %real = stablehlo.constant dense<(2.5, 0.0)> : tensor<1xcomplex<f32>>
  %still = stablehlo.power %infinity, %real : tensor<1xcomplex<f32>>
  check.expect_eq_const %still, dense<(0x7F800000, 0.0)> : tensor<1xcomplex<f32>>
  return
}
