// RUN: tpuc-opt %s --tpuc-verify-simplify | FileCheck %s

// CHECK-LABEL: func.func @main
// lgamma of f64 stays for the stage `expand`.
func.func @main(%x: tensor<4xf64>) -> tensor<4xf64> {
  // CHECK: chlo.lgamma
  %0 = chlo.lgamma %x : tensor<4xf64> -> tensor<4xf64>
  return %0 : tensor<4xf64>
}
