// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tpuc-opt %s --tpuc-plan-kernels=target=v4 --tpuc-verify-plan | FileCheck %s

// Two million columns: 128 parts of 16384, each column in 64 of 128 lanes, take 8 MiB a slot, more than two slots of
// v4's VMEM. Where nothing fits, smaller parts are tried.
// CHECK: parallel d2 = 2097152 by 2048, sequential d0 = 64 by 64]
func.func @main(%x: tensor<2097152x64xf32>, %w: tensor<64xf32>) -> tensor<2097152xf32> {
  %0 = kernel.fusion "dot"(%x, %w : tensor<2097152x64xf32>, tensor<64xf32>) -> tensor<2097152xf32> {
  ^bb0(%a: tensor<2097152x64xf32>, %b: tensor<64xf32>):
    %1 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
        : (tensor<2097152x64xf32>, tensor<64xf32>) -> tensor<2097152xf32>
    kernel.yield %1 : tensor<2097152xf32>
  }
  return %0 : tensor<2097152xf32>
}
