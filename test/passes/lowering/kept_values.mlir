// RUN: tpuc-opt %s --tpuc-plan-kernels=target=v5e --tpuc-lower-kernels=target=v5e | FileCheck %s

// The exponentials are summed, stored, and loaded again for the quotients: no loop but the sum's computes them.
// CHECK-LABEL: tpu.routine @k0
// CHECK: tpu.inst "e.exp2"
// CHECK: tpu.inst "v.st"
// CHECK-NOT: "e.exp2"
// CHECK: tpu.return
func.func @main(%x: tensor<16x128xf32>) -> tensor<16x128xf32> {
  %0 = kernel.fusion "loop"(%x : tensor<16x128xf32>) -> tensor<16x128xf32> {
  ^bb0(%a: tensor<16x128xf32>):
    %zero = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.exponential %a : tensor<16x128xf32>
    %2 = stablehlo.reduce(%1 init: %zero) applies stablehlo.add across dimensions = [1]
        : (tensor<16x128xf32>, tensor<f32>) -> tensor<16xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<16xf32>) -> tensor<16x128xf32>
    %4 = stablehlo.divide %1, %3 : tensor<16x128xf32>
    kernel.yield %4 : tensor<16x128xf32>
  }
  return %0 : tensor<16x128xf32>
}
