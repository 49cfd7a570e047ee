// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The largest element's position: columns are met in order, so nothing asks which of two comes first.
// RUN: tpuc-opt %s --pass-pipeline='builtin.module(tpuc-plan-kernels,tpuc-lower-kernels)' --split-input-file | FileCheck %s

// 1024 columns are 8 tiles, in 4 sums: two turns. Of a tie the sum stays, which is of earlier columns: the mask is of
// elements alone. Sums, and lanes, are put together in no order, and compare positions.
// CHECK-LABEL: tpu.routine @k0
// CHECK: scf.for {{.*}} = %c0_i64 to %c8_i64 step %c4_i64 iter_args
// CHECK-NOT: v.lt.s32
// CHECK: %[[MORE:.*]] = tpu.inst "v.lt.f32"(%[[X:.*]], %[[SUM:.*]]) :
// CHECK-NOT: v.lt.s32
// CHECK: %[[SAME:.*]] = tpu.inst "v.eq.f32"(%[[SUM]], %[[X]])
// CHECK: %[[FIRST:.*]] = tpu.inst "m.or"(%[[MORE]], %[[SAME]])
// CHECK: tpu.inst "v.sel"(%[[FIRST]], %{{.*}}, %{{.*}})
// CHECK-NOT: v.lt.s32
// CHECK: scf.yield
// CHECK: v.lt.s32
// CHECK: x.rot.lane
// CHECK: v.lt.s32
func.func @main(%x: tensor<64x1024xf32>) -> tensor<64xi32> {
  %0:2 = kernel.fusion "loop"(%x : tensor<64x1024xf32>) -> tensor<64xf32>, tensor<64xi32> {
  ^bb0(%a: tensor<64x1024xf32>):
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %i = stablehlo.iota dim = 1 : tensor<64x1024xi32>
    %1:2 = stablehlo.reduce(%a init: %low), (%i init: %zero) across dimensions = [1]
        : (tensor<64x1024xf32>, tensor<64x1024xi32>, tensor<f32>, tensor<i32>) -> (tensor<64xf32>, tensor<64xi32>)
     reducer(%v: tensor<f32>, %w: tensor<f32>) (%p: tensor<i32>, %q: tensor<i32>) {
      %more = stablehlo.compare GT, %v, %w : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %same = stablehlo.compare EQ, %v, %w : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %before = stablehlo.compare LT, %p, %q : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %tie = stablehlo.and %same, %before : tensor<i1>
      %takes = stablehlo.or %more, %tie : tensor<i1>
      %value = stablehlo.select %more, %v, %w : tensor<i1>, tensor<f32>
      %position = stablehlo.select %takes, %p, %q : tensor<i1>, tensor<i32>
      stablehlo.return %value, %position : tensor<f32>, tensor<i32>
    }
    kernel.yield %1#0, %1#1 : tensor<64xf32>, tensor<64xi32>
  }
  return %0#1 : tensor<64xi32>
}

// -----

// Of 1000 columns the eighth tile has places that hold the initial value, at position 0: there it is asked.
// CHECK-LABEL: tpu.routine @k0
// CHECK: scf.for {{.*}} = %c0_i64 to %c7_i64 step %c1_i64 iter_args
// CHECK-NOT: v.lt.s32
// CHECK: scf.yield
// CHECK: tpu.inst "v.lt.s32"
func.func @main(%x: tensor<64x1000xf32>) -> tensor<64xi32> {
  %0:2 = kernel.fusion "loop"(%x : tensor<64x1000xf32>) -> tensor<64xf32>, tensor<64xi32> {
  ^bb0(%a: tensor<64x1000xf32>):
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %i = stablehlo.iota dim = 1 : tensor<64x1000xi32>
    %1:2 = stablehlo.reduce(%a init: %low), (%i init: %zero) across dimensions = [1]
        : (tensor<64x1000xf32>, tensor<64x1000xi32>, tensor<f32>, tensor<i32>) -> (tensor<64xf32>, tensor<64xi32>)
     reducer(%v: tensor<f32>, %w: tensor<f32>) (%p: tensor<i32>, %q: tensor<i32>) {
      %more = stablehlo.compare GT, %v, %w : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %same = stablehlo.compare EQ, %v, %w : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %before = stablehlo.compare LT, %p, %q : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %tie = stablehlo.and %same, %before : tensor<i1>
      %takes = stablehlo.or %more, %tie : tensor<i1>
      %value = stablehlo.select %more, %v, %w : tensor<i1>, tensor<f32>
      %position = stablehlo.select %takes, %p, %q : tensor<i1>, tensor<i32>
      stablehlo.return %value, %position : tensor<f32>, tensor<i32>
    }
    kernel.yield %1#0, %1#1 : tensor<64xf32>, tensor<64xi32>
  }
  return %0#1 : tensor<64xi32>
}
