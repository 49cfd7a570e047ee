// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tpuc-opt %s --split-input-file --verify-diagnostics

func.func @main() -> tensor<i32> {
  // expected-error@+1 {{expects to stand in the body of a loop with kernel.trip_count}}
  %0 = kernel.counter 0 by 1 : tensor<i32>
  return %0 : tensor<i32>
}

// -----

func.func @main(%n: tensor<i32>) -> tensor<i32> {
  %0 = stablehlo.while(%i = %n) : tensor<i32> attributes {kernel.trip_count = 4 : i64}
  cond {
    %p = stablehlo.constant dense<true> : tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    // expected-error@+1 {{expects tensor<i32>, but got 'tensor<1xi32>'}}
    %k = kernel.counter 0 by 1 : tensor<1xi32>
    stablehlo.return %i : tensor<i32>
  }
  return %0 : tensor<i32>
}

// -----

// Not in the condition, which does not run.
func.func @main(%n: tensor<i32>) -> tensor<i32> {
  %0 = stablehlo.while(%i = %n) : tensor<i32> attributes {kernel.trip_count = 4 : i64}
  cond {
    // expected-error@+1 {{expects to stand in the body of a loop with kernel.trip_count}}
    %k = kernel.counter 0 by 1 : tensor<i32>
    %p = stablehlo.compare LT, %i, %k : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    stablehlo.return %i : tensor<i32>
  }
  return %0 : tensor<i32>
}

// -----

// What is made of the iteration's number stands behind it.
func.func @main(%n: tensor<i32>) -> tensor<i32> {
  %0 = stablehlo.while(%i = %n) : tensor<i32> attributes {kernel.trip_count = 4 : i64}
  cond {
    %p = stablehlo.constant dense<true> : tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    // expected-error@+1 {{expects the loop's kernel.counter 0 by 1 before it}}
    %k = kernel.counter 0 by 1 every 2 : tensor<i32>
    %number = kernel.counter 0 by 1 : tensor<i32>
    stablehlo.return %i : tensor<i32>
  }
  return %0 : tensor<i32>
}

// -----

func.func @main(%n: tensor<i32>) -> tensor<i32> {
  %0 = stablehlo.while(%i = %n) : tensor<i32> attributes {kernel.trip_count = 4 : i64}
  cond {
    %p = stablehlo.constant dense<true> : tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %number = kernel.counter 0 by 1 : tensor<i32>
    // expected-error@+1 {{expects to stay for an iteration at least, and to have a step}}
    %k = kernel.counter 0 by 1 every 0 : tensor<i32>
    stablehlo.return %i : tensor<i32>
  }
  return %0 : tensor<i32>
}
