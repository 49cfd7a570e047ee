// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tpuc-opt %s --tpuc-plan-kernels --tpuc-lower-kernels | FileCheck %s
// A kernel with an array of predicates walks units of 32 rows, of which a block of 8 has one group: the other three are
// padding, and not computed. Of 16 lanes' sum by a region, four foldings hold all.

func.func @main(%x: tensor<8x128xui32>, %y: tensor<8x16xui32>) -> (tensor<8x128xi1>, tensor<8xui32>) {
  // CHECK-LABEL: tpu.routine @k0
  // CHECK-COUNT-1: v.xor
  // CHECK-NOT: v.xor
  // CHECK: v.pack.b8
  // CHECK: tpu.return
  %0 = kernel.fusion "loop"(%x : tensor<8x128xui32>) -> tensor<8x128xi1> {
  ^bb0(%a: tensor<8x128xui32>):
    %c = stablehlo.constant dense<7> : tensor<8x128xui32>
    %1 = stablehlo.xor %a, %c : tensor<8x128xui32>
    %2 = stablehlo.compare LT, %1, %a : (tensor<8x128xui32>, tensor<8x128xui32>) -> tensor<8x128xi1>
    kernel.yield %2 : tensor<8x128xi1>
  }
  // CHECK-LABEL: tpu.routine @k1
  // CHECK: x.rot.lane{{.*}} {imm = 8 : i64}
  // CHECK: x.rot.lane{{.*}} {imm = 4 : i64}
  // CHECK: x.rot.lane{{.*}} {imm = 2 : i64}
  // CHECK: x.rot.lane{{.*}} {imm = 1 : i64}
  // CHECK-NOT: x.rot.lane
  // CHECK: x.bcast.lane{{.*}} {imm = 15 : i64}
  // CHECK: tpu.return
  %3 = kernel.fusion "loop"(%y : tensor<8x16xui32>) -> tensor<8xui32> {
  ^bb0(%a: tensor<8x16xui32>):
    %zero = stablehlo.constant dense<0> : tensor<ui32>
    %4 = "stablehlo.reduce"(%a, %zero) <{dimensions = array<i64: 1>}> ({
    ^bb0(%l: tensor<ui32>, %r: tensor<ui32>):
      %5 = stablehlo.add %l, %r : tensor<ui32>
      %6 = stablehlo.add %5, %5 : tensor<ui32>
      %7 = stablehlo.subtract %6, %5 : tensor<ui32>
      stablehlo.return %7 : tensor<ui32>
    }) : (tensor<8x16xui32>, tensor<ui32>) -> tensor<8xui32>
    kernel.yield %4 : tensor<8xui32>
  }
  return %0, %3 : tensor<8x128xi1>, tensor<8xui32>
}
