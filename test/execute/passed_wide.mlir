// 64-bit arrays that pass through unchanged, once as what is expected: both planes arrive.
// RUN: tpuc run %s
// RUN: tpuc run %s --constants=arrays
func.func @main() -> tensor<2xi64> {
  %0 = stablehlo.constant dense<[4294967298, -3]> : tensor<2xi64>
  %1 = stablehlo.constant dense<[4294967298, -3]> : tensor<2xi64>
  check.expect_eq_const %0, dense<[4294967298, -3]> : tensor<2xi64>
  stablehlo.custom_call @check.expect_eq(%0, %1) {has_side_effect = true} : (tensor<2xi64>, tensor<2xi64>) -> ()
  return %0 : tensor<2xi64>
}
