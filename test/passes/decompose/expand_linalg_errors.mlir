// RUN: tpuc-opt %s --tpuc-expand-linalg --split-input-file --verify-diagnostics

// The vectors' values are missing.
func.func @values(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-error @below {{'Eigh' expects its results' types to follow from the matrix's, but got 'tensor<4x4xf32>' to 'tensor<4x4xf32>'}}
  %0 = stablehlo.custom_call @Eigh(%x) {backend_config = "1,1,100,1e-6"} : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// -----

func.func @oblong(%x: tensor<4x5xf32>) -> (tensor<4x5xf32>, tensor<5xf32>) {
  // expected-error @below {{'Eigh' expects square matrices}}
  %0:2 = stablehlo.custom_call @Eigh(%x) {backend_config = "1,1,100,1e-6"} : (tensor<4x5xf32>)
      -> (tensor<4x5xf32>, tensor<5xf32>)
  return %0#0, %0#1 : tensor<4x5xf32>, tensor<5xf32>
}

// -----

// A pivot a column, not a row.
func.func @pivots(%x: tensor<4x3xf32>) -> (tensor<4x3xf32>, tensor<4xi32>, tensor<4xi32>) {
  // expected-error @below {{'LuDecomposition' expects its results' types to follow from the matrix's}}
  %0:3 = stablehlo.custom_call @LuDecomposition(%x) : (tensor<4x3xf32>)
      -> (tensor<4x3xf32>, tensor<4xi32>, tensor<4xi32>)
  return %0#0, %0#1, %0#2 : tensor<4x3xf32>, tensor<4xi32>, tensor<4xi32>
}

// -----

// All vectors are four.
func.func @vectors(%x: tensor<4x3xf32>) -> tensor<4x3xf32> {
  // expected-error @below {{'tpuc.svd' expects its results' types to follow from the matrix's}}
  %0:3 = stablehlo.custom_call @tpuc.svd(%x) {backend_config = "A"} : (tensor<4x3xf32>)
      -> (tensor<3xf32>, tensor<4x3xf32>, tensor<3x3xf32>)
  return %0#1 : tensor<4x3xf32>
}

// -----

func.func @diagonals(%d: tensor<4xf32>, %e: tensor<3xf32>, %b: tensor<4x1xf32>) -> tensor<4x1xf32> {
  // expected-error @below {{'tpuc.tridiagonal_solve' expects an element of each diagonal a row}}
  %0:2 = stablehlo.custom_call @tpuc.tridiagonal_solve(%e, %d, %e, %b)
      : (tensor<3xf32>, tensor<4xf32>, tensor<3xf32>, tensor<4x1xf32>) -> (tensor<4x1xf32>, tensor<i32>)
  return %0#0 : tensor<4x1xf32>
}

// -----

// Left and right vectors are two.
func.func @both(%x: tensor<4x4xf32>) -> tensor<4xcomplex<f32>> {
  // expected-error @below {{'tpuc.eig' expects its results' types to follow from the matrix's}}
  %0:3 = stablehlo.custom_call @tpuc.eig(%x) {backend_config = "VV"} : (tensor<4x4xf32>)
      -> (tensor<4xcomplex<f32>>, tensor<4x4xcomplex<f32>>, tensor<i32>)
  return %0#0 : tensor<4xcomplex<f32>>
}

// -----

func.func @schur(%x: tensor<3x4xf32>) -> tensor<3x4xf32> {
  // expected-error @below {{'tpuc.schur' expects square matrices}}
  %0:4 = stablehlo.custom_call @tpuc.schur(%x) {backend_config = "N"} : (tensor<3x4xf32>)
      -> (tensor<3x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<i32>)
  return %0#0 : tensor<3x4xf32>
}
