// RUN: split-file %s %t
// RUN: tpuc run %t/holds.mlir
// RUN: not tpuc run %t/differs.mlir 2>&1 | FileCheck %t/differs.mlir

// What a program expects of itself: its exit says whether all of it holds.

//--- holds.mlir
func.func @holds() -> tensor<i1> {
  %x = stablehlo.constant dense<[1.0, -0.0, 0x7FC00000]> : tensor<3xf32>
  %zero = stablehlo.constant dense<[0.0, 0.0, 0.0]> : tensor<3xf32>
  %y = stablehlo.add %x, %zero : tensor<3xf32>
  // Zeros of both signs are equal, and so are NaNs.
  check.expect_eq %x, %y : tensor<3xf32>
  check.expect_eq_const %x, dense<[1.0, 0.0, 0xFFC00000]> : tensor<3xf32>
  check.expect_close %x, %y : tensor<3xf32>, tensor<3xf32>
  check.expect_almost_eq_const %x, dense<[1.0625, 0.0, 0x7FC00000]> : tensor<3xf32>, tolerance = 0.0625
  %0 = stablehlo.custom_call @check.eq(%x, %y) : (tensor<3xf32>, tensor<3xf32>) -> tensor<i1>
  check.expect_eq_const %0, dense<true> : tensor<i1>
  return %0 : tensor<i1>
}

//--- differs.mlir
func.func @differs() {
  %x = stablehlo.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %y = stablehlo.add %x, %x : tensor<3xf32>
  // CHECK: [[FILE:differs.mlir]]:[[#@LINE+1]]:3: equal 3xf32: 2 elements differ; at [2]: expects 7, but got 6 [TPUC-CHECK-002]
  check.expect_eq_const %y, dense<[2.0, 4.5, 7.0]> : tensor<3xf32>
  // 2 + 6 * 2^-22 is six values after 2.
  %close = stablehlo.constant dense<[2.00000143, 4.0, 6.0]> : tensor<3xf32>
  // CHECK: [[FILE]]:[[#@LINE+1]]:3: close 3xf32: largest error 6.00e+00 of 5.00e+00 allowed, 1 elements beyond; at [0]: expects 2.00000143, but got 2
  check.expect_close %y, %close, max_ulp_difference = 5 : tensor<3xf32>, tensor<3xf32>
  return
}
