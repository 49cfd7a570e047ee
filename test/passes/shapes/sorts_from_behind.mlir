// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tpuc-opt %s --tpuc-bucket-shapes=sizes=n=1..8 --canonicalize --cse | FileCheck %s

// The last dim, counted from behind, is the open one: what lies behind its size is sorted to its end.
// CHECK-LABEL: func.func @main(
// CHECK: "stablehlo.sort"(%{{.*}}, %{{.*}}) <{dimension = 1 : i64
func.func @main(%x: tensor<4x?xf32> {shapes.dims = ["4", "n"]}) -> tensor<4x?xf32> {
  %0 = "stablehlo.sort"(%x) <{dimension = -1 : i64, is_stable = true}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %c = stablehlo.compare LT, %p, %q : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) : (tensor<4x?xf32>) -> tensor<4x?xf32>
  return %0 : tensor<4x?xf32>
}
