// Singular values and vectors: the values, what the factors multiply to, and that vectors are at right angles where
// values are zero too.
// RUN: tpuc run %s --check --matmul-precision=highest
// RUN: tpuc run %s --check --matmul-precision=highest --target=v2
// RUN: tpuc run %s --matmul-precision=highest --constants=arrays
func.func @main() {
  // (3 0; 4 5) has the roots of 45 and 5; the second matrix is its half with the rows exchanged, the third zero but for
  // a NaN.
  %a = stablehlo.constant dense<[[[3.0, 0.0], [4.0, 5.0]], [[2.0, 2.5], [1.5, 0.0]], [[0.0, 0x7FC00000], [0.0,
      0.0]]]> : tensor<3x2x2xf32>
  %s:5 = stablehlo.custom_call @lapack_sgesdd_ffi(%a) {mhlo.backend_config = {mode = 78 : ui8}} : (tensor<3x2x2xf32>)
      -> (tensor<3x2x2xf32>, tensor<3x2xf32>, tensor<3x2x2xf32>, tensor<3x2x2xf32>, tensor<3xi32>)
  %values = stablehlo.slice %s#1 [0:2, 0:2] : (tensor<3x2xf32>) -> tensor<2x2xf32>
  check.expect_almost_eq_const %values, dense<[[6.70820393, 2.23606798], [3.35410197, 1.11803399]]>
      : tensor<2x2xf32>, tolerance = 2.0e-6
  check.expect_eq_const %s#4, dense<[0, 0, -4]> : tensor<3xi32>

  // 7x4 of rank 2, (i + 1) + (i - 2) j: all of U, at right angles, whose first columns times diag(s) V* are the matrix.
  %i = stablehlo.iota dim = 0 : tensor<7x4xf32>
  %j = stablehlo.iota dim = 1 : tensor<7x4xf32>
  %one = stablehlo.constant dense<1.0> : tensor<7x4xf32>
  %minus = stablehlo.constant dense<-2.0> : tensor<7x4xf32>
  %rise = stablehlo.add %i, %minus : tensor<7x4xf32>
  %slope = stablehlo.multiply %rise, %j : tensor<7x4xf32>
  %base = stablehlo.add %i, %one : tensor<7x4xf32>
  %m = stablehlo.add %base, %slope : tensor<7x4xf32>
  %t:5 = stablehlo.custom_call @lapack_sgesdd_ffi(%m) {mhlo.backend_config = {mode = 65 : ui8}} : (tensor<7x4xf32>)
      -> (tensor<7x4xf32>, tensor<4xf32>, tensor<7x7xf32>, tensor<4x4xf32>, tensor<i32>)
  %small = stablehlo.slice %t#1 [2:4] : (tensor<4xf32>) -> tensor<2xf32>
  check.expect_almost_eq_const %small, dense<0.0> : tensor<2xf32>, tolerance = 1.0e-5
  %u = stablehlo.slice %t#2 [0:7, 0:4] : (tensor<7x7xf32>) -> tensor<7x4xf32>
  %spread = stablehlo.broadcast_in_dim %t#1, dims = [1] : (tensor<4xf32>) -> tensor<7x4xf32>
  %us = stablehlo.multiply %u, %spread : tensor<7x4xf32>
  %again = stablehlo.dot_general %us, %t#3, contracting_dims = [1] x [0] : (tensor<7x4xf32>, tensor<4x4xf32>)
      -> tensor<7x4xf32>
  check.expect_almost_eq %again, %m, tolerance = 2.0e-5 : tensor<7x4xf32>
  %uu = stablehlo.dot_general %t#2, %t#2, contracting_dims = [0] x [0] : (tensor<7x7xf32>, tensor<7x7xf32>)
      -> tensor<7x7xf32>
  %r7 = stablehlo.iota dim = 0 : tensor<7x7xi32>
  %c7 = stablehlo.iota dim = 1 : tensor<7x7xi32>
  %on7 = stablehlo.compare EQ, %r7, %c7 : (tensor<7x7xi32>, tensor<7x7xi32>) -> tensor<7x7xi1>
  %eye7 = stablehlo.convert %on7 : (tensor<7x7xi1>) -> tensor<7x7xf32>
  check.expect_almost_eq %uu, %eye7, tolerance = 2.0e-6 : tensor<7x7xf32>
  %vv = stablehlo.dot_general %t#3, %t#3, contracting_dims = [1] x [1] : (tensor<4x4xf32>, tensor<4x4xf32>)
      -> tensor<4x4xf32>
  %eye4 = stablehlo.slice %eye7 [0:4, 0:4] : (tensor<7x7xf32>) -> tensor<4x4xf32>
  check.expect_almost_eq %vv, %eye4, tolerance = 2.0e-6 : tensor<4x4xf32>

  // All zero, wide: any vectors, at right angles.
  %zero = stablehlo.constant dense<0.0> : tensor<2x4xf32>
  %z:5 = stablehlo.custom_call @lapack_sgesdd_ffi(%zero) {mhlo.backend_config = {mode = 83 : ui8}}
      : (tensor<2x4xf32>) -> (tensor<2x4xf32>, tensor<2xf32>, tensor<2x2xf32>, tensor<2x4xf32>, tensor<i32>)
  check.expect_eq_const %z#1, dense<0.0> : tensor<2xf32>
  %zz = stablehlo.dot_general %z#3, %z#3, contracting_dims = [1] x [1] : (tensor<2x4xf32>, tensor<2x4xf32>)
      -> tensor<2x2xf32>
  check.expect_almost_eq_const %zz, dense<[[1.0, 0.0], [0.0, 1.0]]> : tensor<2x2xf32>, tolerance = 1.0e-6
  return
}
