// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tpuc-opt %s --tpuc-verify-plan
// Two arrays lie in the same words, one after the other; the second lies over what its kernel reads last.
func.func @main(%x: tensor<8x128xf32>) -> tensor<8x128xf32> {
  %0 = kernel.fusion "loop"(%x : tensor<8x128xf32>) -> tensor<8x128xf32> attributes {
      kernel.places = [[#kernel.place<tensor<8x128xf32> at 0 words 8 rows 8 tiles 1 strides [8]>]],
      kernel.plan = #kernel.plan<grid [parallel d0 = 8 by 8, parallel d1 = 128 by 128]>} {
  ^bb0(%a: tensor<8x128xf32>):
    %1 = stablehlo.tanh %a : tensor<8x128xf32>
    kernel.yield %1 : tensor<8x128xf32>
  }
  %2 = kernel.fusion "loop"(%0 : tensor<8x128xf32>) -> tensor<8x128xf32> attributes {
      kernel.places = [[#kernel.place<tensor<8x128xf32> at 0 words 8 rows 8 tiles 1 strides [8] over 0>]],
      kernel.plan = #kernel.plan<grid [parallel d0 = 8 by 8, parallel d1 = 128 by 128]>} {
  ^bb0(%a: tensor<8x128xf32>):
    %3 = stablehlo.tanh %a : tensor<8x128xf32>
    kernel.yield %3 : tensor<8x128xf32>
  }
  %4 = kernel.fusion "loop"(%2 : tensor<8x128xf32>) -> tensor<8x128xf32> attributes {
      kernel.plan = #kernel.plan<grid [parallel d0 = 8 by 8, parallel d1 = 128 by 128]>} {
  ^bb0(%a: tensor<8x128xf32>):
    %5 = stablehlo.tanh %a : tensor<8x128xf32>
    kernel.yield %5 : tensor<8x128xf32>
  }
  return %4 : tensor<8x128xf32>
}
