// A result whose planes are views of an argument's, or of what has a place already, is copied plane by plane at the
// end.
// RUN: tpuc-opt %s --tpuc-plan-kernels=target=v5e --tpuc-lower-kernels=target=v5e | FileCheck %s

// CHECK-LABEL: tpu.routine entry @main
// CHECK: tpu.dma_start "hbm" @arg0[{{.*}} + 0] to "hbm" @res0[{{.*}} + 0] run 16384
// CHECK: tpu.dma_start "hbm" @arg0[{{.*}} + 16384] to "hbm" @res0[{{.*}} + 16384] run 16384
// CHECK: tpu.return
func.func @main(%a: tensor<2x16x4xi64>) -> tensor<2x1x16x4xi64> {
  %0:2 = kernel.split %a : tensor<2x16x4xi64> -> tensor<2x16x4xui32>, tensor<2x16x4xui32>
  %1 = kernel.view %0#0 : tensor<2x16x4xui32> -> tensor<2x1x16x4xui32>
  %2 = kernel.view %0#1 : tensor<2x16x4xui32> -> tensor<2x1x16x4xui32>
  %3 = kernel.join %1, %2 : tensor<2x1x16x4xui32>, tensor<2x1x16x4xui32> -> tensor<2x1x16x4xi64>
  return %3 : tensor<2x1x16x4xi64>
}
