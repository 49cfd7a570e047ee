// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tpuc-opt %s --tpuc-save-early --split-input-file | FileCheck %s

// The state that the iteration was given is saved before the next one is made. What is saved of the next one stays
// behind it; so does a save into a stack that another kernel reads, which would be copied for it.
// CHECK-LABEL: @saves
// CHECK: kernel.view %[[S:iterArg]] :
// CHECK-NEXT: kernel.fusion "copy"(%[[OLD:[A-Za-z0-9_]*]],
// CHECK: %[[N:.*]] = kernel.fusion "loop"(%[[S]] :
// CHECK: %[[V:.*]] = kernel.view %[[N]] :
// CHECK-NEXT: kernel.fusion "copy"(%{{[A-Za-z0-9_]*}}, %[[V]],
// CHECK: %[[SUM:.*]] = kernel.fusion "loop"(%[[READ:[A-Za-z0-9_]*]] : tensor<4x8x128xf32>)
// CHECK: kernel.view %[[S]]
// CHECK: kernel.fusion "copy"(%[[READ]],
func.func @saves(%x: tensor<8x128xf32>, %y: tensor<4x8x128xf32>)
    -> (tensor<4x8x128xf32>, tensor<4x8x128xf32>, tensor<4x8x128xf32>, tensor<8x128xf32>) {
  %0:5 = stablehlo.while(%s = %x, %t = %y, %next = %y, %read = %y, %sum = %x) : tensor<8x128xf32>, tensor<4x8x128xf32>,
      tensor<4x8x128xf32>, tensor<4x8x128xf32>, tensor<8x128xf32> attributes {kernel.trip_count = 4 : i64}
  cond {
    %p = stablehlo.constant dense<true> : tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %i = kernel.counter 0 by 1 : tensor<i32>
    %n = kernel.fusion "loop"(%s : tensor<8x128xf32>) -> tensor<8x128xf32> {
    ^bb0(%a: tensor<8x128xf32>):
      %1 = stablehlo.tanh %a : tensor<8x128xf32>
      kernel.yield %1 : tensor<8x128xf32>
    }
    %v = kernel.view %s : tensor<8x128xf32> -> tensor<1x8x128xf32>
    %u = kernel.fusion "copy"(%t, %v, %i : tensor<4x8x128xf32>, tensor<1x8x128xf32>, tensor<i32>)
        -> tensor<4x8x128xf32> {
    ^bb0(%a: tensor<4x8x128xf32>, %b: tensor<1x8x128xf32>, %at: tensor<i32>):
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %1 = stablehlo.dynamic_update_slice %a, %b, %at, %zero, %zero
          : (tensor<4x8x128xf32>, tensor<1x8x128xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x8x128xf32>
      kernel.yield %1 : tensor<4x8x128xf32>
    }
    %w = kernel.view %n : tensor<8x128xf32> -> tensor<1x8x128xf32>
    %made = kernel.fusion "copy"(%next, %w, %i : tensor<4x8x128xf32>, tensor<1x8x128xf32>, tensor<i32>)
        -> tensor<4x8x128xf32> {
    ^bb0(%a: tensor<4x8x128xf32>, %b: tensor<1x8x128xf32>, %at: tensor<i32>):
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %1 = stablehlo.dynamic_update_slice %a, %b, %at, %zero, %zero
          : (tensor<4x8x128xf32>, tensor<1x8x128xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x8x128xf32>
      kernel.yield %1 : tensor<4x8x128xf32>
    }
    %r = kernel.fusion "loop"(%read : tensor<4x8x128xf32>) -> tensor<8x128xf32> {
    ^bb0(%a: tensor<4x8x128xf32>):
      %none = stablehlo.constant dense<0.0> : tensor<f32>
      %1 = stablehlo.reduce(%a init: %none) applies stablehlo.add across dimensions = [0]
          : (tensor<4x8x128xf32>, tensor<f32>) -> tensor<8x128xf32>
      kernel.yield %1 : tensor<8x128xf32>
    }
    %v2 = kernel.view %s : tensor<8x128xf32> -> tensor<1x8x128xf32>
    %k = kernel.fusion "copy"(%read, %v2, %i : tensor<4x8x128xf32>, tensor<1x8x128xf32>, tensor<i32>)
        -> tensor<4x8x128xf32> {
    ^bb0(%a: tensor<4x8x128xf32>, %b: tensor<1x8x128xf32>, %at: tensor<i32>):
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %1 = stablehlo.dynamic_update_slice %a, %b, %at, %zero, %zero
          : (tensor<4x8x128xf32>, tensor<1x8x128xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x8x128xf32>
      kernel.yield %1 : tensor<4x8x128xf32>
    }
    stablehlo.return %n, %u, %made, %k, %r
        : tensor<8x128xf32>, tensor<4x8x128xf32>, tensor<4x8x128xf32>, tensor<4x8x128xf32>, tensor<8x128xf32>
  }
  return %0#1, %0#2, %0#3, %0#4 : tensor<4x8x128xf32>, tensor<4x8x128xf32>, tensor<4x8x128xf32>, tensor<8x128xf32>
}
