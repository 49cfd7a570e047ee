// RUN: tpuc-opt %s --tpuc-verify-fuse | FileCheck %s

// CHECK-LABEL: func.func @main
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: kernel.fusion "loop"
  %0 = kernel.fusion "loop"(%x : tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    %1 = stablehlo.add %a, %a : tensor<4xf32>
    kernel.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}
