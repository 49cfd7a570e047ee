// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A convolution whose positions are its result's lanes: steps with parts of them would each write all.
// RUN: tpuc run %s --check --matmul-precision=highest --constants=arrays
// RUN: tpuc run %s --check --matmul-precision=highest --constants=arrays --target=v4
// RUN: tpuc run %s --check --matmul-precision=highest --constants=arrays --target=v5p
// RUN: tpuc compile %s --constants=arrays --stop-after=plan -o - | FileCheck %s
// CHECK: kernel.fusion "conv"
// CHECK-SAME: parallel d1 = 638 by {{6[34][08]}}
func.func @main() -> tensor<638xf32> {
  %x = stablehlo.iota dim = 1 : tensor<1x640x5x160xf32>
  %w = stablehlo.constant dense<1.0> : tensor<3x5x160x1xf32>
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<1x640x5x160xf32>, tensor<3x5x160x1xf32>) -> tensor<1x638x1x1xf32>
  %1 = stablehlo.reshape %0 : (tensor<1x638x1x1xf32>) -> tensor<638xf32>
  // Row i meets rows i, i + 1 and i + 2, of 800 elements each.
  %i = stablehlo.iota dim = 0 : tensor<638xf32>
  %c = stablehlo.constant dense<2400.0> : tensor<638xf32>
  %2 = stablehlo.multiply %i, %c : tensor<638xf32>
  %3 = stablehlo.add %2, %c : tensor<638xf32>
  check.expect_eq %1, %3 : tensor<638xf32>
  return %1 : tensor<638xf32>
}
