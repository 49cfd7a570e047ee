// RUN: tpuc-opt %s --split-input-file \
// RUN:   --pass-pipeline='builtin.module(func.func(tpuc-fuse-kernels),tpuc-plan-kernels,tpuc-lower-kernels)' | FileCheck %s

// Between the kernel that makes what the host reads and the one that reads what it gives.
// CHECK-LABEL: tpu.routine entry @main
// CHECK: tpu.grid
// CHECK: tpu.host_call 3 [@[[IN:.*]], @arg1] [tensor<8x128xf32>, tensor<i32>] -> [@[[OUT:.*]]] [tensor<8x128xf32>]
// CHECK: tpu.grid
// CHECK: tpu.host_call 4 [@[[OUT]]] [tensor<8x128xf32>] -> [] []
func.func @main(%x: tensor<8x128xf32>, %n: tensor<i32>) -> tensor<8x128xf32> {
  %0 = stablehlo.add %x, %x : tensor<8x128xf32>
  %1 = stablehlo.custom_call @tpuc.host_call(%0, %n) {api_version = 4 : i32, has_side_effect = true,
      mhlo.backend_config = {index = 3 : ui64}} : (tensor<8x128xf32>, tensor<i32>) -> tensor<8x128xf32>
  %2 = stablehlo.multiply %1, %x : tensor<8x128xf32>
  stablehlo.custom_call @tpuc.host_call(%1) {api_version = 4 : i32, has_side_effect = true,
      mhlo.backend_config = {index = 4 : ui64}} : (tensor<8x128xf32>) -> ()
  return %2 : tensor<8x128xf32>
}

// -----

// Planes are made where the host finds them together; one that lies elsewhere, an argument's, is copied. Results are
// taken apart where they lie.
// CHECK-LABEL: tpu.routine entry @main
// CHECK: tpu.dma_start "hbm" @arg0[{{.*}}] to "hbm" @[[WHOLE:tmp[0-9]+]][
// CHECK: tpu.host_call 3 [@[[WHOLE]]] [tensor<4xi64>] -> [@[[BACK:.*]]] [tensor<4xi64>]
func.func @main(%low: tensor<4xui32>, %high: tensor<4xui32>) -> tensor<4xui32> {
  %0 = stablehlo.add %high, %high : tensor<4xui32>
  %1 = kernel.join %low, %0 : tensor<4xui32>, tensor<4xui32> -> tensor<4xi64>
  %2 = stablehlo.custom_call @tpuc.host_call(%1) {api_version = 4 : i32, has_side_effect = true,
      mhlo.backend_config = {index = 3 : ui64}} : (tensor<4xi64>) -> tensor<4xi64>
  %3:2 = kernel.split %2 : tensor<4xi64> -> tensor<4xui32>, tensor<4xui32>
  %4 = stablehlo.add %3#0, %3#1 : tensor<4xui32>
  return %4 : tensor<4xui32>
}

// -----

// In a loop, as often as it goes round.
// CHECK-LABEL: tpu.routine entry @main
// CHECK: scf.while
// CHECK: } do {
// CHECK: tpu.host_call 9
// CHECK: scf.yield
func.func @main(%n: tensor<i32>) -> tensor<i32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.while(%i = %zero) : tensor<i32>
    cond {
      %1 = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %1 = stablehlo.custom_call @tpuc.host_call(%i) {api_version = 4 : i32, has_side_effect = true,
          mhlo.backend_config = {index = 9 : ui64}} : (tensor<i32>) -> tensor<i32>
      stablehlo.return %1 : tensor<i32>
    }
  return %0 : tensor<i32>
}
