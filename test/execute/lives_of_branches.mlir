// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An array that both branches read: in the last one its place is free behind its reader, where the branch goes on.
// RUN: tpuc run %s --random=1 --check --split-input-file
// RUN: tpuc run %s --random=1 --check --split-input-file --target=v4
// RUN: tpuc run %s --random=1 --check --split-input-file --no-fuse
func.func @main(%x: tensor<3x40xf32>, %p: tensor<i1>) -> tensor<3x40xf32> {
  %v3 = stablehlo.negate %x : tensor<3x40xf32>
  %q4 = "stablehlo.if"(%p) ({
    %v8 = stablehlo.abs %v3 : tensor<3x40xf32>
    stablehlo.return %v8 : tensor<3x40xf32>
  }, {
    %v13 = stablehlo.reshape %v3 : (tensor<3x40xf32>) -> tensor<20x6xf32>
    %v14 = stablehlo.exponential %v13 : tensor<20x6xf32>
    %v15 = stablehlo.reshape %v14 : (tensor<20x6xf32>) -> tensor<3x40xf32>
    stablehlo.return %v15 : tensor<3x40xf32>
  }) : (tensor<i1>) -> tensor<3x40xf32>
  return %q4 : tensor<3x40xf32>
}

// -----

func.func @main(%x: tensor<300x4000xf32>, %p: tensor<i32>) -> tensor<300x4000xf32> {
  %v3 = stablehlo.negate %x : tensor<300x4000xf32>
  %q4 = "stablehlo.case"(%p) ({
    %v8 = stablehlo.abs %v3 : tensor<300x4000xf32>
    stablehlo.return %v8 : tensor<300x4000xf32>
  }, {
    %v13 = stablehlo.reshape %v3 : (tensor<300x4000xf32>) -> tensor<300x4x1000xf32>
    %v14 = stablehlo.exponential %v13 : tensor<300x4x1000xf32>
    %v15 = stablehlo.reshape %v14 : (tensor<300x4x1000xf32>) -> tensor<300x4000xf32>
    stablehlo.return %v15 : tensor<300x4000xf32>
  }) : (tensor<i32>) -> tensor<300x4000xf32>
  return %q4 : tensor<300x4000xf32>
}
