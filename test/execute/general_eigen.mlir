// Eigenvalues and Schur forms of matrices that need not be symmetric: numbers that a person can check.
// RUN: tpuc run %s --check --matmul-precision=highest
// RUN: tpuc run %s --check --target=v2
func.func @main() {
  // A quarter turn twice as long has 2i and -2i, the one above the axis first; the second matrix is triangular, its
  // vectors (1, 0) and (1, 1) / sqrt(2).
  %a = stablehlo.constant dense<[[[0.0, -2.0], [2.0, 0.0]], [[1.0, 2.0], [0.0, 3.0]]]> : tensor<2x2x2xf32>
  %e:5 = stablehlo.custom_call @lapack_sgeev_ffi(%a) {mhlo.backend_config = {compute_left = 78 : ui8,
      compute_right = 86 : ui8}} : (tensor<2x2x2xf32>)
      -> (tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2x2xcomplex<f32>>, tensor<2x2x2xcomplex<f32>>, tensor<2xi32>)
  check.expect_almost_eq_const %e#0, dense<[[0.0, 0.0], [1.0, 3.0]]> : tensor<2x2xf32>, tolerance = 1.0e-6
  check.expect_almost_eq_const %e#1, dense<[[2.0, -2.0], [0.0, 0.0]]> : tensor<2x2xf32>, tolerance = 1.0e-6
  %second = stablehlo.slice %e#3 [1:2, 0:2, 0:2] : (tensor<2x2x2xcomplex<f32>>) -> tensor<1x2x2xcomplex<f32>>
  %re = stablehlo.real %second : (tensor<1x2x2xcomplex<f32>>) -> tensor<1x2x2xf32>
  %im = stablehlo.imag %second : (tensor<1x2x2xcomplex<f32>>) -> tensor<1x2x2xf32>
  check.expect_almost_eq_const %re, dense<[[[1.0, 0.70710678], [0.0, 0.70710678]]]>
      : tensor<1x2x2xf32>, tolerance = 1.0e-6
  check.expect_eq_const %im, dense<0.0> : tensor<1x2x2xf32>
  check.expect_eq_const %e#4, dense<0> : tensor<2xi32>

  // Roots of x^3 - 6 x^2 + 11 x - 6; a cycle of four, whose values are the roots of unity, stands still under Francis'
  // shifts.
  %r = stablehlo.constant dense<[[6.0, -11.0, 6.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]> : tensor<3x3xf32>
  %roots:5 = stablehlo.custom_call @lapack_sgeev_ffi(%r) {mhlo.backend_config = {compute_left = 78 : ui8,
      compute_right = 78 : ui8}} : (tensor<3x3xf32>)
      -> (tensor<3xf32>, tensor<3xf32>, tensor<3x3xcomplex<f32>>, tensor<3x3xcomplex<f32>>, tensor<i32>)
  %ascending = "stablehlo.sort"(%roots#0) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %less = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %less : tensor<i1>
  }) : (tensor<3xf32>) -> tensor<3xf32>
  check.expect_almost_eq_const %ascending, dense<[1.0, 2.0, 3.0]> : tensor<3xf32>, tolerance = 1.0e-4
  %cycle = stablehlo.constant dense<[[0.0, 0.0, 0.0, 1.0], [1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0,
      0.0]]> : tensor<4x4xf32>
  %unity:5 = stablehlo.custom_call @lapack_sgeev_ffi(%cycle) {mhlo.backend_config = {compute_left = 78 : ui8,
      compute_right = 78 : ui8}} : (tensor<4x4xf32>)
      -> (tensor<4xf32>, tensor<4xf32>, tensor<4x4xcomplex<f32>>, tensor<4x4xcomplex<f32>>, tensor<i32>)
  %size = stablehlo.multiply %unity#0, %unity#0 : tensor<4xf32>
  %rest = stablehlo.multiply %unity#1, %unity#1 : tensor<4xf32>
  %one = stablehlo.add %size, %rest : tensor<4xf32>
  check.expect_almost_eq_const %one, dense<1.0> : tensor<4xf32>, tolerance = 1.0e-5
  check.expect_eq_const %unity#4, dense<0> : tensor<i32>

  // A block that has the standard form stays, one of two real values becomes triangular: 2 + 3 and 2 - 3. No vectors of
  // a matrix with a NaN.
  %s = stablehlo.constant dense<[[[1.0, 4.0], [-1.0, 1.0]], [[2.0, 9.0], [1.0, 2.0]], [[0x7FC00000, 0.0], [0.0,
      1.0]]]> : tensor<3x2x2xf32>
  %t:6 = stablehlo.custom_call @lapack_sgees_ffi(%s) {mhlo.backend_config = {mode = 86 : ui8, sort = 78 : ui8}}
      : (tensor<3x2x2xf32>) -> (tensor<3x2x2xf32>, tensor<3x2x2xf32>, tensor<3x2xf32>, tensor<3x2xf32>, tensor<3xi32>,
      tensor<3xi32>)
  %form = stablehlo.slice %t#0 [0:2, 0:2, 0:2] : (tensor<3x2x2xf32>) -> tensor<2x2x2xf32>
  check.expect_almost_eq_const %form, dense<[[[1.0, 4.0], [-1.0, 1.0]], [[5.0, 8.0], [0.0, -1.0]]]>
      : tensor<2x2x2xf32>, tolerance = 2.0e-6
  check.expect_eq_const %t#5, dense<[0, 0, -4]> : tensor<3xi32>

  // With complex numbers the form is a triangle.
  %c = stablehlo.constant dense<[[(0.0, 0.0), (-2.0, 0.0)], [(2.0, 0.0), (0.0, 0.0)]]> : tensor<2x2xcomplex<f32>>
  %u:5 = stablehlo.custom_call @lapack_cgees_ffi(%c) {mhlo.backend_config = {mode = 78 : ui8, sort = 78 : ui8}}
      : (tensor<2x2xcomplex<f32>>) -> (tensor<2x2xcomplex<f32>>, tensor<2x2xcomplex<f32>>, tensor<2xcomplex<f32>>,
      tensor<i32>, tensor<i32>)
  %imag = stablehlo.imag %u#2 : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
  %length = stablehlo.abs %imag : tensor<2xf32>
  check.expect_almost_eq_const %length, dense<2.0> : tensor<2xf32>, tolerance = 1.0e-6
  return
}
