// LAPACK's routines as JAX calls them on a CPU: numbers that a person can check.
// RUN: tpuc run %s --check --matmul-precision=highest
// RUN: tpuc run %s --check --target=v2
// RUN: tpuc run %s --matmul-precision=highest --constants=arrays
func.func @main() {
  // (2, 1) is the root of 4, 2, 5; what is right of the diagonal stays. The second matrix has no root at its second
  // row.
  %two = stablehlo.constant dense<[[[4.0, 2.0], [2.0, 5.0]], [[1.0, 2.0], [2.0, 1.0]]]> : tensor<2x2x2xf32>
  %root:2 = stablehlo.custom_call @lapack_spotrf_ffi(%two) {mhlo.backend_config = {uplo = 76 : ui8}}
      : (tensor<2x2x2xf32>) -> (tensor<2x2x2xf32>, tensor<2xi32>)
  %first = stablehlo.slice %root#0 [0:1, 0:2, 0:2] : (tensor<2x2x2xf32>) -> tensor<1x2x2xf32>
  check.expect_eq_const %first, dense<[[[2.0, 2.0], [1.0, 2.0]]]> : tensor<1x2x2xf32>
  check.expect_eq_const %root#1, dense<[0, 2]> : tensor<2xi32>

  // Rows change places; the second matrix is singular from its first column on.
  %mixed = stablehlo.constant dense<[[[0.0, 1.0], [2.0, 3.0]], [[0.0, 1.0], [0.0, 3.0]]]> : tensor<2x2x2xf32>
  %lu:3 = stablehlo.custom_call @lapack_sgetrf_ffi(%mixed) {mhlo.backend_config = {}} : (tensor<2x2x2xf32>)
      -> (tensor<2x2x2xf32>, tensor<2x2xi32>, tensor<2xi32>)
  %u = stablehlo.slice %lu#0 [0:1, 0:2, 0:2] : (tensor<2x2x2xf32>) -> tensor<1x2x2xf32>
  check.expect_eq_const %u, dense<[[[2.0, 3.0], [0.0, 1.0]]]> : tensor<1x2x2xf32>
  %rows = stablehlo.slice %lu#1 [0:1, 0:2] : (tensor<2x2xi32>) -> tensor<1x2xi32>
  check.expect_eq_const %rows, dense<[[2, 2]]> : tensor<1x2xi32>
  check.expect_eq_const %lu#2, dense<[0, 1]> : tensor<2xi32>

  // (3, 4) is reflected to (-5, 0): Q = (-0.6 -0.8; -0.8 0.6), Q (1, 2) = (-2.2, 0.4).
  %column = stablehlo.constant dense<[[3.0], [4.0]]> : tensor<2x1xf32>
  %qr:2 = stablehlo.custom_call @lapack_sgeqrf_ffi(%column) {mhlo.backend_config = {}} : (tensor<2x1xf32>)
      -> (tensor<2x1xf32>, tensor<1xf32>)
  %c = stablehlo.constant dense<[[1.0], [2.0]]> : tensor<2x1xf32>
  %qc = stablehlo.custom_call @lapack_sormqr_ffi(%qr#0, %qr#1, %c) {mhlo.backend_config = {left = true,
      transpose = false}} : (tensor<2x1xf32>, tensor<1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
  check.expect_almost_eq_const %qc, dense<[[-2.2], [0.4]]> : tensor<2x1xf32>, tolerance = 1.0e-6
  %q = stablehlo.custom_call @lapack_sorgqr_ffi(%qr#0, %qr#1) {mhlo.backend_config = {}}
      : (tensor<2x1xf32>, tensor<1xf32>) -> tensor<2x1xf32>
  check.expect_almost_eq_const %q, dense<[[-0.6], [-0.8]]> : tensor<2x1xf32>, tolerance = 1.0e-6

  // Columns (1, 0) and (3, 4): the longer is first, or the one that is asked for.
  %pair = stablehlo.constant dense<[[[1.0, 3.0], [0.0, 4.0]], [[1.0, 3.0], [0.0, 4.0]]]> : tensor<2x2x2xf32>
  %asked = stablehlo.constant dense<[[0, 0], [1, 0]]> : tensor<2x2xi32>
  %p:3 = stablehlo.custom_call @lapack_sgeqp3_ffi(%pair, %asked) {mhlo.backend_config = {}}
      : (tensor<2x2x2xf32>, tensor<2x2xi32>) -> (tensor<2x2x2xf32>, tensor<2x2xi32>, tensor<2x2xf32>)
  check.expect_almost_eq_const %p#0, dense<[[[-5.0, -0.6], [0.5, -0.8]], [[1.0, 3.0], [0.0, 4.0]]]>
      : tensor<2x2x2xf32>, tolerance = 1.0e-6
  check.expect_eq_const %p#1, dense<[[2, 1], [1, 2]]> : tensor<2x2xi32>

  // Below the first subdiagonal are reflectors: of (3, 4) again; from the last column up it is (4, 6) to (0, 7.211).
  %h = stablehlo.constant dense<[[1.0, 2.0, 3.0], [3.0, 4.0, 5.0], [4.0, 6.0, 7.0]]> : tensor<3x3xf32>
  %hess:3 = stablehlo.custom_call @lapack_sgehrd_ffi(%h) {mhlo.backend_config = {high = 3 : i32, low = 1 : i32}}
      : (tensor<3x3xf32>) -> (tensor<3x3xf32>, tensor<2xf32>, tensor<i32>)
  check.expect_almost_eq_const %hess#0, dense<[[1.0, -3.6, 0.2], [-5.0, 11.2, 0.6], [0.5, -0.4, -0.2]]>
      : tensor<3x3xf32>, tolerance = 1.0e-5
  check.expect_almost_eq_const %hess#1, dense<[1.6, 0.0]> : tensor<2xf32>, tolerance = 1.0e-6
  %s = stablehlo.constant dense<[[2.0, 3.0, 4.0], [3.0, 5.0, 6.0], [4.0, 6.0, 7.0]]> : tensor<3x3xf32>
  %low:5 = stablehlo.custom_call @lapack_ssytrd_ffi(%s) {mhlo.backend_config = {uplo = 76 : ui8}} : (tensor<3x3xf32>)
      -> (tensor<3x3xf32>, tensor<3xf32>, tensor<2xf32>, tensor<2xf32>, tensor<i32>)
  check.expect_almost_eq_const %low#0, dense<[[2.0, 3.0, 4.0], [-5.0, 12.04, 6.0], [0.5, 0.72, -0.04]]>
      : tensor<3x3xf32>, tolerance = 1.0e-5
  check.expect_almost_eq_const %low#1, dense<[2.0, 12.04, -0.04]> : tensor<3xf32>, tolerance = 1.0e-5
  check.expect_almost_eq_const %low#2, dense<[-5.0, 0.72]> : tensor<2xf32>, tolerance = 1.0e-5
  %up:5 = stablehlo.custom_call @lapack_ssytrd_ffi(%s) {mhlo.backend_config = {uplo = 85 : ui8}} : (tensor<3x3xf32>)
      -> (tensor<3x3xf32>, tensor<3xf32>, tensor<2xf32>, tensor<2xf32>, tensor<i32>)
  check.expect_almost_eq_const %up#0, dense<[[0.15384615, 0.23076923, 0.30277564], [3.0, 6.84615385, -7.21110255], [4.0,
      6.0, 7.0]]> : tensor<3x3xf32>, tolerance = 1.0e-5
  check.expect_almost_eq_const %up#3, dense<[0.0, 1.83205029]> : tensor<2xf32>, tolerance = 1.0e-5

  // A zero on the diagonal is no pivot, another row's is; without one the system is singular from that row on.
  %dl = stablehlo.constant dense<[[0.0, 1.0, 2.0], [0.0, 0.0, 0.0]]> : tensor<2x3xf32>
  %d = stablehlo.constant dense<[[0.0, 0.0, 1.0], [1.0, 0.0, 1.0]]> : tensor<2x3xf32>
  %du = stablehlo.constant dense<[[1.0, 3.0, 0.0], [0.0, 0.0, 0.0]]> : tensor<2x3xf32>
  %b = stablehlo.constant dense<[[[2.0], [10.0], [7.0]], [[1.0], [1.0], [1.0]]]> : tensor<2x3x1xf32>
  %t:5 = stablehlo.custom_call @lapack_sgtsv_ffi(%dl, %d, %du, %b) {mhlo.backend_config = {}}
      : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3x1xf32>)
      -> (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3x1xf32>, tensor<2xi32>)
  %x = stablehlo.slice %t#3 [0:1, 0:3, 0:1] : (tensor<2x3x1xf32>) -> tensor<1x3x1xf32>
  check.expect_eq_const %x, dense<[[[1.0], [2.0], [3.0]]]> : tensor<1x3x1xf32>
  check.expect_eq_const %t#4, dense<[0, 2]> : tensor<2xi32>

  // Without a right answer such a divisor is rounding of the first row's largest element: 3 - 3 is 3 2^-23, 3 over that
  // 2^23; a zero matrix has 2^-126.
  %pl = stablehlo.constant dense<[[0.0, 1.0], [0.0, 0.0], [0.0, 1.0]]> : tensor<3x2xf32>
  %pd = stablehlo.constant dense<[[1.0, 3.0], [0.0, 0.0], [0.0, 1.0]]> : tensor<3x2xf32>
  %pu = stablehlo.constant dense<[[3.0, 0.0], [0.0, 0.0], [2.0, 0.0]]> : tensor<3x2xf32>
  %pb = stablehlo.constant dense<[[[1.0], [4.0]], [[1.0], [1.0]], [[4.0], [5.0]]]> : tensor<3x2x1xf32>
  %px = stablehlo.custom_call @tridiagonal_solve_perturbed_ffi(%pl, %pd, %pu, %pb) {mhlo.backend_config = {}}
      : (tensor<3x2xf32>, tensor<3x2xf32>, tensor<3x2xf32>, tensor<3x2x1xf32>) -> tensor<3x2x1xf32>
  check.expect_eq_const %px, dense<[[[-25165824.0], [8388608.0]], [[8.50705917E+37], [8.50705917E+37]], [[3.0],
      [2.0]]]> : tensor<3x2x1xf32>
  return
}
