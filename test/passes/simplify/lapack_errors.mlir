// RUN: tpuc-opt %s --tpuc-legalize-custom-calls --split-input-file --verify-diagnostics

// Eigenvalues and their order are two things: JAX has no name for the second.
func.func @sorted(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-error @below {{'lapack_sgees_ffi' expects square matrices, mode V or N, and sort N, but got 'tensor<4x4xf32>'}}
  %0:6 = stablehlo.custom_call @lapack_sgees_ffi(%a) {mhlo.backend_config = {mode = 86 : ui8, sort = 83 : ui8}}
      : (tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<i32>, tensor<i32>)
  return %0#0 : tensor<4x4xf32>
}

// -----

// Vectors of a real matrix are complex all the same.
func.func @vectors(%a: tensor<4x4xf32>) -> tensor<4xf32> {
  // expected-error @below {{'lapack_sgeev_ffi' expects square matrices, and compute_left and compute_right V or N}}
  %0:5 = stablehlo.custom_call @lapack_sgeev_ffi(%a) {mhlo.backend_config = {compute_left = 78 : ui8,
      compute_right = 86 : ui8}} : (tensor<4x4xf32>)
      -> (tensor<4xf32>, tensor<4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<i32>)
  return %0#0 : tensor<4xf32>
}

// -----

// What is not asked for has no meaning.
func.func @unasked(%a: tensor<4x4xf32>) -> tensor<4x4xcomplex<f32>> {
  // expected-error @below {{expects no use of what 'lapack_sgeev_ffi' leaves of its operand, but result 2 has one}}
  %0:5 = stablehlo.custom_call @lapack_sgeev_ffi(%a) {mhlo.backend_config = {compute_left = 78 : ui8,
      compute_right = 86 : ui8}} : (tensor<4x4xf32>)
      -> (tensor<4xf32>, tensor<4xf32>, tensor<4x4xcomplex<f32>>, tensor<4x4xcomplex<f32>>, tensor<i32>)
  return %0#2 : tensor<4x4xcomplex<f32>>
}

// -----

// A right side a row.
func.func @perturbed(%d: tensor<4xf32>, %b: tensor<3x1xf32>) -> tensor<3x1xf32> {
  // expected-error @below {{'tridiagonal_solve_perturbed_ffi' expects three diagonals of a length and right sides}}
  %0 = stablehlo.custom_call @tridiagonal_solve_perturbed_ffi(%d, %d, %d, %b) {mhlo.backend_config = {}}
      : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<3x1xf32>) -> tensor<3x1xf32>
  return %0 : tensor<3x1xf32>
}

// -----

// Before LAPACK was called by an FFI.
func.func @older(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-error @below {{expects a routine that tpuc knows, but got 'lapack_spotrf' of JAX's lowering for a CPU; lower for a TPU: jax.jit(f).trace(*args).lower(lowering_platforms=('tpu',)) [TPUC-SIMPLIFY-003]}}
  %0 = stablehlo.custom_call @lapack_spotrf(%a) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// -----

// No triangle is named.
func.func @uplo(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-error @below {{'lapack_spotrf_ffi' expects square matrices and uplo L or U, but got 'tensor<4x4xf32>' to 'tensor<4x4xf32>', 'tensor<i32>' with {uplo = 65 : ui8}}}
  %0:2 = stablehlo.custom_call @lapack_spotrf_ffi(%a) {mhlo.backend_config = {uplo = 65 : ui8}} : (tensor<4x4xf32>)
      -> (tensor<4x4xf32>, tensor<i32>)
  return %0#0 : tensor<4x4xf32>
}

// -----

// A right side of other rows.
func.func @sides(%a: tensor<4x4xf32>, %b: tensor<3x2xf32>) -> tensor<3x2xf32> {
  // expected-error @below {{'lapack_strsm_ffi' expects triangular matrices, right sides that fit, and side, uplo, trans_x and diag}}
  %0 = stablehlo.custom_call @lapack_strsm_ffi(%a, %b) {mhlo.backend_config = {diag = 78 : ui8, side = 76 : ui8,
      trans_x = 78 : ui8, uplo = 76 : ui8}} : (tensor<4x4xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}

// -----

// A pivot a column, not a row.
func.func @pivots(%a: tensor<4x3xf32>) -> tensor<4xi32> {
  // expected-error @below {{'lapack_sgetrf_ffi' expects matrices, their factors, pivots and info}}
  %0:3 = stablehlo.custom_call @lapack_sgetrf_ffi(%a) {mhlo.backend_config = {}} : (tensor<4x3xf32>)
      -> (tensor<4x3xf32>, tensor<4xi32>, tensor<i32>)
  return %0#1 : tensor<4xi32>
}

// -----

// The factors that gtsv leaves in the diagonals' memory are nobody's.
func.func @left(%d: tensor<4xf32>, %b: tensor<4x1xf32>) -> tensor<4xf32> {
  // expected-error @below {{expects no use of what 'lapack_sgtsv_ffi' leaves of its operand, but result 1 has one}}
  %0:5 = stablehlo.custom_call @lapack_sgtsv_ffi(%d, %d, %d, %b) {mhlo.backend_config = {}}
      : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4x1xf32>)
      -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4x1xf32>, tensor<i32>)
  return %0#1 : tensor<4xf32>
}
