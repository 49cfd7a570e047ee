// RUN: tpuc-opt %s | tpuc-opt | FileCheck %s
// RUN: tpuc-opt %s --mlir-print-op-generic | tpuc-opt | FileCheck %s

// CHECK-LABEL: func @elementwise
func.func @elementwise(%x: tensor<4xf32>, %i: tensor<4xi32>, %z: tensor<4xcomplex<f32>>) {
  // CHECK: chlo.acos %{{.*}} : tensor<4xf32> -> tensor<4xf32>
  %0 = chlo.acos %x : tensor<4xf32> -> tensor<4xf32>
  // CHECK-NEXT: chlo.acosh
  %1 = chlo.acosh %x : tensor<4xf32> -> tensor<4xf32>
  // CHECK-NEXT: chlo.asin
  %2 = chlo.asin %x : tensor<4xf32> -> tensor<4xf32>
  // CHECK-NEXT: chlo.asinh
  %3 = chlo.asinh %x : tensor<4xf32> -> tensor<4xf32>
  // CHECK-NEXT: chlo.atan
  %4 = chlo.atan %x : tensor<4xf32> -> tensor<4xf32>
  // CHECK-NEXT: chlo.atanh
  %5 = chlo.atanh %x : tensor<4xf32> -> tensor<4xf32>
  // CHECK-NEXT: chlo._asin_acos_kernel
  %6 = chlo._asin_acos_kernel %z : tensor<4xcomplex<f32>> -> tensor<4xcomplex<f32>>
  // CHECK-NEXT: chlo.bessel_i1e
  %7 = chlo.bessel_i1e %x : tensor<4xf32> -> tensor<4xf32>
  // CHECK-NEXT: chlo.conj
  %8 = chlo.conj %z : tensor<4xcomplex<f32>> -> tensor<4xcomplex<f32>>
  // CHECK-NEXT: chlo.cosh
  %9 = chlo.cosh %x : tensor<4xf32> -> tensor<4xf32>
  // CHECK-NEXT: chlo.digamma
  %10 = chlo.digamma %x : tensor<4xf32> -> tensor<4xf32>
  // CHECK-NEXT: chlo.erf %
  %11 = chlo.erf %x : tensor<4xf32> -> tensor<4xf32>
  // CHECK-NEXT: chlo.erf_inv
  %12 = chlo.erf_inv %x : tensor<4xf32> -> tensor<4xf32>
  // CHECK-NEXT: chlo.erfc
  %13 = chlo.erfc %x : tensor<4xf32> -> tensor<4xf32>
  // CHECK-NEXT: chlo.lgamma
  %14 = chlo.lgamma %x : tensor<4xf32> -> tensor<4xf32>
  // CHECK-NEXT: chlo.sinh
  %15 = chlo.sinh %x : tensor<4xf32> -> tensor<4xf32>
  // CHECK-NEXT: chlo.square
  %16 = chlo.square %x : tensor<4xf32> -> tensor<4xf32>
  // CHECK-NEXT: chlo.tan
  %17 = chlo.tan %x : tensor<4xf32> -> tensor<4xf32>
  // CHECK-NEXT: chlo.is_inf %{{.*}} : tensor<4xf32> -> tensor<4xi1>
  %18 = chlo.is_inf %x : tensor<4xf32> -> tensor<4xi1>
  // CHECK-NEXT: chlo.is_neg_inf
  %19 = chlo.is_neg_inf %x : tensor<4xf32> -> tensor<4xi1>
  // CHECK-NEXT: chlo.is_pos_inf
  %20 = chlo.is_pos_inf %x : tensor<4xf32> -> tensor<4xi1>
  // CHECK-NEXT: chlo.mulhi %{{.*}}, %{{.*}} : tensor<4xi32>, tensor<4xi32> -> tensor<4xi32>
  %21 = chlo.mulhi %i, %i : tensor<4xi32>, tensor<4xi32> -> tensor<4xi32>
  // CHECK-NEXT: chlo.next_after
  %22 = chlo.next_after %x, %x : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  // CHECK-NEXT: chlo.polygamma
  %23 = chlo.polygamma %x, %x : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  // CHECK-NEXT: chlo.zeta
  %24 = chlo.zeta %x, %x : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  return
}

// CHECK-LABEL: func @broadcasting
func.func @broadcasting(%x: tensor<4x1xf32>, %y: tensor<8xf32>, %p: tensor<i1>, %b: tensor<4xi1>) {
  // CHECK: chlo.broadcast_add %{{.*}}, %{{.*}} : (tensor<4x1xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  %0 = chlo.broadcast_add %x, %y : (tensor<4x1xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  // CHECK-NEXT: chlo.broadcast_subtract %{{.*}}, %{{.*}} {broadcast_dimensions = array<i64: 1>}
  %1 = chlo.broadcast_subtract %x, %y {broadcast_dimensions = array<i64: 1>} : (tensor<4x1xf32>, tensor<8xf32>)
      -> tensor<4x8xf32>
  // CHECK-NEXT: chlo.broadcast_compare %{{.*}}, %{{.*}} {compare_type = #chlo<comparison_type TOTALORDER>, comparison_direction = #chlo<comparison_direction LT>} : (tensor<4x1xf32>, tensor<8xf32>) -> tensor<4x8xi1>
  %2 = chlo.broadcast_compare %x, %y {compare_type = #chlo<comparison_type TOTALORDER>,
      comparison_direction = #chlo<comparison_direction LT>} : (tensor<4x1xf32>, tensor<8xf32>) -> tensor<4x8xi1>
  // CHECK-NEXT: chlo.broadcast_select %{{.*}} : (tensor<i1>, tensor<4x1xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  %3 = chlo.broadcast_select %p, %x, %y : (tensor<i1>, tensor<4x1xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  // CHECK-NEXT: chlo.broadcast_complex
  %4 = chlo.broadcast_complex %x, %y : (tensor<4x1xf32>, tensor<8xf32>) -> tensor<4x8xcomplex<f32>>
  // CHECK-NEXT: chlo.broadcast_and
  %5 = chlo.broadcast_and %p, %b : (tensor<i1>, tensor<4xi1>) -> tensor<4xi1>
  return
}

// CHECK-LABEL: func @others
func.func @others(%x: tensor<4x8xf32>, %r: tensor<3x8x5xf32>, %g: tensor<3xi32>, %c: tensor<8xf32>) {
  // CHECK: chlo.constant dense<1.000000e+00> : tensor<2xf32>
  %0 = chlo.constant dense<1.0> : tensor<2xf32>
  // CHECK-NEXT: "chlo.constant_like"(%{{.*}}) <{value = 1.000000e+00 : f32}>
  %1 = "chlo.constant_like"(%x) <{value = 1.0 : f32}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
  // CHECK-NEXT: chlo.top_k(%{{.*}}, k = 3) : tensor<4x8xf32> -> (tensor<4x3xf32>, tensor<4x3xi32>)
  %2:2 = chlo.top_k(%x, k = 3) : tensor<4x8xf32> -> (tensor<4x3xf32>, tensor<4x3xi32>)
  // CHECK-NEXT: chlo.top_k(%{{.*}}, k = 0, is_stable = true)
  %3:2 = chlo.top_k(%x, k = 0, is_stable = true) : tensor<4x8xf32> -> (tensor<4x0xf32>, tensor<4x0xi32>)
  // CHECK-NEXT: "chlo.ragged_dot"({{.*}}#chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>
  %4 = "chlo.ragged_dot"(%x, %r, %g) <{precision_config = [#chlo<precision DEFAULT>, #chlo<precision DEFAULT>],
      ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1],
      rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}>
      : (tensor<4x8xf32>, tensor<3x8x5xf32>, tensor<3xi32>) -> tensor<4x5xf32>
  // CHECK-NEXT: chlo.scan(%{{.*}}) inits(%{{.*}}) dimension = 0 attributes {is_reverse = true} {
  // CHECK: } : (tensor<4x8xf32>, tensor<8xf32>) -> (tensor<4x8xf32>, tensor<8xf32>)
  %5:2 = chlo.scan(%x) inits(%c) dimension = 0 attributes {is_reverse = true} {
  ^bb0(%a: tensor<8xf32>, %b: tensor<8xf32>):
    %s = stablehlo.add %a, %b : tensor<8xf32>
    stablehlo.return %s, %s : tensor<8xf32>, tensor<8xf32>
  } : (tensor<4x8xf32>, tensor<8xf32>) -> (tensor<4x8xf32>, tensor<8xf32>)
  return
}

// Of unknown rank; a cast of another dialect tells it.
// CHECK-LABEL: func @unranked
func.func @unranked(%x: tensor<*xf32>, %y: tensor<4xf32>) -> tensor<4xi1> {
  // CHECK: "chlo.constant_like"(%{{.*}}) <{value = 2 : i32}> : (tensor<*xf32>) -> tensor<*xi32>
  %0 = "chlo.constant_like"(%x) <{value = 2 : i32}> : (tensor<*xf32>) -> tensor<*xi32>
  // CHECK: chlo.broadcast_compare %{{.*}} : (tensor<*xf32>, tensor<4xf32>) -> tensor<*xi1>
  %1 = chlo.broadcast_compare %x, %y {comparison_direction = #chlo<comparison_direction LT>}
      : (tensor<*xf32>, tensor<4xf32>) -> tensor<*xi1>
  // CHECK: tensor.cast %{{.*}} : tensor<*xi1> to tensor<4xi1>
  %2 = tensor.cast %1 : tensor<*xi1> to tensor<4xi1>
  return %2 : tensor<4xi1>
}
