// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tpuc-opt %s --tpuc-drop-tokens --split-input-file --verify-diagnostics

// What others send and take in the middle of a program: tokens alone do not make it an op of arrays.
func.func @main(%t: !stablehlo.token) -> tensor<4xf32> {
  // expected-error @+1 {{'stablehlo.infeed' exchanges arrays while the program runs}}
  %0:2 = "stablehlo.infeed"(%t) : (!stablehlo.token) -> (tensor<4xf32>, !stablehlo.token)
  return %0#0 : tensor<4xf32>
}

// -----

func.func @main(%x: tensor<4xf32>, %t: !stablehlo.token) -> !stablehlo.token {
  // expected-error @+1 {{'stablehlo.outfeed' exchanges arrays while the program runs}}
  %0 = "stablehlo.outfeed"(%x, %t) : (tensor<4xf32>, !stablehlo.token) -> !stablehlo.token
  return %0 : !stablehlo.token
}

// -----

func.func @main(%x: tensor<4xf32>, %t: !stablehlo.token) -> !stablehlo.token {
  // expected-error @+1 {{'stablehlo.send' exchanges arrays while the program runs}}
  %0 = "stablehlo.send"(%x, %t) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 2>,
      is_host_transfer = true}> : (tensor<4xf32>, !stablehlo.token) -> !stablehlo.token
  return %0 : !stablehlo.token
}

// -----

func.func @main(%t: !stablehlo.token) -> tensor<4xf32> {
  // expected-error @+1 {{'stablehlo.recv' exchanges arrays while the program runs}}
  %0:2 = "stablehlo.recv"(%t) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 3>,
      is_host_transfer = true}> : (!stablehlo.token) -> (tensor<4xf32>, !stablehlo.token)
  return %0#0 : tensor<4xf32>
}
