// RUN: tpuc-opt %s --tpuc-extract-checks --split-input-file | FileCheck %s
// RUN: tpuc-opt %s --tpuc-extract-checks --split-input-file | tpuc-opt --split-input-file | FileCheck %s

// Both sides are returned, and each value once: %y is result 0 for main's own sake already.
// CHECK: check.expectations = [#check.expectation<equal, actual = 0, expected = 1, place = {{.*}}>, #check.expectation<almost_equal, actual = 0, expected = 2, tolerance = 5.000000e-01, place = {{.*}}>, #check.expectation<close, actual = 1, expected = 0, min_ulps = 1, max_ulps = 3, place = {{.*}}>]
// CHECK-LABEL: func @main
// CHECK-SAME: -> (tensor<2xf32> {jax.result_info = "y"}, tensor<2xf32>, tensor<2xf32>)
func.func @main(%x: tensor<2xf32>) -> (tensor<2xf32> {jax.result_info = "y"}) {
  // CHECK: %[[Y:.*]] = stablehlo.add
  %y = stablehlo.add %x, %x : tensor<2xf32>
  check.expect_eq %y, %x : tensor<2xf32>
  // CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<2.000000e+00>
  check.expect_almost_eq_const %y, dense<2.0> : tensor<2xf32>, tolerance = 0.5
  check.expect_close %x, %y, max_ulp_difference = 3, min_ulp_difference = 1 : tensor<2xf32>, tensor<2xf32>
  // CHECK-NEXT: return %[[Y]], %{{.*}}, %[[C]] :
  return %y : tensor<2xf32>
}

// -----

// The calls that mean the same; on integers check.eq is exact.
// CHECK: [#check.expectation<equal, actual = 0, expected = 1, {{.*}}>, #check.expectation<close, actual = 2, expected = 3, max_ulps = 3, {{.*}}>, #check.expectation<almost_equal, actual = 2, expected = 3, tolerance = 1.000000e-03, {{.*}}>, #check.expectation<almost_equal, actual = 2, expected = 3, tolerance = 1.000000e-04, {{.*}}>, #check.expectation<equal, actual = 0, expected = 1, {{.*}}>]
// CHECK-LABEL: func @main
func.func @main(%i: tensor<2xi32>, %j: tensor<2xi32>, %x: tensor<2xf32>, %y: tensor<2xf32>) {
  stablehlo.custom_call @check.expect_eq(%i, %j) {has_side_effect = true} : (tensor<2xi32>, tensor<2xi32>) -> ()
  stablehlo.custom_call @check.expect_close(%x, %y) {has_side_effect = true} : (tensor<2xf32>, tensor<2xf32>) -> ()
  stablehlo.custom_call @check.expect_almost_eq(%x, %y) {has_side_effect = true} : (tensor<2xf32>, tensor<2xf32>) -> ()
  %0 = stablehlo.custom_call @check.eq(%x, %y) : (tensor<2xf32>, tensor<2xf32>) -> tensor<i1>
  %1 = stablehlo.custom_call @check.eq(%i, %j) : (tensor<2xi32>, tensor<2xi32>) -> tensor<i1>
  // CHECK-NOT: custom_call
  // CHECK: return
  return
}

// -----

// A call whose answer is used: the machine says it too.
// CHECK-LABEL: func @main
func.func @main(%i: tensor<2x3xi32>, %j: tensor<2x3xi32>) -> tensor<i1> {
  // CHECK-DAG: %[[EQ:.*]] = stablehlo.compare EQ
  // CHECK-DAG: %[[YES:.*]] = stablehlo.constant dense<true> : tensor<i1>
  // CHECK: %[[ALL:.*]] = stablehlo.reduce(%[[EQ]] init: %[[YES]]) applies stablehlo.and across dimensions = [0, 1]
  %0 = stablehlo.custom_call @check.eq(%i, %j) : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<i1>
  // A check of a check's answer sees what replaced it.
  check.expect_eq_const %0, dense<true> : tensor<i1>
  // CHECK: return %[[ALL]], %{{.*}}, %{{.*}}, %{{.*}} : tensor<i1>, tensor<2x3xi32>, tensor<2x3xi32>, tensor<i1>
  return %0 : tensor<i1>
}
