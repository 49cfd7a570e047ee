// Hundreds of rotations leave vectors at right angles and of length 1 to a few units of rounding: those of (i j + i +
// j) mod 13 - 6, a symmetric matrix.
// RUN: tpuc run %s --matmul-precision=highest
// RUN: tpuc run %s --matmul-precision=highest --target=v4
// RUN: tpuc run %s --matmul-precision=highest --constants=arrays
func.func @main() {
  %i = stablehlo.iota dim = 0 : tensor<48x48xi32>
  %j = stablehlo.iota dim = 1 : tensor<48x48xi32>
  %ij = stablehlo.multiply %i, %j : tensor<48x48xi32>
  %sum = stablehlo.add %i, %j : tensor<48x48xi32>
  %all = stablehlo.add %ij, %sum : tensor<48x48xi32>
  %thirteen = stablehlo.constant dense<13> : tensor<48x48xi32>
  %six = stablehlo.constant dense<6> : tensor<48x48xi32>
  %rest = stablehlo.remainder %all, %thirteen : tensor<48x48xi32>
  %whole = stablehlo.subtract %rest, %six : tensor<48x48xi32>
  %a = stablehlo.convert %whole : (tensor<48x48xi32>) -> tensor<48x48xf32>
  %on = stablehlo.compare EQ, %i, %j : (tensor<48x48xi32>, tensor<48x48xi32>) -> tensor<48x48xi1>
  %eye = stablehlo.convert %on : (tensor<48x48xi1>) -> tensor<48x48xf32>

  %e:2 = stablehlo.custom_call @Eigh(%a) {backend_config = "1,1,100,1e-6"} : (tensor<48x48xf32>)
      -> (tensor<48x48xf32>, tensor<48xf32>)
  %ee = stablehlo.dot_general %e#0, %e#0, contracting_dims = [0] x [0] : (tensor<48x48xf32>, tensor<48x48xf32>)
      -> tensor<48x48xf32>
  check.expect_almost_eq %ee, %eye, tolerance = 1.5e-6 : tensor<48x48xf32>

  %s:5 = stablehlo.custom_call @lapack_sgesdd_ffi(%a) {mhlo.backend_config = {mode = 83 : ui8}} : (tensor<48x48xf32>)
      -> (tensor<48x48xf32>, tensor<48xf32>, tensor<48x48xf32>, tensor<48x48xf32>, tensor<i32>)
  %ss = stablehlo.dot_general %s#2, %s#2, contracting_dims = [0] x [0] : (tensor<48x48xf32>, tensor<48x48xf32>)
      -> tensor<48x48xf32>
  check.expect_almost_eq %ss, %eye, tolerance = 2.0e-6 : tensor<48x48xf32>
  %spread = stablehlo.broadcast_in_dim %s#1, dims = [1] : (tensor<48xf32>) -> tensor<48x48xf32>
  %us = stablehlo.multiply %s#2, %spread : tensor<48x48xf32>
  %again = stablehlo.dot_general %us, %s#3, contracting_dims = [1] x [0] : (tensor<48x48xf32>, tensor<48x48xf32>)
      -> tensor<48x48xf32>
  check.expect_almost_eq %again, %a, tolerance = 3.0e-5 : tensor<48x48xf32>

  // Complex elements too small to have a phase: no rotation of equal eigenvalues by what is left of it.
  %x = stablehlo.constant dense<[[1.0, 3.0e-44, 0.0, 0.0], [3.0e-44, 1.0, 0.0, 0.0], [0.0, 0.0, 2.0, 1.0], [0.0, 0.0,
      1.0, 3.0]]> : tensor<4x4xf32>
  %y = stablehlo.constant dense<[[0.0, 5.0e-44, 0.0, 0.0], [-5.0e-44, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0], [0.0, 0.0,
      0.0, 0.0]]> : tensor<4x4xf32>
  %z = stablehlo.complex %x, %y : tensor<4x4xcomplex<f32>>
  %t:2 = stablehlo.custom_call @Eigh(%z) {backend_config = "1,1,100,1e-6"} : (tensor<4x4xcomplex<f32>>)
      -> (tensor<4x4xcomplex<f32>>, tensor<4xf32>)
  %values = stablehlo.constant dense<[1.0, 1.0, 1.381966, 3.618034]> : tensor<4xf32>
  check.expect_almost_eq %t#1, %values, tolerance = 1.0e-6 : tensor<4xf32>
  return
}
