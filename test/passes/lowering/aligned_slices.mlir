// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tpuc-opt %s --tpuc-plan-kernels=target=v5e --tpuc-lower-kernels=target=v5e | FileCheck %s
// Slices at a loop's counter. 128 n is the first lane of a tile, where 1024 - 128 is too: one transfer has all tiles
// below one another. 8 n is the first row of a tile of f32, of 8 rows, and not of bf16, of 16. 96 n is no tile's first
// lane, and neither is 1000 - 128, where the last slice would begin.
func.func @main(%x: tensor<1024x1024xf32>, %y: tensor<64x256xbf16>, %z: tensor<64x1000xf32>, %w: tensor<64x256xf32>)
    -> (tensor<1024x1024xf32>, tensor<8x256xf32>, tensor<8x256xbf16>, tensor<64x128xf32>, tensor<64x128xf32>) {
  %sum = kernel.fusion "loop"() -> tensor<1024x1024xf32> {
    %0 = stablehlo.constant dense<0.0> : tensor<1024x1024xf32>
    kernel.yield %0 : tensor<1024x1024xf32>
  }
  %rows = kernel.fusion "loop"() -> tensor<8x256xf32> {
    %0 = stablehlo.constant dense<0.0> : tensor<8x256xf32>
    kernel.yield %0 : tensor<8x256xf32>
  }
  %halves = kernel.fusion "loop"() -> tensor<8x256xbf16> {
    %0 = stablehlo.constant dense<0.0> : tensor<8x256xbf16>
    kernel.yield %0 : tensor<8x256xbf16>
  }
  %end = kernel.fusion "loop"() -> tensor<64x128xf32> {
    %0 = stablehlo.constant dense<0.0> : tensor<64x128xf32>
    kernel.yield %0 : tensor<64x128xf32>
  }
  %1:5 = stablehlo.while(%s = %sum, %r = %rows, %h = %halves, %e = %end, %f = %end) : tensor<1024x1024xf32>,
      tensor<8x256xf32>, tensor<8x256xbf16>, tensor<64x128xf32>, tensor<64x128xf32>
      attributes {kernel.trip_count = 4 : i64}
  cond {
    %p = kernel.fusion "loop"() -> tensor<i1> {
      %yes = stablehlo.constant dense<true> : tensor<i1>
      kernel.yield %yes : tensor<i1>
    }
    stablehlo.return %p : tensor<i1>
  } do {
    %i = kernel.counter 0 by 128 : tensor<i32>
    %j = kernel.counter 56 by -8 : tensor<i32>
    %k = kernel.counter 0 by 96 : tensor<i32>
    // CHECK-LABEL: tpu.routine @k4
    // CHECK-NOT: scf.for
    // CHECK: tpu.dma_start "hbm" @arg0[%{{.*}} + 0] to "hbm" @{{.*}}[%c0_i64 + 0] run 4096 counts [128] strides [32768] to [4096]
    // CHECK: tpu.inst "dma.wait"() {count = 1 : i64}
    %panel = kernel.fusion "copy"(%x, %i : tensor<1024x1024xf32>, tensor<i32>) -> tensor<1024x128xf32> {
    ^bb0(%a: tensor<1024x1024xf32>, %at: tensor<i32>):
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %0 = stablehlo.dynamic_slice %a, %zero, %at, sizes = [1024, 128] : (tensor<1024x1024xf32>, tensor<i32>,
          tensor<i32>) -> tensor<1024x128xf32>
      kernel.yield %0 : tensor<1024x128xf32>
    }
    // CHECK-LABEL: tpu.routine @k5
    // CHECK-NOT: scf.for
    // CHECK: tpu.dma_start "hbm" @{{.*}}[%c0_i64 + 0] to "hbm" @{{.*}}[%{{.*}} + 0] run 4096 counts [128] strides [4096] to [32768]
    %put = kernel.fusion "copy"(%s, %panel, %i : tensor<1024x1024xf32>, tensor<1024x128xf32>, tensor<i32>)
        -> tensor<1024x1024xf32> {
    ^bb0(%a: tensor<1024x1024xf32>, %b: tensor<1024x128xf32>, %at: tensor<i32>):
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %0 = stablehlo.dynamic_update_slice %a, %b, %zero, %at : (tensor<1024x1024xf32>, tensor<1024x128xf32>,
          tensor<i32>, tensor<i32>) -> tensor<1024x1024xf32>
      kernel.yield %0 : tensor<1024x1024xf32>
    }
    // CHECK-LABEL: tpu.routine @k6
    // CHECK-NOT: scf.for
    // CHECK: tpu.dma_start "hbm" @arg3[%{{.*}} + 0] to "hbm" @{{.*}} run 8192 counts []
    %row = kernel.fusion "copy"(%w, %j : tensor<64x256xf32>, tensor<i32>) -> tensor<8x256xf32> {
    ^bb0(%a: tensor<64x256xf32>, %at: tensor<i32>):
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %0 = stablehlo.dynamic_slice %a, %at, %zero, sizes = [8, 256] : (tensor<64x256xf32>, tensor<i32>, tensor<i32>)
          -> tensor<8x256xf32>
      kernel.yield %0 : tensor<8x256xf32>
    }
    // CHECK-LABEL: tpu.routine @k7
    // CHECK: scf.for %{{.*}} to %c8_i64
    // CHECK: tpu.dma_start "hbm" @arg1
    %half = kernel.fusion "copy"(%y, %j : tensor<64x256xbf16>, tensor<i32>) -> tensor<8x256xbf16> {
    ^bb0(%a: tensor<64x256xbf16>, %at: tensor<i32>):
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %0 = stablehlo.dynamic_slice %a, %at, %zero, sizes = [8, 256] : (tensor<64x256xbf16>, tensor<i32>, tensor<i32>)
          -> tensor<8x256xbf16>
      kernel.yield %0 : tensor<8x256xbf16>
    }
    // CHECK-LABEL: tpu.routine @k8
    // CHECK: scf.for %{{.*}} to %c128_i64
    // CHECK: tpu.dma_start "hbm" @arg2
    %last = kernel.fusion "copy"(%z, %i : tensor<64x1000xf32>, tensor<i32>) -> tensor<64x128xf32> {
    ^bb0(%a: tensor<64x1000xf32>, %at: tensor<i32>):
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %0 = stablehlo.dynamic_slice %a, %zero, %at, sizes = [64, 128] : (tensor<64x1000xf32>, tensor<i32>, tensor<i32>)
          -> tensor<64x128xf32>
      kernel.yield %0 : tensor<64x128xf32>
    }
    // CHECK-LABEL: tpu.routine @k9
    // CHECK: scf.for %{{.*}} to %c128_i64
    // CHECK: tpu.dma_start "hbm" @arg3
    %between = kernel.fusion "copy"(%w, %k : tensor<64x256xf32>, tensor<i32>) -> tensor<64x128xf32> {
    ^bb0(%a: tensor<64x256xf32>, %at: tensor<i32>):
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %0 = stablehlo.dynamic_slice %a, %zero, %at, sizes = [64, 128] : (tensor<64x256xf32>, tensor<i32>, tensor<i32>)
          -> tensor<64x128xf32>
      kernel.yield %0 : tensor<64x128xf32>
    }
    stablehlo.return %put, %row, %half, %last, %between : tensor<1024x1024xf32>, tensor<8x256xf32>,
        tensor<8x256xbf16>, tensor<64x128xf32>, tensor<64x128xf32>
  }
  return %1#0, %1#1, %1#2, %1#3, %1#4 : tensor<1024x1024xf32>, tensor<8x256xf32>, tensor<8x256xbf16>,
      tensor<64x128xf32>, tensor<64x128xf32>
}
