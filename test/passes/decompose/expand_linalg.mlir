// RUN: tpuc-opt %s --tpuc-expand-linalg | FileCheck %s

// One loop of as many steps as there are columns; each takes the root of a diagonal element.
// CHECK-LABEL: func @factor
// CHECK: %[[R:.*]]:3 = stablehlo.while
// CHECK: stablehlo.constant dense<8> : tensor<i32>
// CHECK: stablehlo.sqrt %{{.*}} : tensor<f32>
// CHECK: return %[[R]]#2
func.func @factor(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = stablehlo.cholesky %a, lower = true : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// An upper system from the right: the transposed, lower one from the left, solved from the first row on.
// CHECK-LABEL: func @solve
// CHECK: stablehlo.transpose %arg1, dims = [0, 2, 1] : (tensor<2x5x8xf32>) -> tensor<2x8x5xf32>
// CHECK: stablehlo.transpose %arg0, dims = [0, 2, 1]
// CHECK: stablehlo.while
// CHECK-NOT: stablehlo.divide
// CHECK: stablehlo.transpose %{{.*}}, dims = [0, 2, 1] : (tensor<2x8x5xf32>) -> tensor<2x5x8xf32>
func.func @solve(%a: tensor<2x8x8xf32>, %b: tensor<2x5x8xf32>) -> tensor<2x5x8xf32> {
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = false, lower = false,
      transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = true}>
      : (tensor<2x8x8xf32>, tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
  return %0 : tensor<2x5x8xf32>
}

// 20 rows are three blocks of 8: their inverses in 8 steps, then each takes what the rows before it leave, even and odd
// terms apart.
// CHECK-LABEL: func @blocks
// CHECK: stablehlo.pad %{{.*}} -> tensor<24x24xf32>
// CHECK: stablehlo.while
// CHECK: stablehlo.constant dense<8> : tensor<i32>
// CHECK-COUNT-8: kernel.fma {{.*}} : tensor<3x8xf32>
// CHECK: stablehlo.while
// CHECK: stablehlo.constant dense<3> : tensor<i32>
// CHECK: stablehlo.dot_general {{.*}} (tensor<8x24xf32>, tensor<24x4xf32>) -> tensor<8x4xf32>
// CHECK-COUNT-2: stablehlo.dot_general {{.*}} (tensor<8x8xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
// CHECK: return %{{.*}} : tensor<20x4xf32>
func.func @blocks(%a: tensor<20x20xf32>, %b: tensor<20x4xf32>) -> tensor<20x4xf32> {
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true,
      transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}>
      : (tensor<20x20xf32>, tensor<20x4xf32>) -> tensor<20x4xf32>
  return %0 : tensor<20x4xf32>
}

// 300 columns are three panels of 128; the rest of the matrix loses a product on the matrix unit.
// CHECK-LABEL: func @panels
// CHECK: stablehlo.pad %arg0, {{.*}} -> tensor<384x384xf32>
// CHECK: stablehlo.while
// CHECK: stablehlo.dynamic_slice {{.*}} sizes = [384, 128]
// CHECK: stablehlo.while
// CHECK: "stablehlo.gather"
// CHECK: stablehlo.dot_general {{.*}} (tensor<384x128xf32>, tensor<128x384xf32>) -> tensor<384x384xf32>
func.func @panels(%x: tensor<300x300xf32>) -> (tensor<300x300xf32>, tensor<300xi32>, tensor<300xi32>) {
  %0:3 = stablehlo.custom_call @LuDecomposition(%x) : (tensor<300x300xf32>)
      -> (tensor<300x300xf32>, tensor<300xi32>, tensor<300xi32>)
  return %0#0, %0#1, %0#2 : tensor<300x300xf32>, tensor<300xi32>, tensor<300xi32>
}

// One panel: no product with V* of the other columns; bf16 in f32.
// CHECK-LABEL: func @reflect
// CHECK: stablehlo.convert %arg0 : (tensor<8x5xbf16>) -> tensor<8x5xf32>
// CHECK-NOT: stablehlo.dot_general
// CHECK: stablehlo.convert %{{.*}} : (tensor<8x5xf32>) -> tensor<8x5xbf16>
func.func @reflect(%x: tensor<8x5xbf16>) -> (tensor<8x5xbf16>, tensor<5xbf16>) {
  %0:2 = stablehlo.custom_call @Qr(%x) : (tensor<8x5xbf16>) -> (tensor<8x5xbf16>, tensor<5xbf16>)
  return %0#0, %0#1 : tensor<8x5xbf16>, tensor<5xbf16>
}

// Five rows are three pairs and a row of zeros; the five rounds of a sweep are a loop in the loop of sweeps.
// CHECK-LABEL: func @jacobi
// CHECK: stablehlo.pad {{.*}} -> tensor<6x6xf32>
// CHECK: stablehlo.while
// CHECK: stablehlo.while
// CHECK: stablehlo.constant dense<5> : tensor<i32>
// CHECK: stablehlo.sort
func.func @jacobi(%x: tensor<5x5xf32>) -> (tensor<5x5xf32>, tensor<5xf32>) {
  %0:2 = stablehlo.custom_call @Eigh(%x) {backend_config = "1,1,100,1e-6"} : (tensor<5x5xf32>)
      -> (tensor<5x5xf32>, tensor<5xf32>)
  return %0#0, %0#1 : tensor<5x5xf32>, tensor<5xf32>
}

// Of 3x5 the adjoint's: R has three rows, two pairs with one of zeros; values alone accumulate no rotations.
// CHECK-LABEL: func @singular
// CHECK: stablehlo.transpose %arg0, dims = [1, 0] : (tensor<3x5xf32>) -> tensor<5x3xf32>
// CHECK: stablehlo.pad {{.*}} -> tensor<4x3xf32>
// CHECK: stablehlo.while
// CHECK: stablehlo.while
// CHECK: stablehlo.constant dense<3> : tensor<i32>
// CHECK: %[[S:.*]]:2 = "stablehlo.sort"
// CHECK: stablehlo.negate
// CHECK-NOT: stablehlo.while
// CHECK: return
func.func @singular(%x: tensor<3x5xf32>) -> tensor<3xf32> {
  %0 = stablehlo.custom_call @tpuc.svd(%x) {backend_config = "N"} : (tensor<3x5xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// Two loops of rows: down with exchanges, and up.
// CHECK-LABEL: func @chase
// CHECK: stablehlo.while
// CHECK: stablehlo.constant dense<4> : tensor<i32>
// CHECK: stablehlo.while
// CHECK: stablehlo.constant dense<5> : tensor<i32>
func.func @chase(%d: tensor<2x5xf32>, %b: tensor<2x5x3xf32>) -> (tensor<2x5x3xf32>, tensor<2xi32>) {
  %0:2 = stablehlo.custom_call @tpuc.tridiagonal_solve(%d, %d, %d, %b)
      : (tensor<2x5xf32>, tensor<2x5xf32>, tensor<2x5xf32>, tensor<2x5x3xf32>) -> (tensor<2x5x3xf32>, tensor<2xi32>)
  return %0#0, %0#1 : tensor<2x5x3xf32>, tensor<2xi32>
}

// By its upper triangle a matrix is reduced from the last column up: in reverse, column by column.
// CHECK-LABEL: func @reduce
// CHECK: stablehlo.reverse %arg0, dims = [0, 1]
// CHECK: stablehlo.while
// CHECK: stablehlo.constant dense<4> : tensor<i32>
// CHECK-COUNT-4: stablehlo.reverse
// CHECK: stablehlo.while
// CHECK: stablehlo.constant dense<3> : tensor<i32>
func.func @reduce(%x: tensor<5x5xf32>, %i: tensor<3xi32>, %y: tensor<5x3xf32>)
    -> (tensor<5x5xf32>, tensor<5xf32>, tensor<4xf32>, tensor<4xf32>, tensor<5x3xf32>, tensor<3xi32>, tensor<3xf32>) {
  %0:4 = stablehlo.custom_call @tpuc.tridiagonal(%x) {backend_config = "U"} : (tensor<5x5xf32>)
      -> (tensor<5x5xf32>, tensor<5xf32>, tensor<4xf32>, tensor<4xf32>)
  %1:3 = stablehlo.custom_call @tpuc.pivoted_qr(%y, %i) : (tensor<5x3xf32>, tensor<3xi32>)
      -> (tensor<5x3xf32>, tensor<3xi32>, tensor<3xf32>)
  return %0#0, %0#1, %0#2, %0#3, %1#0, %1#1, %1#2
      : tensor<5x5xf32>, tensor<5xf32>, tensor<4xf32>, tensor<4xf32>, tensor<5x3xf32>, tensor<3xi32>, tensor<3xf32>
}
