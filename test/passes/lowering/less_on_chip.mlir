// A kernel needs the room of what would stay in VMEM: of a program's arrays between kernels less stays.
// RUN: tpuc-opt %s \
// RUN:   --pass-pipeline='builtin.module(func.func(tpuc-fuse-kernels,tpuc-merge-kernels),tpuc-plan-kernels,tpuc-lower-kernels)' \
// RUN:   | FileCheck %s

// Sums of 128 rows lie in one row of lanes, so a block of the last kernel is 128 rows of 50257: 13 MB of bf16 come and
// go, in two slots each, and 26 MB of exponentials are kept. The sums of %a stay, 64 MB of its exponentials do not.
// CHECK-DAG: tpu.buffer @vmem{{.*}} : tensor<4096xf32>
// CHECK-DAG: tpu.buffer @tmp{{.*}} : tensor<4096x4096xf32>
// CHECK-NOT: @vmem{{.*}} : tensor<4096x4096xf32>
// CHECK: tpu.routine
func.func @main(%a: tensor<4096x4096xf32>, %x: tensor<256x50257xbf16>)
    -> (tensor<4096x4096xf32>, tensor<256xf32>, tensor<256x50257xbf16>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.exponential %a : tensor<4096x4096xf32>
  %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [0]
      : (tensor<4096x4096xf32>, tensor<f32>) -> tensor<4096xf32>
  %2 = stablehlo.broadcast_in_dim %1, dims = [0] : (tensor<4096xf32>) -> tensor<4096x4096xf32>
  %3 = stablehlo.add %0, %2 : tensor<4096x4096xf32>
  %4 = stablehlo.convert %x : (tensor<256x50257xbf16>) -> tensor<256x50257xf32>
  %5 = stablehlo.exponential %4 : tensor<256x50257xf32>
  %6 = stablehlo.reduce(%5 init: %zero) applies stablehlo.add across dimensions = [1]
      : (tensor<256x50257xf32>, tensor<f32>) -> tensor<256xf32>
  %7 = stablehlo.broadcast_in_dim %6, dims = [0] : (tensor<256xf32>) -> tensor<256x50257xf32>
  %8 = stablehlo.divide %5, %7 : tensor<256x50257xf32>
  %9 = stablehlo.convert %8 : (tensor<256x50257xf32>) -> tensor<256x50257xbf16>
  return %3, %6, %9 : tensor<4096x4096xf32>, tensor<256xf32>, tensor<256x50257xbf16>
}
