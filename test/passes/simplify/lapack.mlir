// RUN: tpuc-opt %s --tpuc-legalize-custom-calls | FileCheck %s

// What is right of the diagonal stays; info is the number of the first diagonal element that is no root.
// CHECK-LABEL: func @factor
// CHECK: %[[L:.*]] = stablehlo.cholesky %arg0, lower = true : tensor<4x4xf32>
// CHECK: stablehlo.compare GE
// CHECK: stablehlo.compare GT, %[[L]]
// CHECK: %[[KEPT:.*]] = stablehlo.select %{{.*}}, %[[L]], %arg0
// CHECK: stablehlo.compare EQ, %{{.*}} : (tensor<4x4xi32>
// CHECK: stablehlo.reduce(%{{.*}}) applies stablehlo.minimum across dimensions = [0, 1]
// CHECK: %[[INFO:.*]] = stablehlo.select %{{.*}} : tensor<i1>, tensor<i32>
// CHECK: return %[[KEPT]], %[[INFO]]
func.func @factor(%a: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<i32>) {
  %0:2 = stablehlo.custom_call @lapack_spotrf_ffi(%a) {mhlo.backend_config = {uplo = 76 : ui8},
      operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]>
      : tensor<2xindex>, dense<> : tensor<0xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([k, l],
      []) {i=4, j=4, k=4, l=4}, custom>} : (tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<i32>)
  return %0#0, %0#1 : tensor<4x4xf32>, tensor<i32>
}

// CHECK-LABEL: func @solve
// CHECK: "stablehlo.triangular_solve"(%arg0, %arg1) <{left_side = false, lower = false, transpose_a = #stablehlo<transpose ADJOINT>, unit_diagonal = true}>
func.func @solve(%a: tensor<2x4x4xcomplex<f32>>, %b: tensor<2x3x4xcomplex<f32>>) -> tensor<2x3x4xcomplex<f32>> {
  %0 = stablehlo.custom_call @lapack_ctrsm_ffi(%a, %b) {mhlo.backend_config = {diag = 85 : ui8, side = 82 : ui8,
      trans_x = 67 : ui8, uplo = 85 : ui8}} : (tensor<2x4x4xcomplex<f32>>, tensor<2x3x4xcomplex<f32>>)
      -> tensor<2x3x4xcomplex<f32>>
  return %0 : tensor<2x3x4xcomplex<f32>>
}

// LAPACK's pivots count from 1.
// CHECK-LABEL: func @eliminate
// CHECK: %[[LU:.*]]:3 = stablehlo.custom_call @LuDecomposition(%arg0) : (tensor<4x3xf64>) -> (tensor<4x3xf64>, tensor<3xi32>, tensor<4xi32>)
// CHECK: %[[PIVOTS:.*]] = stablehlo.add %[[LU]]#1, %{{.*}} : tensor<3xi32>
// CHECK: return %[[LU]]#0, %[[PIVOTS]], %{{.*}}
func.func @eliminate(%a: tensor<4x3xf64>) -> (tensor<4x3xf64>, tensor<3xi32>, tensor<i32>) {
  %0:3 = stablehlo.custom_call @lapack_dgetrf_ffi(%a) {mhlo.backend_config = {}} : (tensor<4x3xf64>)
      -> (tensor<4x3xf64>, tensor<3xi32>, tensor<i32>)
  return %0#0, %0#1, %0#2 : tensor<4x3xf64>, tensor<3xi32>, tensor<i32>
}

// Q is whole, 4x4 of reflectors of 3 columns; c Q* contracts the columns of both.
// CHECK-LABEL: func @reflect
// CHECK: %[[QR:.*]]:2 = stablehlo.custom_call @Qr(%arg0)
// CHECK: %[[PADDED:.*]] = stablehlo.pad %[[QR]]#0, {{.*}} -> tensor<4x4xf32>
// CHECK: %[[Q:.*]] = stablehlo.custom_call @ProductOfElementaryHouseholderReflectors(%[[PADDED]], %[[QR]]#1) : (tensor<4x4xf32>, tensor<3xf32>) -> tensor<4x4xf32>
// CHECK: stablehlo.dot_general %arg1, %[[Q]], contracting_dims = [1] x [1], precision = [HIGHEST, HIGHEST]
// CHECK: stablehlo.custom_call @ProductOfElementaryHouseholderReflectors(%[[QR]]#0, %[[QR]]#1) : (tensor<4x3xf32>, tensor<3xf32>) -> tensor<4x3xf32>
func.func @reflect(%a: tensor<4x3xf32>, %c: tensor<2x4xf32>) -> (tensor<2x4xf32>, tensor<4x3xf32>) {
  %0:2 = stablehlo.custom_call @lapack_sgeqrf_ffi(%a) {mhlo.backend_config = {}} : (tensor<4x3xf32>)
      -> (tensor<4x3xf32>, tensor<3xf32>)
  %1 = stablehlo.custom_call @lapack_sormqr_ffi(%0#0, %0#1, %c) {mhlo.backend_config = {left = false,
      transpose = true}} : (tensor<4x3xf32>, tensor<3xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  %2 = stablehlo.custom_call @lapack_sorgqr_ffi(%0#0, %0#1) {mhlo.backend_config = {}}
      : (tensor<4x3xf32>, tensor<3xf32>) -> tensor<4x3xf32>
  return %1, %2 : tensor<2x4xf32>, tensor<4x3xf32>
}

// CHECK-LABEL: func @spectra
// CHECK-DAG: stablehlo.custom_call @Eigh(%arg0) {backend_config = "0,1,100,1e-6"} : (tensor<2x4x4xf32>) -> (tensor<2x4x4xf32>, tensor<2x4xf32>)
// CHECK-DAG: stablehlo.custom_call @tpuc.svd(%arg0) {backend_config = "S"} : (tensor<2x4x4xf32>) -> (tensor<2x4xf32>, tensor<2x4x4xf32>, tensor<2x4x4xf32>)
// CHECK-DAG: stablehlo.custom_call @tpuc.svd(%arg0) {backend_config = "N"} : (tensor<2x4x4xf32>) -> tensor<2x4xf32>
func.func @spectra(%a: tensor<2x4x4xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4x4xf32>, tensor<2x4xf32>) {
  %0:3 = stablehlo.custom_call @lapack_ssyevd_ffi(%a) {mhlo.backend_config = {mode = 86 : ui8, uplo = 85 : ui8}}
      : (tensor<2x4x4xf32>) -> (tensor<2x4x4xf32>, tensor<2x4xf32>, tensor<2xi32>)
  %1:5 = stablehlo.custom_call @lapack_sgesdd_ffi(%a) {mhlo.backend_config = {mode = 83 : ui8}} : (tensor<2x4x4xf32>)
      -> (tensor<2x4x4xf32>, tensor<2x4xf32>, tensor<2x4x4xf32>, tensor<2x4x4xf32>, tensor<2xi32>)
  %2:5 = stablehlo.custom_call @lapack_sgesvd_ffi(%a) {mhlo.backend_config = {mode = 78 : ui8}} : (tensor<2x4x4xf32>)
      -> (tensor<2x4x4xf32>, tensor<2x4xf32>, tensor<2x4x4xf32>, tensor<2x4x4xf32>, tensor<2xi32>)
  return %0#1, %1#1, %1#2, %2#1 : tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4x4xf32>, tensor<2x4xf32>
}

// CHECK-LABEL: func @rest
// CHECK-DAG: stablehlo.custom_call @tpuc.hessenberg(%arg0) : (tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<3xf32>)
// CHECK-DAG: stablehlo.custom_call @tpuc.tridiagonal(%arg0) {backend_config = "L"} : (tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4xf32>, tensor<3xf32>, tensor<3xf32>)
// CHECK-DAG: stablehlo.custom_call @tpuc.pivoted_qr(%arg0, %arg1) : (tensor<4x4xf32>, tensor<4xi32>) -> (tensor<4x4xf32>, tensor<4xi32>, tensor<4xf32>)
// CHECK-DAG: stablehlo.custom_call @tpuc.tridiagonal_solve(%arg2, %arg2, %arg2, %arg0) : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<i32>)
func.func @rest(%a: tensor<4x4xf32>, %i: tensor<4xi32>, %d: tensor<4xf32>)
    -> (tensor<3xf32>, tensor<4xf32>, tensor<4xi32>, tensor<4x4xf32>) {
  %0:3 = stablehlo.custom_call @lapack_sgehrd_ffi(%a) {mhlo.backend_config = {high = 4 : i32, low = 1 : i32}}
      : (tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<3xf32>, tensor<i32>)
  %1:5 = stablehlo.custom_call @lapack_ssytrd_ffi(%a) {mhlo.backend_config = {uplo = 76 : ui8}} : (tensor<4x4xf32>)
      -> (tensor<4x4xf32>, tensor<4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<i32>)
  %2:3 = stablehlo.custom_call @lapack_sgeqp3_ffi(%a, %i) {mhlo.backend_config = {}}
      : (tensor<4x4xf32>, tensor<4xi32>) -> (tensor<4x4xf32>, tensor<4xi32>, tensor<4xf32>)
  %3:5 = stablehlo.custom_call @lapack_sgtsv_ffi(%d, %d, %d, %a) {mhlo.backend_config = {}}
      : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4x4xf32>)
      -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4x4xf32>, tensor<i32>)
  return %0#1, %1#1, %2#1, %3#3 : tensor<3xf32>, tensor<4xf32>, tensor<4xi32>, tensor<4x4xf32>
}

// Of a real matrix eigenvalues are two arrays; vectors that nobody asks for are not computed.
// CHECK-LABEL: func @general
// CHECK: %[[E:.*]]:3 = stablehlo.custom_call @tpuc.eig(%arg0) {backend_config = "NV"} : (tensor<2x4x4xf32>) -> (tensor<2x4xcomplex<f32>>, tensor<2x4x4xcomplex<f32>>, tensor<2xi32>)
// CHECK-DAG: stablehlo.real %[[E]]#0
// CHECK-DAG: stablehlo.imag %[[E]]#0
// CHECK: %[[S:.*]]:4 = stablehlo.custom_call @tpuc.schur(%arg1) {backend_config = "V"} : (tensor<4x4xcomplex<f64>>) -> (tensor<4x4xcomplex<f64>>, tensor<4x4xcomplex<f64>>, tensor<4xcomplex<f64>>, tensor<i32>)
// CHECK: %[[N:.*]]:4 = stablehlo.custom_call @tpuc.schur(%arg0) {backend_config = "N"} : (tensor<2x4x4xf32>) -> (tensor<2x4x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2xi32>)
// CHECK: return %{{.*}}, %{{.*}}, %[[E]]#1, %[[S]]#1, %[[S]]#3, %[[N]]#0
func.func @general(%a: tensor<2x4x4xf32>, %c: tensor<4x4xcomplex<f64>>)
    -> (tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4x4xcomplex<f32>>, tensor<4x4xcomplex<f64>>, tensor<i32>,
    tensor<2x4x4xf32>) {
  %0:5 = stablehlo.custom_call @lapack_sgeev_ffi(%a) {mhlo.backend_config = {compute_left = 78 : ui8,
      compute_right = 86 : ui8}} : (tensor<2x4x4xf32>)
      -> (tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4x4xcomplex<f32>>, tensor<2x4x4xcomplex<f32>>, tensor<2xi32>)
  %1:5 = stablehlo.custom_call @lapack_zgees_ffi(%c) {mhlo.backend_config = {mode = 86 : ui8, sort = 78 : ui8}}
      : (tensor<4x4xcomplex<f64>>) -> (tensor<4x4xcomplex<f64>>, tensor<4x4xcomplex<f64>>, tensor<4xcomplex<f64>>,
      tensor<i32>, tensor<i32>)
  %2:6 = stablehlo.custom_call @lapack_sgees_ffi(%a) {mhlo.backend_config = {mode = 78 : ui8, sort = 78 : ui8}}
      : (tensor<2x4x4xf32>) -> (tensor<2x4x4xf32>, tensor<2x4x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2xi32>,
      tensor<2xi32>)
  return %0#0, %0#1, %0#3, %1#1, %1#4, %2#0
      : tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4x4xcomplex<f32>>, tensor<4x4xcomplex<f64>>, tensor<i32>,
      tensor<2x4x4xf32>
}

// CHECK-LABEL: func @perturbed
// CHECK: stablehlo.custom_call @tpuc.tridiagonal_solve(%arg0, %arg0, %arg0, %arg1) {backend_config = "perturbed"} : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4x1xf32>) -> (tensor<4x1xf32>, tensor<i32>)
func.func @perturbed(%d: tensor<4xf32>, %b: tensor<4x1xf32>) -> tensor<4x1xf32> {
  %0 = stablehlo.custom_call @tridiagonal_solve_perturbed_ffi(%d, %d, %d, %b) {mhlo.backend_config = {}}
      : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4x1xf32>) -> tensor<4x1xf32>
  return %0 : tensor<4x1xf32>
}
