// RUN: tpuc-opt %s --tpuc-fuse-kernels=set=core.vmem_bytes=16777216 | FileCheck %s --check-prefix=SMALL
// RUN: tpuc-opt %s --tpuc-fuse-kernels | FileCheck %s --check-prefix=LARGE
// Rows that are walked twice stay whole in VMEM, and a result of one number a row takes 128 of them: where they don't
// fit, each walk is a kernel.
// SMALL-LABEL: func.func @main
// SMALL: kernel.fusion
// SMALL: kernel.fusion
// LARGE-LABEL: func.func @main
// LARGE: kernel.fusion
// LARGE-NOT: kernel.fusion
func.func @main(%x: tensor<4096x32000xf32>) -> tensor<4096xf32> {
  %ninf = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %max = stablehlo.reduce(%x init: %ninf) applies stablehlo.maximum across dimensions = [1]
      : (tensor<4096x32000xf32>, tensor<f32>) -> tensor<4096xf32>
  %maxes = stablehlo.broadcast_in_dim %max, dims = [0] : (tensor<4096xf32>) -> tensor<4096x32000xf32>
  %from = stablehlo.subtract %x, %maxes : tensor<4096x32000xf32>
  %e = stablehlo.exponential %from : tensor<4096x32000xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %sum = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1]
      : (tensor<4096x32000xf32>, tensor<f32>) -> tensor<4096xf32>
  %log = stablehlo.log %sum : tensor<4096xf32>
  %lse = stablehlo.add %log, %max : tensor<4096xf32>
  return %lse : tensor<4096xf32>
}
