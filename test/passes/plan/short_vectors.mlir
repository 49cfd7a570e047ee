// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tpuc-opt %s --split-input-file --tpuc-plan-kernels=target=v2 --tpuc-verify-plan | FileCheck %s

// The mask's 512 elements are one tile of bytes, which no cut makes shorter: it is held whole, and the dim is cut all
// the same. The batches of all 512 would take 37 MB of VMEM.
// CHECK: grid [parallel d0 = 512 by {{[1-9][0-9]|1[0-9][0-9]}},
// CHECK-SAME: reads {{\[}}[512] (d0, d1, d2) -> (0) in hbm slots 1, [{{[1-9][0-9]|1[0-9][0-9]}}, 7, 3] (d0, d1, d2) -> (d0, d1, d2)
// CHECK-SAME: cuts_tiles
func.func @main(%m: tensor<512xi1>, %x: tensor<512x7x3xf32>, %y: tensor<512x7x3xi1>) -> tensor<512x7x3xf32> {
  %0 = kernel.fusion "loop"(%m, %x, %y : tensor<512xi1>, tensor<512x7x3xf32>, tensor<512x7x3xi1>)
      -> tensor<512x7x3xf32> {
  ^bb0(%a: tensor<512xi1>, %b: tensor<512x7x3xf32>, %c: tensor<512x7x3xi1>):
    %zero = stablehlo.constant dense<0.0> : tensor<512x7x3xf32>
    %1 = stablehlo.broadcast_in_dim %a, dims = [0] : (tensor<512xi1>) -> tensor<512x7x3xi1>
    %2 = stablehlo.and %1, %c : tensor<512x7x3xi1>
    %3 = stablehlo.select %2, %b, %zero : tensor<512x7x3xi1>, tensor<512x7x3xf32>
    kernel.yield %3 : tensor<512x7x3xf32>
  }
  return %0 : tensor<512x7x3xf32>
}

// -----

// So is one of 21 tiles of bytes: of the edges of a graph 512 at a time would take 16 MB, of 14.
// CHECK: grid [parallel d0 = 10556 by {{[1-9][0-9]|[1-4][0-9][0-9]}},
// CHECK-SAME: reads {{\[}}[10556] (d0, d1, d2) -> (0) in hbm slots 1,
func.func @main(%m: tensor<10556xi1>, %x: tensor<10556x8x8xf32>, %y: tensor<10556x8x8xf32>, %z: tensor<10556x8x8xf32>)
    -> tensor<10556x8x8xf32> {
  %0 = kernel.fusion "loop"(%m, %x, %y, %z
      : tensor<10556xi1>, tensor<10556x8x8xf32>, tensor<10556x8x8xf32>, tensor<10556x8x8xf32>)
      -> tensor<10556x8x8xf32> {
  ^bb0(%a: tensor<10556xi1>, %b: tensor<10556x8x8xf32>, %c: tensor<10556x8x8xf32>, %d: tensor<10556x8x8xf32>):
    %1 = stablehlo.broadcast_in_dim %a, dims = [0] : (tensor<10556xi1>) -> tensor<10556x8x8xi1>
    %2 = stablehlo.multiply %b, %c : tensor<10556x8x8xf32>
    %3 = stablehlo.select %1, %2, %d : tensor<10556x8x8xi1>, tensor<10556x8x8xf32>
    kernel.yield %3 : tensor<10556x8x8xf32>
  }
  return %0 : tensor<10556x8x8xf32>
}

// -----

// Vectors of 16 MB along lanes, which VMEM does not hold: their parts come with the columns that they are spread over.
// CHECK: grid [parallel d0 = 256 by {{[0-9]+}}, parallel d1 = 2097152 by [[N:[0-9]+]]]
// CHECK-SAME: reads {{\[}}{{\[}}[[N]]] (d0, d1) -> (d1) in hbm slots 2, {{\[}}[[N]]] (d0, d1) -> (d1) in hbm slots 2]
// CHECK-SAME: cuts_tiles
func.func @main(%i: tensor<2097152xi32>, %x: tensor<2097152xf32>) -> tensor<256x2097152xf32> {
  %0 = kernel.fusion "loop"(%i, %x : tensor<2097152xi32>, tensor<2097152xf32>) -> tensor<256x2097152xf32> {
  ^bb0(%a: tensor<2097152xi32>, %b: tensor<2097152xf32>):
    %zero = stablehlo.constant dense<0.0> : tensor<256x2097152xf32>
    %1 = stablehlo.broadcast_in_dim %a, dims = [1] : (tensor<2097152xi32>) -> tensor<256x2097152xi32>
    %2 = stablehlo.iota dim = 0 : tensor<256x2097152xi32>
    %3 = stablehlo.compare EQ, %2, %1
        : (tensor<256x2097152xi32>, tensor<256x2097152xi32>) -> tensor<256x2097152xi1>
    %4 = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<2097152xf32>) -> tensor<256x2097152xf32>
    %5 = stablehlo.select %3, %4, %zero : tensor<256x2097152xi1>, tensor<256x2097152xf32>
    kernel.yield %5 : tensor<256x2097152xf32>
  }
  return %0 : tensor<256x2097152xf32>
}
