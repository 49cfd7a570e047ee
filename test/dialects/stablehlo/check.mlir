// RUN: tpuc-opt %s | tpuc-opt | FileCheck %s
// RUN: tpuc-opt %s --mlir-print-op-generic | tpuc-opt | FileCheck %s

// CHECK-LABEL: func @checks
func.func @checks(%x: tensor<2xf32>, %i: tensor<2xi32>) {
  // CHECK: check.expect_eq %{{.*}}, %{{.*}} : tensor<2xi32>
  check.expect_eq %i, %i : tensor<2xi32>
  // CHECK-NEXT: check.expect_eq_const %{{.*}}, dense<[1, 2]> : tensor<2xi32>
  check.expect_eq_const %i, dense<[1, 2]> : tensor<2xi32>
  // CHECK-NEXT: check.expect_almost_eq %{{.*}}, %{{.*}} : tensor<2xf32>
  check.expect_almost_eq %x, %x : tensor<2xf32>
  // CHECK-NEXT: check.expect_almost_eq %{{.*}}, %{{.*}}, tolerance = 1.000000e-01 : tensor<2xf32>
  check.expect_almost_eq %x, %x, tolerance = 0.1 : tensor<2xf32>
  // CHECK-NEXT: check.expect_almost_eq_const %{{.*}}, dense<0.000000e+00> : tensor<2xf32>
  check.expect_almost_eq_const %x, dense<0.0> : tensor<2xf32>
  // CHECK-NEXT: check.expect_close %{{.*}}, %{{.*}} : tensor<2xf32>, tensor<2xf32>
  check.expect_close %x, %x, max_ulp_difference = 3 : tensor<2xf32>, tensor<2xf32>
  // CHECK-NEXT: check.expect_close %{{.*}}, %{{.*}}, max_ulp_difference = 18446744073709551615, min_ulp_difference = 1 :
  check.expect_close %x, %x, max_ulp_difference = 18446744073709551615, min_ulp_difference = 1
      : tensor<2xf32>, tensor<2xf32>
  // CHECK-NEXT: stablehlo.custom_call @check.expect_eq(%{{.*}}, %{{.*}}) {has_side_effect = true}
  stablehlo.custom_call @check.expect_eq(%i, %i) {has_side_effect = true} : (tensor<2xi32>, tensor<2xi32>) -> ()
  return
}
