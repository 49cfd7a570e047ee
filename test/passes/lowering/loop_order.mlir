// A kernel's index space has the order of an array under which all can be read, wherever that one is listed: here %b's,
// not %a's, whose lanes are %b's outermost dim.
// RUN: tpuc-opt %s --tpuc-plan-kernels=target=v5e --tpuc-lower-kernels=target=v5e | FileCheck %s

// CHECK-LABEL: tpu.routine @k0
// CHECK-NOT: x.sum.lane
// CHECK: tpu.return
func.func @main(%a: tensor<2x1x1x16xi32>, %b: tensor<16x2x1x1x1xi32>) -> tensor<2x1x1x1xi32> {
  %0 = kernel.fusion "loop"(%a, %b : tensor<2x1x1x16xi32>, tensor<16x2x1x1x1xi32>) -> tensor<2x1x1x1xi32> {
  ^bb0(%l: tensor<2x1x1x16xi32>, %r: tensor<16x2x1x1x1xi32>):
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.reshape %l : (tensor<2x1x1x16xi32>) -> tensor<2x1x1x1x16xi32>
    %2 = stablehlo.transpose %1, dims = [4, 0, 1, 2, 3] : (tensor<2x1x1x1x16xi32>) -> tensor<16x2x1x1x1xi32>
    %3 = stablehlo.multiply %2, %r : tensor<16x2x1x1x1xi32>
    %4 = stablehlo.reduce(%3 init: %c) applies stablehlo.add across dimensions = [0]
        : (tensor<16x2x1x1x1xi32>, tensor<i32>) -> tensor<2x1x1x1xi32>
    kernel.yield %4 : tensor<2x1x1x1xi32>
  }
  return %0 : tensor<2x1x1x1xi32>
}
